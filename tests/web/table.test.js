/** The web table as people use it: real service, real browser. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  call,
  person,
  sitDown,
  startBrowser,
  startService,
} from "./harness.js";
import { hand, lit, moment, turn } from "./playing.js";
import { fourSeats, inPhase, move, readyToKnock, twoSeats } from "./scenes.js";

/** @typedef {import("playwright-core").Page} Page */

const MOST_TURNS = 600;

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

/** @param {import("playwright-core").BrowserContextOptions} [options] */
const someone = (options) => person(browser, options);

/** @param {Page} page */
const gameOf = (page) =>
  new URL(page.url()).hash.split("/")[2]?.split("?")[0] ?? "";

/** @param {Page} page @param {string} gameId */
const tokenOf = (page, gameId) =>
  page.evaluate(
    (id) => JSON.parse(localStorage.getItem(`okg.seat.${id}`) ?? "{}").token,
    gameId,
  );

/**
 * Every move is one event, and no version is missing or there twice.
 * @param {string} gameId
 * @param {string} [token]
 */
async function soundLog(gameId, token) {
  /** @type {any[]} */
  const events = [];
  for (;;) {
    const page = await call(
      service.url,
      `games/${gameId}/events?after=${events.length}&limit=100`,
      { token },
    );
    events.push(...page.events);
    if (!page.events.length || events.length === page.version) break;
  }
  assert.deepEqual(
    events.map((event) => event.version),
    events.map((_event, at) => at + 1),
  );
  return events;
}

describe("a game against a bot", () => {
  test("begins with two clicks and is played to its end, and the shuffle is checked", async () => {
    const { page, context } = await someone();
    await page.goto(`${service.url}/play/`);
    await page.getByLabel("Your name").fill("Ann");
    await page.getByRole("button", { name: "Play an easy bot" }).click();
    for (let turns = 0; turns < MOST_TURNS; turns++) {
      if ((await turn(page)) !== "result") continue;
      const deal = page.locator('[data-do="deal"]');
      if (await page.locator('[data-do="rematch"]').count()) break;
      await deal.click();
    }
    await page.getByRole("heading", { name: /wins? the game/ }).waitFor();
    await page.getByRole("button", { name: "Check the shuffle" }).click();
    await page.locator(".findings").waitFor();
    assert.equal(await page.locator(".findings .bad").count(), 0);
    assert.ok(
      (await page.locator(".findings .good").count()) >= 3,
      await page.locator(".findings").innerText(),
    );
    await page.getByRole("button", { name: "Close" }).click();
    await page
      .locator(".result")
      .getByRole("button", { name: "Score sheet" })
      .click();
    await page.locator(".sheet").waitFor();
    const totals = await page.locator(".sheet tfoot td.number").allInnerTexts();
    assert.ok(Math.max(...totals.map(Number)) >= 100, totals.join());
    await page.getByRole("button", { name: "Close" }).click();
    const first = gameOf(page);
    await page.getByRole("button", { name: "Rematch" }).click();
    await page.waitForURL((url) => !url.hash.includes(first));
    await page.getByRole("button", { name: "Deal the first round" }).click();
    await hand(page).waitFor();
    await context.close();
  });
});

describe("movement", () => {
  test("what a bot does is shown step by step, and not at once", async () => {
    const { page, context } = await someone({ reducedMotion: "no-preference" });
    await page.goto(`${service.url}/play/`);
    await page.getByRole("button", { name: "Play an easy bot" }).click();
    const dealt = await moment(page);
    if (dealt === "pass") await turn(page);
    for (let turns = 0; turns < 4; turns++)
      if ((await turn(page)) === "throw") break;
    const last = page.locator(".story li").last();
    await page.waitForFunction(() =>
      /bot (drew|took)/.test(
        document.querySelector(".story li:last-child")?.textContent ?? "",
      ),
    );
    await page.waitForFunction(() =>
      /bot (threw|knocked|went)/.test(
        document.querySelector(".story li:last-child")?.textContent ?? "",
      ),
    );
    assert.match(await last.innerText(), /bot/);
    await context.close();
  });
});

