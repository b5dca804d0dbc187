/** Dragging with mouse, pen or finger: from what has `data-drag` to what has `data-drop`. */

const SLACK_PIXELS = 7;

/**
 * @typedef {object} Dropped
 * @property {string} card the card dragged from the hand, or the name of the pile
 * @property {string} on the name in `data-drop`
 * @property {number} x where it was let go
 */

/**
 * Lets cards be dragged; a press without movement stays a click.
 * @param {(dropped: Dropped) => void} drop
 * @returns {() => void} ends it
 */
export function dragging(drop) {
  const ending = new AbortController();
  document.addEventListener("pointerdown", (event) => begin(event, drop), {
    signal: ending.signal,
  });
  return () => ending.abort();
}

/**
 * @param {PointerEvent} start
 * @param {(dropped: Dropped) => void} drop
 */
function begin(start, drop) {
  const element = /** @type {Element} */ (start.target).closest("[data-drag]");
  if (!(element instanceof HTMLElement) || start.button !== 0) return;
  const name = element.dataset.drag || element.dataset.card || "";
  const over = new AbortController();
  const { signal } = over;
  /** @type {HTMLElement | null} */
  let ghost = null;
  document.addEventListener(
    "pointermove",
    (event) => {
      if (event.pointerId !== start.pointerId) return;
      if (
        !ghost &&
        Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) < SLACK_PIXELS
      )
        return;
      ghost ??= lifted(element);
      ghost.style.left = `${event.clientX}px`;
      ghost.style.top = `${event.clientY}px`;
      mark(targetAt(event));
    },
    { signal },
  );
  const end = (/** @type {PointerEvent} */ event) => {
    if (event.pointerId !== start.pointerId) return;
    over.abort();
    mark(null);
    if (!ghost) return;
    ghost.remove();
    element.classList.remove("lifted");
    swallowClick();
    const target = event.type === "pointerup" ? targetAt(event) : null;
    if (target) drop({ card: name, on: target.dataset.drop ?? "", x: event.clientX });
  };
  document.addEventListener("pointerup", end, { signal });
  document.addEventListener("pointercancel", end, { signal });
}

/** @param {HTMLElement} element */
function lifted(element) {
  const picture = element.querySelector(".top svg, :scope > svg, svg")?.cloneNode(true);
  const ghost = document.createElement("div");
  ghost.className = "ghost card";
  if (picture) ghost.append(picture);
  document.body.append(ghost);
  element.classList.add("lifted");
  return ghost;
}

/** @param {PointerEvent} event */
function targetAt(event) {
  const element = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-drop]");
  return element instanceof HTMLElement ? element : null;
}

/** @param {HTMLElement | null} target */
function mark(target) {
  for (const each of document.querySelectorAll(".over"))
    if (each !== target) each.classList.remove("over");
  target?.classList.add("over");
}

/** The click that follows a drag is no click. */
function swallowClick() {
  const stop = (/** @type {MouseEvent} */ event) => event.stopImmediatePropagation();
  addEventListener("click", stop, { capture: true, once: true });
  setTimeout(() => removeEventListener("click", stop, { capture: true }), 0);
}
