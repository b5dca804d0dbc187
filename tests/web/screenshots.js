/** Writes a picture of every phase: phone, desktop and 200 % zoom, light and dark. */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import {
  person,
  ROOT,
  sitDown,
  startBrowser,
  startService,
} from "./harness.js";
import { hand } from "./playing.js";
import {
  fourSeats,
  inPhase,
  readyToKnock,
  twoSeats,
  untilDrawn,
} from "./scenes.js";

/** @typedef {import("playwright-core").Page} Page */

const FOLDER = join(ROOT, "clients/web/screenshots");
const OF_THE_README = join(ROOT, "docs/table.png");
const SIZES = {
  phone: { width: 390, height: 844 },
  desktop: { width: 1280, height: 800 },
  zoomed: { width: 640, height: 400 },
};
const SCHEMES = /** @type {const} */ (["light", "dark"]);

/** @type {Record<string, (page: Page, url: string) => Promise<unknown>>} */
const PICTURES = {
  home: async (page, url) => page.goto(`${url}/play/`),
  "new-game": async (page, url) => {
    await page.goto(`${url}/play/#/new`);
    await page.getByText("Every rule, one by one").click();
  },
  room: async (page, url) => sitDown(page, url, (await twoSeats(url)).ann),
  offer: async (page, url) =>
    sitDown(page, url, (await inPhase(url, "offer")).ann),
  draw: async (page, url) =>
    sitDown(page, url, (await inPhase(url, "draw")).ann),
  discard: async (page, url) => {
    await sitDown(page, url, (await inPhase(url, "discard")).ann);
    await hand(page).locator('[data-card="KC"]').click();
  },
  "their-turn": async (page, url) =>
    sitDown(page, url, (await inPhase(url, "their turn")).ann),
  "may-knock": async (page, url) =>
    sitDown(page, url, (await readyToKnock(url)).ann),
  knock: async (page, url) => {
    await sitDown(page, url, (await readyToKnock(url)).ann);
    await page.locator('.actions [data-do="knock"]').click();
    await page.getByRole("button", { name: "Choose the melds myself" }).click();
    await page.locator(".choices").waitFor();
  },
  layoff: async (page, url) => {
    await sitDown(page, url, (await inPhase(url, "layoff")).ann);
    await hand(page).locator('[data-card="7D"]').click();
  },
  "layoff-begun": async (page, url) => {
    await sitDown(page, url, (await inPhase(url, "layoff")).ann);
    await hand(page).locator('[data-card="7D"]').click();
    await page.locator(".answer .target.lit").click();
    await page.getByRole("button", { name: /left$/ }).last().waitFor();
  },
  "layoff-melds": async (page, url) => {
    await sitDown(page, url, (await inPhase(url, "layoff")).ann);
    await page.getByRole("button", { name: "Choose the melds myself" }).click();
    await page.locator(".choices button").first().waitFor();
  },
  result: async (page, url) =>
    sitDown(page, url, (await inPhase(url, "result")).ann),
  finished: async (page, url) =>
    sitDown(
      page,
      url,
      (
        await inPhase(url, "result", {
          target_score: 1,
          game_bonus: 100,
          box_bonus: 25,
        })
      ).ann,
    ),
  scores: async (page, url) => {
    await sitDown(page, url, (await inPhase(url, "result")).ann);
    await page.getByRole("button", { name: "Score sheet" }).click();
    await page.locator("dialog table").waitFor();
  },
  rules: async (page, url) => {
    await sitDown(page, url, (await inPhase(url, "draw")).ann);
    await page.getByRole("button", { name: "Rules", exact: true }).click();
    await page.locator("dialog dl").waitFor();
  },
  settings: async (page, url) => {
    await page.goto(`${url}/play/`);
    await page.getByRole("button", { name: "Settings" }).click();
  },
  "four-seats": async (page, url) =>
    sitDown(page, url, (await fourSeats(url)).ann),
  watching: async (page, url) =>
    page.goto(`${url}/play/#/game/${(await fourSeats(url)).ann.game.game_id}`),
  offline: async (page, url) => {
    await sitDown(page, url, (await inPhase(url, "discard")).ann);
    await hand(page).waitFor();
    await page.context().setOffline(true);
    await page.getByText("Offline.").waitFor();
  },
  "wrong-link": async (page, url) => page.goto(`${url}/play/#/game/nothing`),
};

/** @param {string} url */
async function picture(url) {
  const { page, context } = await person(browser, {
    viewport: { width: 1100, height: 740 },
    colorScheme: "light",
  });
  const scene = await inPhase(url, "offer");
  await sitDown(page, url, scene.ann);
  await hand(page).waitFor();
  await untilDrawn(url, scene);
  await page.locator("main:not([aria-busy]) .hand .drawn").click();
  await page.mouse.move(0, 0);
  await page.screenshot({ path: OF_THE_README });
  await context.close();
}

const wanted = process.argv.slice(2);
mkdirSync(FOLDER, { recursive: true });
const service = await startService();
const browser = await startBrowser();
try {
  for (const [name, show] of Object.entries(PICTURES)) {
    if (wanted.length && !wanted.includes(name)) continue;
    for (const [size, viewport] of Object.entries(SIZES)) {
      for (const colorScheme of SCHEMES) {
        const { page, context } = await person(browser, {
          viewport,
          colorScheme,
        });
        await show(page, service.url);
        await page.waitForFunction(
          () =>
            !document
              .querySelector('[role="status"]')
              ?.textContent?.includes("…"),
        );
        await page.screenshot({
          path: join(FOLDER, `${name}-${size}-${colorScheme}.png`),
        });
        await context.close();
      }
    }
    console.log(name);
  }
  if (!wanted.length || wanted.includes("table")) await picture(service.url);
} finally {
  await browser.close();
  await service.stop();
}