describe("two people", () => {
  test("meet by a link and play a round, each in a browser of their own", async () => {
    const [ann, bob] = await Promise.all([
      someone(),
      someone({ viewport: { width: 390, height: 780 }, hasTouch: true }),
    ]);
    await ann.page.goto(`${service.url}/play/#/new`);
    await ann.page.getByLabel("Your name").fill("Ann <b>bold</b>");
    await ann.page.getByRole("button", { name: "Open the table" }).click();
    const link = await ann.page.getByLabel("Send this link").inputValue();
    assert.match(link, /invite=/);

    await bob.page.goto(link);
    await bob.page.getByLabel("Your name").fill("Bob");
    await bob.page.getByRole("button", { name: "Sit down" }).click();
    await bob.page
      .getByRole("button", { name: "Deal the first round" })
      .waitFor();
    await ann.page
      .getByRole("button", { name: "Deal the first round" })
      .click();
    assert.equal(
      await bob.page.locator(".person b.name").innerText(),
      "Ann <b>bold</b>",
    );

    const pages = [ann.page, bob.page];
    for (let turns = 0; turns < MOST_TURNS; turns++) {
      const done = await Promise.race(
        pages.map((page) => moment(page).then(() => page)),
      );
      if ((await turn(done)) === "result") break;
    }
    const [annsRows, bobsRows] = await Promise.all(
      pages.map((page) => page.locator(".result tbody th").allInnerTexts()),
    );
    assert.deepEqual(annsRows, bobsRows);
    const heads = await Promise.all(
      pages.map((page) => page.locator(".result .number").allInnerTexts()),
    );
    assert.deepEqual(heads[0], heads[1]);
    await bob.page.getByRole("button", { name: "Deal the next round" }).click();
    await ann.page
      .getByRole("button", { name: "On to the running round" })
      .click();
    await hand(ann.page).waitFor();
    await soundLog(gameOf(ann.page), await tokenOf(ann.page, gameOf(ann.page)));
    await Promise.all([ann.context.close(), bob.context.close()]);
  });

  test("who has no seat watches, and sees no hand", async () => {
    const { ann } = await fourSeats(service.url);
    const { page, context } = await someone();
    await page.goto(`${service.url}/play/#/game/${ann.game.game_id}`);
    await page.getByText("You are watching. It is Ann's turn.").waitFor();
    assert.equal(await hand(page).count(), 0);
    assert.equal(await page.locator(".others .face").count(), 0);
    await context.close();
  });
});

describe("around the table", () => {
  test("a rematch that the other asks for is found", async () => {
    const { ann, others } = await inPhase(service.url, "result", {
      target_score: 1,
    });
    const { page, context } = await someone();
    await sitDown(page, service.url, ann);
    await page.getByRole("button", { name: "Rematch" }).waitFor();
    /** @type {string[]} */
    const waits = [];
    page.on("request", (request) => {
      if (/wait=/.test(request.url())) waits.push(request.url());
    });
    const again = await move(
      service.url,
      /** @type {import("./scenes.js").Seated} */ (others[0]),
      "rematch",
    );
    await page.getByRole("button", { name: "Go to the rematch" }).waitFor();
    const { version } = await call(
      service.url,
      `games/${ann.game.game_id}?invite=${ann.invite}`,
    );
    const early = waits.filter((url) => !url.includes(`after=${version}&`));
    assert.deepEqual(early, [], "the stream stays, so nothing is polled");
    await page.getByRole("button", { name: "Go to the rematch" }).click();
    await page.waitForURL((url) => url.hash.includes(again.game.game_id));
    await page.getByRole("button", { name: "Deal the first round" }).waitFor();
    await context.close();
  });

  test("who is taken out of a private room is out, and is told", async () => {
    const { ann, others } = await twoSeats(service.url);
    const { page, context } = await someone();
    const bob = /** @type {import("./scenes.js").Seated} */ (others[0]);
    await sitDown(page, service.url, bob);
    await page.getByRole("button", { name: "Leave the table" }).waitFor();
    await move(service.url, ann, "remove", { seat: 1 });
    await page.getByRole("link", { name: "To the start" }).waitFor();
    assert.equal(await page.locator(".room").count(), 0);
    await context.close();
  });

  test("the time of a late player is called", async () => {
    const ann = await call(service.url, "games", {
      body: {
        name: "Ann",
        turn_seconds: 5,
        rules: { first_player: "host", upcard_offer: false },
      },
    });
    const bob = await call(service.url, `games/${ann.game.game_id}/players`, {
      body: { name: "Bob" },
    });
    await move(service.url, ann, "deal");
    const { page, context } = await someone();
    await sitDown(page, service.url, bob);
    await page.getByRole("button", { name: "Call the time" }).click();
    await page.locator(".story", { hasText: "Ann ran out of time." }).waitFor();
    await lit(page, "Draw").waitFor();
    await context.close();
  });
});

