/** How what others do is shown: where its cards fly from, and how long it is looked at. */

import { back, face } from "./cards.js";
import { h } from "./dom.js";
import { ghost, moving } from "./motion.js";

/** @type {Record<string, number>} In milliseconds. */
const PACE = {
  dealt: 700,
  passed: 650,
  drew: 600,
  discarded: 750,
  knocked: 1_100,
  laid_off: 1_100,
};

export class Flights {
  /** @type {Map<Card, Place>} Where cards come from that were not seen before. */
  #origins = new Map();

  /** @param {Card} card @returns {Place | null} */
  origin(card) {
    return this.#origins.get(card) ?? null;
  }

  /**
   * Says where the card of an event flies, and how long the event is to be looked at.
   * @param {View} view the picture before it
   * @param {GameEvent} event
   */
  pace(view, event) {
    const own = event.seat === view.you?.seat;
    const place = own ? "hand" : `seat-${event.seat}`;
    this.#origins.clear();
    if (event.type === "drew" && event.card && own)
      this.#origins.set(event.card, event.source === "stock" ? "stock" : "discard");
    if (event.type === "drew" && !own)
      fling(event.source === "stock" ? "stock" : "discard", place, event.card);
    if (event.type === "discarded" && event.card) this.#origins.set(event.card, place);
    if (event.type === "dealt")
      [...(event.hand ?? []), event.upcard ?? ""].forEach((card) =>
        this.#origins.set(card, "stock"),
      );
    const laid = [
      ...(event.melds ?? []).flat(),
      ...(event.deadwood ?? []),
      ...(event.layoffs ?? []).map((each) => each.card),
    ];
    if (!own) laid.forEach((card) => this.#origins.set(card, place));
    if (!moving()) return 0;
    return own && event.type !== "dealt" ? 0 : (PACE[event.type] ?? 0);
  }
}

/**
 * Lets a card fly whose arrival is not seen.
 * @param {Place} from
 * @param {Place} to
 * @param {Card | undefined} card face down without one
 */
function fling(from, to, card) {
  const rect = (/** @type {Place} */ place) =>
    document.querySelector(`[data-place="${place}"]`)?.getBoundingClientRect();
  ghost(h("div", { class: "card" }, card ? face(card) : back()), rect(from), rect(to));
}
