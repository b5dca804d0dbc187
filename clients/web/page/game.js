/** The screen of one game: before the deal, at the table, at the end. */

import { actionBar, prompt } from "./actions.js";
import { clock, secondsLeft } from "./clock.js";
import { h } from "./dom.js";
import { dragging } from "./drag.js";
import { Flights } from "./flights.js";
import { arranged, deadwoodLine, handList } from "./hand.js";
import { HELP, pressed } from "./keys.js";
import { additions, laidHand } from "./laid.js";
import { middle } from "./middle.js";
import { announce, button, changed } from "./page.js";
import { Player } from "./player.js";
import { calledOff, roundResult } from "./result.js";
import { room } from "./room.js";
import { nameplate, others } from "./seats.js";
import { Table } from "./table.js";

export class GameScreen {
  #flights = new Flights();
  #wasOver = false;

  /**
   * @param {string} gameId
   * @param {string | undefined} invite
   */
  constructor(gameId, invite) {
    this.table = new Table(gameId, invite, {
      changed,
      announce,
      pace: (view, event) => this.#flights.pace(view, event),
    });
    this.player = new Player(this.table);
    this.does = this.player.does;
    this.endDrag = dragging((dropped) => this.player.drop(dropped));
    this.ticking = setInterval(() => this.#tick(), 1000);
    this.table.open();
  }

  leave() {
    this.table.leave();
    this.endDrag();
    clearInterval(this.ticking);
  }

  title() {
    const view = this.table.shown;
    if (!view) return "Oklahoma Gin";
    const turn = view.you && view.round?.turn === view.you.seat ? "Your turn · " : "";
    return `${turn}${view.players.map((player) => player.name).join(", ")} · Oklahoma Gin`;
  }

  /** @param {Card} card */
  origin(card) {
    return this.#flights.origin(card);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    pressed(event, this.player);
  }

  drawn() {
    const over = this.player.result !== null;
    if (over && !this.#wasOver)
      document.querySelector(".result")?.scrollIntoView({ block: "start" });
    this.#wasOver = over;
  }

  #tick() {
    const view = this.table.shown;
    if (view && secondsLeft(view) !== null) changed();
  }

  render() {
    const view = this.table.shown;
    if (view) this.player.answer.follow(view);
    return [
      this.#bar(view),
      h(
        "main",
        {
          class: `game${this.table.connection === "offline" ? " stale" : ""}`,
          tabindex: -1,
          "aria-busy": !this.table.current && "true",
        },
        this.#banner(),
        view ? this.#table(view) : this.#nothing(),
      ),
    ];
  }

  /** @param {View | null} view */
  #bar(view) {
    const state = CONNECTIONS[this.table.connection];
    return h(
      "header",
      { class: "bar" },
      h("a", { class: "brand", href: "#/" }, "Oklahoma Gin"),
      view?.round &&
        h(
          "span",
          { class: "quiet wide-only" },
          `Round ${view.round.number}, to ${view.rules.target_score}`,
        ),
      !this.table.closed &&
        h(
          "span",
          {
            class: `connection ${this.table.connection}`,
            title: state[1],
            "aria-label": `Connection: ${state[0]}`,
            role: "img",
          },
          h("span", { class: "wide-only" }, state[0]),
        ),
      h(
        "nav",
        { "aria-label": "Game" },
        view?.round && button("Scores", "score"),
        view && button("Rules", "rules"),
        button("Settings", "settings"),
        view?.actions.resign && button("Resign", "resign"),
      ),
    );
  }

