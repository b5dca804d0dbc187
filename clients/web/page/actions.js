/** The row of what one may do: what is lit can be done, and the rest says why not. */

import { short } from "./cards.js";
import { h } from "./dom.js";
import { button } from "./page.js";
import { whyNot } from "./reasons.js";
import { nameOf } from "./words.js";

/**
 * @param {View} view
 * @param {Card | null} chosen
 */
export function actionBar(view, chosen) {
  const top = view.round?.discard_pile.at(-1);
  const offer = view.round?.phase === "upcard_offer";
  return h(
    "div",
    { class: "actions", role: "group", "aria-label": "What you may do" },
    offer ? doing(view, "Pass", "pass", "pass") : doing(view, "Draw", "stock", "stock"),
    doing(view, top ? `Take ${short(top)}` : "Take", "take", "discard"),
    doing(view, chosen ? `Throw ${short(chosen)}` : "Throw", "throw", "throw", chosen),
    knocking(view, chosen),
  );
}

/**
 * @param {View} view
 * @param {string} text
 * @param {string} does
 * @param {import("./reasons.js").Doing} what
 * @param {Card | null} [chosen]
 */
function doing(view, text, does, what, chosen = null) {
  const why = whyNot(view, what, chosen);
  return button(text, does, { why, class: why ? "" : "main" });
}

/**
 * The best way out that the chosen card leaves, or the best of all.
 * @param {View} view
 * @param {Card | null} chosen
 */
export function wayOut(view, chosen) {
  const choices = view.actions.knock;
  const own = choices.find((choice) => choice.discard === chosen);
  const lowest = [...choices].sort((one, other) => one.deadwood_points - other.deadwood_points)[0];
  return own ?? lowest ?? null;
}

/**
 * @param {View} view
 * @param {Card | null} chosen
 */
function knocking(view, chosen) {
  if (view.actions.big_gin) return button("Big gin!", "bigGin", { class: "main out" });
  const way = wayOut(view, chosen);
  if (!way) return button("Knock", "knock", { why: whyNot(view, "knock", chosen) });
  return button(way.gin ? "Gin!" : `Knock ${way.deadwood_points}`, "knock", { class: "main out" });
}

/**
 * What the moment asks for, in one sentence.
 * @param {View} view
 * @param {Card | null} chosen
 */
export function prompt(view, chosen) {
  const { round, you, actions } = view;
  if (!round) return "";
  if (!you)
    return `You are watching.${round.turn === null ? "" : ` It is ${nameOf(view, round.turn)}'s turn.`}`;
  if (round.turn !== you.seat)
    return round.turn === null ? "" : `${nameOf(view, round.turn)} is to move.`;
  if (actions.pass) return `Take the ${short(round.upcard)}, or pass?`;
  if (actions.draw.length === 1) return "Your turn: draw from the stock.";
  if (actions.draw.length)
    return `Your turn: draw, or take the ${short(round.discard_pile.at(-1) ?? "")}.`;
  if (actions.layoff) return "Your answer to the knock.";
  const last = round.last_turn ? " Unless you go out, the round is void." : "";
  return `${throwing(view, chosen)}${last}`;
}

/**
 * @param {View} view
 * @param {Card | null} chosen
 */
function throwing({ actions }, chosen) {
  const choice = actions.discard.find((each) => each.card === chosen);
  if (choice)
    return `Without the ${short(choice.card)} your deadwood is ${choice.deadwood_points}.`;
  if (!actions.discard.length) return "";
  return actions.knock.length
    ? "Choose a card to throw; with one marked ✓ you may knock."
    : "Choose a card to throw.";
}
