"""An operation bound to the services: what Flask calls for its route."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from flask import Request, Response, g, request
from marshmallow import ValidationError
from werkzeug.datastructures import MIMEAccept

from service.api.answers import CALLERS_OWN
from service.api.app import Answered
from service.api.body import faults_in, fingerprint, malformed, read_object, validated
from service.api.headers import bearer, idempotency_key
from service.api.operation import JSON, Call, Operation, Reply
from service.api.preconditions import if_match, if_none_match
from service.api.problems import Problem
from service.api.render import encode, renderer
from service.api.schemas.requests import Query
from service.api.schemas.streams import position_in
from service.api.services import Services
from service.games.access import Caller, game_not_found, token_required
from service.games.desk import Ask
from service.games.stream import Position

_GAME_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")

Endpoint = Callable[..., Response]


def endpoint(
    operation: Operation, services: Services, operations: tuple[Operation, ...]
) -> Endpoint:
    """Return the function that reads a request, calls the operation's view and answers."""
    schema = operation.body(sandbox=services.sandbox) if operation.body else None
    query = operation.query() if operation.query else None
    unasked: Mapping[str, Any] = query.load({}) if query else {}
    respond = _responder(operation)

    def handle(**path: str) -> Response:
        asked = request._get_current_object()  # type: ignore[attr-defined]  # noqa: SLF001  # each look through the proxy costs
        g.trace.operation = operation.id
        _check_accept(asked, operation)
        _check_game_id(path.get("game_id"))
        token = _token(asked, operation)
        condition = _condition(asked, operation)
        key = _key(asked, operation)
        parameters = _parameters(asked, query) if query and asked.query_string else unasked
        parsed = read_object(asked) if schema else None
        body = validated(schema, parsed) if schema else {}
        caller = Caller(token, body.get("invite") or parameters.get("invite"))
        path_asked = f"{asked.method} {asked.path}"
        matched = condition if operation.condition == "If-Match" else None
        ask = Ask(caller, path_asked, fingerprint(parsed) if key else "", key, matched)
        unchanged = condition if operation.condition == "If-None-Match" else None
        call = Call(
            services=services,
            operations=operations,
            caller=caller,
            ask=ask,
            body=body,
            query=parameters,
            media=_media(asked, operation),
            unchanged=unchanged,
            position=_position(asked, operation),
        )
        reply = operation.view(call, **path)
        g.trace.answered(reply.game_id, reply.mark)
        if unchanged and unchanged(reply.etag or ""):
            return Answered(status=304, headers=[*CALLERS_OWN, ("ETag", reply.etag or "")])
        return respond(reply)

    return handle


def _check_accept(asked: Request, operation: Operation) -> None:
    accepted = asked.headers.get("Accept")
    if accepted is None or ("*/*" in accepted and "q=0" not in accepted):
        return
    wanted = _wanted(asked)
    if wanted and not any(wanted.quality(media) > 0 for media in operation.media):
        raise Problem(
            "not_acceptable",
            f"Accept excludes {' and '.join(operation.media)}, which is all that this operation "
            "answers with.",
        )


def _media(asked: Request, operation: Operation) -> str:
    first = operation.media[0]
    if len(operation.media) == 1:
        return first
    return _wanted(asked).best_match(operation.media, first) or first


def _wanted(asked: Request) -> MIMEAccept:
    """Return what Accept names, without the parameters: no answer here has any to choose by."""
    return MIMEAccept(
        [(media.partition(";")[0].rstrip(), q) for media, q in asked.accept_mimetypes]
    )


def _position(asked: Request, operation: Operation) -> Position | None:
    sent = asked.headers.get("Last-Event-ID") if operation.resumes else None
    if not sent:
        return None
    position = position_in(sent)
    if position is None:
        malformed("Last-Event-ID is no id of an event: send the last one that the stream gave you.")
    return position


def _check_game_id(game_id: str | None) -> None:
    if game_id is None:
        return
    if not _GAME_ID.fullmatch(game_id):
        raise game_not_found()
    g.trace.game_id = game_id


def _token(asked: Request, operation: Operation) -> str | None:
    if operation.auth == "none":
        return None
    token = bearer(asked.headers.get("Authorization"))
    if token is None and operation.auth == "required":
        raise token_required()
    return token


def _condition(asked: Request, operation: Operation) -> Callable[[str], bool] | None:
    if operation.condition == "If-Match":
        return if_match(asked.headers.get("If-Match"))
    if operation.condition == "If-None-Match":
        return if_none_match(asked.headers.get("If-None-Match"))
    return None


def _key(asked: Request, operation: Operation) -> str | None:
    if not operation.key:
        return None
    sent = asked.headers.get("Idempotency-Key")
    return idempotency_key(sent, secret=operation.key == "secret")


def _parameters(asked: Request, query: Query) -> Mapping[str, Any]:
    sent = {name: values for name, values in asked.args.lists() if name in query.fields}
    for name, values in sent.items():
        if len(values) > 1:
            malformed(f"The query names {name} {len(values)} times; name it once.")
    try:
        loaded: Mapping[str, Any] = query.load({name: each[0] for name, each in sent.items()})
    except ValidationError as error:
        malformed(". ".join(f"{pointer[1:]}: {fault}" for pointer, fault in faults_in(error)))
    return loaded


def _responder(operation: Operation) -> Callable[[Reply], Response]:
    render = renderer(operation.answer) if operation.answer else None
    fixed = CALLERS_OWN if operation.callers_own else ()

    def respond(reply: Reply) -> Response:
        content = reply.content() if callable(reply.content) else reply.content
        if render and not reply.media:
            content = encode(render(content))
        headers = [*fixed, *_headers(reply)]
        media = reply.media or JSON
        return Answered(content, reply.status or operation.status, headers, content_type=media)

    return respond


def _headers(reply: Reply) -> list[tuple[str, str]]:
    headers = list(reply.headers)
    if reply.etag:
        headers.append(("ETag", reply.etag))
    if reply.location:
        headers.append(("Location", reply.location))
    if reply.replayed:
        headers.append(("Idempotency-Replayed", "true"))
    return headers
