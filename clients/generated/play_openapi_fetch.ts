// Plays a game to its end with openapi-fetch over the types that openapi-typescript makes.

import createClient from "openapi-fetch";
import type { components, paths } from "./made/openapi_fetch/contract.js";

type Game = components["schemas"]["Game"];
type Answer<T> = { data?: T; error?: components["schemas"]["Problem"]; response: Response };

const TARGET = 40;
const api = createClient<paths>({ baseUrl: process.argv[2] ?? "" });

function accepted<T>(answer: Answer<T>): T {
  if (answer.data === undefined) throw new Error(`Refused: ${JSON.stringify(answer.error)}`);
  return answer.data;
}

const made = accepted(
  await api.POST("/v1/games", {
    body: { name: "Ann", rules: { preset: "gin", target_score: TARGET } },
  }),
);
const path = { game_id: made.game.game_id };
const joined = accepted(
  await api.POST("/v1/games/{game_id}/players", { params: { path }, body: { name: "Bob" } }),
);
const tokens = [made.token, joined.token];

function as(seat: number, header: Record<string, string> = {}) {
  return { params: { path }, headers: { Authorization: `Bearer ${tokens[seat]}`, ...header } };
}

async function look(seat = 0): Promise<Game> {
  return accepted(await api.GET("/v1/games/{game_id}", as(seat)));
}

async function move(view: Game, seat: number): Promise<Answer<Game>> {
  const may = view.actions;
  const best = [...may.discard].sort((a, b) => a.deadwood_points - b.deadwood_points)[0];
  const knock = may.knock[0];
  if (may.deal) return api.POST("/v1/games/{game_id}/deal", { ...as(seat), body: {} });
  if (may.layoff) return api.POST("/v1/games/{game_id}/layoff", { ...as(seat), body: {} });
  if (knock) {
    const body = { discard: knock.discard };
    return api.POST("/v1/games/{game_id}/knock", { ...as(seat), body });
  }
  if (best) {
    const body = { card: best.card };
    return api.POST("/v1/games/{game_id}/discard", {
      ...as(seat, { "If-Match": view.etag }),
      body,
    });
  }
  if (may.pass) return api.POST("/v1/games/{game_id}/pass", as(seat));
  return draw(seat);
}

function draw(seat: number, header: Record<string, string> = {}): Promise<Answer<Game>> {
  return api.POST("/v1/games/{game_id}/draw", { ...as(seat, header), body: { source: "stock" } });
}

const before = await look();
const key = { "Idempotency-Key": crypto.randomUUID() };
const deal = () => api.POST("/v1/games/{game_id}/deal", { ...as(0, key), body: {} });
await deal();
const dealt = await deal();
let view: Game = accepted(dealt); // a move answers with a game and its events
const turn = view.round?.turn ?? 0;
const refused = await draw(1 - turn);
const stale = await draw(turn, { "If-Match": before.etag });
while (view.status !== "finished") {
  const seat = view.round?.turn ?? 0;
  view = accepted(await move(await look(seat), seat));
}
const page = accepted(
  await api.GET("/v1/games/{game_id}/events", {
    params: { path, query: { after: 2, limit: 5 } },
  }),
);
console.log(
  JSON.stringify({
    refused: refused.error?.code,
    stale: stale.error?.code,
    replayed: dealt.response.headers.get("Idempotency-Replayed"),
    events: page.events.map((event) => event.version),
    winner: view.result?.winner,
    totals: view.players.map((player) => player.total),
  }),
);
