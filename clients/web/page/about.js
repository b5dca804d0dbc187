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

/**
 * The rules of this game: what sets the limit, then every option with what it means.
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
      h(
        "dl",
        { class: "rules" },
        options.map((option) => [
          h(
            "dt",
            {},
            `${titled(option.name)}: `,
            h("b", {}, worded(rules[option.name])),
            rules[option.name] !== usual[option.name] && h("span", { class: "tag" }, "changed"),
          ),
          h("dd", { class: "quiet" }, option.description),
        ]),
      ),
    ];
  });
}

/** @param {unknown} value */
const worded = (value) =>
  typeof value === "boolean" ? (value ? "yes" : "no") : `${value}`.replaceAll("_", " ");
