'use strict';
// node theirs.js PORT MATCHES SECONDS: plays on boardgame.io's server with its own clients.

const { setTimeout: pause } = require('node:timers/promises');
const { Client, LobbyClient } = require('boardgame.io/client');
const { SocketIO } = require('boardgame.io/multiplayer');
const game = require('./game');
const Stopwatch = require('./stopwatch');

const [port, matches, seconds] = process.argv.slice(2).map(Number);
const server = `http://127.0.0.1:${port}`;
const lobby = new LobbyClient({ server });
const names = ['Ann', 'Bob'];

async function seated(matchID, playerID) {
  const playerName = names[playerID];
  const joined = await lobby.joinMatch('gin', matchID, { playerID, playerName });
  const client = Client({
    game,
    matchID,
    playerID,
    credentials: joined.playerCredentials,
    multiplayer: SocketIO({ server, socketOpts: { transports: ['websocket'] } }),
    debug: false,
  });
  client.start();
  return client;
}

async function match() {
  const { matchID } = await lobby.createMatch('gin', { numPlayers: 2 });
  return [await seated(matchID, '0'), await seated(matchID, '1')];
}

async function known(client) {
  while (client.getState() === null) await pause(10);
}

// Has a client move whenever its latest state says that it is on turn.
function play(client, stopwatch) {
  let acted = -1;
  let sent = null;
  client.subscribe((state) => {
    if (state === null || state._stateID <= acted) return;
    if (sent !== null) stopwatch.note(sent);
    sent = null;
    if (stopwatch.over || state.ctx.currentPlayer !== client.playerID) return;
    acted = state._stateID;
    sent = performance.now();
    const { hand } = state.G;
    if (hand.length > 10) client.moves.discard(hand[0]);
    else client.moves.draw('stock');
  });
}

async function main() {
  const tables = await Promise.all(Array.from({ length: matches }, match));
  const clients = tables.flat();
  await Promise.all(clients.map(known));
  const stopwatch = new Stopwatch(seconds);
  for (const client of clients) play(client, stopwatch);
  await pause(seconds * 1000);
  console.log(JSON.stringify(stopwatch.report()));
  process.exit();
}

main();
