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
   * @param {import("./table.js").Table} table
   * @param {(body: Schemas["KnockRequest"]) => void} knock
   */
  constructor(view, choice, table, knock) {
    this.view = view;
    this.hand = (view.you?.hand ?? []).filter((card) => card !== choice?.discard);
    this.best = choice?.melds ?? view.you?.melds ?? [];
    this.limit = choice ? (view.round?.knock_limit ?? 0) : 0;
    this.choice = choice;
    this.table = table;
    this.knock = knock;
    openDialog(this);
  }

  get title() {
    if (!this.choice) return "Big gin";
    const points = pointsIn(this.#deadwood);
    return points ? `Knock with ${points}` : "Gin";
  }

  /** Why one cannot go out like this, or nothing. */
  get #fault() {
    if (!this.table.current) return "The table is not up to date yet; this can wait.";
    const points = pointsIn(this.#deadwood);
    return points > this.limit
      ? `Name other melds: ${points} is over the limit of ${this.limit}.`
      : "";
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
      if (this.#fault) return;
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
    const fault = this.#fault;
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
        fault || (points ? `Deadwood ${points}; the limit is ${this.limit}.` : "No deadwood."),
      ),
      this.#own.render(),
      h(
        "p",
        { class: "pair" },
        button(this.title, "out", { class: fault ? "" : "main", why: fault }),
        this.#own.switch(),
      ),
    ];
  }
}
