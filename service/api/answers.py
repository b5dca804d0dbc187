"""Problems as answers (RFC 9457), and the headers of what is for its caller alone."""

from collections.abc import Mapping
from typing import Any, Final

from flask import Response

from service.api.app import Answered
from service.api.problems import CATALOGUE
from service.api.render import encode, renderer
from service.api.schemas.responses import GameSchema
from service.games.view import GameView

PROBLEM_JSON: Final = "application/problem+json"
RETRY_SECONDS: Final = "1"

_HEADERS: Final[Mapping[str, tuple[str, str]]] = {
    "token_required": ("WWW-Authenticate", 'Bearer realm="games"'),
    "token_invalid": ("WWW-Authenticate", 'Bearer realm="games", error="invalid_token"'),
    "store_unavailable": ("Retry-After", RETRY_SECONDS),
    "draining": ("Retry-After", RETRY_SECONDS),
    "too_many_streams": ("Retry-After", RETRY_SECONDS),
    "rate_limited": ("Retry-After", RETRY_SECONDS),
}
CALLERS_OWN: Final = (
    ("Cache-Control", "private, no-cache, no-transform"),
    ("Vary", "Authorization"),
)


def answer(
    code: str,
    detail: str,
    request_id: str,
    *,
    faults: tuple[tuple[str, str], ...] = (),
    numbers: Mapping[str, int] | None = None,
    game: GameView | None = None,
) -> Response:
    """Return the response of a problem."""
    kind = CATALOGUE[code]
    body: dict[str, Any] = {
        "type": kind.type,
        "title": kind.title,
        "status": kind.status,
        "detail": detail,
        "code": code,
        "request_id": request_id,
        **(numbers or {}),
    }
    if faults:
        body["errors"] = [{"pointer": pointer, "detail": fault} for pointer, fault in faults]
    if game:
        body["game"] = renderer(GameSchema)(game)
    headers = [*CALLERS_OWN, *([_HEADERS[code]] if code in _HEADERS else [])]
    return Answered(encode(body), kind.status, headers, content_type=PROBLEM_JSON)
