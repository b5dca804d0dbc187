/** What each person likes: kept in this browser. */

import { h } from "./dom.js";
import { habits, keepHabits } from "./kept.js";
import { changed, openDialog } from "./page.js";

/** @type {[keyof import("./kept.js").Habits, string, [string, string][]][]} */
const CHOICES = [
  [
    "theme",
    "Colours",
    [
      ["auto", "As the system"],
      ["light", "Light"],
      ["dark", "Dark"],
    ],
  ],
  [
    "deck",
    "Suits",
    [
      ["two", "Two colours"],
      ["four", "Four colours"],
    ],
  ],
  [
    "motion",
    "Movement of the cards",
    [
      ["full", "Shown, unless the system asks for less"],
      ["none", "Off"],
    ],
  ],
];

export function openSettings() {
  openDialog({ title: "Settings", render, does: { set } });
}

function render() {
  return h(
    "form",
    { "data-change": "set", class: "stack" },
    CHOICES.map(([name, title, values]) => choice(name, title, values)),
  );
}

/**
 * @param {keyof import("./kept.js").Habits} name
 * @param {string} title
 * @param {[string, string][]} values
 */
function choice(name, title, values) {
  const now = habits()[name];
  return h(
    "fieldset",
    {},
    h("legend", {}, title),
    values.map(([value, text]) =>
      h(
        "label",
        { class: "tick" },
        h("input", { type: "radio", name, value, checked: value === now }),
        text,
      ),
    ),
  );
}

/**
 * @param {HTMLElement} _element
 * @param {FormData} form
 */
function set(_element, form) {
  keepHabits(Object.fromEntries(form));
  document.documentElement.dataset.theme = habits().theme;
  document.documentElement.dataset.deck = habits().deck;
  changed();
}
