"""The service's side of the story, read back through its public log."""

import time
from collections.abc import Mapping, Sequence
from typing import Any, Final

from tests.chaos.caller import Caller, Request
from tests.chaos.checker import Logged, Verdict, check
from tests.chaos.ledger import Ledger, Trace
from tests.chaos.moves import Game

PAGE: Final = 100
PAUSE_SECONDS: Final = 0.05
PATIENCE_SECONDS: Final = 5.0


def audit(url: str, ledger: Ledger, games: Sequence[Game]) -> Verdict:
    """Return what is wrong in any of the games; requests for others were never answered."""
    entries = ledger.by_game()
    verdict = Verdict()
    with Caller(url) as caller:
        for game in games:
            log = log_of(caller, game)
            view = _read(caller, game, "")
            verdict += check(entries.get(game.game_id, []), log, int(view["version"]))
    return verdict


def log_of(caller: Caller, game: Game) -> list[Logged]:
    """Return the whole log of a game, oldest event first."""
    found: list[Logged] = []
    while True:
        after = found[-1].version if found else 0
        page = _read(caller, game, f"/events?after={after}&limit={PAGE}")
        found.extend(logged(event) for event in page["events"])
        if len(page["events"]) < PAGE:
            return found


def logged(event: Mapping[str, Any]) -> Logged:
    """Return an event as the checker knows it."""
    detail = event["name"] if event["type"] in ("created", "joined") else ""
    if event["type"] == "drew":
        detail = event["source"]  # the card is its drawer's secret
    elif event["type"] in ("discarded", "knocked"):
        detail = event["card"]
    return Logged(event["version"], event["id"], Trace(event["type"], event["seat"], detail))


def _read(caller: Caller, game: Game, part: str) -> Mapping[str, Any]:
    """Return what the service says, asking again while a worker still keeps off the store."""
    request = Request("GET", f"/v1/games/{game.game_id}{part}", game.tokens[0])
    answer = caller.send(request)
    give_up = time.monotonic() + PATIENCE_SECONDS
    while answer.attempt.status == 503 and time.monotonic() < give_up:
        time.sleep(PAUSE_SECONDS)
        answer = caller.send(request)
    if answer.attempt.status != 200:
        raise RuntimeError(f"{game.game_id}{part} cannot be read: {answer.attempt}, {answer.body}")
    return answer.body
