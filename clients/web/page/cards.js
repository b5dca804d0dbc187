/** Cards: their order, names, points and pictures. */

import { h, s } from "./dom.js";

const RANKS = "A23456789TJQK";
const SUITS = "CDHS";
const RANK_WORDS = ["ace", "2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king"];
/** @type {Record<string, string>} */
const SUIT_WORDS = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" };
/** @type {Record<string, string>} */
const SUIT_SIGNS = { C: "♣", D: "♦", H: "♥", S: "♠" };

/** @param {Card} card 0 for an ace to 12 for a king */
export const rankOf = (card) => RANKS.indexOf(card.charAt(0));

/** @param {Card} card one of C, D, H and S */
export const suitOf = (card) => card.charAt(1);

/** @param {Card} card ace 1, 2 to 10 face value, jack, queen and king 10 */
export const pointsOf = (card) => Math.min(rankOf(card) + 1, 10);

/** @param {Card[]} cards the sum of their points */
export const pointsIn = (cards) => cards.reduce((sum, card) => sum + pointsOf(card), 0);

/** @param {Card} card such as "10♦" */
export const short = (card) => `${rankText(card)}${SUIT_SIGNS[suitOf(card)]}`;

/** @param {Card} card such as "10 of diamonds", for a voice */
export const spoken = (card) => `${RANK_WORDS[rankOf(card)]} of ${SUIT_WORDS[suitOf(card)]}`;

/** @param {Card} card its place in card order: clubs, diamonds, hearts, spades, each ace to king */
export const placeOf = (card) => SUITS.indexOf(suitOf(card)) * 13 + rankOf(card);

/**
 * @param {Card} one
 * @param {Card} other
 */
export const bySuit = (one, other) => placeOf(one) - placeOf(other);

/**
 * @param {Card} one
 * @param {Card} other
 */
export const byRank = (one, other) => rankOf(one) - rankOf(other) || bySuit(one, other);

/** The deck in card order. */
export const DECK = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));

// The one rank of two characters takes the room of the others.
const NARROW = { textLength: 40, lengthAdjust: "spacingAndGlyphs" };

/** @param {Card} card */
const rankText = (card) => (card.charAt(0) === "T" ? "10" : card.charAt(0));

/**
 * The picture of a card, face up; `id` of a suit is a symbol in index.html.
 * @param {Card} card
 */
export function face(card) {
  const suit = suitOf(card);
  return s(
    "svg",
    {
      class: `face suit-${suit}`,
      viewBox: "0 0 100 140",
      "aria-hidden": "true",
      focusable: "false",
    },
    s("rect", { class: "paper", x: 1, y: 1, width: 98, height: 138, rx: 9 }),
    s("text", { class: "rank", x: 24, y: 43, ...(rankOf(card) === 9 && NARROW) }, rankText(card)),
    s("use", { href: `#suit-${suit}`, x: 10, y: 51, width: 26, height: 26 }),
    rankOf(card) < 10 ? pip(suit) : court(card),
  );
}

/** @param {string} suit */
function pip(suit) {
  return s("use", { class: "pip", href: `#suit-${suit}`, x: 38, y: 74, width: 54, height: 54 });
}

/** @param {Card} card */
function court(card) {
  return [
    s("rect", { class: "court", x: 46, y: 16, width: 44, height: 108, rx: 6 }),
    s("use", {
      class: "emblem",
      href: `#court-${card.charAt(0)}`,
      x: 50,
      y: 24,
      width: 36,
      height: 46,
    }),
    s("use", { href: `#suit-${suitOf(card)}`, x: 52, y: 80, width: 32, height: 32 }),
  ];
}

/** The picture of a card's back. */
export function back() {
  return s(
    "svg",
    { class: "back", viewBox: "0 0 100 140", "aria-hidden": "true", focusable: "false" },
    s("rect", { class: "paper", x: 1, y: 1, width: 98, height: 138, rx: 9 }),
    s("rect", { class: "pattern", x: 8, y: 8, width: 84, height: 124, rx: 5 }),
  );
}

/**
 * A card that is only looked at.
 * @param {Card} card
 * @param {string} [kind] more classes
 */
export function still(card, kind = "") {
  return h(
    "span",
    {
      class: `card ${kind}`,
      "data-card": card,
      "data-key": card,
      role: "img",
      "aria-label": spoken(card),
    },
    face(card),
  );
}

/**
 * Cards side by side.
 * @param {Card[]} cards
 * @param {string} [kind] more classes
 */
export function row(cards, kind = "") {
  return h(
    "span",
    { class: `cards ${kind}` },
    cards.map((card) => still(card)),
  );
}
