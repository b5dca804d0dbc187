/** Going out: how the hand will be laid, as the service would, or as the player likes. */

import { pointsIn, row, short } from "./cards.js";
import { MeldChoice } from "./choice.js";
import { h } from "./dom.js";
import { button, closeDialog, openDialog } from "./page.js";

/** The dialog in which a player goes out. */
export class KnockDialog {
  wide = true;
  #own = new MeldChoice();

  /**
   * @param {View} view
   * @param {Schemas["KnockChoice"] | null} choice nothing for big gin
   * @param {(body: Schemas["KnockRequest"]) => void} knock
   */
  constructor(view, choice, knock) {
    this.view = view;
    this.hand = (view.you?.hand ?? []).filter((card) => card !== choice?.discard);
    this.best = choice?.melds ?? view.you?.melds ?? [];
    this.limit = view.round?.knock_limit ?? 0;
    this.choice = choice;
    this.knock = knock;
    this.title = choice ? (choice.gin ? "Gin" : `Knock with ${choice.deadwood_points}`) : "Big gin";
    openDialog(this);
  }

  get #melds() {
    return this.#own.named ?? this.best;
  }

  get #deadwood() {
    const melded = this.#melds.flat();
    return this.hand.filter((card) => !melded.includes(card));
  }

  does = {
    out: () => {
      const discard = this.choice?.discard;
      const melds = this.#own.named;
      closeDialog();
      this.knock({ ...(discard && { discard }), ...(melds && { melds }) });
    },
    nameMelds: () =>
      this.#own.begin(this.view, this.best, this.choice ? [this.choice.discard] : []),
    leaveMelds: () => this.#own.end(),
    toggleMeld: (/** @type {HTMLElement} */ element) => this.#own.toggle(element),
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
      this.#own.render(),
      h(
        "p",
        { class: "pair" },
        button(this.title, "out", {
          class: "main",
          why: over ? `${points} is over the limit of ${this.limit}: name other melds.` : "",
          disabled: over,
        }),
        this.#own.switch(),
      ),
    ];
  }
}
