/** The web table for everyone: screen readers, zoom, a strict policy, small files. */

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
import { fourSeats, inPhase, readyToKnock, twoSeats } from "./scenes.js";

/** @typedef {import("playwright-core").Page} Page */

const PAGE = join(ROOT, "clients/web/page");
const MOST_BYTES = 100 * 1024;

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

describe("axe finds nothing", () => {
  /** @type {Record<string, (page: Page) => Promise<unknown>>} */
  const SCREENS = {
    home: (page) => page.goto(`${service.url}/play/`),
    "new game": async (page) => {
      await page.goto(`${service.url}/play/#/new`);
      await page.getByText("Every rule, one by one").click();
    },
    room: async (page) => {
      await sitDown(page, service.url, (await twoSeats(service.url)).ann);
      await page.getByText("A text of your own for the shuffle").click();
    },
    draw: async (page) =>
      sitDown(page, service.url, (await inPhase(service.url, "draw")).ann),
    knock: async (page) => {
      await sitDown(page, service.url, (await readyToKnock(service.url)).ann);
      await page.locator('.actions [data-do="knock"]').click();
    },
    layoff: async (page) => {
      await sitDown(
        page,
        service.url,
        (await inPhase(service.url, "layoff")).ann,
      );
      await page
        .getByRole("button", { name: "Choose the melds myself" })
        .click();
      await page.locator(".choices button").first().waitFor();
    },
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

test("at 200 % zoom the piles and the hand are seen together", async () => {
  const { ann } = await inPhase(service.url, "discard");
  const viewport = { width: 640, height: 400 };
  const { page, context } = await person(browser, { viewport });
  await sitDown(page, service.url, ann);
  await hand(page).waitFor();
  for (const place of [page.locator(".slot"), hand(page)]) {
    const box = await place.boundingBox();
    assert.ok(box && box.y >= 0 && box.y + box.height <= viewport.height);
    const uncovered = await place.evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const seen = document.elementFromPoint(
        left + width / 2,
        top + height / 2,
      );
      return element.contains(seen);
    });
    assert.ok(uncovered);
  }
  await context.close();
});

test("every module is asked for at once, and none that is not needed", async () => {
  const { page, context } = await person(browser);
  /** @type {string[]} */
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(`${service.url}/play/`);
  await page.getByRole("heading", { name: "Play now" }).waitFor();
  const named = await page.evaluate(() =>
    [...document.querySelectorAll('link[rel="modulepreload"]')].map(
      (link) => /** @type {HTMLLinkElement} */ (link).href,
    ),
  );
  const modules = asked.filter((url) => url.endsWith(".js"));
  assert.deepEqual([...new Set(modules)].length, modules.length);
  assert.deepEqual(
    [...named, `${service.url}/play/main.js`].sort(),
    modules.sort(),
  );
  assert.equal(
    modules.length,
    readdirSync(PAGE).filter((file) => file.endsWith(".js")).length,
  );
  await context.close();
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
