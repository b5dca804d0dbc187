/** Whether a finished round was dealt as it was promised: what is remembered, and the check. */

import { keep, kept } from "./kept.js";
import { canVerify, commitmentOf, deckOf, firstPlayerOf, highCardsOf } from "./shuffle.js";

const GAMES_REMEMBERED = 12;

/**
 * @typedef {object} Memory what this browser saw of a round before its secret was revealed
 * @property {string} [promised] the commitment shown before the deal
 * @property {string} [commitment] the one shown during the round
 * @property {Card} [upcard]
 * @property {Card[]} [hand] the cards dealt to this browser's seat
 * @property {string} [text] what this browser mixed into the shuffle
 */

/** @typedef {Record<string, Memory>} Memories by round number */

/**
 * Remembers what a view promises about the running round and the next one.
 * @param {View} view
 */
export function remember(view) {
  if (view.sandbox || view.status === "finished") return;
  const rounds = memories(view.game_id);
  const known = JSON.stringify(rounds);
  if (view.round) {
    const own = dealtHand(view);
    const { number, commitment, upcard } = view.round;
    rounds[number] = { commitment: commitment ?? undefined, upcard, ...own, ...rounds[number] };
  }
  const next = (view.round?.number ?? 0) + 1;
  rounds[next] = { promised: view.next_commitment ?? undefined, ...rounds[next] };
  if (JSON.stringify(rounds) !== known) keepMemories(view.game_id, rounds);
}

/**
 * Remembers a text that was mixed into a shuffle.
 * @param {string} gameId
 * @param {number} round
 * @param {string} text
 */
export function rememberText(gameId, round, text) {
  const rounds = memories(gameId);
  rounds[round] = { ...rounds[round], text };
  keepMemories(gameId, rounds);
}

/**
 * @param {string} gameId
 * @param {number} round
 * @returns {string | undefined} the text of this browser's own
 */
export const textFor = (gameId, round) => memories(gameId)[round]?.text;

/**
 * @param {View} view
 * @returns {{hand?: Card[]}} the own hand as dealt, if nobody has moved yet
 */
function dealtHand({ round, you }) {
  const untouched = round && you?.hand.length && round.turns_played === 0 && !you.drawn_card;
  const early = round?.phase === "upcard_offer" || round?.phase === "draw";
  return untouched && early ? { hand: you.hand } : {};
}

/** @param {string} gameId @returns {Memories} */
const memories = (gameId) => kept(`rounds.${gameId}`) ?? {};

/**
 * @param {string} gameId
 * @param {Memories} rounds
 */
function keepMemories(gameId, rounds) {
  /** @type {string[]} */
  const games = [
    gameId,
    ...(kept("remembered") ?? []).filter((/** @type {string} */ id) => id !== gameId),
  ];
  games.slice(GAMES_REMEMBERED).forEach((old) => keep(`rounds.${old}`, null));
  keep("remembered", games.slice(0, GAMES_REMEMBERED));
  keep(`rounds.${gameId}`, rounds);
}

/** @typedef {{claim: string, holds: boolean | null, because: string}} Finding `null`: nothing to compare */

/**
 * Checks a finished round in this browser, with nothing taken on trust but its own memory.
 * @param {Schemas["RoundRecord"]} record
 * @param {View} view
 * @returns {Promise<Finding[]>}
 */
export async function verify(record, view) {
  const { shuffle } = record;
  if (!shuffle)
    return [
      finding(
        "The deck was named by whoever made this sandbox game",
        null,
        "Nothing was shuffled.",
      ),
    ];
  if (!canVerify()) {
    return [
      finding(
        "The check needs a secure page",
        null,
        "Open this page over https, or on the machine that serves it.",
      ),
    ];
  }
  if (shuffle.algorithm !== "okg-shuffle-1") {
    return [
      finding(
        `The algorithm ${shuffle.algorithm} is known here`,
        null,
        "This page knows okg-shuffle-1.",
      ),
    ];
  }
  const memory = memories(view.game_id)[record.number] ?? {};
  const deck = await deckOf(shuffle);
  return [
    await promise(shuffle, memory),
    mixed(shuffle, memory, view),
    finding(
      "The secret and all the players' texts give this deck",
      same(deck, record.deck),
      "52 cards compared.",
    ),
    await dealerFollows(record, view),
    seen(record, memory, view),
  ];
}