describe("the host", () => {
  test("has the link to a private table in every browser that holds the seat", async () => {
    const ann = await call(service.url, "games", {
      body: { name: "Ann", visibility: "private" },
    });
    const { page, context } = await someone();
    await sitDown(page, service.url, ann);
    const link = await page.getByLabel("Send this link").inputValue();
    assert.ok(link.endsWith(`?invite=${ann.invite}`), link);
    await context.close();
  });
});

describe("the first screen", () => {
  test("lists games that wait and games to watch, with their rules", async () => {
    const waiting = await call(service.url, "games", {
      body: { name: "Wanda", rules: { target_score: 50 } },
    });
    const running = await call(service.url, "games", {
      body: { name: "Rita", bots: [{ level: "easy" }], deal: true },
    });
    const { page, context } = await someone();
    await page.goto(`${service.url}/play/`);
    await page
      .locator("li", {
        has: page.getByRole("link", { name: "Join the game of Wanda" }),
      })
      .getByText("1 rule changed, 1 free seat")
      .waitFor();
    await page.getByRole("link", { name: /^Watch the game of Rita/ }).click();
    await page.getByText("You are watching.").first().waitFor();
    assert.equal(gameOf(page), running.game.game_id);
    for (const seated of [waiting, running])
      await move(service.url, seated, seated === waiting ? "leave" : "resign");
    await context.close();
  });
});

