/** The time that is left for a turn, by the service's own deadline. */

import { h } from "./dom.js";

/**
 * @param {View} view
 * @returns {number | null} seconds until the turn may be claimed; null without a clock
 */
export function secondsLeft({ turn_deadline, result, round }) {
  if (!turn_deadline || result || round?.turn == null) return null;
  return Math.ceil((Date.parse(turn_deadline) - Date.now()) / 1000);
}

/** @param {View} view */
export function clock(view) {
  const left = secondsLeft(view);
  if (left === null) return null;
  const late = left <= 0;
  const own = view.round?.turn === view.you?.seat;
  return h(
    "span",
    { class: `clock${left <= 10 ? " short" : ""}`, role: "timer" },
    late ? "time is up" : spelled(left),
    late &&
      view.you &&
      !own &&
      h("button", { type: "button", class: "small", "data-do": "claim" }, "Call the time"),
  );
}

/** @param {number} seconds */
function spelled(seconds) {
  if (seconds >= 7200) return `${Math.floor(seconds / 3600)} h`;
  if (seconds >= 120) return `${Math.floor(seconds / 60)} min`;
  return `${seconds} s`;
}
