/** One person's hand in a game: what is chosen, and what each press, drag and key does. */

import { wayOut } from "./actions.js";
import { showRules, showScore, showShuffle } from "./about.js";
import { Answer } from "./answer.js";
import { randomKey } from "./api.js";
import { rememberText, textFor } from "./fairness.js";
import { arranged, moveCard } from "./hand.js";
import { habits, keep, keepHabits, keepSeat, kept } from "./kept.js";
import { KnockDialog } from "./knock.js";
import { announce, changed, confirm } from "./page.js";
import { whyNot } from "./reasons.js";
import { inviteLink } from "./room.js";
import { openSettings } from "./settings.js";

const HINT_MILLIS = 5_000;

export class Player {
  /** @type {Card | null} */
  chosen = null;
  /** Why something could not be done just now. */
  hint = "";
  /** What became of the wish to copy the link. */
  copied = "";
  answer = new Answer();
  /** @type {import("./kept.js").Sorting | "own"} */
  sorting;

  #hintTimer = 0;

  /** @param {import("./table.js").Table} table */
  constructor(table) {
    this.table = table;
    this.sorting = kept(`order.${table.gameId}`) ? "own" : habits().sorting;
  }

  does = {
    settings: () => openSettings(),
    limit: () => this.#withView((view) => showRules(view)),
    rules: () => this.#withView((view) => showRules(view)),
    score: () => this.#withView((view) => showScore(view, this.table.access)),
    verify: (/** @type {HTMLElement} */ element) =>
      this.#withView((view) => showShuffle(view, this.table.access, Number(element.dataset.round))),
    choose: (/** @type {HTMLElement} */ element) => this.choose(element.dataset.card ?? ""),
    sort: (/** @type {HTMLElement} */ element) => this.#sort(element.dataset.sorting ?? ""),
    stock: () => this.#try("stock", () => this.#move("draw", { source: "stock" })),
    take: () => this.#try("discard", () => this.#move("draw", { source: "discard" })),
    pile: () =>
      this.table.shown?.actions.draw.includes("discard")
        ? this.does.take()
        : this.chosen
          ? this.does.throw()
          : this.does.take(),
    pass: () => this.#try("pass", () => this.#move("pass")),
    throw: () => this.#try("throw", () => this.#move("discard", { card: this.chosen })),
    knock: () => this.#knock(),
    bigGin: () =>
      this.#withView(
        (view) => void new KnockDialog(view, null, this.table, (body) => this.#move("knock", body)),
      ),
    layOff: (/** @type {HTMLElement} */ element) =>
      this.#layOff(this.chosen, Number(element.dataset.meld)),
    takeBack: () => this.#withView((view) => this.answer.takeBack(view)),
    nameMelds: () => this.#withView((view) => this.answer.nameMelds(view)),
    leaveMelds: () => this.answer.own.end(),
    toggleMeld: (/** @type {HTMLElement} */ element) => this.answer.own.toggle(element),
    sendAnswer: () => this.#move("layoff", this.answer.body),
    noAnswer: () => this.#move("layoff", { layoffs: [] }),
    bestAnswer: () =>
      this.#withView((view) => {
        const best = view.actions.layoff?.best;
        return best && this.#move("layoff", { layoffs: best.layoffs, melds: best.melds });
      }),
    deal: () => this.#deal(),
    acknowledge: () => this.#acknowledge(),
    claim: () => this.#move("claim"),
    rematch: () => this.#move("rematch"),
    resign: () =>
      this.#withView((view) =>
        confirm(
          "Resign the game?",
          view.players.filter((player) => !player.out).length > 2
            ? "It cannot be taken back: the others go on without you."
            : "It cannot be taken back: the game ends, and is lost.",
          "Resign",
          () => this.#move("resign"),
        ),
      ),
    bot: (/** @type {HTMLElement} */ element) =>
      this.#move("bots", { level: element.dataset.level }),
    remove: (/** @type {HTMLElement} */ element) =>
      this.#move("remove", { seat: Number(element.dataset.seat) }),
    join: (/** @type {HTMLElement} */ _element, /** @type {FormData} */ form) =>
      this.#join(`${form.get("name")}`.trim() || "Guest", `${form.get("entropy")}`),
    mix: (/** @type {HTMLElement} */ _element, /** @type {FormData} */ form) =>
      this.#mix(`${form.get("entropy")}`),
    leave: () =>
      this.#withView((view) =>
        view.you?.seat === 0 && view.players.some(({ seat, kind }) => seat && kind !== "bot")
          ? confirm(
              "Call the game off?",
              "Nobody can play it then, and whoever sits here already is sent away.",
              "Call it off",
              () => this.#leaveTable(),
              "Keep it",
            )
          : this.#leaveTable(),
      ),
    copy: () => this.#copy(),
    share: () =>
      this.#withView((view) =>
        navigator
          .share({ title: "Oklahoma Gin", url: inviteLink(view, this.table.invite) })
          .catch(() => {}),
      ),
  };

  /**
   * @template T
   * @param {(view: View) => T} use
   */
  #withView(use) {
    const view = this.table.shown;
    return view ? use(view) : undefined;
  }

  /** The result that is looked at: of the round that is over, or of the one before that nobody saw here. */
  get result() {
    const view = this.table.shown;
    if (!view) return null;
    if (view.round?.result) return view.round.result;
    const last = view.last_round;
    return last && view.you && last.number > (kept(`seen.${view.game_id}`) ?? 0) ? last : null;
  }

  /**
   * @param {import("./reasons.js").Doing} what
   * @param {() => unknown} then
   */
  #try(what, then) {
    const view = this.table.shown;
    if (!view) return;
    const why = whyNot(view, what, this.chosen);
    return why ? this.#say(why) : then();
  }

  /**
   * @param {string} path
   * @param {Record<string, unknown>} [body]
   */
  async #move(path, body) {
    if (!this.table.current)
      return this.#say(
        this.table.sending
          ? "The move before waits for its answer."
          : "The table is not up to date yet.",
      );
    this.hint = "";
    const done = await this.table.act(path, body);
    if (done) this.chosen = null;
    return done;
  }

  /** @param {string} text */
  #say(text) {
    this.hint = text;
    announce(text);
    clearTimeout(this.#hintTimer);
    this.#hintTimer = window.setTimeout(() => {
      this.hint = "";
      changed();
    }, HINT_MILLIS);
  }

  /** @param {Card} card */
  choose(card) {
    this.chosen = this.chosen === card ? null : card;
    this.hint = "";
  }

  /** @param {string} sorting */
  #sort(sorting) {
    const chosen = /** @type {import("./kept.js").Sorting} */ (sorting);
    this.sorting = chosen;
    keepHabits({ sorting: chosen });
    keep(`order.${this.table.gameId}`, null);
  }

  #knock() {
    const view = this.table.shown;
    if (!view) return;
    const way = wayOut(view, this.chosen);
    if (!way) return this.#say(whyNot(view, "knock", this.chosen));
    return void new KnockDialog(view, way, this.table, (body) => this.#move("knock", body));
  }

  /**
   * @param {Card | null} card
   * @param {number} meld
   */
  #layOff(card, meld) {
    const view = this.table.shown;
    if (!view?.actions.layoff) return;
    const why = this.answer.add(view, card, meld);
    if (why) return this.#say(why);
    this.chosen = null;
  }

  async #deal() {
    this.#acknowledge();
    const next = (this.table.shown?.round?.number ?? 0) + 1;
    // A text that was mixed in before stays.
    if (textFor(this.table.gameId, next) !== undefined) return this.#move("deal");
    return this.#withText(randomKey(), (entropy) => this.#move("deal", { entropy }));
  }

  /** @param {string} text of the player's own, for the next shuffle */
  #mix(text) {
    return text && this.#withText(text, (entropy) => this.#move("entropy", { entropy }));
  }

  /**
   * Sends a text for the next shuffle, and remembers it if it went through.
   * @param {string} text
   * @param {(text: string) => Promise<boolean | void>} send
   */
  async #withText(text, send) {
    const next = (this.table.shown?.round?.number ?? 0) + 1;
    if (await send(text)) rememberText(this.table.gameId, next, text);
  }

  #acknowledge() {
    const result = this.result;
    if (result) keep(`seen.${this.table.gameId}`, result.number);
  }

  /**
   * @param {string} name
   * @param {string} text for the first shuffle
   */
  async #join(name, text) {
    keepHabits({ name });
    const { invite } = this.table;
    await this.#withText(text || randomKey(), (entropy) =>
      this.#move("players", { name, entropy, ...(invite && { invite }) }),
    );
  }

  async #leaveTable() {
    if (!(await this.#move("leave"))) return;
    keepSeat(this.table.gameId, null);
    location.hash = "#/";
  }

  async #copy() {
    const view = this.table.shown;
    if (!view) return;
    const link = inviteLink(view, this.table.invite);
    const field = document.getElementById("link");
    if (field instanceof HTMLInputElement) field.select();
    this.copied = await navigator.clipboard.writeText(link).then(
      () => "Copied.",
      () => "Copy it from the field: this browser does not let a page do it.",
    );
  }

  /** @param {import("./drag.js").Dropped} dropped */
  drop({ card, on, x }) {
    const view = this.table.shown;
    if (!view?.you) return;
    if (card === "stock" || card === "discard") {
      if (on === "hand") void (card === "stock" ? this.does.stock() : this.does.take());
    } else if (on === "hand") this.rearrange(card, this.#placeAt(x, card));
    else {
      this.chosen = card;
      if (on === "discard") void this.does.throw();
      else if (on.startsWith("meld-")) this.#layOff(card, Number(on.slice(5)));
    }
    changed();
  }

  /**
   * @param {number} x
   * @param {Card} card
   */
  #placeAt(x, card) {
    const rest = [...document.querySelectorAll(".hand [data-card]")].filter(
      (each) => each.getAttribute("data-card") !== card,
    );
    return rest.filter((each) => middleOf(each) < x).length;
  }

  /**
   * @param {Card} card
   * @param {number} at
   */
  rearrange(card, at) {
    const view = this.table.shown;
    if (!view) return;
    moveCard(this.table.gameId, arranged(view, this.sorting), card, at);
    this.sorting = "own";
  }
}

/** @param {Element} element */
function middleOf(element) {
  const { left, width } = element.getBoundingClientRect();
  return left + width / 2;
}
