// Plays on the guide's page as people do, by its buttons alone: a whole game with a bot, then some
// turns with a friend. The page's address is the first argument.

const { createRequire } = require("node:module");
const { join } = require("node:path");

const tools = createRequire(join(__dirname, "../../clients/web/package.json"));
const { chromium } = tools("playwright-core");

const WAIT_MILLIS = 15_000;
const QUICK_MILLIS = 2_000;
const MOST_MOVES = 3_000;
const FRIENDLY_MOVES = 30;
// What is pressed first where there is a choice.
const LIKED = [/^Gin/, /^Big gin/, /^Knock/, /^Lay off/, /^Deal/, /^Pass/, /stock$/, /^Throw/];

async function open(browser, address) {
  const page = await browser.newPage();
  page.setDefaultTimeout(WAIT_MILLIS);
  page.on("pageerror", (error) => fail(error));
  await page.goto(address);
  return page;
}

function fail(error) {
  console.error(error);
  process.exit(1);
}

const buttons = (page) => page.locator("#buttons button").allTextContents();
const table = (page) => page.locator("#table").textContent();

function preferred(texts) {
  const liked = LIKED.find((each) => texts.some((text) => each.test(text)));
  const offered = texts.filter((text) => liked.test(text));
  const left = (text) => Number(/, (\d+) left/.exec(text)?.[1] ?? 0);
  return offered.sort((one, other) => left(one) - left(other))[0];
}

// The buttons are gone while a move is on its way; what is told of the table changes with each.
async function press(page, text, timeout = WAIT_MILLIS) {
  const before = await table(page);
  await page.getByRole("button", { name: text, exact: true }).click({ timeout });
  await page.waitForFunction(
    (seen) => document.getElementById("table").textContent !== seen,
    before,
    { timeout },
  );
}

async function playBot(browser, address) {
  const page = await open(browser, address);
  await page.getByRole("button", { name: "Play a bot" }).click();
  await page.getByRole("button", { name: "Deal" }).waitFor();
  for (let moves = 0; moves < MOST_MOVES; moves += 1) {
    if ((await table(page)).includes("wins the game")) return againWithBot(page);
    await press(page, preferred(await buttons(page)));
  }
  throw new Error("The game does not end.");
}

async function againWithBot(page) {
  const over = await table(page);
  await press(page, "Rematch");
  await press(page, "Deal");
  await page.reload();
  await page.getByText("Your hand").waitFor();
  return over;
}

async function playFriend(browser, address) {
  const ann = await open(browser, address);
  await ann.getByRole("button", { name: "Play a friend" }).click();
  await ann.getByText("Send your friend this link").waitFor();
  const link = /http\S+/.exec(await ann.locator("#said").textContent())[0];
  const bob = await open(browser, link);
  await bob.getByRole("button", { name: "Deal" }).click();
  await bob.getByText("Your hand").waitFor();
  await bob.reload();
  await bob.getByText("Your hand").waitFor();
  await ann.getByText("Send your friend this link").waitFor({ state: "detached" });
  for (let moves = 0; moves < FRIENDLY_MOVES; moves += 1) await pressAny([ann, bob]);
}

// Whose turn it is shows in whose page has buttons; a page may be redrawn while it is looked at.
async function pressAny(pages) {
  const late = Date.now() + WAIT_MILLIS;
  while (Date.now() < late) {
    for (const page of pages) {
      const text = preferred(await buttons(page));
      const pressed = text && (await press(page, text, QUICK_MILLIS).then(() => true, () => false));
      if (pressed) return;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error("Nobody can move.");
}

async function main(address) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--headless", "--no-sandbox", "--disable-gpu"],
  });
  try {
    console.log(await playBot(browser, address));
    await playFriend(browser, address);
  } finally {
    await browser.close();
  }
}

main(process.argv[2]).catch(fail);
