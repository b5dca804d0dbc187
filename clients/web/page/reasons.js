/**
 * Why something may not be done now. That it may not, and the code of the reason, are the service's
 * (`actions` and its `why_not`); these sentences say it in a player's words.
 */

import { short } from "./cards.js";
import { nameOf } from "./words.js";

/** @typedef {"stock" | "discard" | "pass" | "throw" | "knock" | "big_gin"} Doing */

/** @type {Record<Doing, "draw" | "pass" | "discard" | "knock" | "big_gin">} The operation behind it. */
const OPERATION = {
  stock: "draw",
  discard: "draw",
  pass: "pass",
  throw: "discard",
  knock: "knock",
  big_gin: "big_gin",
};

/**
 * @param {View} view
 * @param {Doing} doing
 * @param {Card | null} chosen
 * @returns {string} nothing if it may be done
 */
export function whyNot(view, doing, chosen) {
  if (allowed(view, doing, chosen)) return "";
  if (!view.you) return "You are watching; only players move.";
  const { why_not } = view.actions;
  if (!Object.keys(why_not).length) return "What happened is still being shown.";
  const code = why_not[OPERATION[doing]];
  if (!code) return notThis(view, doing, chosen);
  return REASONS[code]?.(view, doing, chosen) ?? "That may not be done now.";
}

/**
 * @param {View} view
 * @param {Doing} doing
 * @param {Card | null} chosen
 */
function allowed({ actions }, doing, chosen) {
  if (doing === "stock" || doing === "discard") return actions.draw.includes(doing);
  if (doing === "pass") return actions.pass;
  if (doing === "big_gin") return actions.big_gin;
  if (doing === "throw") return actions.discard.some((choice) => choice.card === chosen);
  return actions.knock.some((choice) => choice.discard === chosen);
}

/** @typedef {(view: View, doing: Doing, chosen: Card | null) => string} Reason */

/** @type {Record<string, Reason>} By the code of the refusal: nothing of that kind can be done. */
const REASONS = {
  game_over: () => "The game is over.",
  not_your_turn: (view) => `It is ${nameOf(view, view.round?.turn)}'s turn.`,
  wrong_phase: (view, doing) => notNow(view.round?.phase ?? "over", doing),
  deadwood_over_limit: (view, doing, chosen) => {
    if (doing === "big_gin") return "Big gin takes all cards in melds, without a discard.";
    return chosen ? noKnock(view, chosen) : chooseToKnock(view);
  },
};

/**
 * @param {string} phase
 * @param {Doing} doing
 */
function notNow(phase, doing) {
  if (phase === "over") return "The next round has to be dealt first.";
  if (phase === "layoff") return "Answer the knock: lay off what you can.";
  if (doing === "pass") return "There is an upcard to pass only before the first turn.";
  if (phase === "discard") return "You have drawn; now throw a card.";
  return phase === "upcard_offer" ? "Take the upcard or pass first." : "Draw a card first.";
}

/** @type {Reason} Something of that kind can be done, but not with this. */
function notThis(view, doing, chosen) {
  if (doing === "stock") return "Before the first turn there is only the upcard: take it or pass.";
  if (doing === "discard") return "Everybody passed the upcard, so this turn draws from the stock.";
  if (!chosen) return doing === "throw" ? "Choose the card to throw." : chooseToKnock(view);
  return doing === "throw" ? taken(view, chosen) : noKnock(view, chosen);
}

/**
 * @param {View} view
 * @param {Card} chosen
 */
const taken = (view, chosen) =>
  view.you?.drawn_card === chosen
    ? `You took the ${short(chosen)} from the pile in this turn, so it stays for now.`
    : "That card is not in your hand.";

/** @param {View} view */
function chooseToKnock(view) {
  if (view.actions.knock.length)
    return "Choose the card to throw when you knock; those that can be are marked.";
  const lowest = Math.min(...view.actions.discard.map((choice) => choice.deadwood_points));
  return `${limit(view)} The lowest you can reach now is ${lowest}.`;
}

/**
 * @param {View} view
 * @param {Card} chosen
 */
function noKnock(view, chosen) {
  const choice = view.actions.discard.find((each) => each.card === chosen);
  if (!choice) return taken(view, chosen);
  return `${limit(view)} Without the ${short(chosen)} you have ${choice.deadwood_points}.`;
}

/** @param {View} view */
function limit(view) {
  const most = view.round?.knock_limit ?? 0;
  return most === 0
    ? "Only gin ends this round: no deadwood at all."
    : `To knock you may keep ${most} at most.`;
}

/**
 * Where the knock limit comes from, in a few words and in a sentence.
 * @param {View} view
 * @returns {{brief: string, whole: string}}
 */
export function limitSource(view) {
  const { rules, round } = view;
  if (!round) return { brief: "", whole: "" };
  const most = round.knock_limit;
  const meaning = most === 0 ? "Only gin ends the round." : `Knock with ${most} or less.`;
  if (rules.knock_limit_source === "fixed")
    return {
      brief: "in every round",
      whole: `${meaning} The rules of this game say so for every round.`,
    };
  if (rules.knock_limit_source === "upcard")
    return {
      brief: `upcard ${short(round.upcard)}`,
      whole: `${meaning} The upcard of this round, the ${short(round.upcard)}, sets it.`,
    };
  return {
    brief: "top of the pile",
    whole: `${meaning} It is set by the card that lay on top of the discard pile when the turn began.`,
  };
}
