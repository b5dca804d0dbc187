/** The real service and a real browser for the tests of the web table. */

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {import("playwright-core").BrowserContext} BrowserContext */

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const tools = createRequire(join(ROOT, "clients/web/package.json"));
/** @type {typeof import("playwright-core")} */
const { chromium } = tools("playwright-core");
export const AXE = tools.resolve("axe-core/axe.min.js");

const START_MILLIS = 30_000;
const WAIT_MILLIS = 15_000;
const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Starts the service over a store of its own, and resolves once it serves. */
export async function startService() {
  const directory = mkdtempSync(join(tmpdir(), "table-"));
  const python = join(ROOT, ".venv/bin/python");
  const child = spawn(python, ["-m", "service"], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATA_DIR: directory,
      PORT: "0",
      SANDBOX: "1",
      WEB_CONCURRENCY: "1",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  /** @type {Promise<string>} */
  const serving = new Promise((resolve, reject) => {
    const late = setTimeout(
      () => reject(new Error(`The service did not start:\n${said}`)),
      START_MILLIS,
    );
    const listen = (/** @type {Buffer} */ chunk) => {
      said = (said + chunk).slice(-8_000);
      const url = /Serving on (http:\/\/[^\s,]+)/.exec(said)?.[1];
      if (!url) return;
      clearTimeout(late);
      resolve(url);
    };
    child.stdout.on("data", listen);
    child.stderr.on("data", listen);
    child.once("exit", () => reject(new Error(`The service ended:\n${said}`)));
  });
  const stop = async () => {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    if (child.exitCode === null && child.kill("SIGTERM")) await ended;
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    return { url: await serving, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts Debian's Chromium, or the one that CHROMIUM names. */
export function startBrowser() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: FLAGS,
  });
}

/**
 * A browser of its own for one person; errors of the page end the test.
 * @param {import("playwright-core").Browser} browser
 * @param {import("playwright-core").BrowserContextOptions} [options]
 */
export async function person(browser, options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1000, height: 760 },
    reducedMotion: "reduce",
    ...options,
  });
  context.setDefaultTimeout(WAIT_MILLIS);
  const page = await context.newPage();
  page.on("pageerror", (error) => {
    throw error;
  });
  return { context, page };
}

/**
 * A request to the service, beside the page.
 * @param {string} url
 * @param {string} path
 * @param {object} [options]
 * @param {string} [options.token]
 * @param {unknown} [options.body] makes it a POST
 * @returns {Promise<any>}
 */
export async function call(url, path, { token, body } = {}) {
  const response = await fetch(`${url}/v1/${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      "Content-Type": "application/json",
      ...(token && { Authorization: `Bearer ${token}` }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const content = await response.json();
  if (!response.ok)
    throw new Error(
      `${path}: ${response.status} ${content.code} ${content.detail}`,
    );
  return content;
}

/**
 * Opens a game in a page as the one who sits in a seat.
 * @param {Page} page
 * @param {string} url
 * @param {{game: {game_id: string}, seat: number, token: string}} seated
 */
export async function sitDown(page, url, { game, seat, token }) {
  await page.addInitScript(
    ({ gameId, kept }) => {
      if (localStorage.getItem(`okg.seat.${gameId}`)) return;
      localStorage.setItem(`okg.seat.${gameId}`, JSON.stringify(kept));
      localStorage.setItem("okg.games", JSON.stringify([gameId]));
    },
    {
      gameId: game.game_id,
      kept: { token, seat, name: "", at: 0 },
    },
  );
  await page.goto(`${url}/play/#/game/${game.game_id}`);
}
