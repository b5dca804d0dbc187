"""Players in mid-game who never stop moving, and write down every answer they get."""

import random
import threading
import time
from collections.abc import Mapping
from typing import Any, Final, Self, TypeAlias

from tests.chaos.caller import Answer, Caller, Request
from tests.chaos.ledger import Entry, Ledger, Trace
from tests.chaos.moves import CHAT, Game, Move, choose, keyed

View: TypeAlias = Mapping[str, Any]

LONGEST_GAME: Final = 300  # versions: a log of this length is whole, and read in four pages
CHATTER: Final = 5  # keeps a seat's unknown request among the last 64 keys of its game
MISCHIEF: Final = 0.06
GUESS: Final = Move("draw", {"source": "stock"}, "drew", "stock")
REPEATS: Final = 0.05
PAUSE_SECONDS: Final = 0.05
PATIENCE_SECONDS: Final = 30.0


class GivenUp(Exception):
    """A request stayed unknown for as long as anybody would repeat it."""


class Hand:
    """A caller that repeats what is unknown under the same key, and enters it in the ledger."""

    def __init__(self, url: str, ledger: Ledger, dice: random.Random) -> None:
        self._ledger = ledger
        self._dice = dice
        self._caller = Caller(url)

    def settle(self, game_id: str, trace: Trace, request: Request, base: int = 0) -> Answer:
        """Send a request until its outcome is known, now and then once more for good measure.

        :raises GivenUp: if it is not known within 30 seconds.
        """
        answers = [self._caller.send(request)]
        give_up = time.monotonic() + PATIENCE_SECONDS
        while answers[-1].attempt.outcome == "unknown" and time.monotonic() < give_up:
            time.sleep(PAUSE_SECONDS)
            answers.append(self._caller.send(request))
        last = answers[-1]
        if last.attempt.outcome == "applied" and self._dice.random() < REPEATS:
            answers.append(self._caller.send(request))
        attempts = tuple(answer.attempt for answer in answers)
        named = str((last.game or {}).get("game_id", game_id))
        self._ledger.add(Entry(named, trace, attempts, base))
        if last.attempt.outcome == "unknown":
            raise GivenUp(f"{request.method} {request.path}: {last.attempt}, {last.body}")
        return last

    def close(self) -> None:
        """Give up the connection."""
        self._caller.close()

    def read(self, path: str, token: str) -> Answer:
        """Send a request that changes nothing, once."""
        answer = self._caller.send(Request("GET", path, token))
        self._ledger.add_read(answer.attempt)
        return answer


class Table:
    """Two players' place, where one game follows another."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._game: Game | None = None
        self.games: list[Game] = []

    def game(self, worn: Game | None, hand: Hand) -> Game:
        """Return the game being played, a new one where that is the one that is worn out."""
        with self._lock:
            if self._game is None or self._game is worn:
                self._game = _new_game(hand)
                self.games.append(self._game)
            return self._game


def _new_game(hand: Hand) -> Game:
    rules = {"preset": "gin", "target_score": 10_000}
    created = hand.settle(
        "not created",
        Trace("created", 0, "Ann"),
        keyed("/v1/games", {"name": "Ann", "rules": rules}),
    )
    game_id = str(created.body["game"]["game_id"])
    joined = hand.settle(
        game_id, Trace("joined", 1, "Bob"), keyed(f"/v1/games/{game_id}/players", {"name": "Bob"})
    )
    return Game(game_id, (str(created.body["token"]), str(joined.body["token"])))


class Player:
    """Plays one seat at a table: moves in its turn, and chatters or looks out of it."""

    def __init__(self, table: Table, seat: int, hand: Hand, dice: random.Random) -> None:
        self._table = table
        self._seat = seat
        self._hand = hand
        self._dice = dice
        self._game: Game | None = None
        self._view: View = {}
        self._older_view: View = {}
        self._chatter = 0

    def step(self) -> None:
        """Do one thing: sit down, move, do mischief, chatter or look."""
        game = self._table.game(self._game if self._is_worn() else None, self._hand)
        if game is not self._game:
            self._game, self._view, self._older_view = game, {}, {}
        if not self._view:
            self._look(game)
            return
        move = choose(self._view["actions"], self._dice)
        if self._older_view and self._dice.random() < MISCHIEF:
            self._play(game, move or GUESS, self._older_view)
        elif move:
            self._chatter = 0
            self._play(game, move, self._view)
        elif self._chatter < CHATTER and self._view["actions"]["entropy"]:
            self._chatter += 1
            self._play(game, CHAT, None)
        else:
            time.sleep(PAUSE_SECONDS)
            self._look(game)

    def _is_worn(self) -> bool:
        return bool(self._view) and (
            self._view["version"] >= LONGEST_GAME or self._view["result"] is not None
        )

    def _look(self, game: Game) -> None:
        answer = self._hand.read(f"/v1/games/{game.game_id}", game.tokens[self._seat])
        if answer.attempt.outcome == "applied":
            self._see(answer)

    def _play(self, game: Game, move: Move, on: View | None) -> None:
        path = f"/v1/games/{game.game_id}/{move.name}"
        request = keyed(path, move.body, game.tokens[self._seat], on["etag"] if on else None)
        trace = Trace(move.event, self._seat, move.detail)
        base = int(on["version"]) if on else 0
        self._see(self._hand.settle(game.game_id, trace, request, base))

    def _see(self, answer: Answer) -> None:
        if answer.game:
            self._older_view, self._view = self._view, answer.game


class Load:
    """Two threads at each of some tables, from the start of the context to its end.

    At the end every player finishes the request it is in; ``errors`` tells who could not.
    """

    def __init__(self, url: str, tables: int, seed: int = 1) -> None:
        self.ledger = Ledger()
        self.errors: list[str] = []
        self._url = url
        self._tables = [Table() for _ in range(tables)]
        self._over = threading.Event()
        self._threads = [
            threading.Thread(target=self._play, args=(table, seat, f"{seed}-{place}-{seat}"))
            for place, table in enumerate(self._tables)
            for seat in (0, 1)
        ]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()

    def games(self) -> list[Game]:
        """Return all games that were played."""
        return [game for table in self._tables for game in table.games]

    def run_for(self, seconds: float) -> None:
        """Let the players play on."""
        self._over.wait(seconds)

    def _play(self, table: Table, seat: int, seed: str) -> None:
        dice = random.Random(seed)
        hand = Hand(self._url, self.ledger, dice)
        player = Player(table, seat, hand, dice)
        try:
            while not self._over.is_set():
                player.step()
        except Exception as error:  # noqa: BLE001  # a thread's end has to be seen by the test
            self.errors.append(f"{type(error).__name__}: {error}")
        finally:
            hand.close()
