/** The answer to a knock: the best one offered, or one's own made card by card. */

import { ask } from "./api.js";
import { pointsIn, short } from "./cards.js";
import { MeldChoice } from "./choice.js";
import { h } from "./dom.js";
import { additions, laidHand } from "./laid.js";
import { button, changed } from "./page.js";
import { counted, listed, nameOf } from "./words.js";

/** What one seat is laying off before it is sent. */
export class Answer {
  /** @type {Layoff[]} */
  staged = [];
  /** The own melds that are laid down with it. */
  own = new MeldChoice();
  #round = 0;
  /** @type {{of: string, points: number} | null} What would be left, as the service counts it. */
  #left = null;

  /**
   * Forgets what was begun in an earlier round.
   * @param {View} view
   */
  follow(view) {
    const round = view.actions.layoff ? (view.round?.number ?? 0) : 0;
    if (round !== this.#round) {
      this.staged = [];
      this.own.end();
    }
    this.#round = round;
  }

  /** What is sent; melds that are not named are left to the service. */
  get body() {
    const melds = this.own.named;
    return { layoffs: this.staged, ...(melds && { melds }) };
  }

  get begun() {
    return this.staged.length > 0 || this.own.named !== null;
  }

  get cards() {
    return this.staged.map((layoff) => layoff.card);
  }

  /**
   * @param {View} view
   * @param {Card | null} card
   * @param {number} meld
   */
  may(view, card, meld) {
    const target = this.#target(view, { card: card ?? "", meld });
    return (
      Boolean(target) &&
      !this.cards.includes(card ?? "") &&
      this.#lacking(target?.requires ?? [], meld).length === 0
    );
  }

  /**
   * @param {View} view
   * @param {Layoff | undefined} layoff
   */
  #target(view, layoff) {
    return view.actions.layoff?.targets.find(
      (each) => each.card === layoff?.card && each.meld === layoff.meld,
    );
  }

  /**
   * @param {Card[]} cards
   * @param {number} meld
   */
  #lacking(cards, meld) {
    return cards.filter(
      (card) => !this.staged.some((each) => each.card === card && each.meld === meld),
    );
  }

  /**
   * Lays a card on a meld, if it goes there.
   * @param {View} view
   * @param {Card | null} card
   * @param {number} meld
   * @returns {string} why not, or nothing
   */
  add(view, card, meld) {
    if (!card) return "Choose a card of yours first, then the meld that it goes on.";
    if (this.may(view, card, meld)) {
      this.staged = [...this.staged, { card, meld }];
      this.own.without(this.cards);
      void this.#count(view);
      return "";
    }
    const target = this.#target(view, { card, meld });
    const first = target ? this.#lacking(target.requires, meld) : [];
    return first.length
      ? `The ${short(card)} goes there after the ${listed(first.map(short))}.`
      : `The ${short(card)} does not fit there.`;
  }

  /** @param {View} view */
  takeBack(view) {
    this.staged = this.staged.slice(0, -1);
    if (this.own.named) this.own.begin(view, this.own.named, this.cards);
    void this.#count(view);
  }

  /** @param {View} view */
  nameMelds(view) {
    this.own.begin(view, view.actions.layoff?.best.melds ?? [], this.cards);
  }

  /** @param {View} view the cards that are not laid off */
  #hand(view) {
    return (view.you?.hand ?? []).filter((card) => !this.cards.includes(card));
  }

  /**
   * What one layoff leaves stands in the view; several together are for the service to count.
   * @param {View} view
   */
  async #count(view) {
    if (this.staged.length < 2) return;
    const hand = this.#hand(view);
    const of = this.cards.join();
    const split = hand.length
      ? await ask({ method: "POST", path: "analysis/hand", body: { hand } }).catch(() => null)
      : { deadwood_points: 0 };
    if (split) this.#left = { of, points: split.deadwood_points };
    changed();
  }

  /**
   * @param {View} view
   * @param {Card | null} chosen
   */
  panel(view, chosen) {
    const laid = view.round?.shown[0];
    const layoff = view.actions.layoff;
    if (!laid || !layoff) return null;
    const how = layoff.targets.length
      ? "Drag cards onto these melds, or choose a card and then a meld."
      : "None of your cards goes on these melds.";
    return h(
      "section",
      { class: "answer panel", "aria-label": "Answer to the knock" },
      h(
        "h2",
        {},
        laid.deadwood_points
          ? `${nameOf(view, laid.seat)} knocked with ${laid.deadwood_points}`
          : `${nameOf(view, laid.seat)} has gin`,
      ),
      h("p", { class: "quiet" }, how),
      laidHand(laid, [...additions(view), ...this.staged], (meld) => this.may(view, chosen, meld)),
      this.own.render(),
      this.#buttons(view, layoff),
    );
  }

  /** @param {View} view @returns {number | null} the deadwood that this answer leaves, once it is known */
  #remaining(view) {
    const melded = this.own.named?.flat();
    if (melded) return pointsIn(this.#hand(view).filter((card) => !melded.includes(card)));
    if (this.staged.length === 1)
      return this.#target(view, this.staged[0])?.deadwood_points ?? null;
    return this.#left?.of === this.cards.join() ? this.#left.points : null;
  }

  /**
   * @param {View} view
   * @param {Schemas["LayoffChoices"]} layoff
   */
  #buttons(view, { targets, best }) {
    const cards = best.layoffs.map((each) => short(each.card));
    const text = cards.length
      ? `Best: lay off ${listed(cards)}, ${best.deadwood_points} left`
      : `Lay off nothing, ${best.deadwood_points} left`;
    return h(
      "p",
      { class: "pair" },
      button(text, "bestAnswer", { class: this.begun ? "" : "main" }),
      this.begun && button(this.#sending(view), "sendAnswer", { class: "main" }),
      this.staged.length > 0 && button("Take one back", "takeBack"),
      targets.length > 0 && cards.length > 0 && button("Lay off nothing", "noAnswer"),
      this.own.switch(),
    );
  }

  /** @param {View} view */
  #sending(view) {
    const left = this.#remaining(view);
    const parts = [
      this.staged.length > 0 && counted(this.staged.length, "layoff"),
      this.own.named && "my melds",
    ].filter(Boolean);
    return `Send ${parts.join(" and ")}${left === null ? "" : `, ${left} left`}`;
  }
}
