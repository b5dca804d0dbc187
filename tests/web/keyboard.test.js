/** The web table by keyboard alone: nothing here presses or moves a pointer. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { person, sitDown, startBrowser, startService } from "./harness.js";
import { hand, moment } from "./playing.js";
import { inPhase, move, readyToKnock } from "./scenes.js";

/** @typedef {import("playwright-core").Page} Page */

const MOST_TABS = 40;
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
 * @param {string | RegExp} text
 */
async function heard(page, text) {
  const voice = page.locator("#voice");
  const said = voice.getByText(text).first();
  await said.waitFor({ state: "attached" }).catch(async () => {
    assert.fail(`"${text}" was not said, but:\n${await voice.innerText()}`);
  });
}

/**
 * @param {Page} page
 * @param {string} selector
 */
async function enter(page, selector) {
  await tabTo(page, selector);
  await page.keyboard.press("Enter");
}

/**
 * Plays whatever is to be played now.
 * @param {Page} page
 * @returns {Promise<string>} what was done
 */
async function turn(page) {
  const now = await moment(page);
  await focused(page, now);
  if (now === "pass") await enter(page, '[data-do="pass"]');
  else if (now === "draw") await onCards(page, "d");
  else if (now === "answer") await enter(page, '[data-do="bestAnswer"]');
  else if (now === "throw") await throwOrKnock(page);
  return now;
}

/** @param {Page} page @param {string} key pressed while a card has the focus */
async function onCards(page, key) {
  await tabTo(page, ".hand [data-card]");
  await page.keyboard.press(key);
}

/** @param {Page} page */
async function throwOrKnock(page) {
  if (await page.locator('.actions [data-do="knock"].out').count()) {
    await onCards(page, "k");
    return enter(page, 'dialog [data-do="out"]');
  }
  await onCards(page, "End");
  return page.keyboard.press("x");
}

/**
 * What has the focus is never lost.
 * @param {Page} page
 * @param {string} when
 */
async function focused(page, when) {
  const place = await page.evaluate(() => document.activeElement?.nodeName);
  assert.ok(place !== "BODY", `nothing has the focus: ${when}`);
}

test("a whole game, from the first screen to the rematch", async () => {
  const { page, context } = await person(browser);
  await page.goto(`${service.url}/play/`);
  await tabTo(page, 'input[name="name"]');
  await page.keyboard.type("Ann");
  await enter(page, 'button[value="easy"]');
  let rounds = 0;
  for (let turns = 0; turns < MOST_TURNS; turns++) {
    if ((await turn(page)) !== "result") continue;
    rounds++;
    await heard(page, /knocked with|gin|void|dead/);
    if (await page.locator('[data-do="rematch"]').count()) break;
    await enter(page, '[data-do="deal"]');
    await heard(page, `dealt round ${rounds + 1}`);
  }
  await heard(page, /wins? the game/);
  await enter(page, '[data-do="score"]');
  await page.locator("dialog table").waitFor();
  await page.keyboard.press("Escape");
  await focused(page, "the score sheet was closed");
  const first = page.url();
  await enter(page, '[data-do="rematch"]');
  await page.waitForURL((url) => url.href !== first);
  await page.locator('[data-do="deal"]').waitFor();
  await focused(page, "the rematch");
  await enter(page, '[data-do="deal"]');
  await hand(page).waitFor();
  await focused(page, "the rematch was dealt");
  await context.close();
});

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
