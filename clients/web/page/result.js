/** How a round and a game ended: every hand card by card, every line of the score. */

import { h } from "./dom.js";
import { laidHand } from "./laid.js";
import { button } from "./page.js";
import { ended, headline, nameOf, reason, who } from "./words.js";

/**
 * @param {View} view
 * @param {RoundResult} result
 * @param {boolean} past whether the next round runs already
 */
export function roundResult(view, result, past) {
  const layoffs = result.hands.flatMap((hand) => hand.layoffs);
  const over = !past && view.result;
  return h(
    "section",
    { class: "panel result", "aria-labelledby": "result", tabindex: -1 },
    h("h2", { id: "result" }, over ? ended(view, over) : headline(view, result)),
    over && h("p", { class: "quiet" }, headline(view, result)),
    past &&
      h("p", { class: "pair" }, `Round ${view.round?.number} has been dealt.`, next(view, past)),
    h(
      "div",
      { class: "hands" },
      result.hands.map((hand) =>
        openHand(view, result, hand, hand.seat === result.knocker ? layoffs : []),
      ),
    ),
    h(
      "div",
      { class: "sums" },
      lines(view, result.lines, `Round ${result.number}`, result.hands),
      totals(view, result.totals),
      over && endLines(view, over),
    ),
    h(
      "p",
      { class: "pair" },
      !past && next(view, past),
      button("Score sheet", "score"),
      button("Check the shuffle", "verify", { "data-round": result.number }),
    ),
  );
}

/**
 * @param {View} view
 * @param {RoundResult} result
 * @param {LaidHand} hand
 * @param {Layoff[]} added
 */
function openHand(view, result, hand, added) {
  const role =
    hand.seat === result.knocker
      ? result.kind === "undercut"
        ? "knocked, and was undercut"
        : KNOCKS[result.kind]
      : "";
  const laid = hand.layoffs.length ? `laid off ${hand.layoffs.length}` : "";
  return h(
    "article",
    {
      "data-key": `hand-${hand.seat}`,
      "aria-label": `Hand of ${nameOf(view, hand.seat)}`,
      class: hand.seat === result.winner ? "won" : "",
    },
    h(
      "p",
      { class: "nameplate" },
      h("b", { class: "name" }, nameOf(view, hand.seat)),
      (role || laid) && h("span", { class: "quiet" }, role || laid),
      h(
        "span",
        { class: "total" },
        `${hand.deadwood_points}`,
        h("span", { class: "unseen" }, " points of deadwood"),
      ),
    ),
    laidHand(hand, added),
  );
}

/** @type {Record<string, string>} */
const KNOCKS = { knock: "knocked", gin: "went gin", big_gin: "went big gin" };

/**
 * @param {View} view
 * @param {Schemas["Line"][]} amounts
 * @param {string} title
 * @param {LaidHand[]} [hands]
 */
function lines(view, amounts, title, hands = []) {
  if (!amounts.length) return h("p", { class: "quiet" }, "Nobody scores.");
  return h(
    "table",
    {},
    h("caption", {}, title),
    h(
      "tbody",
      {},
      amounts.map((line) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, nameOf(view, line.seat)),
          h("td", {}, reason(view, line, hands)),
          h("td", { class: "number" }, signed(line.points)),
        ),
      ),
    ),
  );
}

/**
 * @param {View} view
 * @param {number[]} sums
 */
function totals(view, sums) {
  const aim =
    view.rules.scoring === "penalties"
      ? `the lowest wins at ${view.rules.target_score}`
      : `first to ${view.rules.target_score}`;
  return h(
    "table",
    {},
    h("caption", {}, `Totals, ${aim}`),
    h(
      "tbody",
      {},
      view.players.map((player) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, player.name),
          h("td", { class: "number" }, sums[player.seat] ?? 0),
        ),
      ),
    ),
  );
}

/**
 * @param {View} view
 * @param {Schemas["GameResult"]} result
 */
function endLines(view, result) {
  if (!result.lines.length) return null;
  return [
    lines(view, result.lines, "At the end of the game"),
    totalsAtEnd(view, result.final_scores),
  ];
}

/**
 * @param {View} view
 * @param {number[]} scores
 */
const totalsAtEnd = (view, scores) =>
  h(
    "table",
    {},
    h("caption", {}, "Final scores"),
    h(
      "tbody",
      {},
      view.players.map((player) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, player.name),
          h("td", { class: "number" }, scores[player.seat] ?? 0),
        ),
      ),
    ),
  );

/**
 * @param {View} view
 * @param {boolean} past
 */
function next(view, past) {
  if (past) return button("On to the running round", "acknowledge", { class: "main" });
  if (view.actions.deal) return button("Deal the next round", "deal", { class: "main" });
  if (!view.result) return null;
  return [
    view.actions.rematch &&
      button(view.rematch_game_id ? "Go to the rematch" : "Rematch", "rematch", { class: "main" }),
    view.actions.rematch && view.rematch_game_id && "Your seat in it is kept for you.",
    h("a", { class: "button", href: "#/" }, "Leave"),
  ];
}

/**
 * A game that ended before a round was dealt.
 * @param {View} view
 * @param {Schemas["GameResult"]} result
 */
export function calledOff(view, result) {
  return h(
    "section",
    { class: "panel result" },
    h("h2", {}, ended(view, result)),
    h("p", {}, h("a", { class: "button", href: "#/" }, "To the start")),
  );
}

/**
 * Every round of the game.
 * @param {View} view
 * @param {Schemas["ScoreSheet"]} sheet
 */
export function scoreSheet(view, sheet) {
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": "Score sheet" },
    h(
      "table",
      { class: "sheet" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, "Round"),
          sheet.players.map((player) => h("th", { scope: "col", class: "number" }, player.name)),
          h("th", { scope: "col" }, "How"),
        ),
      ),
      h(
        "tbody",
        {},
        sheet.rounds.map((round) => sheetRow(view, sheet, round)),
      ),
      h(
        "tfoot",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "row" }, "Total"),
          sheet.players.map((player) => h("td", { class: "number" }, player.total)),
          h("td", {}),
        ),
      ),
    ),
    sheet.result && endLines(view, sheet.result),
  );
}

/**
 * @param {View} view
 * @param {Schemas["ScoreSheet"]} sheet
 * @param {RoundResult} round
 */
function sheetRow(view, sheet, round) {
  const gained = (/** @type {number} */ seat) =>
    round.lines.filter((line) => line.seat === seat).reduce((sum, line) => sum + line.points, 0);
  const how =
    round.winner === null ? "void" : `${who(view, round.winner)}: ${round.kind.replace("_", " ")}`;
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, round.number),
    sheet.players.map((player) => h("td", { class: "number" }, gained(player.seat) || "–")),
    h("td", {}, how),
  );
}

/** @param {number} points */
const signed = (points) => (points < 0 ? `−${-points}` : `+${points}`);
