"""Records: the score sheet, finished rounds and the log."""

import re
from typing import Any, Final

from service.api.operation import Call, Reply, Resource
from service.api.problems import Problem
from service.api.schemas.pages import EventPageSchema, RoundRecordSchema, ScoreSheetSchema
from service.api.schemas.requests import PAGE, InviteQuery
from service.api.schemas.streams import EventsQuery

records = Resource("records", "The score sheet, finished rounds and the log.")

OF_A_VIEWER: dict[str, Any] = {"auth": "optional", "stored": True}

_NUMBER: Final = re.compile(r"[1-9][0-9]{0,8}")


@records.get(
    "/v1/games/{game_id}/score",
    "getScore",
    answer=ScoreSheetSchema,
    query=InviteQuery,
    shows="ScoreSheet",
    **OF_A_VIEWER,
)
def get_score(call: Call, game_id: str) -> Reply:
    """Read the score sheet.

    Every finished round with the lines of its settlement, and the game's result once it has one.
    """
    return Reply(call.services.games.score(game_id, call.caller))


@records.get(
    "/v1/games/{game_id}/rounds/{number}",
    "getRound",
    answer=RoundRecordSchema,
    query=InviteQuery,
    refusals=("round_not_found",),
    shows="RoundRecord",
    **OF_A_VIEWER,
)
def get_round(call: Call, game_id: str, number: str) -> Reply:
    """Read a finished round whole.

    The deck, every move with every card, the result, and what proves the shuffle.
    """
    if not _NUMBER.fullmatch(number):
        raise Problem("round_not_found", "A round's number is an integer from 1. Check the path.")
    return Reply(call.services.games.round(game_id, int(number), call.caller))


@records.get(
    "/v1/games/{game_id}/events",
    "listEvents",
    answer=EventPageSchema,
    query=EventsQuery,
    refusals=("too_many_streams", "draining"),
    shows="EventPage",
    **OF_A_VIEWER,
)
def list_events(call: Call, game_id: str) -> Reply:
    """Read a page of the log.

    One event for each version, as the caller may see it. Where `after` is older than the log, the
    page begins at `first_version`. With `wait` and the version that the caller knows as `after`
    the answer waits for the next event; with `include=view` it brings the view that the page leads
    to, so that one request tells of a change. A page that does not lead to `version` has no
    `game`: ask for the next one.
    """
    query, streams = call.query, call.services.streams
    asked = (game_id, call.caller, query.get("after", 0), query.get("limit", PAGE))
    page = call.services.games.events(*asked, with_view="include" in query)
    seconds = query.get("wait", 0)
    if seconds and page.version == query.get("after", 0) and not streams.draining:
        page = streams.events(*asked, seconds, with_view="include" in query)
    return Reply(page)
