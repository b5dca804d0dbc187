'use strict';
// boardgame.io's server as it comes, matches in memory; prints its port and serves until killed.

const { Origins, Server } = require('boardgame.io/server');
const game = require('./game');

async function main() {
  const server = Server({ games: [game], origins: [Origins.LOCALHOST] });
  // What is called its port is handed on to Node's listen().
  const running = await server.run({ port: { port: 0, host: '127.0.0.1' } });
  console.log(running.appServer.address().port);
}

main();
