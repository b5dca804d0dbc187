/** A game as it happens: by a stream, and where none comes through by pages of its log that wait. */

import { ask, BASE, headersOf, onlineOr, Refused } from "./api.js";

const FIRST_LINE_MILLIS = 6_000;
const SILENCE_MILLIS = 40_000; // a heartbeat comes every 15 seconds
const WAIT_SECONDS = 25;
const LINGER_SECONDS = 600; // after the end, for the rematch
const PAGE = 100;
const LEAST_WAIT_MILLIS = 1_000;
const POLLS_BEFORE_A_STREAM = 4;
const STREAMS_BEFORE_POLLS = 2;
const PAUSES_MILLIS = [300, 1_000, 2_000, 5_000];

/** @typedef {"connecting" | "live" | "polling" | "offline"} Connection */

/**
 * @typedef {object} Listener
 * @property {(told: Told) => void} hear an event, or a snapshot
 * @property {(view: View, whole?: boolean) => unknown} see the game after what was heard, or whole
 * @property {(state: Connection) => void} connection
 * @property {(problem: Schemas["Problem"]) => void} refused the game is not to be followed any more
 * @property {() => View | null} latest
 */

/** Follows one game for one viewer until `stop`. */
export class Live {
  #stopped = false;
  #stream = new AbortController();
  #failures = 0;
  #deaf = 0; // streams in a row that said nothing

  /**
   * @param {string} gameId
   * @param {Access} access
   * @param {Listener} listener
   */
  constructor(gameId, access, listener) {
    this.gameId = gameId;
    this.access = access;
    this.listener = listener;
    this.online = () => this.#break();
    this.offline = () => {
      listener.connection("offline");
      this.#break();
    };
    addEventListener("online", this.online);
    addEventListener("offline", this.offline);
  }

  stop() {
    this.#stopped = true;
    removeEventListener("online", this.online);
    removeEventListener("offline", this.offline);
    this.#break();
  }

  async start() {
    for (let first = true; !this.#stopped; first = false) {
      try {
        if (!first) await this.#look();
        if (this.listener.latest()?.result) await this.#poll();
        else if (this.#deaf < STREAMS_BEFORE_POLLS) await this.#follow();
        else await this.#poll();
      } catch (error) {
        if (error instanceof Refused) return this.listener.refused(error.problem);
        await this.#failed();
      }
    }
  }

  #break() {
    this.#stream.abort();
    this.#stream = new AbortController();
  }

  async #failed() {
    if (this.#stopped) return;
    this.listener.connection("offline");
    const pause = PAUSES_MILLIS[Math.min(this.#failures++, PAUSES_MILLIS.length - 1)];
    await onlineOr(pause ?? 0);
  }

  #query(/** @type {Record<string, string>} */ words) {
    if (this.access.invite && !this.access.token) words.invite = this.access.invite;
    return `games/${encodeURIComponent(this.gameId)}${words.path ?? ""}?${new URLSearchParams(
      Object.entries(words).filter(([name]) => name !== "path"),
    )}`;
  }

  /** Reads the stream to its end; it begins with the game whole. */
  async #follow() {
    const guard = this.#guard();
    this.#deaf++;
    try {
      const path = this.#query({ path: "/stream", include: "view", linger: `${LINGER_SECONDS}` });
      const headers = headersOf({ method: "GET", path }, this.access.token);
      const response = await fetch(new URL(path, BASE), {
        headers: { ...headers, Accept: "application/x-ndjson" },
        signal: guard.signal,
        cache: "no-store",
        credentials: "omit",
      });
      if (!response.ok) throw await refusal(response);
      if (!response.body) throw new Error("The stream has no body.");
      for await (const line of lines(response.body)) {
        guard.alive();
        if (line) this.#told(JSON.parse(line));
      }
    } finally {
      guard.end();
    }
  }

  /** @param {Told & {type: string}} told */
  #told(told) {
    if (told.type === "reconnect") return;
    this.#failures = this.#deaf = 0;
    this.listener.connection("live");
    this.listener.hear(told);
  }

  /** Ends a stream that says nothing for too long, which a dead connection does. */
  #guard() {
    const own = new AbortController();
    const signal = AbortSignal.any([own.signal, this.#stream.signal]);
    let timer = setTimeout(() => own.abort(), FIRST_LINE_MILLIS);
    const alive = () => {
      clearTimeout(timer);
      timer = setTimeout(() => own.abort(), SILENCE_MILLIS);
    };
    return { signal, alive, end: () => clearTimeout(timer) };
  }

  /** Waits for something to happen a few times, before a stream is tried again. */
  async #poll() {
    for (let times = 0; times < POLLS_BEFORE_A_STREAM && !this.#stopped; times++) {
      const [before, started] = [this.listener.latest(), performance.now()];
      await this.#look(WAIT_SECONDS);
      // Whatever made the service not wait, this does.
      const hasty = performance.now() - started < LEAST_WAIT_MILLIS;
      if (hasty && this.listener.latest() === before) await onlineOr(LEAST_WAIT_MILLIS);
    }
    this.#deaf = STREAMS_BEFORE_POLLS - 1;
  }

  /** Asks for what happened since, and waits for something to happen if it may. */
  async #look(seconds = 0) {
    const latest = this.listener.latest();
    if (!latest) return this.#lookAtAll();
    const words = {
      path: "/events",
      after: `${latest.version}`,
      limit: `${PAGE}`,
      include: "view",
    };
    const page = await this.#ask({ ...words, ...(seconds && { wait: `${seconds}` }) }, seconds);
    if (this.#stopped) return;
    this.#reached();
    // Should the store have lost what was shown there is another history, as old or older.
    const lost = page.version <= latest.version && page.game?.etag !== latest.etag;
    const longAway = page.version > latest.version && !page.game;
    if (lost || longAway) return this.#lookAtAll();
    for (const event of page.events) this.listener.hear(event);
    if (page.game) this.listener.see(page.game);
  }

  async #lookAtAll() {
    const game = await this.#ask({});
    if (this.#stopped) return;
    this.#reached();
    await this.listener.see(game, true);
  }

  /** Notes that the service answers; a game that is over has no stream that could be missed. */
  #reached() {
    this.#failures = 0;
    this.listener.connection(this.listener.latest()?.result ? "live" : "polling");
  }

  /**
   * @param {Record<string, string>} words
   * @param {number} [seconds] that the service may hold the answer
   */
  #ask(words, seconds = 0) {
    const path = this.#query(words);
    const patience = (seconds + 10) * 1000;
    const { signal } = this.#stream;
    return ask({ method: "GET", path, patience, signal }, this.access.token);
  }
}

/** @param {Response} response */
async function refusal(response) {
  const problem = await response.json().catch(() => null);
  const final = problem?.code && response.status < 500 && response.status !== 429;
  return final ? new Refused(problem) : new Error(`The stream answered ${response.status}.`);
}

/** @param {ReadableStream<Uint8Array>} body */
async function* lines(body) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const whole = (rest + decoder.decode(value, { stream: true })).split("\n");
    rest = whole.pop() ?? "";
    yield* whole;
  }
}
