"""Headers and path parameters as the contract describes them."""

from typing import Any, Final

from service.api.headers import LONGEST_KEY, SHORTEST_SECRET

_TEXT: Final[dict[str, Any]] = {"type": "string"}
_ETAG: Final = '"17-9f3c1a2b.0"'
_TAGS: Final[dict[str, Any]] = {
    "type": "string",
    "pattern": r'^(\*|(W/)?"[!#-~]*"(, ?(W/)?"[!#-~]*")*)$',
}
_QUOTED: Final = r'([ !#-\[\]-~]|\\["\\])'

PATH_PARAMETERS: Final[dict[str, dict[str, Any]]] = {
    "game_id": {
        "in": "path",
        "name": "game_id",
        "description": "The game's id.",
        "schema": {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$"},
        "example": "kQ3vT0mB9xYc2LwZ",
    },
    "number": {
        "in": "path",
        "name": "number",
        "description": "The round's number, from 1.",
        "schema": {"type": "integer", "minimum": 1},
        "example": 1,
    },
    "preset": {
        "in": "path",
        "name": "preset",
        "description": "The preset's name.",
        "schema": _TEXT,
        "example": "oklahoma",
    },
    "code": {
        "in": "path",
        "name": "code",
        "description": "The problem's code.",
        "schema": _TEXT,
        "example": "not_your_turn",
    },
    "asset": {
        "in": "path",
        "name": "asset",
        "description": "The file's name.",
        "schema": _TEXT,
        "example": "swagger-ui.css",
    },
    "file": {
        "in": "path",
        "name": "file",
        "description": "The file's name.",
        "schema": _TEXT,
        "example": "base.css",
    },
}

REQUEST_HEADERS: Final[dict[str, dict[str, Any]]] = {
    "If-Match": {
        "in": "header",
        "name": "If-Match",
        "description": "Entity tags of views, or *: the move is applied only if the game still has "
        "one of these revisions, no matter whose view it was; else 412. Whatever is logged makes "
        "another revision, a renewed token or a text for the next shuffle too.",
        "schema": _TAGS,
        "example": _ETAG,
    },
    "If-None-Match": {
        "in": "header",
        "name": "If-None-Match",
        "description": "Entity tags of views, or *: the answer is 304 if the view is still one of "
        "them.",
        "schema": _TAGS,
        "example": _ETAG,
    },
    "Last-Event-ID": {
        "in": "header",
        "name": "Last-Event-ID",
        "description": "The id of the last event that was received: the stream goes on after it.",
        "schema": {"type": "string", "pattern": "^([0-9]{1,16}(-[A-Za-z0-9_-]{1,64})?)?$"},
        "example": "17-4c1d2e3f",
    },
    "Idempotency-Key": {
        "in": "header",
        "name": "Idempotency-Key",
        "description": "A new word for each request, quoted or bare: the same request under the "
        "same key is applied once, and its repetition answers with the success again.",
        "schema": {
            "type": "string",
            "minLength": 1,
            "maxLength": LONGEST_KEY,
            "pattern": f'^("{_QUOTED}+"|[!#-~]([ -~]*[!-~])?)$',
        },
        "example": "5b0c3c52-6f1a-4f6c-9a53-0a7d6ff1f8f0",
    },
    "Secret-Key": {
        "in": "header",
        "name": "Idempotency-Key",
        "description": f"A secret of at least {SHORTEST_SECRET} characters, such as a UUID, quoted "
        "or bare: the same request under the same key returns the same seat and token.",
        "schema": {
            "type": "string",
            "minLength": SHORTEST_SECRET,
            "maxLength": LONGEST_KEY,
            "pattern": f'^("{_QUOTED}{{{SHORTEST_SECRET},}}"|'
            f"[!#-~][ -~]{{{SHORTEST_SECRET - 2},}}[!-~])$",
        },
        "example": "5b0c3c52-6f1a-4f6c-9a53-0a7d6ff1f8f0",
    },
    "X-Request-Id": {
        "in": "header",
        "name": "X-Request-Id",
        "description": "An id for this request, 1 to 128 letters, digits, `.`, `_` and `-`; "
        "others, and what looks like a token, are replaced. It comes back in the answer.",
        "schema": _TEXT,
        "example": "web-7f3a",
    },
}

HEADERS: Final[dict[str, dict[str, Any]]] = {
    "X-Request-Id": {
        "required": True,
        "description": "The request's id, as in the log.",
        "schema": _TEXT,
        "example": "web-7f3a",
    },
    "ETag": {
        "description": "The entity tag of the view in the body.",
        "schema": _TEXT,
        "example": _ETAG,
    },
    "Idempotency-Replayed": {
        "description": "`true` where the request had been applied before.",
        "schema": _TEXT,
        "example": "true",
    },
    "Location": {
        "required": True,
        "description": "Where the game is.",
        "schema": {"type": "string", "format": "uri-reference"},
        "example": "/v1/games/kQ3vT0mB9xYc2LwZ",
    },
    "Retry-After": {
        "required": True,
        "description": "How many seconds to wait before the request is repeated.",
        "schema": {"type": "integer", "minimum": 0},
        "example": 1,
    },
    "RateLimit": {
        "required": True,
        "description": "What is left of the caller's quota, and the seconds until it is whole "
        "again.",
        "schema": _TEXT,
        "example": '"requests";r=0;t=12',
    },
    "RateLimit-Policy": {
        "required": True,
        "description": "The quota, and the seconds for which it is.",
        "schema": _TEXT,
        "example": '"requests";q=600;w=60',
    },
    "WWW-Authenticate": {
        "required": True,
        "description": "How to authenticate.",
        "schema": _TEXT,
        "example": 'Bearer realm="games"',
    },
}