  #banner() {
    const { connection, sending, repeated, refusal } = this.table;
    if (connection === "offline")
      return h(
        "p",
        { class: "notice bad", role: "status" },
        sending
          ? "Offline. Your move is kept and will be sent once, when there is a connection."
          : "Offline. What you see may be out of date; it comes back by itself.",
      );
    if (repeated)
      return h(
        "p",
        { class: "notice", role: "status" },
        "No answer yet; your move is sent again, and counts once.",
      );
    return refusal && h("p", { class: "notice bad", role: "status" }, refusal.detail);
  }

  #nothing() {
    const closed = this.table.closed;
    if (!closed) return h("p", { class: "panel", role: "status" }, "The table is being fetched…");
    return h(
      "section",
      { class: "panel stack" },
      h("h1", {}, closed.title),
      h("p", {}, closed.detail),
      h("p", {}, h("a", { class: "button", href: "#/" }, "To the start")),
    );
  }

  /** @param {View} view */
  #table(view) {
    if (view.result && !view.round) return calledOff(view, view.result);
    if (!view.round)
      return [
        h("h1", { class: "unseen" }, "Game of gin"),
        room(view, this.table.invite, this.player.copied),
      ];
    const result = this.player.result;
    return [
      h("h1", { class: "unseen" }, `Game of gin, round ${view.round.number}`),
      others(view),
      result
        ? roundResult(view, result, result !== view.round.result)
        : this.#centre(view, view.round),
      this.#story(),
      view.you ? this.#own(view, view.round) : h("p", { class: "prompt" }, prompt(view, null)),
    ];
  }

  /**
   * @param {View} view
   * @param {Round} round
   */
  #centre(view, round) {
    return view.actions.layoff
      ? this.player.answer.panel(view, this.player.chosen)
      : middle(view, round, this.player.chosen);
  }

  #story() {
    const recent = this.table.log.slice(-4);
    return h(
      "section",
      { class: "story", "aria-label": "What happened" },
      h(
        "ol",
        {},
        recent.map((entry) => h("li", { "data-key": `event-${entry.version}` }, entry.text)),
      ),
    );
  }

  /**
   * @param {View} view
   * @param {Round} round
   */
  #own(view, round) {
    if (this.player.result) return null;
    const own = view.players.find((player) => player.seat === view.you?.seat);
    return h(
      "section",
      { class: `own${this.player.answer.own.named ? " naming" : ""}`, "aria-label": "Your seat" },
      h("div", { class: "line" }, own && nameplate(view, own), clock(view)),
      h(
        "p",
        { class: `prompt${round.turn === view.you?.seat ? " turn" : ""}` },
        this.player.hint || prompt(view, this.player.chosen),
      ),
      this.#hand(view, round),
      round.phase !== "layoff" && actionBar(view, this.player.chosen),
    );
  }

  /**
   * @param {View} view
   * @param {Round} round
   */
  #hand(view, round) {
    const shown = round.shown.find((each) => each.seat === view.you?.seat);
    if (shown) return laidHand(shown, shown.seat === round.knocker ? additions(view) : []);
    const marks = {
      chosen: this.player.chosen,
      staged: this.player.answer.cards,
      open: this.table.current,
    };
    return [
      handList(view, arranged(view, this.player.sorting), marks),
      h(
        "div",
        { class: "line" },
        !this.player.answer.begun && deadwoodLine(view),
        this.#sortings(),
      ),
      h("p", { id: "hand-help", class: "unseen" }, HELP),
    ];
  }

  #sortings() {
    const kinds = /** @type {const} */ ([
      ["melds", "Melds"],
      ["suit", "Suit"],
      ["rank", "Rank"],
    ]);
    return h(
      "div",
      { class: "sorting", role: "group", "aria-label": "Sort the hand" },
      kinds.map(([kind, text]) =>
        h(
          "button",
          {
            type: "button",
            class: "small",
            "data-do": "sort",
            "data-sorting": kind,
            "data-key": kind,
            "aria-pressed": `${this.player.sorting === kind}`,
          },
          text,
        ),
      ),
    );
  }
}

/** @type {Record<import("./live.js").Connection, [string, string]>} */
const CONNECTIONS = {
  connecting: ["Connecting", "The game is being fetched"],
  live: ["Live", "What happens is shown at once"],
  polling: ["Connected", "No stream comes through; the page asks again and again instead"],
  offline: ["Offline", "There is no connection; the page tries again by itself"],
};
