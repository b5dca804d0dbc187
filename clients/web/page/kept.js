/** What this browser keeps between visits: seats, requests without an answer, habits. */

const PREFIX = "okg.";

/** @type {Map<string, string>} Where storage is refused, the visit itself remembers. */
const memory = new Map();

/**
 * @param {string} name
 * @returns {any} what was kept, or null
 */
export function kept(name) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name) ?? memory.get(name) ?? "null");
  } catch {
    return JSON.parse(memory.get(name) ?? "null");
  }
}

/**
 * @param {string} name
 * @param {unknown} value null forgets
 */
export function keep(name, value) {
  const text = JSON.stringify(value);
  try {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, text);
  } catch {
    memory.set(name, text);
    return;
  }
  memory.delete(name);
}

/** @typedef {{token: string, seat: number, name: string, at: number}} Seat */

/**
 * @param {string} gameId
 * @returns {Seat | null}
 */
export const seatIn = (gameId) => kept(`seat.${gameId}`);

/**
 * @param {string} gameId
 * @param {Seat | null} seat
 */
export function keepSeat(gameId, seat) {
  keep(`seat.${gameId}`, seat);
  const others = seatedGames().filter((each) => each !== gameId);
  const games = seat ? [gameId, ...others] : others;
  games.slice(LONGEST_LIST).forEach((each) => keep(`seat.${each}`, null));
  keep("games", games.slice(0, LONGEST_LIST));
}

const LONGEST_LIST = 12;

/** @returns {string[]} the games that this browser has a seat in, the latest first */
export const seatedGames = () => kept("games") ?? [];

/** @typedef {"melds" | "suit" | "rank"} Sorting */
/**
 * @typedef {{name: string, sorting: Sorting, motion: "full" | "none", deck: "two" | "four",
 *   theme: "auto" | "light" | "dark", level: string}} Habits
 */

/** @returns {Habits} */
export function habits() {
  const usual = {
    name: "",
    sorting: "melds",
    motion: "full",
    deck: "two",
    theme: "auto",
    level: "easy",
  };
  return { ...usual, ...kept("habits") };
}

/** @param {Partial<Habits>} changed */
export function keepHabits(changed) {
  keep("habits", { ...habits(), ...changed });
}
