/** The hand by keyboard; letters act only while a card has the focus. */

import { arranged } from "./hand.js";
import { cardElement, changed } from "./page.js";

/** For whoever listens to the hand instead of looking at it. */
export const HELP =
  "Arrow keys go from card to card, Enter chooses, Control with an arrow key moves a card. " +
  "D draws, T takes the top discard, P passes, X throws, K knocks.";

/** @typedef {import("./player.js").Player} Player */

/**
 * @param {KeyboardEvent} event
 * @param {Player} player
 */
export function pressed(event, player) {
  const card = /** @type {Element} */ (event.target)
    .closest(".hand [data-card]")
    ?.getAttribute("data-card");
  const view = player.table.shown;
  if (!card || !view) return;
  const cards = arranged(view, player.sorting).filter(
    (each) => !player.answer.cards.includes(each),
  );
  const at = cards.indexOf(card);
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: cards.length - 1 }[event.key];
  if (to !== undefined) go(event, player, card, cards, to);
  else if (event.key === "Enter" || event.key === " ") player.choose(card);
  else if (!letter(event, player, card)) return;
  event.preventDefault();
  changed();
}

/**
 * @param {KeyboardEvent} event
 * @param {Player} player
 * @param {Card} card
 * @param {Card[]} cards
 * @param {number} to
 */
function go(event, player, card, cards, to) {
  const place = Math.max(0, Math.min(cards.length - 1, to));
  if (!event.ctrlKey && !event.metaKey) return cardElement(cards[place] ?? "")?.focus();
  player.rearrange(card, place);
}

/**
 * @param {KeyboardEvent} event
 * @param {Player} player
 * @param {Card} card
 * @returns {boolean} whether the letter means something
 */
function letter(event, player, card) {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const { stock, take, pass, throw: thrown, knock } = player.does;
  const doing = { d: stock, t: take, p: pass, x: thrown, k: knock }[event.key];
  if (!doing) return false;
  if (event.key === "x") player.chosen ??= card;
  const result = doing();
  if (result instanceof Promise) void result.finally(changed);
  return true;
}
