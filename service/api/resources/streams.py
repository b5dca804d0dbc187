"""Streams: events as they happen, and tickets for those who cannot send a token."""

from typing import Final

from flask import request

from service.api.operation import Call, Reply, Resource
from service.api.schemas.requests import InviteQuery, NothingSchema
from service.api.schemas.streams import StreamQuery, StreamTicketSchema
from service.api.streaming import FRAMINGS, NDJSON, SSE, StreamBody, hung_up_of

streams = Resource("streams", "Events as they happen.")

# nginx would keep what is small until more comes.
_UNBUFFERED: Final = (("X-Accel-Buffering", "no"),)


@streams.get(
    "/v1/games/{game_id}/stream",
    "streamGame",
    media=(SSE, NDJSON),
    query=StreamQuery,
    auth="optional",
    resumes=True,
    stored=True,
    refusals=("too_many_streams", "draining"),
    shows="Stream",
)
def stream_game(call: Call, game_id: str) -> Reply:
    """Follow a game.

    Server-sent events, or the same objects as lines of JSON where Accept asks for them. Each
    object is an event as `listEvents` gives it, with `include=view` the last one of a commit with
    the view as `game`. A `snapshot`, which holds the view as `game`, comes first where no position
    is given, where the log does not lead on from it, and always in lines; it comes later where the
    reader was too slow. A stream is never quiet for more than 15 seconds. It ends after the game's
    last event, with the token that opened it, or with a `reconnect`, after 10 minutes or when the
    server stops. With `linger` it stays so many seconds longer, to hear of a rematch. 204: there
    is nothing more to follow, and the position given is the last event. To look at one:
    `curl -N -H 'Accept: application/x-ndjson' -H 'Authorization: Bearer okg_…' …/stream`.
    """
    query = call.query
    stream = call.services.streams.open(
        game_id,
        call.caller,
        query.get("ticket"),
        call.position or query.get("after"),
        whole_first=call.media == NDJSON,
        linger=query.get("linger", 0),
    )
    if stream.exhausted:
        stream.close()
        return Reply("", status=204, media=call.media)
    body = StreamBody(
        stream,
        FRAMINGS[call.media],
        with_view="include" in query,
        hung_up=hung_up_of(request.environ),
        delivered=call.services.metrics.deliveries(),
    )
    return Reply(body, media=call.media, headers=_UNBUFFERED)


@streams.post(
    "/v1/games/{game_id}/stream-tickets",
    "createStreamTicket",
    answer=StreamTicketSchema,
    body=NothingSchema,
    query=InviteQuery,
    auth="optional",
    condition="If-Match",
    stored=True,
    shows="StreamTicket",
)
def create_stream_ticket(call: Call, game_id: str) -> Reply:
    """Get a ticket for a stream.

    For a browser's EventSource, which cannot send a token: a ticket opens the caller's own stream
    and nothing else, for an hour and as often as it connects. It dies with the caller's token.
    """
    return Reply(call.services.streams.ticket(game_id, call.caller, call.ask.precondition))
