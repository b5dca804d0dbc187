/** One game as this browser has it: the latest view, the picture shown, and moves under way. */

import { ask, insist, Refused, unanswered } from "./api.js";
import { remember } from "./fairness.js";
import { seatIn, keepSeat } from "./kept.js";
import { Live } from "./live.js";
import { after } from "./steps.js";
import { heard, sentence } from "./words.js";

const WAIT_FOR_EVENTS_MILLIS = 350;
const MOST_STEPS = 14; // a longer absence is not played back
const LOG_LENGTH = 40;
const STORY = 8; // events that are told to who comes in

/** @typedef {import("./live.js").Connection} Connection */
/** @typedef {{text: string, version: number}} Entry */

/**
 * @typedef {object} Room what a table asks of the page
 * @property {() => void} changed
 * @property {(view: View, event: GameEvent) => number} pace how long an event is to be looked at, in milliseconds
 * @property {(text: string) => void} announce
 */

export class Table {
  /** @type {View | null} */
  latest = null;
  /** @type {View | null} The picture: the latest view, or a step on the way to it. */
  shown = null;
  /** @type {Connection} */
  connection = "connecting";
  /** @type {Entry[]} What happened, the latest last. */
  log = [];
  /** @type {Schemas["Problem"] | null} What was refused last. */
  refusal = null;
  /** @type {Schemas["Problem"] | null} Why there is no table to see. */
  closed = null;
  /** Whether a move waits for its answer, and whether it had to be sent again. */
  sending = false;
  repeated = false;

  /** @type {Map<number, GameEvent>} */
  #events = new Map();
  #arrived = () => {};
  #pumping = false;
  #left = false;
  /** @type {Live | null} */
  #live = null;

  /**
   * @param {string} gameId
   * @param {string | undefined} invite
   * @param {Room} room
   */
  constructor(gameId, invite, room) {
    this.gameId = gameId;
    this.invite = invite;
    this.room = room;
  }

  get seat() {
    return seatIn(this.gameId);
  }

  /** @returns {Access} */
  get access() {
    return { token: this.seat?.token, invite: this.invite };
  }

  /** Whether what is shown is what is: nothing is offered on a table that may have moved on. */
  get current() {
    return this.connection !== "offline" && this.shown === this.latest && !this.sending;
  }