/**
 * @param {Schemas["Shuffle"]} shuffle
 * @param {Memory} memory
 */
async function promise(shuffle, memory) {
  const promised = memory.promised ?? memory.commitment;
  const made = await commitmentOf(shuffle.secret);
  if (!promised)
    return finding(
      "The secret is the one that was promised",
      made === shuffle.commitment ? null : false,
      "This browser was not here before the deal, so it has no promise of its own to compare.",
    );
  const when = memory.promised ? "before the deal" : "during the round";
  return finding(
    "The secret is the one that was promised",
    made === promised,
    `Its SHA-256 is what this browser was shown ${when}.`,
  );
}

/**
 * @param {Schemas["Shuffle"]} shuffle
 * @param {Memory} memory
 * @param {View} view
 */
function mixed(shuffle, memory, view) {
  const claim = "A text of this browser's own was mixed in";
  const own = view.you && shuffle.entropies[view.you.seat];
  if (memory.text === undefined) return finding(claim, null, "None was sent from here.");
  return finding(claim, own === memory.text, `It was ${memory.text}.`);
}

/**
 * @param {Schemas["RoundRecord"]} record
 * @param {View} view
 */
async function dealerFollows(record, view) {
  const claim = "The first player followed from the same secret";
  if (record.number > 1 || view.rules.first_player === "host" || !record.shuffle) {
    return finding(claim, null, "In this round chance did not decide it.");
  }
  const { shuffle } = record;
  const first = (record.dealer + 1) % shuffle.seats;
  if (view.rules.first_player === "random")
    return finding(claim, (await firstPlayerOf(shuffle)) === first, "By chance.");
  return finding(claim, highest(await highCardsOf(shuffle)) === first, "By the highest card.");
}

const BY_HEIGHT = "A23456789TJQK";
const BY_SUIT = "CDHS";

/** @param {Card[]} cards */
function highest(cards) {
  const height = (/** @type {Card} */ card) =>
    BY_HEIGHT.indexOf(card.charAt(0)) * 4 + BY_SUIT.indexOf(card.charAt(1));
  return cards.reduce(
    (best, card, seat) => (height(card) > height(cards[best] ?? "") ? seat : best),
    0,
  );
}

/**
 * @param {Schemas["RoundRecord"]} record
 * @param {Memory} memory
 * @param {View} view
 */
function seen(record, memory, view) {
  const claim = "That deck was dealt at this table";
  const inGame = record.result.hands.length;
  const each = view.hand_size;
  if (!memory.upcard || inGame !== view.seats) {
    return finding(claim, null, "This browser did not see the deal.");
  }
  const upcard = record.deck[view.seats * each] === memory.upcard;
  if (!memory.hand || !view.you) return finding(claim, upcard, "The upcard compared.");
  const place = (view.you.seat - record.dealer - 1 + view.seats) % view.seats;
  const dealt = record.deck.filter(
    (_card, at) => at < view.seats * each && at % view.seats === place,
  );
  return finding(
    claim,
    upcard && same([...dealt].sort(), [...memory.hand].sort()),
    "The upcard and your own hand compared.",
  );
}

/**
 * @param {Card[]} one
 * @param {Card[]} other
 */
const same = (one, other) => one.join() === other.join();

/**
 * @param {string} claim
 * @param {boolean | null} holds
 * @param {string} because
 * @returns {Finding}
 */
const finding = (claim, holds, because) => ({ claim, holds, because });
