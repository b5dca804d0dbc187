/** Where the focus goes when what had it is gone: whoever plays by keyboard is never sent back to the start. */

/** What keeps the focus within itself, the nearest first. */
const AREAS = ".hand, .actions, .answer, .content, form";
/** Where it goes when its area is gone as well. */
const PLACES = [".result", '.hand [tabindex="0"]', "main"];
const REACHABLE = 'button:not(:disabled), [tabindex="0"], a[href], input, select';

/** @returns {Element[]} what has the focus and all that it lies in; nothing if nothing has it */
export function focusTrail() {
  /** @type {Element[]} */
  const trail = [];
  const { activeElement, body } = document;
  for (let each = activeElement; each && each !== body; each = each.parentElement) trail.push(each);
  return trail;
}

/**
 * Gives the focus to the nearest of what is left, if it was lost.
 * @param {Element[]} trail what had it before
 */
export function holdFocus(trail) {
  if (!trail.length || document.activeElement !== document.body) return;
  const target = again(trail[0]) ?? beside(trail) ?? elsewhere();
  if (target instanceof HTMLElement) target.focus({ preventScroll: true });
}

/** @param {Element | undefined} held a card of the hand is found again wherever it lies there now */
function again(held) {
  const card = held?.getAttribute("data-card");
  return card ? document.querySelector(`.hand [data-card="${card}"]`) : null;
}

/** @param {Element[]} trail */
function beside(trail) {
  const area = trail.find((each) => each.isConnected && each.matches(AREAS));
  const near = [...(area?.querySelectorAll(REACHABLE) ?? [])];
  return near.find((each) => !each.hasAttribute("aria-disabled")) ?? near[0];
}

function elsewhere() {
  const dialog = document.querySelector("dialog[open]");
  if (dialog) return dialog.querySelector("button");
  return PLACES.map((place) => document.querySelector(place)).find(Boolean);
}
