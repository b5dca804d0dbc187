/** What happened and what it counts, in sentences. */

import { short, spoken } from "./cards.js";

/**
 * @param {View} view
 * @param {number | null | undefined} seat
 * @returns {string} the player's name, or "You" for the viewer's own seat
 */
export function who(view, seat) {
  if (seat != null && seat === view.you?.seat) return "You";
  return nameOf(view, seat);
}

/**
 * @param {View} view
 * @param {number | null | undefined} seat
 */
export function nameOf(view, seat) {
  return view.players.find((player) => player.seat === seat)?.name ?? "Nobody";
}

/**
 * What an event was, as one sentence; nothing for what does not concern the table.
 * @param {View} view
 * @param {GameEvent} event
 * @param {(card: Card) => string} [name] how cards are called: to be read, or to be heard
 * @returns {string}
 */
export function sentence(view, event, name = short) {
  const tell = SENTENCES[event.type];
  const round = event.result?.kind === "void" ? ` ${headline(view, event.result)}.` : "";
  const ending = event.game_result ? ` ${ended(view, event.game_result)}` : "";
  return tell ? tell(event, subject(view, event), name) + round + ending : "";
}

/**
 * The same to be heard.
 * @param {View} view
 * @param {GameEvent} event
 */
export const heard = (view, event) => sentence(view, event, spoken);

/**
 * @param {View} view
 * @param {GameEvent} event
 */
function subject(view, event) {
  if (event.seat != null && event.seat === view.you?.seat) return "You";
  return event.name ?? nameOf(view, event.seat);
}

/** @typedef {(event: GameEvent, who: string, name: (card: Card) => string) => string} Sentence */

/** @type {Record<string, Sentence>} */
const SENTENCES = {
  joined: (_event, who) => `${who} sat down.`,
  left: (_event, who) => `${who} left.`,
  removed: (_event, who) => `${who} was taken out.`,
  dealt: (event, who, name) =>
    `${who} dealt round ${event.round}; the upcard is the ${name(event.upcard ?? "")}.`,
  passed: (_event, who) => `${who} passed.`,
  drew: (event, who, name) => {
    if (event.source === "discard")
      return `${who} took the ${name(event.card ?? "")} from the pile.`;
    return event.card ? `${who} drew the ${name(event.card)}.` : `${who} drew from the stock.`;
  },
  discarded: (event, who, name) => `${who} threw the ${name(event.card ?? "")}.`,
  knocked: (event, who) => {
    if (event.kind === "big_gin") return `${who} went big gin!`;
    if (event.kind === "gin") return `${who} went gin!`;
    return `${who} knocked with ${event.deadwood_points}.`;
  },
  laid_off: (event, who, name) => {
    const added = (event.layoffs ?? []).map((layoff) => name(layoff.card));
    const what = added.length ? `laid off ${listed(added)}` : "laid nothing off";
    return `${who} ${what}; ${event.deadwood_points} left.`;
  },
  resigned: (_event, who) => `${who} resigned.`,
  timed_out: (_event, who) => `${who} ran out of time.`,
};

/** @param {string[]} words "a, b and c" */
export function listed(words) {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/**
 * @param {View} view
 * @param {Schemas["GameResult"]} result
 */
export function ended(view, result) {
  if (result.winner === null) return "The game was called off.";
  const name = who(view, result.winner);
  const why = ENDINGS[result.reason]?.(losers(view, result)) ?? "";
  return `${name} ${name === "You" ? "win" : "wins"} the game${why}.`;
}

/**
 * @param {View} view
 * @param {Schemas["GameResult"]} result
 */
function losers(view, result) {
  const seats = view.players.map((player) => player.seat).filter((seat) => seat !== result.winner);
  if (seats.length > 1) return "the others";
  return seats[0] === view.you?.seat ? "you" : nameOf(view, seats[0]);
}

/** @type {Record<string, (losers: string) => string>} */
const ENDINGS = {
  rounds: () => ", since the last round has been played",
  resigned: (losers) => `, since ${losers} resigned`,
  timed_out: (losers) => `, since ${losers} ran out of time`,
};

/**
 * How a round ended, as a headline.
 * @param {View} view
 * @param {RoundResult} result
 */
export function headline(view, result) {
  const winner = who(view, result.winner);
  const wins = winner === "You" ? "win" : "wins";
  if (result.kind === "void") return "Nobody went out: the round is void";
  if (result.kind === "gin") return `${winner} ${winner === "You" ? "have" : "has"} gin`;
  if (result.kind === "big_gin") return `${winner} ${winner === "You" ? "have" : "has"} big gin`;
  const knocker = who(view, result.knocker);
  if (result.kind === "undercut")
    return `${winner} undercut ${knocker === "You" ? "you" : knocker}`;
  return `${winner} ${wins} the round`;
}

/** @type {Record<string, string>} */
const REASONS = {
  deadwood: "Deadwood",
  gin_bonus: "Gin bonus",
  big_gin_bonus: "Big gin bonus",
  undercut_bonus: "Undercut bonus",
  undercut_penalty: "Charge for the undercut",
  game_bonus: "Game bonus",
  box_bonus: "Boxes",
  shutout: "Shutout",
};

/**
 * @param {View} view
 * @param {Schemas["Line"]} line
 * @param {LaidHand[]} [hands] of the round that it settles
 * @returns {string} "Deadwood of Bob (15 − 4) (×2)"
 */
export function reason(view, line, hands = []) {
  const what = REASONS[line.reason] ?? line.reason.replaceAll("_", " ");
  const [theirs, own] = [line.from_seat, line.seat].map(
    (seat) => hands.find((hand) => hand.seat === seat)?.deadwood_points,
  );
  const sum = theirs !== undefined && own ? ` (${theirs} − ${own})` : "";
  const known = line.from_seat == null ? what : `${what} of ${nameOf(view, line.from_seat)}${sum}`;
  return line.multiplier > 1 ? `${known} (×${line.multiplier})` : known;
}

/**
 * @param {number} count
 * @param {string} one
 * @param {string} [many]
 */
export const counted = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/** @param {string} name of an option @returns {string} "Knock limit source" */
export const titled = (name) =>
  `${name.charAt(0).toUpperCase()}${name.slice(1)}`.replaceAll("_", " ");
