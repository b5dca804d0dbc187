/** Before the first deal: who sits where, the invite, bots, and the seat that a guest may take. */

import { h } from "./dom.js";
import { textFor } from "./fairness.js";
import { habits } from "./kept.js";
import { button } from "./page.js";
import { counted } from "./words.js";

/**
 * The address that others come in by.
 * @param {View} view
 * @param {string | undefined} invite what this browser came in by; the host's view has it too
 */
export function inviteLink(view, invite) {
  const link = new URL(location.href);
  const word = view.invite ?? invite;
  const query = word && view.visibility === "private" ? `?invite=${encodeURIComponent(word)}` : "";
  link.hash = `#/game/${view.game_id}${query}`;
  return link.href;
}

/**
 * @param {View} view
 * @param {string | undefined} invite what this browser came in by
 * @param {string} copied what became of the wish to copy the link
 */
export function room(view, invite, copied) {
  const { actions } = view;
  const free = view.seats - view.players.length;
  const shares = free > 0 && view.you && (view.visibility === "public" || view.invite || invite);
  return h(
    "section",
    { class: "panel room", "aria-labelledby": "room" },
    h("h2", { id: "room" }, actions.join ? invitation(view) : waiting(free)),
    actions.join && joinForm(),
    h(
      "ol",
      { class: "list" },
      Array.from({ length: view.seats }, (_, seat) => place(view, seat)),
    ),
    shares && share(inviteLink(view, invite), copied),
    actions.add_bot && bots(),
    actions.entropy && mixing(textFor(view.game_id, 1)),
    !actions.join &&
      !view.you &&
      h("p", { class: "quiet" }, "You are watching. There is no free seat."),
    h(
      "p",
      { class: "pair" },
      actions.deal && button("Deal the first round", "deal", { class: "main" }),
      actions.leave &&
        button(view.you?.seat === 0 ? "Call the game off" : "Leave the table", "leave"),
    ),
  );
}

/** @param {View} view */
function invitation({ players, visibility }) {
  const host = players[0]?.name ?? "";
  return visibility === "private" ? `${host} invites you` : `The table of ${host}`;
}

/** @param {number} free */
const waiting = (free) => (free ? `Waiting for ${counted(free, "player")}` : "Every seat is taken");

/**
 * @param {View} view
 * @param {number} seat
 */
function place(view, seat) {
  const player = view.players.find((each) => each.seat === seat);
  if (!player) return h("li", { class: "quiet", "data-key": `place-${seat}` }, "free");
  return h(
    "li",
    { "data-key": `place-${seat}` },
    h("b", {}, player.name),
    player.kind === "bot" && h("span", { class: "tag" }, "bot"),
    view.you?.seat === seat && h("span", { class: "tag" }, "you"),
    view.actions.remove.includes(seat) &&
      h(
        "button",
        {
          type: "button",
          class: "small",
          "data-do": "remove",
          "data-seat": seat,
          "aria-label": `Take out ${player.name}`,
        },
        "Take out",
      ),
  );
}

/**
 * @param {string} link
 * @param {string} copied
 */
function share(link, copied) {
  return h(
    "div",
    { class: "stack share" },
    h(
      "label",
      {},
      "Send this link to whom you want to play with",
      h("input", { readonly: true, value: link, "data-key": "link", id: "link" }),
    ),
    h(
      "p",
      { class: "pair" },
      button("Copy the link", "copy"),
      "share" in navigator && button("Share…", "share"),
    ),
    copied && h("p", { class: "quiet", role: "status" }, copied),
  );
}

function bots() {
  return h(
    "p",
    { class: "pair" },
    h("button", { type: "button", "data-do": "bot", "data-level": "easy" }, "Seat an easy bot"),
    h("button", { type: "button", "data-do": "bot", "data-level": "medium" }, "Seat a medium bot"),
  );
}

function joinForm() {
  return h(
    "form",
    { "data-do": "join", class: "stack" },
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
    ),
    h(
      "details",
      {},
      h("summary", {}, "A text of your own for the shuffle"),
      ownText("Without one, this browser makes one by chance."),
    ),
    h("button", { class: "main" }, "Sit down"),
  );
}

/** @param {string | undefined} mixed what this browser has mixed in so far */
function mixing(mixed) {
  return h(
    "details",
    {},
    h("summary", {}, "A text of your own for the shuffle"),
    h(
      "form",
      { "data-do": "mix", class: "stack" },
      ownText(mixed === undefined ? "None is mixed in yet." : `Mixed in so far: ${mixed}`),
      h("button", {}, "Mix it in"),
    ),
  );
}

/** @param {string} state */
function ownText(state) {
  return [
    h("label", {}, "Anything", h("input", { name: "entropy", maxlength: 64, autocomplete: "off" })),
    h(
      "p",
      { class: "quiet" },
      `The cards follow from the service's secret and every player's text, and all is shown after the round. ${state}`,
    ),
  ];
}
