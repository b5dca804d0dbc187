/** The middle of the table: the stock, the discard pile, the knock limit. */

import { back, spoken, still } from "./cards.js";
import { h } from "./dom.js";
import { limitSource, whyNot } from "./reasons.js";
import { counted } from "./words.js";

/**
 * @param {View} view
 * @param {Round} round
 * @param {Card | null} chosen
 */
export function middle(view, round, chosen) {
  return h(
    "section",
    { class: "middle", "aria-label": "Stock and discard pile" },
    stock(view, round),
    pile(view, round, chosen),
    plaque(view, round),
  );
}

/**
 * @param {View} view
 * @param {Round} round
 */
function stock(view, round) {
  const why = view.you ? whyNot(view, "stock", null) : "";
  const lit = view.you && !why;
  return h(
    "div",
    { class: "pile" },
    h(
      "button",
      {
        type: "button",
        class: `card${lit ? " lit" : ""}`,
        "data-do": "stock",
        "data-place": "stock",
        "data-drag": "stock",
        "aria-disabled": lit ? null : "true",
        "aria-label": `Stock, ${counted(round.stock_count, "card")}${lit ? ": draw one" : ""}`,
      },
      back(),
    ),
    h("span", { class: "caption" }, `Stock ${round.stock_count}`),
  );
}

/**
 * @param {View} view
 * @param {Round} round
 * @param {Card | null} chosen
 */
function pile(view, round, chosen) {
  const top = round.discard_pile.at(-1);
  const below = round.discard_pile.at(-2);
  const draws = view.actions.draw.includes("discard");
  const throws = chosen !== null && !whyNot(view, "throw", chosen);
  const does = draws ? ": take it" : throws ? `: throw the ${spoken(chosen)}` : "";
  return h(
    "div",
    { class: "pile" },
    h(
      "button",
      {
        type: "button",
        class: `slot${draws || throws ? " lit" : ""}`,
        "data-do": "pile",
        "data-place": "discard",
        "data-drop": "discard",
        "data-drag": "discard",
        "aria-disabled": draws || throws ? null : "true",
        "aria-label": `Discard pile, ${top ? spoken(top) : "empty"}${does}`,
      },
      below && still(below, "under"),
      top && still(top, "top"),
    ),
    h("span", { class: "caption" }, top ? `Discards ${round.discard_pile.length}` : "Discards"),
  );
}

/**
 * @param {View} view
 * @param {Round} round
 */
function plaque(view, round) {
  const { brief, whole } = limitSource(view);
  const gin = round.knock_limit === 0;
  return h(
    "div",
    { class: "plaque" },
    h(
      "button",
      { type: "button", "data-do": "limit", title: whole },
      h("span", { class: "quiet" }, gin ? "Only" : "Knock at"),
      h("b", {}, gin ? "gin" : `${round.knock_limit}`),
      h("span", { class: "quiet" }, brief),
      h("span", { class: "unseen" }, `. ${whole}`),
      round.multiplier > 1 && h("span", { class: "times" }, `counts ×${round.multiplier}`),
    ),
  );
}
