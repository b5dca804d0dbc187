/** Where the page begins: the address says which screen is shown. */

import { HomeScreen } from "./home.js";
import { NewGameScreen } from "./newgame.js";
import { habits } from "./kept.js";
import { listen, show } from "./page.js";
import { GameScreen } from "./game.js";

/** @returns {import("./page.js").Screen} the screen that the address names */
function screenOf() {
  const [path = "", query] = location.hash.slice(1).split("?");
  const [, first, gameId] = path.split("/");
  if (first === "game" && gameId) {
    return new GameScreen(
      decodeURIComponent(gameId),
      new URLSearchParams(query).get("invite") ?? undefined,
    );
  }
  return first === "new" ? new NewGameScreen() : new HomeScreen();
}

const { theme, deck } = habits();
document.documentElement.dataset.theme = theme;
document.documentElement.dataset.deck = deck;
listen();
addEventListener("hashchange", () => show(screenOf()));
show(screenOf());
