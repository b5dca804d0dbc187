/** Dialogs about the game: its rules as they are played, the score sheet, the shuffle. */

import { ask } from "./api.js";
import { h } from "./dom.js";
import { verify } from "./fairness.js";
import { changed, openDialog } from "./page.js";
import { limitSource } from "./reasons.js";
import { scoreSheet } from "./result.js";
import { titled } from "./words.js";

/** @typedef {import("./dom.js").Content} Content */

/**
 * A dialog whose content is fetched.
 * @param {string} title
 * @param {() => Promise<() => Content>} load what draws it, each time anew
 */
function fetched(title, load) {
  let draw = () => /** @type {Content} */ (h("p", { role: "status" }, "One moment…"));
  openDialog({ title, wide: true, does: {}, render: () => draw() });
  load()
    .then((loaded) => (draw = loaded))
    .catch((error) => (draw = () => h("p", { class: "fault" }, error.message)))
    .finally(changed);
}

/**
 * @param {View} view
 * @param {Access} access
 */
export function showScore(view, access) {
  fetched("Score sheet", async () => {
    const path = `games/${view.game_id}/score${asWatcher(access)}`;
    const sheet = await ask({ method: "GET", path }, access.token);
    return () => scoreSheet(view, sheet);
  });
}

/**
 * @param {View} view
 * @param {Access} access
 * @param {number} round
 */
export function showShuffle(view, access, round) {
  fetched(`The shuffle of round ${round}`, async () => {
    const path = `games/${view.game_id}/rounds/${round}${asWatcher(access)}`;
    const findings = await verify(await ask({ method: "GET", path }, access.token), view);
    return () => [
      h("p", {}, "Checked by this browser itself, from what the service revealed after the round:"),
      h("ul", { class: "findings" }, findings.map(finding)),
    ];
  });
}

/** @param {Access} access */
const asWatcher = ({ token, invite }) =>
  invite && !token ? `?invite=${encodeURIComponent(invite)}` : "";

/** @param {import("./fairness.js").Finding} found */
function finding({ claim, holds, because }) {
  const [sign, kind, word] =
    holds === null
      ? ["–", "", "Not checked"]
      : holds
        ? ["✓", "good", "True"]
        : ["✗", "bad", "False"];
  return h(
    "li",
    { class: kind },
    h("b", { "aria-label": word }, sign),
    h("span", {}, `${claim}. `, h("span", { class: "quiet" }, because)),
  );
}

const HOW_TO_PLAY = [
  "Melds are three or four cards of a rank, or three and more of a suit in a row (A 2 3 up to J Q K). A card counts in one meld only.",
  "What is in no meld is deadwood: an ace is 1, picture cards are 10, the others what they show.",
  "In a turn you draw a card, from the stock or from the top of the discards, and then throw one.",
  "Each round has a limit. With no more deadwood than that, after your throw, you may knock: you lay down your cards and the round ends. Without any deadwood it is gin, which pays a bonus.",
  "The others lay their melds down too, and add what fits to the melds of who knocked: they lay off.",
  "Who knocked scores how much more deadwood the others have. Whoever has as little or less undercuts: then the points, and a bonus, are theirs.",
];

/** The game in six sentences. */
const howToPlay = () =>
  h(
    "ul",
    { class: "how" },
    HOW_TO_PLAY.map((sentence) => h("li", {}, sentence)),
  );

export function showHow() {
  openDialog({ title: "How to play", wide: true, does: {}, render: howToPlay });
}

/**
 * The rules of this game: what sets the limit, how it is played, then every option with what it means.
 * @param {View} view
 */
export function showRules(view) {
  fetched("Rules of this game", async () => {
    /** @type {Schemas["RuleCatalogue"]} */
    const { presets, options } = await ask({ method: "GET", path: "rules" });
    const preset = presets.find((each) => each.name === view.preset);
    const rules = /** @type {Record<string, unknown>} */ (view.rules);
    const usual = /** @type {Record<string, unknown>} */ (preset?.rules ?? {});
    return () => [
      view.round && h("p", {}, h("b", {}, "This round: "), limitSource(view).whole),
      h("p", {}, h("b", {}, preset?.title ?? view.preset), `. ${preset?.summary ?? ""}`),
      howToPlay(),
      listOf(
        options.filter(({ name }) => rules[name] !== usual[name]),
        rules,
        "Changed for this game",
      ),
      h("details", {}, h("summary", {}, "Every rule, one by one"), listOf(options, rules, "")),
    ];
  });
}

/**
 * @param {Schemas["Option"][]} options
 * @param {Record<string, unknown>} rules
 * @param {string} title
 */
function listOf(options, rules, title) {
  if (!options.length) return null;
  return [
    title && h("h3", {}, title),
    h(
      "dl",
      { class: "rules" },
      options.map((option) => [
        h("dt", {}, `${titled(option.name)}: `, h("b", {}, worded(rules[option.name]))),
        h("dd", { class: "quiet" }, option.description),
      ]),
    ),
  ];
}

/** @param {unknown} value */
const worded = (value) =>
  typeof value === "boolean" ? (value ? "yes" : "no") : `${value}`.replaceAll("_", " ");
