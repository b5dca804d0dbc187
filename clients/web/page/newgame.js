/** Making a game: how many, who may see it, and every rule with its explanation. */

import { ask, Refused } from "./api.js";
import { h } from "./dom.js";
import { habits } from "./kept.js";
import { changed } from "./page.js";
import { openSettings } from "./settings.js";
import { menu } from "./home.js";
import { create } from "./sit.js";
import { titled } from "./words.js";

/** @typedef {Schemas["RuleCatalogue"]} Catalogue */
/** @typedef {Schemas["Option"]} Option */

const CLOCKS = /** @type {const} */ ([
  [0, "No clock"],
  [30, "30 seconds a turn"],
  [60, "A minute a turn"],
  [300, "Five minutes a turn"],
  [86_400, "A day a turn"],
]);

export class NewGameScreen {
  /** @type {Catalogue | null} */
  #catalogue = null;
  #preset = "oklahoma";
  #busy = "";
  /** @type {Map<string, string>} Faults by JSON Pointer; "" for what concerns none. */
  #faults = new Map();

  constructor() {
    void this.#load();
  }

  title() {
    return "New game · Oklahoma Gin";
  }

  async #load() {
    try {
      this.#catalogue = await ask({ method: "GET", path: "rules" });
    } catch (error) {
      this.#faults.set("", /** @type {Error} */ (error).message);
    }
    changed();
  }

  does = {
    settings: () => openSettings(),
    preset: (/** @type {HTMLElement} */ _element, /** @type {FormData} */ form) => {
      this.#preset = `${form.get("preset")}`;
    },
    create: async (/** @type {HTMLElement} */ _element, /** @type {FormData} */ form) => {
      if (this.#busy) return;
      this.#busy = "The table is being set…";
      this.#faults.clear();
      changed();
      try {
        const seated = await create(this.#wish(form), () => {
          this.#busy = "The service does not answer; trying again…";
          changed();
        });
        location.hash = `#/game/${seated.game.game_id}`;
      } catch (error) {
        this.#explain(error);
      } finally {
        this.#busy = "";
      }
    },
  };

  /** @param {FormData} form @returns {NewGame} */
  #wish(form) {
    const turn_seconds = Number(form.get("turn_seconds"));
    return {
      name: `${form.get("name")}`.trim() || "Guest",
      seats: Number(form.get("seats")),
      visibility: form.get("visibility") === "private" ? "private" : "public",
      turn_seconds,
      ...(turn_seconds && {
        timeout_action: form.get("timeout_action") === "forfeit" ? "forfeit" : "autoplay",
      }),
      rules: /** @type {Schemas["RulesRequest"]} */ ({
        preset: this.#preset,
        ...this.#overrides(form),
      }),
    };
  }

  /** @param {FormData} form the options that differ from the preset */
  #overrides(form) {
    const usual = /** @type {Record<string, unknown>} */ (this.#chosen?.rules ?? {});
    const changes = (this.#catalogue?.options ?? [])
      .map((option) => /** @type {const} */ ([option.name, valueOf(option, form)]))
      .filter(([name, value]) => value !== usual[name]);
    return Object.fromEntries(changes);
  }

  get #chosen() {
    return this.#catalogue?.presets.find((preset) => preset.name === this.#preset);
  }

  /** @param {unknown} error */
  #explain(error) {
    const faults = error instanceof Refused ? (error.problem.errors ?? []) : [];
    faults.forEach((fault) => this.#faults.set(fault.pointer, fault.detail));
    if (!faults.length) this.#faults.set("", /** @type {Error} */ (error).message);
  }

  render() {
    return [
      h("header", { class: "bar" }, h("a", { class: "brand", href: "#/" }, "Oklahoma Gin"), menu()),
      h(
        "main",
        { class: "home", tabindex: -1 },
        h("h1", {}, "New game"),
        this.#busy && h("p", { class: "notice", role: "status" }, this.#busy),
        this.#faults.size > 0 &&
          h(
            "p",
            { class: "notice bad", role: "alert" },
            this.#faults.get("") ?? "Some of this cannot be: see the marked fields.",
          ),
        h(
          "form",
          { "data-do": "create", class: "stack", novalidate: true },
          this.#players(),
          this.#presets(),
          this.#options(),
          h("button", { class: "main" }, "Open the table"),
        ),
      ),
    ];
  }

  #players() {
    return h(
      "section",
      { class: "panel fields" },
      h(
        "label",
        {},
        "Your name",
        h("input", {
          name: "name",
          value: habits().name,
          maxlength: 40,
          autocomplete: "nickname",
          placeholder: "Guest",
        }),
        this.#fault("/name"),
      ),
      select("seats", "Players", [
        [2, "2"],
        [3, "3"],
        [4, "4"],
      ]),
      select("visibility", "Who can find it", [
        ["private", "Only who gets the link"],
        ["public", "Everybody, in the list of open games"],
      ]),
      select("turn_seconds", "Clock", CLOCKS),
      select("timeout_action", "When time runs out", [
        ["autoplay", "A move is made for them"],
        ["forfeit", "They are out of the game"],
      ]),
    );
  }

  #presets() {
    const presets = this.#catalogue?.presets ?? [];
    return h(
      "fieldset",
      { class: "panel", "data-change": "preset" },
      h("legend", {}, "Rules"),
      presets.map((preset) =>
        h(
          "label",
          { class: "tick", "data-key": `preset-${preset.name}` },
          h("input", {
            type: "radio",
            name: "preset",
            value: preset.name,
            checked: preset.name === this.#preset,
          }),
          h("span", {}, h("b", {}, preset.title), h("br"), preset.summary),
        ),
      ),
    );
  }

  #options() {
    const rules = /** @type {Record<string, unknown>} */ (this.#chosen?.rules ?? {});
    return h(
      "details",
      {
        class: "panel",
        open: [...this.#faults.keys()].some((pointer) => pointer.startsWith("/rules/")),
      },
      h("summary", {}, "Every rule, one by one"),
      // Another preset is another set of fields: what was typed over the old one goes with it.
      h(
        "div",
        { class: "fields", "data-key": `options-${this.#preset}` },
        (this.#catalogue?.options ?? []).map((option) => this.#option(option, rules[option.name])),
      ),
    );
  }

  /**
   * @param {Option} option
   * @param {unknown} value
   */
  #option(option, value) {
    const id = `about-${option.name}`;
    const common = { name: option.name, "aria-describedby": id };
    const pointer = `/rules/${option.name}`;
    return h(
      "div",
      { class: "option" },
      h("label", {}, h("span", {}, titled(option.name)), field(option, value, common)),
      h("p", { id, class: "quiet" }, option.description, this.#fault(pointer)),
    );
  }

  /** @param {string} pointer */
  #fault(pointer) {
    const fault = this.#faults.get(pointer);
    return fault && h("strong", { class: "fault" }, ` ${fault}`);
  }
}

/**
 * @param {Option} option
 * @param {unknown} value
 * @param {import("./dom.js").Attributes} common
 */
function field(option, value, common) {
  if (option.type === "boolean")
    return h("input", { ...common, type: "checkbox", checked: value === true });
  if (option.type === "choice") {
    return h(
      "select",
      common,
      (option.values ?? []).map((each) =>
        h("option", { value: each, selected: each === value }, each.replaceAll("_", " ")),
      ),
    );
  }
  return h("input", {
    ...common,
    type: "number",
    value: `${value}`,
    min: option.minimum,
    max: option.maximum,
    step: 1,
    required: true,
  });
}

/**
 * @param {Option} option
 * @param {FormData} form
 */
function valueOf(option, form) {
  if (option.type === "boolean") return form.get(option.name) !== null;
  return option.type === "integer" ? Number(form.get(option.name)) : form.get(option.name);
}

/**
 * @param {string} name
 * @param {string} title
 * @param {readonly (readonly [string | number, string])[]} values
 */
function select(name, title, values) {
  return h(
    "label",
    {},
    title,
    h(
      "select",
      { name },
      values.map(([value, text]) => h("option", { value }, text)),
    ),
  );
}
