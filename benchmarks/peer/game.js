'use strict';
// Two hands, a stock and a discard pile, as boardgame.io's own documentation has games written.

const RANKS = [...'A23456789TJQK'];
const DECK = [...'CDHS'].flatMap((suit) => RANKS.map((rank) => rank + suit));
const HAND = 10;
const STOCK_FLOOR = 2;

function deal(random) {
  const stock = random.Shuffle(DECK);
  const hands = { 0: stock.splice(0, HAND), 1: stock.splice(0, HAND) };
  return { hands, discardPile: stock.splice(0, 1), stock };
}

function draw({ G, playerID }, source) {
  const pile = source === 'stock' ? G.stock : G.discardPile;
  if (G.hands[playerID].length > HAND || pile.length === 0) return 'INVALID_MOVE';
  G.hands[playerID].push(pile.pop());
}

function discard({ G, playerID, random }, card) {
  const hand = G.hands[playerID];
  const place = hand.indexOf(card);
  if (hand.length <= HAND || place < 0) return 'INVALID_MOVE';
  hand.splice(place, 1);
  G.discardPile.push(card);
  if (G.stock.length <= STOCK_FLOOR) Object.assign(G, deal(random));
}

function playerView({ G, playerID }) {
  return {
    hand: playerID === null ? [] : G.hands[playerID],
    cardCounts: [G.hands[0].length, G.hands[1].length],
    discardPile: G.discardPile,
    stockCount: G.stock.length,
  };
}

// What a client does not know it cannot try beforehand.
const asked = (move) => ({ move, client: false });

module.exports = {
  name: 'gin',
  minPlayers: 2,
  maxPlayers: 2,
  setup: ({ random }) => deal(random),
  moves: { draw: asked(draw), discard: asked(discard) },
  turn: { minMoves: 2, maxMoves: 2 },
  playerView,
};
