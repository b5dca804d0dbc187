"""CORS: which pages of other origins may call the service from a browser.

Tokens travel in a header and no cookie is ever set, so credentials are not allowed and ``*`` is
safe.
"""

from typing import Final

from flask import Flask, Response, request

ANY: Final = "*"
EXPOSED: Final = (
    "ETag",
    "Location",
    "Date",
    "Retry-After",
    "Idempotency-Replayed",
    "X-Request-Id",
    "RateLimit",
    "RateLimit-Policy",
)
SENT: Final = (
    "Accept",
    "Authorization",
    "Content-Type",
    "Idempotency-Key",
    "If-Match",
    "If-None-Match",
    "Last-Event-ID",
    "X-Request-Id",
)
PREFLIGHT_SECONDS: Final = 7_200  # browsers keep the answer for two hours at most

_ANSWERS: Final = (("Access-Control-Expose-Headers", ", ".join(EXPOSED)),)
_PREFLIGHTS: Final = (
    ("Access-Control-Allow-Methods", "GET, HEAD, POST"),
    ("Access-Control-Allow-Headers", ", ".join(SENT)),
    ("Access-Control-Max-Age", str(PREFLIGHT_SECONDS)),
)


def allow_origins(app: Flask, origins: frozenset[str]) -> None:
    """Let pages of these origins, or of any where one is ``*``, call the app."""

    @app.before_request
    def answer_preflight() -> Response | None:
        if not _is_preflight():
            return None
        response = Response(status=204)
        response.vary.add("Access-Control-Request-Method")
        response.vary.add("Access-Control-Request-Headers")
        return response

    @app.after_request
    def tell_the_browser(response: Response) -> Response:
        if ANY not in origins:
            response.vary.add("Origin")
        origin = request.headers.get("Origin")
        if origin is None or not origins & {ANY, origin}:
            return response
        response.headers["Access-Control-Allow-Origin"] = ANY if ANY in origins else origin
        response.headers.extend(_PREFLIGHTS if _is_preflight() else _ANSWERS)
        return response


def _is_preflight() -> bool:
    sent = request.headers
    return (
        request.method == "OPTIONS" and "Origin" in sent and "Access-Control-Request-Method" in sent
    )
