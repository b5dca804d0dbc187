/** Requests to the service: what they answer, what they refuse, and those that must get an answer. */

import { keep, kept } from "./kept.js";

const PATIENCE_MILLIS = 10_000;
const FIRST_PAUSE_MILLIS = 400;
const LONGEST_PAUSE_MILLIS = 8_000;

/** Where the service's operations are, from the page's own head. */
export const BASE = new URL(
  document.querySelector('meta[name="api"]')?.getAttribute("content") ?? "../v1/",
  document.baseURI,
);

/** What the service refuses, as it says it. */
export class Refused extends Error {
  /** @param {Schemas["Problem"]} problem */
  constructor(problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

/** No answer came, so that it is unknown whether the request was carried out. */
export class Unanswered extends Error {}

/**
 * @typedef {object} Wish
 * @property {"GET" | "POST"} method
 * @property {string} path below the base
 * @property {unknown} [body]
 * @property {string} [key] the Idempotency-Key
 * @property {string} [ifMatch]
 * @property {string} [ifNoneMatch]
 * @property {number} [patience] milliseconds
 * @property {AbortSignal} [signal]
 */

/**
 * @param {Wish} wish
 * @param {string} [token]
 * @returns {Promise<any>} the answer's JSON, or null for 304
 * @throws {Refused | Unanswered}
 */
export async function ask(wish, token) {
  const response = await sent(wish, token);
  if (response.status === 304) return null;
  const content = await response.json().catch(() => null);
  if (response.ok && content) return content;
  // A proxy's page, or a store that was away: the truth comes with the same key, later.
  if (!content?.code || response.status >= 500 || response.status === 429) {
    throw new Unanswered(content?.detail ?? `The service answered ${response.status}.`);
  }
  throw new Refused(content);
}

/**
 * @param {Wish} wish
 * @param {string} [token]
 */
async function sent(wish, token) {
  const late = AbortSignal.timeout(wish.patience ?? PATIENCE_MILLIS);
  try {
    return await fetch(new URL(wish.path, BASE), {
      method: wish.method,
      headers: headersOf(wish, token),
      body: wish.method === "POST" ? JSON.stringify(wish.body ?? {}) : undefined,
      signal: wish.signal ? AbortSignal.any([wish.signal, late]) : late,
      cache: "no-store",
      credentials: "omit",
      referrerPolicy: "no-referrer",
    });
  } catch (error) {
    throw new Unanswered("The service cannot be reached.", { cause: error });
  }
}

/**
 * @param {Wish} wish
 * @param {string} [token]
 */
export function headersOf(wish, token) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (wish.method === "POST") headers["Content-Type"] = "application/json";
  if (token) headers["Authorization"] = `Bearer ${token}`;
  if (wish.key) headers["Idempotency-Key"] = wish.key;
  if (wish.ifMatch) headers["If-Match"] = wish.ifMatch;
  if (wish.ifNoneMatch) headers["If-None-Match"] = wish.ifNoneMatch;
  return headers;
}

/**
 * Sends a request under a key until there is an answer, and remembers it until then: after a
 * reload `resume` sends it again under the same key, so that it is never carried out twice.
 * @param {string} slot what is waited for; one request at a time
 * @param {Wish} wish
 * @param {string | undefined} token
 * @param {(error: Unanswered) => void} trouble hears of every attempt that got no answer
 * @returns {Promise<any>}
 * @throws {Refused}
 */
export async function insist(slot, wish, token, trouble) {
  const sure = { ...wish, key: wish.key ?? randomKey() };
  keep(`pending.${slot}`, sure);
  for (let pause = FIRST_PAUSE_MILLIS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MILLIS)) {
    try {
      const answer = await ask(sure, token);
      keep(`pending.${slot}`, null);
      return answer;
    } catch (error) {
      if (!(error instanceof Unanswered)) {
        keep(`pending.${slot}`, null);
        throw error;
      }
      trouble(error);
      await onlineOr(pause);
    }
  }
}

/**
 * @param {string} slot
 * @returns {Wish | null} the request of that slot that never got its answer
 */
export const unanswered = (slot) => kept(`pending.${slot}`);

/** A secret that nobody can guess, also where the page is not on a secure origin. */
export function randomKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(18));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}

/**
 * Resolves after a pause, or as soon as the browser says that it is online again.
 * @param {number} millis
 */
export function onlineOr(millis) {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener("online", done);
      resolve(undefined);
    };
    const timer = setTimeout(done, millis);
    addEventListener("online", done);
  });
}
