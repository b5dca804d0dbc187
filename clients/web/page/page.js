/** The one page: its screen, its dialog, its voice, and where clicks and keys go. */

import { h, morph } from "./dom.js";
import { focusTrail, holdFocus } from "./focus.js";
import { places, settle } from "./motion.js";

/** @typedef {(element: HTMLElement, form: FormData) => unknown} Doer */

/**
 * @typedef {object} Shown what can be shown: a screen or a dialog
 * @property {() => import("./dom.js").Content} render
 * @property {Record<string, Doer>} does by the name in `data-do`
 */

/**
 * @typedef {object} ScreenOnly
 * @property {() => string} title
 * @property {() => void} [leave]
 * @property {(event: KeyboardEvent) => void} [key]
 * @property {(card: Card) => Place | null} [origin] where a card that appears comes from
 * @property {() => void} [drawn] the screen has been drawn
 */

/** @typedef {Shown & ScreenOnly} Screen */
/** @typedef {Shown & {title: string, wide?: boolean}} Dialog */

/** @type {Screen | null} */
let screen = null;
/** @type {Dialog | null} */
let dialog = null;
let queued = false;

const root = /** @type {HTMLElement} */ (document.getElementById("app"));
const box = /** @type {HTMLDialogElement} */ (document.getElementById("dialog"));
const voice = /** @type {HTMLElement} */ (document.getElementById("voice"));

/** @param {Screen} next */
export function show(next) {
  screen?.leave?.();
  closeDialog();
  screen = next;
  draw();
  scrollTo(0, 0);
}

/** Draws the page again, once for all that changes in one go. */
export function changed() {
  if (queued) return;
  queued = true;
  queueMicrotask(draw);
}

function draw() {
  queued = false;
  if (!screen) return;
  const before = places();
  const trail = focusTrail();
  morph(root, h("div", { id: "app" }, screen.render()));
  document.title = screen.title();
  settle(before, (card) => screen?.origin?.(card) ?? null);
  screen.drawn?.();
  drawDialog();
  holdFocus(trail);
}

/** @param {Card} card @returns {HTMLElement | null} the card that can be chosen, in the hand */
export const cardElement = (card) => root.querySelector(`.hand [data-card="${card}"]`);

/** @param {Dialog} next */
export function openDialog(next) {
  dialog = next;
  drawDialog();
  if (!box.open) box.showModal();
}

export function closeDialog() {
  if (box.open) box.close();
}

function drawDialog() {
  if (!dialog) return;
  const close = h(
    "button",
    { class: "close", "data-do": "close", "aria-label": "Close", type: "button" },
    "×",
  );
  const head = h("header", {}, h("h2", { id: "dialog-title" }, dialog.title), close);
  const wide = dialog.wide ? "wide" : "";
  const attributes = {
    id: "dialog",
    open: box.open,
    class: wide,
    "aria-labelledby": "dialog-title",
  };
  morph(box, h("dialog", attributes, head, h("div", { class: "content" }, dialog.render())));
}

const LINES_OF_THE_VOICE = 8;

/**
 * Says something to whoever listens instead of looking. What was said before stays for a while, so
 * that nothing is lost when much happens at once.
 * @param {string} text
 */
export function announce(text) {
  voice.append(h("p", {}, text));
  while (voice.children.length > LINES_OF_THE_VOICE) voice.firstElementChild?.remove();
}

/**
 * @param {string} name
 * @param {HTMLElement} element
 * @param {FormData} form
 */
function act(name, element, form) {
  if (name === "close") return closeDialog();
  const owner = element.closest("dialog") ? dialog : screen;
  const result = owner?.does[name]?.(element, form);
  if (result instanceof Promise) void result.finally(changed);
  changed();
}

/** Puts the listeners up; each thing that can be done is named in `data-do` or `data-change`. */
export function listen() {
  document.addEventListener("click", (event) => {
    const element = /** @type {Element} */ (event.target).closest("[data-do]");
    if (!(element instanceof HTMLElement) || element instanceof HTMLFormElement) return;
    act(element.dataset.do ?? "", element, new FormData());
  });
  document.addEventListener("submit", (event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    act(form.dataset.do ?? "", form, new FormData(form, event.submitter));
  });
  document.addEventListener("change", (event) => {
    const element = /** @type {Element} */ (event.target).closest("[data-change]");
    if (!(element instanceof HTMLElement)) return;
    const form = element.closest("form");
    act(element.dataset.change ?? "", element, form ? new FormData(form) : new FormData());
  });
  document.addEventListener("keydown", (event) => {
    if (!box.open) screen?.key?.(event);
  });
  box.addEventListener("close", () => {
    // The event comes late: by then another dialog may be open in the same box.
    if (!box.open) dialog = null;
    holdFocus([box]);
    changed();
  });
}

/**
 * A button that does something, or says why it cannot.
 * @param {string} text
 * @param {string} does
 * @param {import("./dom.js").Attributes & {why?: string}} [more]
 */
export function button(text, does, { why = "", ...more } = {}) {
  const state = why ? { "aria-disabled": "true", title: why } : {};
  return h(
    "button",
    { type: "button", "data-do": does, "data-key": `do-${does}`, ...state, ...more },
    text,
  );
}

/**
 * Asks before something that cannot be taken back.
 * @param {string} title
 * @param {string} text
 * @param {string} yes
 * @param {() => unknown} then
 * @param {string} [no]
 */
export function confirm(title, text, yes, then, no = "Play on") {
  openDialog({
    title,
    render: () => [
      h("p", {}, text),
      h("p", { class: "pair" }, button(yes, "yes", { class: "grave" }), button(no, "close")),
    ],
    does: {
      yes: () => {
        closeDialog();
        return then();
      },
    },
  });
}
