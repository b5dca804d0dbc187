/** The first screen: a game against a bot, games of friends, games that wait, one's own games. */

import { showHow } from "./about.js";
import { ask, Refused } from "./api.js";
import { face } from "./cards.js";
import { h } from "./dom.js";
import { inLobby, ownGame } from "./games.js";
import { habits, keepHabits, keepSeat, seatedGames, seatIn } from "./kept.js";
import { changed } from "./page.js";
import { openSettings } from "./settings.js";
import { create, finish, firstDeal, halfMade } from "./sit.js";
import { counted } from "./words.js";

const LOBBY_SIZE = 20;
const LOBBY_EVERY_MILLIS = 8_000;

/** @typedef {import("./games.js").Entry} Entry */

export class HomeScreen {
  /** @type {Entry[] | null} */
  #lobby = null;
  /** @type {Entry[]} */
  #running = [];
  /** @type {Map<string, View | null>} What one's own games have come to; null is gone. */
  #seats = new Map();
  #busy = "";
  #fault = "";
  #silence = ""; // why the lists are not fetched
  #timer = 0;

  constructor() {
    void this.#look();
    if (halfMade()) void this.#carryOn();
  }

  title() {
    return "Oklahoma Gin";
  }

  leave() {
    clearTimeout(this.#timer);
    this.#timer = -1;
  }

  async #look() {
    const own = seatedGames().filter((gameId) => !this.#seats.get(gameId)?.result);
    await Promise.all([
      this.#list("waiting").then((games) => (this.#lobby = games ?? this.#lobby)),
      this.#list("playing").then((games) => (this.#running = games ?? this.#running)),
      ...own.map((gameId) => this.#lookAt(gameId)),
    ]);
    changed();
    if (this.#timer >= 0) this.#timer = window.setTimeout(() => this.#look(), LOBBY_EVERY_MILLIS);
  }

  /**
   * @param {"waiting" | "playing"} status
   * @returns {Promise<Entry[] | null>} the list, or null where there was no answer
   */
  async #list(status) {
    const path = `games?status=${status}&limit=${LOBBY_SIZE}`;
    try {
      const { games } = await ask({ method: "GET", path });
      this.#silence = "";
      return games;
    } catch (error) {
      this.#silence = /** @type {Error} */ (error).message;
      return null;
    }
  }

  /** @param {string} gameId */
  async #lookAt(gameId) {
    try {
      const { game } = await ask({ method: "GET", path: "seat" }, seatIn(gameId)?.token);
      this.#seats.set(gameId, game);
    } catch (error) {
      if (error instanceof Refused) this.#seats.set(gameId, null);
    }
    changed();
  }

  async #carryOn() {
    this.#busy = "The game that you asked for is being fetched…";
    const seated = await finish(() => this.#trouble()).catch(() => null);
    if (seated) location.hash = `#/game/${seated.game.game_id}`;
    this.#busy = "";
    changed();
  }

  #trouble() {
    this.#busy = "The service does not answer; trying again…";
    changed();
  }

