/** One's own cards: their order, what marks them, and how they are read out. */

import { byRank, bySuit, face, short, spoken } from "./cards.js";
import { h } from "./dom.js";
import { keep, kept } from "./kept.js";

/** @typedef {import("./kept.js").Sorting} Sorting */

/**
 * The hand in the order that its player likes.
 * @param {View} view
 * @param {Sorting | "own"} sorting
 * @returns {Card[]}
 */
export function arranged(view, sorting) {
  const you = view.you;
  if (!you) return [];
  if (sorting === "own") return inOwnOrder(you.hand, ownOrder(view.game_id));
  if (sorting === "suit") return [...you.hand].sort(bySuit);
  if (sorting === "rank") return [...you.hand].sort(byRank);
  const melded = you.melds.flat();
  const loose = you.hand.filter((card) => !melded.includes(card)).sort(byRank);
  return [...melded, ...loose];
}

/** @param {string} gameId @returns {Card[]} */
const ownOrder = (gameId) => kept(`order.${gameId}`) ?? [];

/**
 * @param {Card[]} hand
 * @param {Card[]} order
 */
function inOwnOrder(hand, order) {
  const place = (/** @type {Card} */ card) =>
    order.includes(card) ? order.indexOf(card) : order.length;
  return [...hand].sort((one, other) => place(one) - place(other));
}

/**
 * Puts a card elsewhere in the hand.
 * @param {string} gameId
 * @param {Card[]} hand as it is shown
 * @param {Card} card
 * @param {number} at its place in the hand without it
 */
export function moveCard(gameId, hand, card, at) {
  const rest = hand.filter((each) => each !== card);
  keep(`order.${gameId}`, [...rest.slice(0, at), card, ...rest.slice(at)]);
}

/**
 * @typedef {object} Marks what the hand shows beside the cards
 * @property {Card | null} chosen
 * @property {Card[]} staged laid off already, in the answer that is being made
 * @property {boolean} open whether something may be done with the cards now
 */

/**
 * The hand as a list to choose from.
 * @param {View} view
 * @param {Card[]} cards as arranged
 * @param {Marks} marks
 */
export function handList(view, cards, marks) {
  const shown = cards.filter((card) => !marks.staged.includes(card));
  const focus = shown.includes(marks.chosen ?? "") ? marks.chosen : shown[0];
  return h(
    "div",
    {
      class: "hand",
      role: "listbox",
      "aria-label": "Your hand",
      "data-place": "hand",
      "data-drop": "hand",
      "aria-describedby": "hand-help",
    },
    shown.map((card, at) => handCard(view, card, marks, card === focus, edge(view, shown, at))),
  );
}

/**
 * @param {View} view
 * @param {Card} card
 * @param {Marks} marks
 * @param {boolean} focus whether Tab comes here
 * @param {string} edges
 */
function handCard(view, card, marks, focus, edges) {
  const { actions, you } = view;
  const chosen = card === marks.chosen;
  const knocks = actions.knock.some((choice) => choice.discard === card);
  const throws = actions.discard.some((choice) => choice.card === card);
  const kinds = [
    "card",
    edges,
    chosen && "chosen",
    card === you?.drawn_card && "drawn",
    marks.open && knocks && "knocks",
    marks.open && actions.discard.length > 0 && !throws && "barred",
  ];
  return h(
    "div",
    {
      class: kinds.filter(Boolean).join(" "),
      role: "option",
      "aria-selected": `${chosen}`,
      "aria-label": label(view, card),
      tabindex: focus ? 0 : -1,
      "data-card": card,
      "data-key": card,
      "data-do": "choose",
      "data-drag": "",
    },
    face(card),
    knocks && marks.open && h("span", { class: "flag", "aria-hidden": "true" }, "✓"),
  );
}

/**
 * @param {View} view
 * @param {Card} card
 */
function label(view, card) {
  const melded = view.you?.melds.some((meld) => meld.includes(card));
  const left = view.actions.discard.find((choice) => choice.card === card);
  const knock = view.actions.knock.find((choice) => choice.discard === card);
  const parts = [spoken(card), melded ? "in a meld" : "deadwood"];
  if (card === view.you?.drawn_card) parts.push("just drawn");
  if (left) parts.push(`throwing it leaves ${left.deadwood_points}`);
  else if (view.actions.discard.length) parts.push("may not be thrown in this turn");
  if (knock) parts.push(knock.gin ? "throwing it makes gin" : "throwing it you may knock");
  return parts.join(", ");
}

/**
 * The classes that draw a meld's outline around neighbours.
 * @param {View} view
 * @param {Card[]} cards
 * @param {number} at
 */
function edge(view, cards, at) {
  const meld = (/** @type {number} */ place) =>
    view.you?.melds.findIndex((each) => each.includes(cards[place] ?? "")) ?? -1;
  const own = meld(at);
  if (own < 0) return at > 0 && meld(at - 1) >= 0 ? "apart" : "";
  return `melded meld-${own}${meld(at - 1) === own ? "" : " first"}${meld(at + 1) === own ? "" : " last"}`;
}

/**
 * Deadwood as it is counted, in words.
 * @param {View} view
 */
export function deadwoodLine(view) {
  const you = view.you;
  if (!you?.hand.length) return null;
  const cards = [...you.deadwood].sort(byRank).map(short).join(" ");
  return h(
    "p",
    { class: "count" },
    h("b", {}, `Deadwood ${you.deadwood_points}`),
    cards
      ? h("span", { class: "quiet" }, ` ${cards}`)
      : h("span", { class: "quiet" }, " everything is melded"),
  );
}
