/**
 * What the table looks like between two views: the public traces of each event, so that moves that
 * were applied together can be watched one after the other. What may be done comes from views alone.
 */

/** @type {Schemas["Actions"]} */
const NOTHING = {
  join: false,
  leave: false,
  add_bot: false,
  remove: [],
  deal: false,
  entropy: false,
  pass: false,
  draw: [],
  discard: [],
  knock: [],
  big_gin: false,
  layoff: null,
  resign: false,
  rematch: false,
  why_not: {},
};

/**
 * The picture after an event.
 * @param {View} view the picture before it
 * @param {GameEvent} event
 * @param {View} latest where the events lead
 * @returns {View}
 */
export function after(view, event, latest) {
  const next = { ...view, version: event.version, actions: NOTHING };
  if (event.type === "dealt") return dealt(next, event, latest);
  if (!next.round || event.seat === null || event.seat === undefined) return next;
  const trace = TRACES[event.type];
  if (!trace) return next;
  const table = { ...next, round: { ...next.round } };
  trace(table, event, event.seat);
  table.round.turn = event.turn ?? null;
  table.round.phase = event.phase ?? table.round.phase;
  table.round.result = event.result ?? table.round.result;
  return table;
}

/** @typedef {View & {round: Round}} Table */

/** @type {Record<string, (table: Table, event: GameEvent, seat: number) => void>} */
const TRACES = {
  passed: (table, _event, seat) => {
    table.round.passed = [...table.round.passed, seat];
  },
  drew: (table, event, seat) => {
    if (event.source === "discard")
      table.round.discard_pile = table.round.discard_pile.slice(0, -1);
    else table.round.stock_count -= 1;
    count(table, seat, 1);
    if (event.card) hold(table, seat, (hand) => [...hand, event.card ?? ""]);
  },
  discarded: (table, event, seat) => {
    table.round.discard_pile = [...table.round.discard_pile, event.card ?? ""];
    count(table, seat, -1);
    hold(table, seat, (hand) => hand.filter((card) => card !== event.card));
  },
  knocked: (table, event, seat) => {
    if (event.card) count(table, seat, -1);
    hold(table, seat, (hand) => hand.filter((card) => card !== event.card));
    table.round.knocker = seat;
    lay(table, event, seat);
  },
  laid_off: lay,
};

/**
 * @param {Table} table
 * @param {GameEvent} event
 * @param {number} seat
 */
function lay(table, event, seat) {
  const laid = {
    seat,
    melds: event.melds ?? [],
    layoffs: event.layoffs ?? [],
    deadwood: event.deadwood ?? [],
    deadwood_points: event.deadwood_points ?? 0,
  };
  table.round.shown = [...table.round.shown, laid];
}

/**
 * @param {Table} table
 * @param {number} seat
 * @param {number} change
 */
function count(table, seat, change) {
  table.players = table.players.map((player) =>
    player.seat === seat ? { ...player, card_count: player.card_count + change } : player,
  );
}

/**
 * @param {Table} table
 * @param {number} seat
 * @param {(hand: Card[]) => Card[]} change
 */
function hold(table, seat, change) {
  if (table.you?.seat !== seat) return;
  const hand = change(table.you.hand);
  const inHand = (/** @type {Card} */ card) => hand.includes(card);
  table.you = {
    ...table.you,
    hand,
    melds: table.you.melds.filter((meld) => meld.every(inHand)),
    deadwood: table.you.deadwood.filter(inHand),
  };
}

/**
 * @param {View} view
 * @param {GameEvent} event
 * @param {View} latest
 * @returns {View}
 */
function dealt(view, event, latest) {
  if (!latest.round || latest.round.number !== event.round || !event.upcard) return view;
  const each = view.hand_size;
  const players = view.players.map((player) => ({ ...player, card_count: player.out ? 0 : each }));
  const inGame = players.filter((player) => !player.out).length;
  return {
    ...view,
    status: "playing",
    players,
    you: view.you && { ...view.you, hand: event.hand ?? [], melds: [], deadwood: event.hand ?? [] },
    round: {
      ...latest.round,
      phase: event.phase ?? latest.round.phase,
      turn: event.turn ?? null,
      turns_played: 0,
      passed: [],
      stock_count: 51 - inGame * each,
      discard_pile: [event.upcard],
      shown: [],
      knocker: null,
      result: null,
    },
  };
}
