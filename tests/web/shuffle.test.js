/** The browser's own shuffle against the vectors that every client shares. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { person, ROOT, startBrowser, startService } from "./harness.js";

const { algorithm, cases } = JSON.parse(
  readFileSync(join(ROOT, "tests/cases/shuffle.json"), "utf-8"),
);

/** @type {{url: string, stop: () => Promise<void>}} */
let service;
/** @type {import("playwright-core").Browser} */
let browser;

before(async () => {
  [service, browser] = await Promise.all([startService(), startBrowser()]);
});

after(async () => {
  await browser?.close();
  await service?.stop();
});

test(`the browser makes every deck of the ${cases.length} vectors again`, async () => {
  const { page, context } = await person(browser);
  await page.goto(`${service.url}/play/`);
  for (const known of cases) {
    const shuffle = { ...known, algorithm, seats: known.entropies.length };
    const made = await page.evaluate(async (inputs) => {
      const path = "/play/shuffle.js";
      const { commitmentOf, deckOf, firstPlayerOf, highCardsOf } = await import(
        path
      );
      return {
        commitment: await commitmentOf(inputs.secret),
        deck: (await deckOf(inputs)).join(" "),
        first_player: await firstPlayerOf(inputs),
        high_cards: (await highCardsOf(inputs)).join(" "),
      };
    }, shuffle);
    const { commitment, deck, first_player, high_cards } = known;
    assert.deepEqual(made, { commitment, deck, first_player, high_cards });
  }
  await context.close();
});
