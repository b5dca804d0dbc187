// Plays a game to its end with the SDK that hey-api makes.

import { client } from "./made/hey_api/client.gen.js";
import {
  createGame,
  dealRound,
  discardCard,
  drawCard,
  getGame,
  joinGame,
  knock,
  layOff,
  listEvents,
  passUpcard,
} from "./made/hey_api/index.js";
import type { Game, Problem } from "./made/hey_api/index.js";

type Answer<T> = { data?: T | undefined; error?: Problem | undefined; response?: Response };

const TARGET = 40;
client.setConfig({ baseUrl: process.argv[2] ?? "" });

function accepted<T>(answer: Answer<T>): T {
  if (answer.data === undefined) throw new Error(`Refused: ${JSON.stringify(answer.error)}`);
  return answer.data;
}

const made = accepted(
  await createGame({ body: { name: "Ann", rules: { preset: "gin", target_score: TARGET } } }),
);
const path = { game_id: made.game.game_id };
const joined = accepted(await joinGame({ path, body: { name: "Bob" } }));
const tokens = [made.token, joined.token];

function as(seat: number) {
  return { path, auth: tokens[seat] ?? "" };
}

async function look(seat = 0): Promise<Game> {
  return accepted(await getGame(as(seat)));
}

async function move(view: Game, seat: number): Promise<Answer<Game>> {
  const may = view.actions;
  const best = [...may.discard].sort((a, b) => a.deadwood_points - b.deadwood_points)[0];
  const out = may.knock[0];
  if (may.deal) return dealRound({ ...as(seat), body: {} });
  if (may.layoff) return layOff({ ...as(seat), body: {} });
  if (out) return knock({ ...as(seat), body: { discard: out.discard } });
  if (best) {
    const headers = { "If-Match": view.etag };
    return discardCard({ ...as(seat), headers, body: { card: best.card } });
  }
  if (may.pass) return passUpcard(as(seat));
  return drawCard({ ...as(seat), body: { source: "stock" } });
}

const before = await look();
const headers = { "Idempotency-Key": crypto.randomUUID() };
await dealRound({ ...as(0), headers, body: {} });
const dealt = await dealRound({ ...as(0), headers, body: {} });
let view: Game = accepted(dealt); // a move answers with a game and its events
const turn = view.round?.turn ?? 0;
const refused = await drawCard({ ...as(1 - turn), body: { source: "stock" } });
const stale = await drawCard({
  ...as(turn),
  headers: { "If-Match": before.etag },
  body: { source: "stock" },
});
while (view.status !== "finished") {
  const seat = view.round?.turn ?? 0;
  view = accepted(await move(await look(seat), seat));
}
const page = accepted(await listEvents({ path, query: { after: 2, limit: 5 } }));
console.log(
  JSON.stringify({
    refused: refused.error?.code,
    stale: stale.error?.code,
    replayed: dealt.response?.headers.get("Idempotency-Replayed"),
    events: page.events.map((event) => event.version),
    winner: view.result?.winner,
    totals: view.players.map((player) => player.total),
  }),
);
