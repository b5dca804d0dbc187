import type { components } from "./contract.js";

declare global {
  type Schemas = components["schemas"];
  type View = Schemas["Game"];
  type Round = Schemas["Round"];
  type RoundResult = Schemas["RoundResult"];
  type GameEvent = Schemas["Event"];
  type LaidHand = Schemas["LaidHand"];
  type Layoff = Schemas["Layoff"];
  type Card = string;
  type Meld = Card[];
  /** The generator takes a default for a promise, and a request may leave it out. */
  type NewGame = Partial<Schemas["CreateGameRequest"]> & { name: string };

  /** A line of a stream: an event, a snapshot or a reconnect; the last of a commit has the game. */
  type Told = GameEvent & { game?: View };

  /** What opens a game: a seat's token, or the invite of a private game that one looks at. */
  type Access = { token?: string; invite?: string };

  /** A place of the table that a card flies from or to. */
  type Place = string;
}
