/** The documentation page as people use it: on a phone, against the service that serves it. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { AXE, person, startBrowser, startService } from "./harness.js";

/** @typedef {import("playwright-core").Page} Page */

const PHONE = { width: 360, height: 640 };

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
async function opened(options) {
  const { page, context } = await person(browser, {
    viewport: PHONE,
    ...options,
  });
  /** @type {string[]} */
  const asked = [];
  /** @type {string[]} */
  const complaints = [];
  page.on("request", (request) => asked.push(request.url()));
  page.on(
    "console",
    (message) => message.type() === "error" && complaints.push(message.text()),
  );
  const answer = await page.goto(`${service.url}/docs`);
  await page.locator(".opblock").first().waitFor();
  return { page, context, asked, complaints, answer };
}

/**
 * Opens an operation, to be tried.
 * @param {Page} page
 * @param {string} id
 */
async function trying(page, id) {
  const operation = page.locator(`.opblock[id$="-${id}"]`);
  await operation.locator(".opblock-summary-control").click();
  await operation.getByRole("button", { name: "Try it out" }).click();
  return operation;
}

/** @param {import("playwright-core").Locator} operation */
async function executed(operation) {
  await operation.getByRole("button", { name: "Execute" }).click();
  const answered = operation.locator(".live-responses-table .response");
  await answered.waitFor();
  const status = await answered.locator(".response-col_status").innerText();
  const body = await answered.locator("code").first().innerText();
  return { status: Number.parseInt(status), body: JSON.parse(body) };
}

/** @param {Page} page */
const sideways = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

describe("the documentation page", () => {
  test("makes a game on the service itself, and each try another one", async () => {
    const { page, context, asked, complaints, answer } = await opened();
    const create = await trying(page, "createGame");
    const [one, other] = [await executed(create), await executed(create)];
    assert.deepEqual([one.status, other.status], [201, 201]);
    assert.notEqual(one.body.game.game_id, other.body.game.game_id);

    const look = await trying(page, "getGame");
    await look
      .locator("tr", { hasText: "game_id" })
      .getByRole("textbox")
      .fill(one.body.game.game_id);
    const seen = await executed(look);
    assert.deepEqual(
      [seen.status, seen.body.game_id],
      [200, one.body.game.game_id],
    );

    assert.deepEqual(
      asked.filter((url) => new URL(url).origin !== service.url),
      [],
    );
    assert.deepEqual(complaints, []);
    assert.doesNotMatch(
      answer?.headers()["content-security-policy"] ?? "",
      /unsafe|\*|http/,
    );
    await context.close();
  });

  test("takes a seat's token, and its moves are the seat's", async () => {
    const { page, context } = await opened();
    const { body } = await executed(await trying(page, "createGame"));
    await page.locator(".btn.authorize").click();
    const lock = page.locator(".auth-container");
    await lock.getByRole("textbox").fill(body.token);
    await lock.getByRole("button", { name: "Apply credentials" }).click();
    await lock.getByRole("button", { name: "Close" }).click();
    const seat = await executed(await trying(page, "getSeat"));
    assert.deepEqual([seat.status, seat.body.seat], [200, 0]);
    await context.close();
  });

  test("a stream is not tried, and no optional field is filled in", async () => {
    const { page, context } = await opened();
    const stream = page.locator('.opblock[id$="-streamGame"]');
    await stream.locator(".opblock-summary-control").click();
    await stream.getByText("curl -N").waitFor();
    assert.equal(
      await stream.getByRole("button", { name: "Try it out" }).count(),
      0,
    );
    const events = await trying(page, "listEvents");
    const filled = await events
      .locator("tr:not(:has(.required)) input")
      .evaluateAll((fields) =>
        fields.flatMap((field) => /** @type {any} */ (field).value || []),
      );
    const contract = await (await fetch(`${service.url}/openapi.json`)).json();
    const defaults = contract.paths["/v1/games/{game_id}/events"].get.parameters
      .map((/** @type {any} */ parameter) => parameter.schema?.default)
      .filter((/** @type {unknown} */ value) => value !== undefined);
    assert.deepEqual(filled.map(Number).sort(), defaults.sort());
    await context.close();
  });

  test("fits a phone, also while something is tried", async () => {
    const { page, context } = await opened();
    assert.equal(await sideways(page), 0);
    const create = await trying(page, "createGame");
    await executed(create);
    assert.equal(await sideways(page), 0);
    const text = await create
      .locator(".opblock-description-wrapper")
      .first()
      .boundingBox();
    assert.ok(text && text.width > PHONE.width * 0.85, `${text?.width}`);
    for (const code of await create.locator(".curl code").all())
      assert.ok(
        await code.evaluate(
          ({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth,
        ),
      );
    await context.close();
  });

  test("axe finds nothing in what is ours", async () => {
    for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
      const { page, context } = await opened({ colorScheme, bypassCSP: true });
      await page.addScriptTag({ path: AXE });
      const found = await page.evaluate(async () => {
        const { violations } = await /** @type {any} */ (window).axe.run({
          exclude: [".swagger-ui"],
        });
        return violations.map(
          (/** @type {any} */ each) => `${each.id}: ${each.nodes[0].html}`,
        );
      });
      assert.deepEqual(found, [], colorScheme);
      await context.close();
    }
  });
});
