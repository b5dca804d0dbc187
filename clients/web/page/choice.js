/** The melds of a hand as its player names them, instead of those that the service would lay. */

import { row } from "./cards.js";
import { h } from "./dom.js";
import { button } from "./page.js";
import { counted } from "./words.js";

export class MeldChoice {
  /** @type {Meld[]} Every meld that the hand holds. */
  #possible = [];
  /** @type {Meld[] | null} The melds that the player names; null leaves them to the service. */
  named = null;

  /**
   * Lets the player name melds.
   * @param {View} view
   * @param {Meld[]} named to begin with
   * @param {Card[]} [gone] cards of the hand that are laid down otherwise, or thrown
   */
  begin(view, named, gone = []) {
    this.#possible = view.you?.possible_melds ?? [];
    this.named = named;
    this.without(gone);
  }

  end() {
    this.named = null;
    this.#possible = [];
  }

  /** @param {Card[]} cards that are not in the hand any more */
  without(cards) {
    const free = (/** @type {Meld} */ meld) => apart(meld, cards);
    this.#possible = this.#possible.filter(free);
    this.named = this.named?.filter(free) ?? null;
  }

  /** @param {HTMLElement} element the option that was pressed */
  toggle(element) {
    const meld = this.#possible[Number(element.dataset.meld)] ?? [];
    /** @type {Meld[]} */
    const named = this.named ?? [];
    const kept = named.filter((each) => !same(each, meld));
    this.named =
      kept.length < named.length ? kept : [...named.filter((each) => apart(each, meld)), meld];
  }

  /** The button that begins and ends it. */
  switch() {
    const text = this.named ? "The best melds" : "Choose the melds myself";
    return button(text, this.named ? "leaveMelds" : "nameMelds", { "data-key": "switch-melds" });
  }

  render() {
    if (!this.named) return null;
    return h(
      "fieldset",
      {},
      h("legend", {}, "Your melds"),
      h(
        "p",
        { class: "quiet" },
        `The hand has ${counted(this.#possible.length, "possible meld")}; one that shares a card with another takes its place.`,
      ),
      h(
        "div",
        { class: "choices" },
        this.#possible.map((meld, index) => this.#option(meld, index)),
      ),
    );
  }

  /**
   * @param {Meld} meld
   * @param {number} index
   */
  #option(meld, index) {
    const on = this.named?.some((each) => same(each, meld));
    return h(
      "button",
      {
        type: "button",
        class: `cards meld${on ? " on" : ""}`,
        "data-do": "toggleMeld",
        "data-meld": index,
        "data-key": `option-${meld.join("")}`,
        "aria-pressed": `${on}`,
      },
      row(meld),
    );
  }
}

/**
 * @param {Meld} one
 * @param {Meld} other
 */
const same = (one, other) =>
  one.length === other.length && one.every((card) => other.includes(card));

/**
 * @param {Card[]} one
 * @param {Card[]} other
 */
const apart = (one, other) => !one.some((card) => other.includes(card));
