/** Cards that fly: every card is somewhere once, so where it was and where it is say how it moved. */

import { habits } from "./kept.js";

const FLIGHT_MILLIS = 320;

const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** Whether anything may move. */
export const moving = () => habits().motion === "full" && !calm.matches && !document.hidden;

/** @typedef {Map<string, DOMRect>} Places by card, and by the names of `data-place` */

/** @returns {Places} */
export function places() {
  /** @type {Places} */
  const found = new Map();
  if (!moving()) return found;
  for (const element of document.querySelectorAll("[data-card], [data-place]")) {
    const name = element.getAttribute("data-card") ?? `@${element.getAttribute("data-place")}`;
    found.set(name, element.getBoundingClientRect());
  }
  return found;
}

/**
 * Lets the cards fly from where they were.
 * @param {Places} before
 * @param {(card: Card) => Place | null} origin where a card that was not seen before comes from
 */
export function settle(before, origin) {
  if (!moving() || !before.size) return;
  for (const element of document.querySelectorAll("[data-card]")) {
    const card = element.getAttribute("data-card") ?? "";
    const from = before.get(card) ?? before.get(`@${origin(card)}`);
    if (from) fly(element, from);
  }
}

/**
 * @param {Element} element
 * @param {DOMRect} from
 */
function fly(element, from) {
  const to = element.getBoundingClientRect();
  const x = from.left + from.width / 2 - to.left - to.width / 2;
  const y = from.top + from.height / 2 - to.top - to.height / 2;
  if (!to.width || Math.hypot(x, y) < 3) return;
  element.animate(
    [
      { transform: `translate(${x}px, ${y}px) scale(${from.width / to.width})`, zIndex: 5 },
      { transform: "none", zIndex: 5 },
    ],
    { duration: FLIGHT_MILLIS, easing: "cubic-bezier(.2,.7,.3,1)" },
  );
}

/**
 * Sends a picture from one place to another, for a card that is not seen where it arrives.
 * @param {Element} picture
 * @param {DOMRect | undefined} from
 * @param {DOMRect | undefined} to
 */
export function ghost(picture, from, to) {
  if (!moving() || !from || !to) return;
  picture.classList.add("ghost");
  picture.setAttribute("aria-hidden", "true");
  if (picture instanceof HTMLElement || picture instanceof SVGElement) {
    picture.style.left = `${from.left + from.width / 2}px`;
    picture.style.top = `${from.top + from.height / 2}px`;
  }
  document.body.append(picture);
  const x = to.left + to.width / 2 - from.left - from.width / 2;
  const y = to.top + to.height / 2 - from.top - from.height / 2;
  const flight = picture.animate(
    [
      { transform: "translate(-50%,-50%)" },
      { transform: `translate(-50%,-50%) translate(${x}px, ${y}px) scale(.6)`, opacity: 0.4 },
    ],
    { duration: FLIGHT_MILLIS, easing: "ease-in-out" },
  );
  flight.onfinish = () => picture.remove();
  flight.oncancel = () => picture.remove();
}
