/** The web table for everyone: keyboard alone, screen readers, zoom, a strict policy, small files. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import {
  AXE,
  person,
  ROOT,
  sitDown,
  startBrowser,
  startService,
} from "./harness.js";
import { hand } from "./playing.js";
import { fourSeats, inPhase, move, readyToKnock, twoSeats } from "./scenes.js";

/** @typedef {import("playwright-core").Page} Page */

const PAGE = join(ROOT, "clients/web/page");
const MOST_BYTES = 100 * 1024;
const MOST_TABS = 40;

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

/**
 * Presses Tab until the element that a selector names has the focus.
 * @param {Page} page
 * @param {string} selector
 */
async function tabTo(page, selector) {
  for (let tabs = 0; tabs < MOST_TABS; tabs++) {
    if (
      await page.evaluate(
        (wanted) => document.activeElement?.matches(wanted),
        selector,
      )
    )
      return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`Tab does not come to ${selector}`);
}

/**
 * Waits until something has been said.
 * @param {Page} page
 * @param {string} text
 */
async function heard(page, text) {
  const voice = page.locator("#voice");
  const said = voice.getByText(text);
  await said.waitFor({ state: "attached" }).catch(async () => {
    assert.fail(`"${text}" was not said, but:\n${await voice.innerText()}`);
  });
}

test("a turn by keyboard alone, and what happens is said", async () => {
  const { ann, others } = await inPhase(service.url, "offer");
  const bob = /** @type {import("./scenes.js").Seated} */ (others[0]);
  const { page, context } = await person(browser);
  await sitDown(page, service.url, ann);
  await hand(page).waitFor();
  await tabTo(page, '[data-do="pass"]');
  await page.keyboard.press("Enter");
  await heard(page, "You passed.");
  await move(service.url, bob, "pass");
  await page
    .locator('.actions [data-do="stock"]:not([aria-disabled])')
    .waitFor();
  await page.keyboard.press("Shift+Tab");
  await tabTo(page, ".hand [data-card]");
  await page.keyboard.press("d");
  await heard(page, "You drew the 2 of clubs.");
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  const second = await page.evaluate(() =>
    document.activeElement?.getAttribute("data-card"),
  );
  assert.equal(
    await hand(page).locator("[data-card]").nth(1).getAttribute("data-card"),
    second,
  );
  await page.keyboard.press("Control+ArrowLeft");
  assert.equal(
    await hand(page).locator("[data-card]").first().getAttribute("data-card"),
    second,
  );
  assert.equal(
    await page.evaluate(() =>
      document.activeElement?.getAttribute("data-card"),
    ),
    second,
  );
  await page.keyboard.press("Enter");
  assert.equal(
    await hand(page)
      .locator('[aria-selected="true"]')
      .getAttribute("data-card"),
    second,
  );
  await page.keyboard.press("x");
  await page.locator(`.slot .top[data-card="${second}"]`).waitFor();
  await heard(page, "You threw the");
  await context.close();
});

test("a hand is laid down by keyboard alone, after a second thought", async () => {
  const { ann } = await readyToKnock(service.url);
  const { page, context } = await person(browser);
  await sitDown(page, service.url, ann);
  await hand(page).waitFor();
  await tabTo(page, '[data-do="knock"]');
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await tabTo(page, '[data-do="knock"]');
  await page.keyboard.press("Enter");
  await tabTo(page, '[data-do="out"]');
  await page.keyboard.press("Enter");
  await heard(page, "You knocked with 2.");
  await context.close();
});

describe("axe finds nothing", () => {
  /** @type {Record<string, (page: Page) => Promise<unknown>>} */
  const SCREENS = {
    home: (page) => page.goto(`${service.url}/play/`),
    "new game": async (page) => {
      await page.goto(`${service.url}/play/#/new`);
      await page.getByText("Every rule, one by one").click();
    },
    room: async (page) =>
      sitDown(page, service.url, (await twoSeats(service.url)).ann),
    draw: async (page) =>
      sitDown(page, service.url, (await inPhase(service.url, "draw")).ann),
    knock: async (page) => {
      await sitDown(page, service.url, (await readyToKnock(service.url)).ann);
      await page.locator('.actions [data-do="knock"]').click();
    },
    layoff: async (page) =>
      sitDown(page, service.url, (await inPhase(service.url, "layoff")).ann),
    result: async (page) =>
      sitDown(page, service.url, (await inPhase(service.url, "result")).ann),
    "four seats": async (page) =>
      sitDown(page, service.url, (await fourSeats(service.url)).ann),
  };
  for (const [name, show] of Object.entries(SCREENS)) {
    test(name, async () => {
      for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
        const { page, context } = await person(browser, {
          colorScheme,
          bypassCSP: true,
        });
        await show(page);
        await page.locator("main:not([aria-busy])").waitFor();
        await page.addScriptTag({ path: AXE });
        const found = await page.evaluate(async () => {
          const { violations } = await /** @type {any} */ (window).axe.run(
            document,
          );
          return violations.flatMap((/** @type {any} */ each) =>
            each.nodes.map(
              (/** @type {any} */ node) =>
                `${each.id}: ${node.html} ${node.failureSummary}`,
            ),
          );
        });
        assert.deepEqual(found, [], colorScheme);
        await context.close();
      }
    });
  }
});

test("at 200 % zoom, and on a narrow phone, nothing is cut off sideways", async () => {
  const { ann } = await inPhase(service.url, "discard");
  for (const viewport of [
    { width: 640, height: 400 },
    { width: 320, height: 568 },
  ]) {
    const { page, context } = await person(browser, { viewport });
    await sitDown(page, service.url, ann);
    await hand(page).waitFor();
    assert.ok(
      await page.evaluate(
        () => document.documentElement.scrollWidth <= innerWidth,
      ),
      `${viewport.width}`,
    );
    for (const control of await page
      .locator(".actions button, .hand [data-card]")
      .all()) {
      const box = await control.boundingBox();
      assert.ok(box && box.x >= -1 && box.x + box.width <= viewport.width + 1);
    }
    await context.close();
  }
});

test("the page is served with a strict policy, kept by browsers, and small", async () => {
  const { page, context } = await person(browser);
  /** @type {string[]} */
  const complaints = [];
  page.on(
    "console",
    (message) => message.type() === "error" && complaints.push(message.text()),
  );
  const answer = await page.goto(`${service.url}/play`);
  const policy = answer?.headers()["content-security-policy"] ?? "";
  assert.doesNotMatch(policy, /unsafe|\*|data:/);
  assert.match(policy, /require-trusted-types-for 'script'/);
  await page.getByRole("heading", { name: "Play now" }).waitFor();
  assert.deepEqual(complaints, []);
  await context.close();

  const files = readdirSync(PAGE);
  const bytes = files.reduce(
    (sum, file) => sum + gzipSync(readFileSync(join(PAGE, file))).length,
    0,
  );
  assert.ok(bytes < MOST_BYTES, `${bytes} bytes compressed`);
  for (const file of files) {
    const first = await fetch(`${service.url}/play/${file}`);
    assert.equal(first.status, 200, file);
    const again = await fetch(`${service.url}/play/${file}`, {
      headers: { "If-None-Match": first.headers.get("etag") ?? "" },
    });
    assert.equal(again.status, 304, file);
  }
});

test("no file of the page parses markup or writes styles into it", () => {
  for (const file of readdirSync(PAGE).filter((each) => each.endsWith(".js"))) {
    assert.doesNotMatch(
      readFileSync(join(PAGE, file), "utf-8"),
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/,
      file,
    );
  }
});
