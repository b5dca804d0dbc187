/** Hands that lie open: melds, what was added to them, and what was left. */

import { bySuit, row, still } from "./cards.js";
import { h } from "./dom.js";

/**
 * @param {LaidHand} laid
 * @param {Layoff[]} added to its melds, by others
 * @param {((meld: number) => boolean)} [droppable] for the answer to a knock: what the chosen card may go on
 */
export function laidHand(laid, added, droppable) {
  return h(
    "div",
    { class: "laid" },
    laid.melds.map((meld, index) => {
      const more = added.filter((layoff) => layoff.meld === index).map((layoff) => layoff.card);
      return laidMeld(meld, more, index, droppable);
    }),
    laid.deadwood.length > 0 &&
      h(
        "div",
        { class: "loose" },
        row(laid.deadwood),
        h("span", { class: "quiet" }, `${laid.deadwood_points} left`),
      ),
  );
}

/**
 * @param {Meld} meld
 * @param {Card[]} added
 * @param {number} index
 * @param {((meld: number) => boolean) | undefined} droppable
 */
function laidMeld(meld, added, index, droppable) {
  const whole = [...meld, ...added].sort(bySuit);
  const cards = whole.map((card) => still(card, added.includes(card) ? "added" : ""));
  const key = `meld-${index}`;
  if (!droppable)
    return h("div", { class: `cards meld meld-${index % 3}`, "data-key": key }, cards);
  const attributes = {
    type: "button",
    "data-do": "layOff",
    "data-meld": index,
    "data-drop": key,
    "data-key": key,
  };
  const name = h("span", { class: "unseen" }, `Lay the chosen card onto meld ${index + 1}: `);
  const kind = `cards meld meld-${index % 3} target${droppable(index) ? " lit" : ""}`;
  return h(
    "button",
    { ...attributes, class: kind, "aria-disabled": droppable(index) ? null : "true" },
    name,
    cards,
  );
}

/**
 * What opponents have added to the knocker's melds so far.
 * @param {View} view
 */
export const additions = (view) => (view.round?.shown ?? []).flatMap((hand) => hand.layoffs);
