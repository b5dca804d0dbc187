/** Going out: how the hand will be laid, as the service would, or as the player likes. */

import { ask } from "./api.js";
import { pointsIn, row, short } from "./cards.js";
import { h } from "./dom.js";
import { button, changed, closeDialog, openDialog } from "./page.js";
import { counted } from "./words.js";

/** The dialog in which a player goes out. */
export class KnockDialog {
  wide = true;
  /** @type {Meld[] | null} */
  #possible = null;
  /** @type {Meld[] | null} The melds that the player names; null leaves them to the service. */
  #named = null;
  #fault = "";

  /**
   * @param {View} view
   * @param {Schemas["KnockChoice"] | null} choice nothing for big gin
   * @param {(body: Schemas["KnockRequest"]) => void} knock
   */
  constructor(view, choice, knock) {
    this.hand = (view.you?.hand ?? []).filter((card) => card !== choice?.discard);
    this.best = choice?.melds ?? view.you?.melds ?? [];
    this.limit = view.round?.knock_limit ?? 0;
    this.choice = choice;
    this.knock = knock;
    this.title = choice ? (choice.gin ? "Gin" : `Knock with ${choice.deadwood_points}`) : "Big gin";
    openDialog(this);
  }

  get #melds() {
    return this.#named ?? this.best;
  }

  get #deadwood() {
    const melded = this.#melds.flat();
    return this.hand.filter((card) => !melded.includes(card));
  }

  does = {
    out: () => {
      const discard = this.choice?.discard;
      closeDialog();
      this.knock({ ...(discard && { discard }), ...(this.#named && { melds: this.#named }) });
    },
    other: async () => {
      this.#named = this.best;
      try {
        const split = await ask({
          method: "POST",
          path: "analysis/hand",
          body: { hand: this.hand },
        });
        this.#possible = split.possible_melds;
      } catch (error) {
        this.#fault = /** @type {Error} */ (error).message;
      }
    },
    toggle: (/** @type {HTMLElement} */ element) => {
      const meld = this.#possible?.[Number(element.dataset.meld)] ?? [];
      const named = this.#named ?? [];
      const kept = named.filter((each) => !same(each, meld));
      this.#named =
        kept.length < named.length ? kept : [...named.filter((each) => apart(each, meld)), meld];
      changed();
    },
    best: () => {
      this.#named = this.#possible = null;
    },
  };

  render() {
    const points = pointsIn(this.#deadwood);
    const over = points > this.limit;
    return [
      this.choice && h("p", {}, `You throw the ${short(this.choice.discard)} and lay down:`),
      h(
        "div",
        { class: "laid" },
        this.#melds.map((meld, index) =>
          h("div", { class: `cards meld meld-${index % 3}` }, row(meld)),
        ),
        this.#deadwood.length > 0 && h("div", { class: "loose" }, row(this.#deadwood)),
      ),
      h(
        "p",
        { role: "status" },
        points ? `Deadwood ${points}; the limit is ${this.limit}.` : "No deadwood.",
      ),
      this.#fault && h("p", { class: "fault" }, this.#fault),
      this.#possible && this.#choose(),
      h(
        "p",
        { class: "pair" },
        button(this.title, "out", {
          class: "main",
          why: over ? `${points} is over the limit of ${this.limit}: name other melds.` : "",
          disabled: over,
        }),
        this.#possible
          ? button("The service's choice", "best")
          : button("Choose the melds myself", "other"),
      ),
    ];
  }

  #choose() {
    const melds = this.#possible ?? [];
    return h(
      "fieldset",
      {},
      h("legend", {}, "Your melds"),
      h(
        "p",
        { class: "quiet" },
        `The hand has ${counted(melds.length, "possible meld")}; one that shares a card with another takes its place.`,
      ),
      h(
        "div",
        { class: "choices" },
        melds.map((meld, index) => this.#option(meld, index)),
      ),
    );
  }

  /**
   * @param {Meld} meld
   * @param {number} index
   */
  #option(meld, index) {
    const on = this.#melds.some((each) => same(each, meld));
    return h(
      "button",
      {
        type: "button",
        class: `cards meld${on ? " on" : ""}`,
        "data-do": "toggle",
        "data-meld": index,
        "data-key": `option-${index}`,
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
 * @param {Meld} one
 * @param {Meld} other
 */
const apart = (one, other) => !one.some((card) => other.includes(card));
