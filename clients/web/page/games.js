/** Games in the lists of the first screen: one's own, and those of the lobby. */

import { h } from "./dom.js";
import { seatIn } from "./kept.js";
import { counted, listed, titled } from "./words.js";

/** @typedef {Schemas["LobbyEntry"]} Entry */

/**
 * @param {string} gameId
 * @param {View | null | undefined} view nothing where it is gone, undefined while it is fetched
 */
export function ownGame(gameId, view) {
  const seat = seatIn(gameId);
  const since = new Date(seat?.at ?? 0).toLocaleString([], {
    dateStyle: "medium",
    timeStyle: "short",
  });
  return h(
    "li",
    { "data-key": gameId },
    h("a", { href: `#/game/${gameId}` }, view ? against(view) : `Go on as ${seat?.name ?? ""}`),
    h(
      "span",
      { class: "quiet" },
      view === null
        ? "this seat is not yours any more"
        : `${view ? `${standing(view)}, ` : ""}since ${since}`,
    ),
    h(
      "button",
      {
        type: "button",
        "data-do": "forget",
        "data-game": gameId,
        class: "small",
        "aria-label": `Forget the game since ${since}`,
      },
      "Forget",
    ),
  );
}

/** @param {View} view */
function against({ players, you }) {
  const names = players.filter(({ seat }) => seat !== you?.seat).map(({ name }) => name);
  return names.length ? `Against ${listed(names)}` : "A table of your own";
}

/** @param {View} view @returns {string} "11 to 0, your turn" */
function standing({ players, you, round, result, status, rematch_game_id: rematch }) {
  const own = players.find(({ seat }) => seat === you?.seat)?.total ?? 0;
  const rest = players.filter(({ seat }) => seat !== you?.seat).map(({ total }) => total);
  if (status === "waiting") return "not dealt yet";
  const turn =
    round?.phase === "over"
      ? "to be dealt"
      : round?.turn === you?.seat
        ? "your turn"
        : "their turn";
  const state = result ? (rematch ? "over, a rematch waits" : "over") : turn;
  return `${[own, ...rest].join(" to ")}, ${state}`;
}

/**
 * A game of the lobby: who plays, and by what rules.
 * @param {Entry} entry
 * @param {string} going what its link does, for who does not see the list
 * @param {string} more
 */
export function inLobby(entry, going, more) {
  const does = seatIn(entry.game_id) ? "Go on with" : going;
  const names = listed(entry.players.map((player) => player.name));
  const changes = Object.keys(entry.options).length;
  const facts = [
    changes ? `${entry.title}, ${counted(changes, "rule")} changed` : entry.title,
    more,
    entry.turn_seconds && `${entry.turn_seconds} s a turn`,
  ];
  const changed = Object.entries(entry.options).map(([name, value]) => `${titled(name)}: ${value}`);
  return h(
    "li",
    { "data-key": entry.game_id },
    h("b", {}, names),
    h("span", { class: "quiet", title: changed.join(", ") }, facts.filter(Boolean).join(", ")),
    h(
      "a",
      {
        class: "button going",
        href: `#/game/${entry.game_id}`,
        "aria-label": `${does} the game of ${names}`,
      },
      does === going ? going : "Go on",
    ),
  );
}
