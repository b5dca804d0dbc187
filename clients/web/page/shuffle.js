/**
 * The fair shuffle `okg-shuffle-1`, made again in the browser from what a finished round reveals.
 *
 * Written from the algorithm's description (the API's page "Fair shuffle"): random bytes are
 * HMAC-SHA256 of the message and a counter, a number that would bias is thrown away, and the deck
 * is shuffled as Fisher and Yates do it.
 */

import { DECK } from "./cards.js";

const BYTES_OF_A_NUMBER = 4;
const NUMBERS = 2 ** 32;

/** Whether this page may use the browser's cryptography: only on https or on this machine. */
export const canVerify = () => Boolean(globalThis.crypto?.subtle);

/** @param {string} secret in hexadecimal @returns {Promise<string>} its SHA-256 in hexadecimal */
export async function commitmentOf(secret) {
  return hex(await crypto.subtle.digest("SHA-256", bytesOf(secret)));
}

/** @param {Schemas["Shuffle"]} shuffle @returns {Promise<Card[]>} the card dealt first in front */
export async function deckOf(shuffle) {
  return shuffled(await numbers(shuffle, "deck"));
}

/** @param {Schemas["Shuffle"]} shuffle @returns {Promise<number>} the seat that plays first by chance */
export async function firstPlayerOf(shuffle) {
  return below(shuffle.seats, await numbers(shuffle, "first_player"));
}

/** @param {Schemas["Shuffle"]} shuffle @returns {Promise<Card[]>} by seat, for the first player by high card */
export async function highCardsOf(shuffle) {
  return (await shuffled(await numbers(shuffle, "high_card"))).slice(0, shuffle.seats);
}

/** @typedef {() => Promise<number>} Numbers */

/** @param {Numbers} next */
async function shuffled(next) {
  const deck = [...DECK];
  for (let place = deck.length - 1; place > 0; place--) {
    const other = await below(place + 1, next);
    [deck[place], deck[other]] = [deck[other] ?? "", deck[place] ?? ""];
  }
  return deck;
}

/**
 * @param {number} limit
 * @param {Numbers} next
 */
async function below(limit, next) {
  const fair = NUMBERS - (NUMBERS % limit);
  for (;;) {
    const number = await next();
    if (number < fair) return number % limit;
  }
}

/**
 * @param {Schemas["Shuffle"]} shuffle
 * @param {string} label
 * @returns {Promise<Numbers>}
 */
async function numbers({ algorithm, game_id, round, entropies, secret }, label) {
  const text = JSON.stringify([algorithm, label, game_id, round, entropies]);
  const message = new TextEncoder().encode(text);
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytesOf(secret), hmac, false, ["sign"]);
  let counter = 0;
  let block = new DataView(new ArrayBuffer(0));
  let at = 0;
  return async () => {
    if (at >= block.byteLength) {
      const input = new Uint8Array([...message, ...counterBytes(counter++)]);
      block = new DataView(await crypto.subtle.sign("HMAC", key, input));
      at = 0;
    }
    const number = block.getUint32(at);
    at += BYTES_OF_A_NUMBER;
    return number;
  };
}

/** @param {number} counter */
function counterBytes(counter) {
  const bytes = new DataView(new ArrayBuffer(BYTES_OF_A_NUMBER));
  bytes.setUint32(0, counter);
  return new Uint8Array(bytes.buffer);
}

/** @param {string} text */
function bytesOf(text) {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** @param {ArrayBuffer} buffer */
function hex(buffer) {
  return [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
