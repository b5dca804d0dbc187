/** Taking a seat: making a game, joining one, and finishing what an earlier visit began. */

import { insist, randomKey, unanswered } from "./api.js";
import { rememberText } from "./fairness.js";
import { keepHabits, keepSeat } from "./kept.js";

/** @typedef {Schemas["Created"]} Seated */

/**
 * Makes a game; whoever loses the answer and comes back gets the same one.
 * @param {NewGame} wish
 * @param {() => void} trouble
 * @returns {Promise<Seated>}
 */
export async function create(wish, trouble) {
  const asked = { method: /** @type {const} */ ("POST"), path: "games", body: wish };
  return taken(await insist("create", asked, undefined, trouble));
}

/** Whether a game was asked for and no answer came. */
export const halfMade = () => unanswered("create");

/** @param {() => void} trouble @returns {Promise<Seated | null>} the game that was asked for before a reload */
export async function finish(trouble) {
  const lost = halfMade();
  return lost && taken(await insist("create", lost, undefined, trouble));
}

/** @param {Seated} seated */
function taken(seated) {
  const name = seated.game.players.find((player) => player.seat === seated.seat)?.name ?? "";
  keepHabits({ name });
  keepSeat(seated.game.game_id, {
    token: seated.token,
    seat: seated.seat,
    name,
    at: Date.now(),
  });
  return seated;
}

/**
 * Deals at a full table of one's own, with a text for the shuffle.
 * @param {Seated} seated
 * @param {() => void} trouble
 */
export async function firstDeal({ game, token }, trouble) {
  const entropy = randomKey();
  const path = `games/${game.game_id}/deal`;
  const deal = /** @type {const} */ ({ method: "POST", path, body: { entropy } });
  await insist(`game.${game.game_id}`, deal, token, trouble);
  rememberText(game.game_id, 1, entropy);
}
