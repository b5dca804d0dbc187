'use strict';
// node ours.js PORT MATCHES SECONDS: plays on our service over connections that are kept.

const { randomUUID } = require('node:crypto');
const { Client } = require('undici');
const Stopwatch = require('./stopwatch');

const [port, matches, seconds] = process.argv.slice(2).map(Number);

async function ask(client, path, sent, headers = {}) {
  const { statusCode, body } = await client.request({
    method: 'POST',
    path,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(sent),
  });
  const said = await body.text();
  if (statusCode >= 300) throw new Error(`${path} answered ${statusCode}: ${said.slice(0, 400)}`);
  return JSON.parse(said);
}

async function match() {
  const client = new Client(`http://127.0.0.1:${port}`);
  const rules = { preset: 'oklahoma', target_score: 10000 };
  const made = await ask(client, '/v1/games', { name: 'Ann', rules });
  const path = `/v1/games/${made.game.game_id}`;
  const joined = await ask(client, `${path}/players`, { name: 'Bob' });
  return { client, path, tokens: [made.token, joined.token], view: joined.game };
}

function lightest(options) {
  return options.reduce((one, other) =>
    other.deadwood_points < one.deadwood_points ? other : one,
  );
}

// The seat that is to move by a view of whoever moved last, its operation and the body of it.
function moveBy({ round, actions }) {
  if (round === null || round.phase === 'over') return [0, 'deal', {}];
  if (round.phase === 'upcard_offer') return [round.turn, 'pass', {}];
  if (round.phase === 'draw') return [round.turn, 'draw', { source: 'stock' }];
  if (round.phase === 'layoff') return [round.turn, 'layoff', {}];
  const [knock] = actions.knock;
  if (knock) return [round.turn, 'knock', { discard: knock.discard }];
  return [round.turn, 'discard', { card: lightest(actions.discard).card }];
}

async function play(table, stopwatch) {
  while (!stopwatch.over) {
    const [seat, verb, body] = moveBy(table.view);
    const headers = {
      Authorization: `Bearer ${table.tokens[seat]}`,
      'If-Match': table.view.etag,
      'Idempotency-Key': randomUUID(),
    };
    const sent = performance.now();
    table.view = await ask(table.client, `${table.path}/${verb}`, body, headers);
    stopwatch.note(sent);
  }
}

async function main() {
  const tables = await Promise.all(Array.from({ length: matches }, match));
  const stopwatch = new Stopwatch(seconds);
  await Promise.all(tables.map((table) => play(table, stopwatch)));
  console.log(JSON.stringify(stopwatch.report()));
  await Promise.all(tables.map(({ client }) => client.close()));
}

main();
