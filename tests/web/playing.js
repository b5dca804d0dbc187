/** A simple player, who sees what a person sees and presses what a person presses. */

/** @typedef {import("playwright-core").Page} Page */

const LIT = '.actions button:not([aria-disabled="true"])';

/** @param {Page} page */
export const hand = (page) => page.getByRole("listbox", { name: "Your hand" });

/** @param {Page} page @param {string} name */
export const lit = (page, name) => page.locator(LIT, { hasText: name }).first();

/**
 * Waits until it is this player's time to do something, and says what.
 * @param {Page} page
 * @returns {Promise<"pass" | "draw" | "throw" | "answer" | "result">}
 */
export async function moment(page) {
  const found = await page.waitForFunction(() => {
    const seen = (/** @type {string} */ selector) =>
      document.querySelector(selector) !== null;
    const can = (/** @type {string} */ name) =>
      seen(`.actions [data-do="${name}"]:not([aria-disabled])`);
    if (document.querySelector("main")?.hasAttribute("aria-busy")) return false;
    if (seen(".result")) return "result";
    if (seen(".answer")) return "answer";
    if (can("pass")) return "pass";
    if (can("stock")) return "draw";
    return document.querySelectorAll(".hand [data-card]:not(.barred)").length >
      0 &&
      seen(".prompt.turn") &&
      !can("take") &&
      document.querySelectorAll(".hand [data-card]").length % 3 === 2
      ? "throw"
      : false;
  });
  return /** @type {any} */ (await found.jsonValue());
}

/**
 * Plays whatever is to be played now.
 * @param {Page} page
 * @returns {Promise<string>} what was done
 */
export async function turn(page) {
  const now = await moment(page);
  if (now === "pass") await lit(page, "Pass").click();
  else if (now === "draw") await lit(page, "Draw").click();
  else if (now === "answer")
    await page.locator('[data-do="bestAnswer"]').click();
  else if (now === "throw") await throwOrKnock(page);
  return now;
}

/** @param {Page} page */
async function throwOrKnock(page) {
  const knock = page.locator('.actions [data-do="knock"]:not([aria-disabled])');
  if (await knock.count()) {
    await knock.click();
    await page.locator('dialog [data-do="out"]').click();
    return;
  }
  await highest(page).click();
  await lit(page, "Throw").click();
}

/** @param {Page} page the last card of the hand sorted by melds: the highest deadwood */
const highest = (page) => hand(page).locator("[data-card]:not(.barred)").last();
