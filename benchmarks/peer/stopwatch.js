'use strict';
// Counts moves for some seconds, and how long each took from the call to the mover's new state.

class Stopwatch {
  constructor(seconds) {
    this.seconds = seconds;
    this.took = [];
    this.cpu = process.cpuUsage();
    this.started = performance.now();
  }

  get over() {
    return performance.now() - this.started >= this.seconds * 1000;
  }

  note(sent) {
    this.took.push(performance.now() - sent);
  }

  report() {
    const seconds = (performance.now() - this.started) / 1000;
    const { user, system } = process.cpuUsage(this.cpu);
    const sorted = this.took.sort((one, other) => one - other);
    const at = (share) => sorted[Math.floor(sorted.length * share)];
    const moves = sorted.length;
    return { moves, seconds, p50: at(0.5), p99: at(0.99), driver: (user + system) / 1e6 };
  }
}

module.exports = Stopwatch;