  open() {
    this.#follow();
    const lost = unanswered(this.#slot);
    if (lost) void this.#carryOut(lost);
  }

  leave() {
    this.#left = true;
    this.#live?.stop();
  }

  /** Follows the game with what opens it now; needed again when a seat was taken or given up. */
  #follow() {
    if (this.#left) return;
    this.#live?.stop();
    this.#live = new Live(this.gameId, this.access, {
      hear: (told) => this.#hear(told),
      see: (view, whole) => this.#see(view, whole),
      connection: (state) => this.#connected(state),
      refused: (problem) => this.#refused(problem),
      latest: () => this.latest,
    });
    void this.#live.start();
  }

  /** @param {Connection} state */
  #connected(state) {
    if (state === this.connection) return;
    const lost = state === "offline";
    if (lost || this.connection === "offline") {
      this.room.announce(lost ? "The connection is lost." : "Connected again.");
    }
    this.connection = state;
    this.room.changed();
  }

  /** @param {Schemas["Problem"]} problem */
  #refused(problem) {
    if (problem.code === "token_invalid" && this.seat) {
      // The seat was given up, or its token renewed elsewhere: what is left is to watch.
      keepSeat(this.gameId, null);
      this.latest = this.shown = null;
      return this.#follow();
    }
    this.closed = problem;
    this.latest = this.shown = null;
    this.room.changed();
  }

  /** @param {Told} told */
  #hear(told) {
    if (told.type !== "snapshot") this.#note(told);
    this.#arrived();
    if (told.game) this.#see(told.game, told.type === "snapshot");
  }

  /** @param {GameEvent} event which may come by the answer to a move and by the stream as well */
  #note(event) {
    if (event.version > (this.shown?.version ?? 0)) this.#events.set(event.version, event);
  }

  /**
   * @param {View} view
   * @param {boolean} [whole] a snapshot, which may be of another history
   * @returns {Promise<void> | void} until the truth is known, where there is doubt
   */
  #see(view, whole = false) {
    if (this.#left) return;
    const known = this.latest;
    if (known && view.version < known.version) return whole ? this.#lookAgain() : undefined;
    if (whole) this.#events.clear();
    if (!known || known.etag !== view.etag) this.latest = view;
    remember(view);
    void this.#pump();
  }

  /** Takes the truth as it is now, should the store have lost what was shown before. */
  async #lookAgain() {
    const path = `games/${this.gameId}${this.invite ? `?invite=${encodeURIComponent(this.invite)}` : ""}`;
    const view = await ask({ method: "GET", path }, this.access.token).catch(() => null);
    if (!view || !this.latest || view.version >= this.latest.version) return;
    this.latest = this.shown = view;
    this.#events.clear();
    this.log = [];
    this.room.changed();
    void this.#catchUp(view);
  }

  /** Shows one event after the other until the picture is the latest view. */
  async #pump() {
    if (this.#pumping) return;
    this.#pumping = true;
    while (!this.#left && this.latest && this.shown !== this.latest) await this.#step(this.latest);
    this.#pumping = false;
    this.room.changed();
  }

  /** @param {View} latest */
  async #step(latest) {
    const shown = this.shown;
    if (!shown || latest.version - shown.version > MOST_STEPS || latest.version <= shown.version) {
      this.shown = latest;
      for (const version of this.#events.keys())
        if (version <= latest.version) this.#events.delete(version);
      return void this.#catchUp(latest);
    }
    const event = this.#events.get(shown.version + 1) ?? (await this.#missing(shown.version + 1));
    if (!event) {
      this.shown = this.latest;
      return;
    }
    this.#tell(latest, event);
    const pause = this.room.pace(shown, event);
    this.shown = event.version === this.latest?.version ? this.latest : after(shown, event, latest);
    this.room.changed();
    if (pause) await new Promise((resolve) => setTimeout(resolve, pause));
    this.#events.delete(event.version);
  }

  /**
   * @param {View} latest
   * @param {GameEvent} event
   */
  #tell(latest, event) {
    const text = sentence(latest, event);
    if (!text) return;
    this.log = [...this.log, { text, version: event.version }].slice(-LOG_LENGTH);
    this.room.announce(heard(latest, event));
  }

  /**
   * Notes what happened last before somebody came in, or back after a longer absence.
   * @param {View} latest
   */
  async #catchUp(latest) {
    const page = latest.round && (await this.#page(Math.max(0, latest.version - STORY)));
    const told = new Set(this.log.map((entry) => entry.version));
    const entries = (page?.events ?? [])
      .filter((event) => event.version <= latest.version && !told.has(event.version))
      .map((event) => ({ text: sentence(latest, event), version: event.version }))
      .filter((entry) => entry.text);
    this.log = [...this.log, ...entries]
      .sort((one, other) => one.version - other.version)
      .slice(-LOG_LENGTH);
    this.room.changed();
  }

  /**
   * @param {number} after
   * @returns {Promise<Schemas["EventPage"] | null>}
   */
  #page(after) {
    const query = new URLSearchParams({ after: `${after}`, limit: "100" });
    if (this.invite) query.set("invite", this.invite);
    const path = `games/${this.gameId}/events?${query}`;
    return ask({ method: "GET", path }, this.access.token).catch(() => null);
  }

  /**
   * An event that the stream may be about to bring; without a stream it is asked for.
   * @param {number} version
   */
  async #missing(version) {
    for (let late = false; this.connection === "live" && !late;) {
      late = await this.#arrival();
      if (this.#events.has(version)) return this.#events.get(version);
    }
    const page = await this.#page(version - 1);
    for (const event of page?.events ?? []) this.#note(event);
    return this.#events.get(version);
  }

  /** Resolves when the stream brings something, or with `true` when it is late. */
  #arrival() {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(true), WAIT_FOR_EVENTS_MILLIS);
      this.#arrived = () => {
        clearTimeout(timer);
        resolve(false);
      };
    });
  }

  get #slot() {
    return `game.${this.gameId}`;
  }

  /**
   * Makes a move on the view that is shown; it is refused if the table has moved on.
   * @param {string} path such as "draw"
   * @param {Record<string, unknown>} [body]
   * @returns {Promise<boolean>} whether it was carried out
   */
  async act(path, body = {}) {
    if (!this.latest || this.sending) return false;
    return this.#carryOut({
      method: "POST",
      path: `games/${this.gameId}/${path}`,
      body,
      ifMatch: UNCONDITIONAL.has(path) ? undefined : this.latest.etag,
    });
  }

  /** @param {import("./api.js").Wish} wish */
  async #carryOut(wish) {
    this.sending = true;
    this.refusal = null;
    this.room.changed();
    try {
      const answer = await insist(this.#slot, wish, this.seat?.token, () => {
        this.repeated = true;
        this.room.changed();
      });
      this.#answered(answer);
      return true;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.refusal = error.problem;
      this.room.announce(error.message);
      if (error.problem.game) this.#see(error.problem.game);
      return false;
    } finally {
      this.sending = this.repeated = false;
      this.room.changed();
    }
  }

  /** @param {Schemas["Moved"] & {game?: View, seat?: number, token?: string}} answer */
  #answered({ events, ...answer }) {
    if (!answer.token) {
      for (const event of events) this.#note(event);
      return this.#see(answer);
    }
    const game = /** @type {View} */ (answer.game);
    const seat = /** @type {number} */ (answer.seat);
    const name = game.players.find((player) => player.seat === seat)?.name ?? "";
    keepSeat(game.game_id, { token: answer.token, seat, name, at: Date.now() });
    if (this.#left) return;
    if (game.game_id !== this.gameId) {
      location.hash = `#/game/${game.game_id}`;
      return;
    }
    this.latest = this.shown = null;
    this.#see(game);
    this.#follow();
  }
}

// What does not depend on what lies on the table may meet a newer view.
const UNCONDITIONAL = new Set(["players", "resign", "rematch", "claim", "entropy", "leave"]);
