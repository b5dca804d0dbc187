"""Every way a request can fail, the framework's own included, answered as a problem."""

from typing import Any

from flask import Flask, Response, g, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from service.api.answers import answer
from service.api.log import Log, log_failure
from service.api.operation import mark_of
from service.api.problems import CATALOGUE, Problem
from service.games.errors import Refusal
from service.games.ports import StoreUnavailable, UnreadableGame
from service.rules.errors import RuleError

TELL_THE_GAME = (409, 412)
_NO_ANSWER = (
    "The store did not answer in time, so it is unknown whether anything was applied. Repeat the "
    "request, with the same Idempotency-Key if it had one."
)
_UNREADABLE = (
    "What is kept of this game is damaged, or of a newer release than answers here, so it was left "
    "as it is and nothing was applied. Repeat the request in a while; where that does not help, "
    "tell whoever runs the service."
)
_CODES = {
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    413: "body_too_large",
    415: "unsupported_media_type",
}


def answer_failures(app: Flask, log: Log) -> None:
    """Have the app answer every exception as a problem."""

    @app.errorhandler(Problem)
    def problem(error: Problem) -> Response:
        return _answer(error.code, error.detail, faults=error.faults)

    @app.errorhandler(Refusal)
    def refusal(error: Refusal) -> Response:
        told = CATALOGUE[error.code].status in TELL_THE_GAME
        game = error.look() if error.look and told else None
        g.trace.mark = mark_of(game) if game else None
        return _answer(
            error.code, error.detail, faults=error.faults, numbers=error.numbers, game=game
        )

    @app.errorhandler(RuleError)
    def against_the_rules(error: RuleError) -> Response:
        faults = ((error.pointer, error.detail),) if error.pointer else ()
        return _answer(error.code, error.detail, faults=faults, numbers=error.numbers)

    @app.errorhandler(StoreUnavailable)
    def unavailable(error: StoreUnavailable) -> Response:
        unread = isinstance(error, UnreadableGame)
        return _answer("store_unavailable", _UNREADABLE if unread else _NO_ANSWER)

    @app.errorhandler(HTTPException)
    def framework(error: HTTPException) -> Response:
        return _framework(error)

    @app.errorhandler(Exception)
    def failure(error: Exception) -> Response:
        log_failure(log, error, g.trace.request_id)
        return _answer(
            "internal_error",
            f"The service failed; the log knows why under {g.trace.request_id}.",
        )


def _answer(code: str, detail: str, **members: Any) -> Response:
    g.trace.code = code
    return answer(code, detail, g.trace.request_id, **members)


def _framework(error: HTTPException) -> Response:
    if isinstance(error, MethodNotAllowed):
        allowed = ", ".join(sorted(error.valid_methods or ()))
        response = _answer(
            "method_not_allowed", f"{request.method} is not for this path; it takes {allowed}."
        )
        response.headers["Allow"] = allowed
        return response
    code = _CODES.get(error.code or 500, "malformed_request")
    if code == "not_found":
        return _answer(code, "There is nothing at this path; /openapi.yaml lists every path.")
    return _answer(code, str(error.description or "The request cannot be read."))
