/** The first screen: a game against a bot, games of friends, games that wait, one's own games. */

import { ask } from "./api.js";
import { face } from "./cards.js";
import { h } from "./dom.js";
import { habits, keepHabits, keepSeat, seatedGames, seatIn } from "./kept.js";
import { changed } from "./page.js";
import { openSettings } from "./settings.js";
import { create, finish, firstDeal, halfMade } from "./sit.js";
import { counted, listed, titled } from "./words.js";

const LOBBY_SIZE = 20;
const LOBBY_EVERY_MILLIS = 8_000;

/** @typedef {Schemas["LobbyEntry"]} Entry */

export class HomeScreen {
  /** @type {Entry[] | null} */
  #lobby = null;
  /** @type {Entry[]} */
  #running = [];
  #busy = "";
  #fault = "";
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
    try {
      [this.#lobby, this.#running] = await Promise.all([listOf("waiting"), listOf("playing")]);
      this.#fault = "";
    } catch (error) {
      this.#fault = /** @type {Error} */ (error).message;
    }
    changed();
    if (this.#timer >= 0) this.#timer = window.setTimeout(() => this.#look(), LOBBY_EVERY_MILLIS);
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
    forget: (/** @type {HTMLElement} */ element) => keepSeat(element.dataset.game ?? "", null),
  };

  render() {
    return [
      h("header", { class: "bar" }, h("h1", { class: "brand" }, "Oklahoma Gin"), menu()),
      h(
        "main",
        { class: "home", tabindex: -1 },
        this.#busy && h("p", { class: "notice", role: "status" }, this.#busy),
        this.#fault && h("p", { class: "notice bad", role: "alert" }, this.#fault),
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
        { "data-do": "playBot", class: "stack" },
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
        {},
        h("a", { class: "button", href: "#/new" }, "Play with friends, or choose the rules"),
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
        games.map((gameId) => ownGame(gameId)),
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
          inLobby(entry, "Go to", counted(entry.seats - entry.players.length, "free seat")),
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

/** @param {"waiting" | "playing"} status @returns {Promise<Entry[]>} */
async function listOf(status) {
  const path = `games?status=${status}&limit=${LOBBY_SIZE}`;
  return (await ask({ method: "GET", path })).games;
}

/**
 * @param {string} level
 * @param {string} text
 * @param {boolean} usual
 */
const botButton = (level, text, usual) =>
  h("button", { name: "level", value: level, class: usual ? "main" : "" }, text);

/** @param {string} gameId */
function ownGame(gameId) {
  const seat = seatIn(gameId);
  const since = new Date(seat?.at ?? 0).toLocaleString([], {
    dateStyle: "medium",
    timeStyle: "short",
  });
  return h(
    "li",
    { "data-key": gameId },
    h("a", { href: `#/game/${gameId}` }, `Go on as ${seat?.name ?? ""}`),
    h("span", { class: "quiet" }, `since ${since}`),
    h(
      "button",
      {
        type: "button",
        "data-do": "forget",
        "data-game": gameId,
        class: "small",
        "aria-label": `Forget the game since ${since}`,
      },
      "Forget",
    ),
  );
}

/**
 * A game of the lobby: who plays, and by what rules.
 * @param {Entry} entry
 * @param {string} going what its link does, for who does not see the list
 * @param {string} more
 */
function inLobby(entry, going, more) {
  const names = listed(entry.players.map((player) => player.name));
  const changes = Object.keys(entry.options).length;
  const facts = [
    changes ? `${entry.title}, ${counted(changes, "rule")} changed` : entry.title,
    more,
    entry.turn_seconds && `${entry.turn_seconds} s a turn`,
  ];
  const changed = Object.entries(entry.options).map(([name, value]) => `${titled(name)}: ${value}`);
  return h(
    "li",
    { "data-key": entry.game_id },
    h(
      "a",
      { href: `#/game/${entry.game_id}`, "aria-label": `${going} the game of ${names}` },
      names,
    ),
    h("span", { class: "quiet", title: changed.join(", ") }, facts.filter(Boolean).join(", ")),
  );
}

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
