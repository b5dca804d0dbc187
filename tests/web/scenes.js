/** Games brought to a certain moment through the API, with decks that are known. */

import { call } from "./harness.js";

/** @typedef {{game: any, seat: number, token: string, invite?: string | null}} Seated */
/** @typedef {{ann: Seated, others: Seated[], deck: string[]}} Scene */

const ALL = [..."CDHS"].flatMap((suit) =>
  [..."A23456789TJQK"].map((rank) => rank + suit),
);

/** Bob knocks with 2; Ann has 7D and then 6D to lay off. */
const HANDS = [
  "7D 6D KC KH KS 9H TH JH AC 3S".split(" "),
  "8D 9D TD 4C 4H 4S QC QD QS 2H".split(" "),
];
const UPCARD = "TS";
const STOCK = "2C 8C 9C 5D 7S 5H".split(" ");

/**
 * @param {string[][]} hands
 * @param {string} upcard
 * @param {string[]} stock its first cards
 */
function deckOf(hands, upcard, stock) {
  const dealt = (hands[0] ?? []).flatMap((_card, at) =>
    hands.map((hand) => hand[at] ?? ""),
  );
  const known = [...dealt, upcard, ...stock];
  return [...known, ...ALL.filter((card) => !known.includes(card))];
}

/**
 * A table of two at which Ann plays first, not dealt yet.
 * @param {string} url
 * @param {Record<string, unknown>} [rules]
 * @returns {Promise<Scene>}
 */
export async function twoSeats(url, rules = {}) {
  const deck = deckOf(HANDS, UPCARD, STOCK);
  const ann = await call(url, "games", {
    body: { name: "Ann", deck: [deck], rules, visibility: "private" },
  });
  const bob = await call(url, `games/${ann.game.game_id}/players`, {
    body: { name: "Bob", invite: ann.invite },
  });
  return { ann, others: [bob], deck };
}

/**
 * @param {string} url
 * @param {Seated} seated
 * @param {string} path
 * @param {unknown} [body]
 */
export const move = (url, { game, token }, path, body = {}) =>
  call(url, `games/${game.game_id}/${path}`, { token, body });

/** The moves that lead from one phase to the next: whose, what, with what. */
const MOVES = /** @type {const} */ ([
  ["offer", 0, "deal", {}],
  ["passed", 0, "pass", {}],
  ["draw", 1, "pass", {}],
  ["discard", 0, "draw", { source: "stock" }],
  ["their turn", 0, "discard", { card: "2C" }],
  ["their discard", 1, "draw", { source: "stock" }],
  ["layoff", 1, "knock", { discard: "8C" }],
  ["result", 0, "layoff", {}],
]);

/** @typedef {typeof MOVES[number][0]} Phase */

/**
 * A game of Ann and Bob in the phase named.
 * @param {string} url
 * @param {Phase} phase
 * @param {Record<string, unknown>} [rules]
 */
export async function inPhase(url, phase, rules) {
  const scene = await twoSeats(url, rules);
  const seats = [scene.ann, ...scene.others];
  for (const [name, seat, path, body] of MOVES) {
    await move(url, /** @type {Seated} */ (seats[seat]), path, body);
    if (name === phase) break;
  }
  return scene;
}

/**
 * Plays on from the upcard offer until Ann has drawn.
 * @param {string} url
 * @param {Scene} scene in the phase "offer"
 */
export async function untilDrawn(url, { ann, others }) {
  await move(url, ann, "pass");
  await move(url, /** @type {Seated} */ (others[0]), "pass");
  await move(url, ann, "draw", { source: "stock" });
}

/**
 * Ann can knock: she sits where Bob does in the other scenes.
 * @param {string} url
 */
export async function readyToKnock(url) {
  const deck = deckOf([...HANDS].reverse(), UPCARD, STOCK);
  const rules = { upcard_offer: false };
  const ann = await call(url, "games", {
    body: { name: "Ann", deck: [deck], rules, visibility: "private" },
  });
  const bob = await call(url, `games/${ann.game.game_id}/players`, {
    body: { name: "Bob", invite: ann.invite },
  });
  await move(url, ann, "deal");
  await move(url, ann, "draw", { source: "stock" });
  return { ann, others: [bob], deck };
}

/**
 * Ann among three others, in the middle of a round.
 * @param {string} url
 * @returns {Promise<Scene>}
 */
export async function fourSeats(url) {
  const ann = await call(url, "games", {
    body: {
      name: "Ann",
      seats: 4,
      rules: { preset: "oklahoma-open", first_player: "host" },
    },
  });
  const path = `games/${ann.game.game_id}`;
  const cleo = await call(url, `${path}/players`, {
    body: { name: "Cleopatra Montgomery-Featherstone III" },
  });
  for (const level of ["easy", "medium"])
    await move(url, ann, "bots", { level });
  await move(url, ann, "deal");
  await move(url, ann, "draw", { source: "stock" });
  return { ann, others: [cleo], deck: [] };
}