describe("what a newcomer stumbled over", () => {
  test("a name that was typed is there where friends are invited", async () => {
    const { page, context } = await someone();
    await page.goto(`${service.url}/play/`);
    await page.getByLabel("Your name").fill("Zoe");
    await page.getByRole("link", { name: /^Play with friends/ }).click();
    assert.equal(await page.getByLabel("Your name").inputValue(), "Zoe");
    await context.close();
  });

  test("one's own games tell against whom, how they stand and whose turn it is", async () => {
    const { ann } = await inPhase(service.url, "draw");
    const over = await inPhase(service.url, "result", { target_score: 1 });
    const { page, context } = await someone();
    for (const scene of [ann, over.ann]) {
      await sitDown(page, service.url, scene);
      await page.reload();
      await page.locator(".own, .result").first().waitFor();
    }
    await page.evaluate(
      (games) => localStorage.setItem("okg.games", JSON.stringify(games)),
      [ann.game.game_id, over.ann.game.game_id],
    );
    await page.goto(`${service.url}/play/#/`);
    await page.reload();
    const own = page.getByRole("region", { name: "Your games" });
    await own.getByText("0 to 0, your turn").waitFor();
    await own.getByText(/to \d+, over, since/).waitFor();
    await own.getByRole("link", { name: "Against Bob" }).first().waitFor();
    await context.close();
  });

  test("who knocked sees what was laid down until it is answered", async () => {
    const { ann } = await readyToKnock(service.url);
    const { page, context } = await someone();
    await sitDown(page, service.url, ann);
    await page.locator('.actions [data-do="knock"]').click();
    await page.locator('dialog [data-do="out"]').click();
    await page.getByText("Bob is to move.").waitFor();
    assert.equal(await page.locator(".own .laid .meld").count(), 3);
    await context.close();
  });

  test("a resigned game says who resigned", async () => {
    const { ann, others } = await inPhase(service.url, "draw");
    const { page, context } = await someone();
    await sitDown(page, service.url, ann);
    await page.getByRole("button", { name: "Resign" }).click();
    await page.getByText("the game ends, and is lost").waitFor();
    await page.locator('dialog [data-do="yes"]').click();
    await page
      .getByRole("heading", {
        name: "Bob wins the game, since you resigned.",
      })
      .waitFor();
    await page.reload();
    await page.locator(".result").waitFor();
    await page.getByRole("img", { name: "Connection: Live" }).waitFor();
    assert.equal(others.length, 1);
    await context.close();
  });

  test("a knock waits in its dialog while the table may be out of date", async () => {
    const { ann } = await readyToKnock(service.url);
    const { page, context } = await someone();
    await sitDown(page, service.url, ann);
    await page.locator('.actions [data-do="knock"]').click();
    await context.setOffline(true);
    const out = page.locator('dialog [data-do="out"]');
    await page.locator("dialog").getByText("not up to date yet").waitFor();
    await out.dispatchEvent("click");
    await context.setOffline(false);
    await page.locator('dialog [data-do="out"].main').click();
    await page.locator(".story", { hasText: "You knocked with 2." }).waitFor();
    await context.close();
  });

  test("whoever is invited reads by whom, and sits down first", async () => {
    const ann = await call(service.url, "games", {
      body: { name: "Ann", visibility: "private" },
    });
    const { page, context } = await someone();
    await page.goto(
      `${service.url}/play/#/game/${ann.game.game_id}?invite=${ann.invite}`,
    );
    await page.getByRole("heading", { name: "Ann invites you" }).waitFor();
    assert.equal(await page.locator(".share").count(), 0);
    await context.close();
  });

  test("who goes away before the answer comes is not fetched back", async () => {
    const ann = await call(service.url, "games", {
      body: { name: "Ann", visibility: "private" },
    });
    const { page, context } = await someone();
    await page.goto(
      `${service.url}/play/#/game/${ann.game.game_id}?invite=${ann.invite}`,
    );
    /** @type {() => void} */
    let answer = () => {};
    const held = new Promise((resolve) => (answer = () => resolve(null)));
    await page.route("**/players", async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole("button", { name: "Sit down" }).click();
    await page.getByRole("link", { name: "Oklahoma Gin" }).click();
    await page.getByRole("heading", { name: "Play now" }).waitFor();
    /** @type {string[]} */
    const streams = [];
    page.on("request", (request) => {
      if (/\/stream\?/.test(request.url())) streams.push(request.url());
    });
    answer();
    await page
      .getByRole("region", { name: "Your games" })
      .getByText("not dealt yet")
      .waitFor({ timeout: 20_000 });
    assert.deepEqual(streams, []);
    await context.close();
  });

  test("a game with a friend at the table is called off only when that is meant", async () => {
    const { ann } = await twoSeats(service.url);
    const { page, context } = await someone();
    await sitDown(page, service.url, ann);
    await page.getByRole("button", { name: "Call the game off" }).click();
    await page.getByRole("button", { name: "Keep it" }).click();
    await page.getByRole("button", { name: "Deal the first round" }).waitFor();
    await context.close();
  });

  test("how the game goes is told before it and during it", async () => {
    const { ann } = await inPhase(service.url, "draw");
    const { page, context } = await someone();
    await page.goto(`${service.url}/play/`);
    await page.getByRole("button", { name: "How to play" }).click();
    await page.getByText("Melds are three or four cards").waitFor();
    await sitDown(page, service.url, ann);
    await page.reload();
    await page.locator(".story", { hasText: "Bob passed." }).waitFor();
    await page.getByRole("button", { name: "Rules" }).click();
    await page.getByText("Melds are three or four cards").waitFor();
    await context.close();
  });
});

describe("a reload", () => {
  /** @type {[import("./scenes.js").Phase, string][]} */
  const PHASES = [
    ["offer", '.actions [data-do="pass"]:not([aria-disabled])'],
    [
      "passed",
      '.actions [data-do="pass"][aria-disabled], .actions [data-do="stock"][aria-disabled]',
    ],
    ["draw", '.actions [data-do="stock"]:not([aria-disabled])'],
    ["discard", ".hand .drawn"],
    ["their turn", '.actions [data-do="throw"][aria-disabled]'],
    ["layoff", '.answer [data-do="bestAnswer"]'],
    ["result", '.result [data-do="deal"]'],
  ];
  for (const [phase, sign] of PHASES) {
    test(`finds the table as it was: ${phase}`, async () => {
      const { ann } = await inPhase(service.url, phase);
      const { page, context } = await someone();
      await sitDown(page, service.url, ann);
      await page.locator(sign).first().waitFor();
      await page.locator(".story li").first().waitFor();
      const seen = await page.locator("main").innerText();
      await page.reload();
      await page.locator(sign).first().waitFor();
      await page.locator(".story li").first().waitFor();
      assert.equal(await page.locator("main").innerText(), seen);
      await context.close();
    });
  }

  test("before the deal and after the game", async () => {
    const waiting = await twoSeats(service.url);
    const finished = await inPhase(service.url, "result", { target_score: 1 });
    for (const [{ ann }, sign] of /** @type {const} */ ([
      [waiting, "deal"],
      [finished, "rematch"],
    ])) {
      const { page, context } = await someone();
      await sitDown(page, service.url, ann);
      await page.locator(`[data-do="${sign}"]`).waitFor();
      await page.reload();
      await page.locator(`[data-do="${sign}"]`).waitFor();
      await context.close();
    }
  });
});

/** Runs in the page: streams bring what they begin with, and then nothing. */
function silentAfterTheFirstWord() {
  const real = window.fetch;
  window.fetch = async (...asked) => {
    const answer = await real(...asked);
    if (!`${asked[0]}`.includes("/stream") || !answer.body) return answer;
    const first = await answer.body.getReader().read();
    const start = (/** @type {ReadableStreamDefaultController} */ to) =>
      to.enqueue(first.value);
    return new Response(new ReadableStream({ start }));
  };
}

describe("a bad network", () => {
  test("a store that lost what was shown is believed, without a hail of requests", async () => {
    const { ann, others } = await inPhase(service.url, "draw");
    const path = `games/${ann.game.game_id}`;
    const earlier = await call(service.url, path, { token: ann.token });
    await move(service.url, ann, "draw", { source: "stock" });
    await move(service.url, ann, "discard", { card: "2C" });
    const { page, context } = await someone();
    await page.route("**/stream?**", (route) => route.abort("failed"));
    await sitDown(page, service.url, ann);
    await page.getByRole("img", { name: "Connection: Connected" }).waitFor();
    await page
      .getByText(`${others[0]?.game.players[1].name} is to move.`)
      .waitFor();
    let asked = 0;
    const lost = {
      events: [],
      first_version: 1,
      version: earlier.version,
      game: earlier,
    };
    await page.route("**/events?**", (route) => {
      asked += 1;
      return route.fulfill({ json: lost });
    });
    await page.route(`**/${path}?**`, (route) =>
      route.fulfill({ json: earlier }),
    );
    await page.route(`**/${path}`, (route) => route.fulfill({ json: earlier }));
    // The request that waits already is answered by this.
    await move(service.url, /** @type {any} */ (others[0]), "draw", {
      source: "stock",
    });
    await lit(page, "Draw").waitFor();
    assert.ok(asked < 10, `${asked}`);
    await context.close();
  });

  test("a move whose answer is lost is sent again and counts once", async () => {
    const { ann } = await inPhase(service.url, "draw");
    const { page, context } = await someone();
    await sitDown(page, service.url, ann);
    await lit(page, "Draw").waitFor();
    let lost = 0;
    await page.route("**/draw", async (route) => {
      if (lost++ > 0) return route.continue();
      await route.fetch();
      return route.abort("connectionreset");
    });
    await lit(page, "Draw").click();
    await page.locator("main:not([aria-busy]) .hand .drawn").waitFor();
    assert.equal(lost, 2);
    const events = await soundLog(ann.game.game_id, ann.token);
    assert.equal(events.filter((event) => event.type === "drew").length, 1);
    await context.close();
  });

  test("a move made before a reload gets its answer after it", async () => {
    const { ann } = await inPhase(service.url, "draw");
    const { page, context } = await someone();
    await sitDown(page, service.url, ann);
    await lit(page, "Draw").waitFor();
    await page.route("**/draw", (route) => route.abort("connectionreset"));
    await lit(page, "Draw").click();
    await page.getByText("your move is sent again").waitFor();
    await page.unroute("**/draw");
    await page.reload();
    await page.locator(".hand .drawn").waitFor();
    const events = await soundLog(ann.game.game_id, ann.token);
    assert.equal(events.filter((event) => event.type === "drew").length, 1);
    await context.close();
  });

  test("offline nothing is offered, and back again the table is what it is now", async () => {
    const { ann, others } = await inPhase(service.url, "their turn");
    const { page, context } = await someone();
    await sitDown(page, service.url, ann);
    await hand(page).waitFor();
    await context.setOffline(true);
    await page.getByText("Offline.").waitFor();
    const bob = /** @type {import("./scenes.js").Seated} */ (others[0]);
    await move(service.url, bob, "draw", { source: "stock" });
    await move(service.url, bob, "discard", { card: "8C" });
    await page.locator('.actions [data-do="stock"]').dispatchEvent("click");
    await context.setOffline(false);
    await lit(page, "Draw").waitFor();
    assert.equal(
      await page.locator(".slot .top").getAttribute("data-card"),
      "8C",
    );
    await soundLog(ann.game.game_id, ann.token);
    await context.close();
  });

  test("what a bot does comes with the answer to one's own move", async () => {
    const ann = await call(service.url, "games", {
      body: { name: "Ann", bots: [{ level: "easy" }], deal: true },
    });
    const { page, context } = await someone();
    await page.addInitScript(silentAfterTheFirstWord);
    await sitDown(page, service.url, ann);
    await moment(page);
    await page.locator(".story li").first().waitFor();
    /** @type {string[]} */
    const asked = [];
    page.on("request", (request) => asked.push(request.url()));
    while ((await turn(page)) !== "throw");
    await page
      .locator(".story", { hasText: /bot (threw|knocked|went)/ })
      .waitFor();
    assert.deepEqual(
      asked.filter((url) => !/\/(pass|draw|discard)$/.test(url)),
      [],
    );
    await context.close();
  });

  test("without a stream the page asks and waits", async () => {
    const { ann, others } = await inPhase(service.url, "their turn");
    const { page, context } = await someone();
    await page.route("**/stream?**", (route) => route.abort("failed"));
    await sitDown(page, service.url, ann);
    await page.getByRole("img", { name: "Connection: Connected" }).waitFor();
    const bob = /** @type {import("./scenes.js").Seated} */ (others[0]);
    await move(service.url, bob, "draw", { source: "stock" });
    await move(service.url, bob, "discard", { card: "8C" });
    await lit(page, "Draw").click();
    await page.locator(".hand .drawn").waitFor();
    await context.close();
  });

  test("two tabs on one seat: the second is up to date, and no move is made twice", async () => {
    const { ann } = await inPhase(service.url, "draw");
    const { page, context } = await someone();
    const other = await context.newPage();
    await sitDown(page, service.url, ann);
    await sitDown(other, service.url, ann);
    await Promise.all([
      lit(page, "Draw").waitFor(),
      lit(other, "Draw").waitFor(),
    ]);
    await Promise.all(
      [page, other].map((each) =>
        each.locator('.actions [data-do="stock"]').dispatchEvent("click"),
      ),
    );
    await Promise.all(
      [page, other].map((each) => each.locator(".hand .drawn").waitFor()),
    );
    const events = await soundLog(ann.game.game_id, ann.token);
    assert.equal(events.filter((event) => event.type === "drew").length, 1);
    await context.close();
  });
});

describe("four seats", () => {
  test("a round with two bots and another person", async () => {
    const { ann, others } = await fourSeats(service.url);
    const cleo = /** @type {import("./scenes.js").Seated} */ (others[0]);
    const [one, two] = await Promise.all([someone(), someone()]);
    await Promise.all([
      sitDown(one.page, service.url, ann),
      sitDown(two.page, service.url, cleo),
    ]);
    for (let turns = 0; turns < MOST_TURNS; turns++) {
      const page = await Promise.race(
        [one.page, two.page].map((each) => moment(each).then(() => each)),
      );
      if ((await turn(page)) === "result") break;
    }
    assert.equal(await one.page.locator(".result .hands article").count(), 4);
    await soundLog(ann.game.game_id, ann.token);
    await Promise.all([one.context.close(), two.context.close()]);
  });
});

describe("going out", () => {
  test("with melds of one's own choice", async () => {
    const { ann } = await readyToKnock(service.url);
    const { page, context } = await someone();
    await sitDown(page, service.url, ann);
    await page.locator('.actions [data-do="knock"]').click();
    await page.route("**/analysis/**", (route) => route.abort("failed"));
    await page.getByRole("button", { name: "Choose the melds myself" }).click();
    await page.locator('.choices [aria-pressed="true"]').first().click();
    const out = page.locator('dialog [data-do="out"]');
    assert.equal(await out.getAttribute("aria-disabled"), "true");
    await out.dispatchEvent("click");
    await page
      .locator("dialog")
      .getByText(/^Name other melds/)
      .waitFor();
    await page.locator('.choices [aria-pressed="false"]').first().click();
    await page.locator('dialog [data-do="out"]').click();
    await page.locator(".story", { hasText: "You knocked with 2." }).waitFor();
    await context.close();
  });

  test("a layoff is dragged onto the knocker's meld, and what goes there later waits", async () => {
    const { ann } = await inPhase(service.url, "layoff");
    const { page, context } = await someone();
    await sitDown(page, service.url, ann);
    const run = page.locator('.answer .target:has([data-card="TD"])');
    await hand(page).locator('[data-card="6D"]').click();
    await run.dispatchEvent("click");
    await page
      .locator(".prompt", { hasText: "goes there after the 7♦" })
      .waitFor();
    await drag(page, hand(page).locator('[data-card="7D"]'), run);
    await drag(page, hand(page).locator('[data-card="6D"]'), run);
    await page.getByRole("button", { name: "Send 2 layoffs, 4 left" }).click();
    await page.getByRole("heading", { name: "Bob wins the round" }).waitFor();
    await page.getByRole("cell", { name: "Deadwood of Ann" }).waitFor();
    await context.close();
  });
});

describe("an answer to a knock", () => {
  test("with melds of one's own choice beside the layoffs", async () => {
    const { ann } = await inPhase(service.url, "layoff");
    const { page, context } = await someone();
    await sitDown(page, service.url, ann);
    await page.getByRole("button", { name: "Choose the melds myself" }).click();
    const hearts = page.locator('.choices .on:has([data-card="TH"])');
    await hearts.waitFor();
    await hand(page).locator('[data-card="7D"]').click();
    await page.locator(".answer .target.lit").click();
    await hearts.click();
    await page
      .getByRole("button", { name: "Send 1 layoff and my melds, 39 left" })
      .click();
    await page
      .getByRole("article", { name: "Hand of Ann" })
      .getByText("39 left")
      .waitFor();
    await context.close();
  });

  test("is the service's choice again after a second thought", async () => {
    const { ann } = await inPhase(service.url, "layoff");
    const { page, context } = await someone();
    await sitDown(page, service.url, ann);
    await page.getByRole("button", { name: "Choose the melds myself" }).click();
    await page.locator(".choices").waitFor();
    await page.getByRole("button", { name: "The best melds" }).click();
    await page.locator(".choices").waitFor({ state: "detached" });
    await page.getByRole("button", { name: /^Best: lay off/ }).click();
    await page.getByText("4 left").first().waitFor();
    await context.close();
  });
});

describe("a text of one's own", () => {
  test("is mixed into the shuffle at the table and when sitting down, and found again", async () => {
    const [ann, bob] = await Promise.all([someone(), someone()]);
    await ann.page.goto(`${service.url}/play/#/new`);
    await ann.page.getByRole("button", { name: "Open the table" }).click();
    await mixes(ann.page, "rain on the roof", "Mix it in");
    await ann.page
      .getByText("Mixed in so far: rain on the roof")
      .waitFor({ state: "attached" });
    await bob.page.goto(
      await ann.page.getByLabel("Send this link").inputValue(),
    );
    await mixes(bob.page, "<i>four</i> geese", "Sit down");
    await bob.page
      .getByRole("button", { name: "Deal the first round" })
      .click();
    await hand(bob.page).waitFor();
    const gameId = gameOf(bob.page);
    const token = await tokenOf(bob.page, gameId);
    await call(service.url, `games/${gameId}/resign`, { token, body: {} });
    for (const [{ page }, text] of /** @type {const} */ ([
      [ann, "rain on the roof"],
      [bob, "<i>four</i> geese"],
    ])) {
      await page.getByRole("button", { name: "Check the shuffle" }).click();
      const found = page.locator(".findings .good", { hasText: text });
      await found.waitFor();
    }
    await Promise.all([ann.context.close(), bob.context.close()]);
  });
});

/**
 * @param {Page} page
 * @param {string} text
 * @param {string} then
 */
async function mixes(page, text, then) {
  await page.getByText("A text of your own for the shuffle").click();
  await page.getByLabel("Anything").fill(text);
  await page.getByRole("button", { name: then }).click();
}

/**
 * @param {Page} page
 * @param {import("playwright-core").Locator} from
 * @param {import("playwright-core").Locator} to
 */
async function drag(page, from, to) {
  const [start, end] = await Promise.all([
    from.boundingBox(),
    to.boundingBox(),
  ]);
  assert.ok(start && end);
  await page.mouse.move(start.x + 12, start.y + 30);
  await page.mouse.down();
  await page.mouse.move(start.x + 40, start.y - 10, { steps: 3 });
  await page.mouse.move(
    end.x + Math.min(end.width / 2, 8),
    end.y + end.height / 2,
    { steps: 4 },
  );
  await page.mouse.up();
}

describe("by hand", () => {
  test("cards are rearranged and thrown by drag, and drawn by drag", async () => {
    const { ann } = await inPhase(service.url, "draw");
    const { page, context } = await someone();
    await sitDown(page, service.url, ann);
    await lit(page, "Draw").waitFor();
    const cards = hand(page).locator("[data-card]");
    const last = await cards.last().getAttribute("data-card");
    await drag(page, cards.last(), cards.first());
    await page.waitForFunction(
      (card) =>
        document
          .querySelector(".hand [data-card]")
          ?.getAttribute("data-card") === card,
      last,
    );
    await drag(page, page.locator('[data-place="stock"]'), hand(page));
    await page.locator(".hand .drawn").waitFor();
    await drag(
      page,
      hand(page).locator('[data-card="2C"]'),
      page.locator(".slot"),
    );
    await page.locator('.slot .top[data-card="2C"]').waitFor();
    await context.close();
  });

  test("what may not be done says why", async () => {
    const { ann } = await inPhase(service.url, "discard");
    const { page, context } = await someone();
    await sitDown(page, service.url, ann);
    await page.locator(".hand .drawn").waitFor();
    await page.locator('.actions [data-do="stock"]').dispatchEvent("click");
    await page.locator(".prompt", { hasText: "You have drawn" }).waitFor();
    await page.locator('.actions [data-do="knock"]').dispatchEvent("click");
    await page
      .locator(".prompt", { hasText: "To knock you may keep 10 at most" })
      .waitFor();
    await context.close();
  });
});