  does = {
    playBot: async (/** @type {HTMLElement} */ _form, /** @type {FormData} */ form) => {
      if (this.#busy) return;
      const name = `${form.get("name")}`.trim() || "Guest";
      /** @type {"easy" | "medium"} */
      const level = form.get("level") === "medium" ? "medium" : "easy";
      keepHabits({ level });
      this.#busy = "The cards are being dealt…";
      this.#fault = "";
      changed();
      try {
        const bots = [{ level }];
        const seated = await create({ name, visibility: "private", bots }, () => this.#trouble());
        await firstDeal(seated, () => this.#trouble());
        location.hash = `#/game/${seated.game.game_id}`;
      } catch (error) {
        this.#fault = /** @type {Error} */ (error).message;
      } finally {
        this.#busy = "";
      }
    },
    settings: () => openSettings(),
    how: () => showHow(),
    named: (/** @type {HTMLElement} */ _form, /** @type {FormData} */ form) =>
      keepHabits({ name: `${form.get("name")}`.trim() }),
    forget: (/** @type {HTMLElement} */ element) => keepSeat(element.dataset.game ?? "", null),
  };

  render() {
    return [
      h("header", { class: "bar" }, h("h1", { class: "brand" }, "Oklahoma Gin"), menu()),
      h(
        "main",
        { class: "home", tabindex: -1 },
        this.#busy && h("p", { class: "notice", role: "status" }, this.#busy),
        (this.#fault || this.#silence) &&
          h("p", { class: "notice bad", role: "alert" }, this.#fault || this.#silence),
        this.#start(),
        this.#own(),
        this.#open(),
        this.#toWatch(),
      ),
      footer(),
    ];
  }

  #start() {
    const { name, level } = habits();
    return h(
      "section",
      { class: "start panel", "aria-labelledby": "start" },
      h(
        "div",
        { class: "fan", "aria-hidden": "true" },
        ["AS", "KH", "QD", "JC"].map((card) => h("span", { class: "card" }, face(card))),
      ),
      h("h2", { id: "start" }, "Play now"),
      h(
        "form",
        { "data-do": "playBot", "data-change": "named", class: "stack" },
        h(
          "label",
          {},
          "Your name",
          h("input", {
            name: "name",
            value: name,
            maxlength: 40,
            autocomplete: "nickname",
            placeholder: "Guest",
          }),
        ),
        h(
          "div",
          { class: "pair" },
          botButton("easy", "Play an easy bot", level === "easy"),
          botButton("medium", "Play a medium bot", level === "medium"),
        ),
      ),
      h(
        "p",
        { class: "pair" },
        h("a", { class: "button", href: "#/new" }, "Play with friends, or choose the rules"),
        h("button", { type: "button", "data-do": "how" }, "How to play"),
      ),
    );
  }

  #own() {
    const games = seatedGames();
    if (!games.length) return null;
    return h(
      "section",
      { class: "panel", "aria-labelledby": "own" },
      h("h2", { id: "own" }, "Your games"),
      h(
        "ul",
        { class: "list" },
        games.map((gameId) => ownGame(gameId, this.#seats.get(gameId))),
      ),
    );
  }

  #open() {
    return h(
      "section",
      { class: "panel", "aria-labelledby": "lobby" },
      h("h2", { id: "lobby" }, "Open games"),
      this.#lobby === null && h("p", {}, "Looking for games…"),
      this.#lobby?.length === 0 &&
        h(
          "p",
          { class: "quiet" },
          "Nobody is waiting for players just now. A game that you open to all appears here.",
        ),
      h(
        "ul",
        { class: "list" },
        (this.#lobby ?? []).map((entry) =>
          inLobby(entry, "Join", counted(entry.seats - entry.players.length, "free seat")),
        ),
      ),
    );
  }

  #toWatch() {
    if (!this.#running.length) return null;
    return h(
      "section",
      { class: "panel", "aria-labelledby": "running" },
      h("h2", { id: "running" }, "Games to watch"),
      h(
        "ul",
        { class: "list" },
        this.#running.map((entry) => inLobby(entry, "Watch", "")),
      ),
    );
  }
}

/**
 * @param {string} level
 * @param {string} text
 * @param {boolean} usual
 */
const botButton = (level, text, usual) =>
  h("button", { name: "level", value: level, class: usual ? "main" : "" }, text);

export function menu() {
  return h(
    "nav",
    { "aria-label": "Page" },
    h("button", { type: "button", "data-do": "settings" }, "Settings"),
  );
}

function footer() {
  return h(
    "footer",
    {},
    h("a", { href: "../docs" }, "API documentation"),
    h("a", { href: "../openapi.yaml" }, "Contract"),
    h("a", { href: "../v1/rules" }, "Rules as data"),
  );
}
