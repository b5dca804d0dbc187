/** The people at the table, with what everybody may see of them. */

import { back } from "./cards.js";
import { h } from "./dom.js";
import { additions, laidHand } from "./laid.js";
import { counted } from "./words.js";

/** @typedef {Schemas["Player"]} Player */

/**
 * The other seats, in the order in which they play after the viewer.
 * @param {View} view
 */
export function others(view) {
  const from = view.you ? view.you.seat + 1 : 0;
  const count = view.you ? view.seats - 1 : view.seats;
  const seats = Array.from({ length: count }, (_, step) => (from + step) % view.seats);
  const players = seats.flatMap(
    (seat) => view.players.find((player) => player.seat === seat) ?? [],
  );
  return h(
    "section",
    { class: `others of-${players.length}`, "aria-label": view.you ? "The others" : "Players" },
    players.map((player) => person(view, player)),
  );
}

/**
 * @param {View} view
 * @param {Player} player
 */
function person(view, player) {
  const turn = view.round?.turn === player.seat;
  const laid = view.round?.shown.find((each) => each.seat === player.seat);
  const hidden = view.round && !laid && !view.round.result;
  return h(
    "article",
    {
      class: `person${turn ? " turn" : ""}${player.out ? " out" : ""}`,
      "data-key": `seat-${player.seat}`,
      "aria-label": player.name,
    },
    nameplate(view, player),
    h(
      "div",
      { class: "fan small", "data-place": `seat-${player.seat}` },
      hidden &&
        Array.from({ length: player.card_count }, () => h("span", { class: "card" }, back())),
    ),
    hidden && h("span", { class: "unseen" }, counted(player.card_count, "card")),
    laid &&
      view.round?.phase === "layoff" &&
      player.seat === view.round.knocker &&
      !view.actions.layoff &&
      laidHand(laid, additions(view)),
  );
}

/**
 * A name with its total, and who deals and moves.
 * @param {View} view
 * @param {Player} player
 */
export function nameplate(view, player) {
  const turn = view.round?.turn === player.seat;
  const boxes =
    view.rules.box_bonus > 0 || view.rules.shutout !== "none"
      ? ` · ${counted(player.boxes, "box", "boxes")}`
      : "";
  return h(
    "p",
    { class: "nameplate" },
    turn &&
      h(
        "span",
        { class: "mark", title: "on turn" },
        "▸",
        h("span", { class: "unseen" }, "on turn"),
      ),
    h("b", { class: "name" }, player.name),
    player.kind === "bot" && h("span", { class: "tag" }, "bot"),
    view.round?.dealer === player.seat && h("span", { class: "tag" }, "dealer"),
    player.out && h("span", { class: "tag" }, "out"),
    h(
      "span",
      { class: "total" },
      `${player.total}${boxes}`,
      h("span", { class: "unseen" }, " points"),
    ),
  );
}
