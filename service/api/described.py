"""An operation as the contract describes it: what it takes, and everything it can answer."""

import re
from collections.abc import Mapping
from http import HTTPStatus
from itertools import groupby
from typing import Any

from service.api.answers import PROBLEM_JSON
from service.api.operation import JSON, YAML, Operation
from service.api.problems import CATALOGUE, Kind
from service.api.schemas.pages import ProblemSchema
from service.api.schemas.requests import Body


def described(operation: Operation) -> dict[str, Any]:
    """Return the operation object, with its schemas still to be resolved."""
    words: dict[str, Any] = {
        "operationId": operation.id,
        "tags": [operation.tag.name],
        "summary": operation.summary,
        "description": operation.description,
        "security": _security(operation),
        "parameters": _parameters(operation),
    }
    if operation.body and operation.body().fields:
        words["requestBody"] = _request_body(operation, operation.body)
    words["responses"] = {
        str(operation.status): _success(operation),
        **({"204": _no_more()} if operation.resumes else {}),
        **({"304": _not_modified()} if operation.condition == "If-None-Match" else {}),
        **_problems(operation),
    }
    return words


def _security(operation: Operation) -> list[dict[str, list[str]]]:
    token: dict[str, list[str]] = {"seatToken": []}
    return {"none": [], "optional": [{}, token], "required": [token]}[operation.auth]


def _parameters(operation: Operation) -> list[Any]:
    names = re.findall(r"{(\w+)}", operation.path)
    if operation.condition:
        names.append(operation.condition)
    if operation.key:
        names.append("Idempotency-Key" if operation.key == "optional" else "Secret-Key")
    if operation.resumes:
        names.append("Last-Event-ID")
    query = [{"in": "query", "schema": operation.query}] if operation.query else []
    return [*names, *query, "X-Request-Id"]


def _request_body(operation: Operation, body: type[Body]) -> dict[str, Any]:
    content: dict[str, Any] = {"schema": body}
    if operation.example:
        content["example"] = dict(operation.example)
    required = any(field.required for field in body().fields.values())
    return {"required": required, "content": {JSON: content}}


def _success(operation: Operation) -> dict[str, Any]:
    names = ["X-Request-Id"]
    if operation.condition or operation.key:
        names.append("ETag")
    if operation.key:
        names.append("Idempotency-Replayed")
    if operation.status == HTTPStatus.CREATED and operation.auth == "none":
        names.append("Location")
    return {
        "description": operation.answer.__doc__ if operation.answer else operation.summary + ".",
        "headers": {name: name for name in names},
        "content": {media: _content(operation, media) for media in operation.media},
    }


def _content(operation: Operation, media: str) -> dict[str, Any]:
    if media == JSON and operation.answer:
        shown = {operation.shows: operation.shows}
        return {"schema": operation.answer, "examples": shown}
    if media in (JSON, YAML):
        return {"schema": {"type": "object"}}
    if operation.shows and not operation.answer:
        name = f"{operation.shows}.{media.partition('/')[2]}"
        return {"schema": {"type": "string"}, "examples": {name: name}}
    return {"schema": {"type": "string"}}


def _no_more() -> dict[str, Any]:
    return {
        "description": "The game is over, and the reader knows its last event: do not reconnect.",
        "headers": {"X-Request-Id": "X-Request-Id"},
    }


def _not_modified() -> dict[str, Any]:
    return {
        "description": "The view is still the one that If-None-Match names.",
        "headers": {name: name for name in ("X-Request-Id", "ETag")},
    }


def _problems(operation: Operation) -> Mapping[str, Any]:
    by_status = groupby(refusals(operation), key=lambda kind: kind.status)
    return {str(status): _problem(status, list(kinds)) for status, kinds in by_status}


def _problem(status: int, kinds: list[Kind]) -> dict[str, Any]:
    names = ["X-Request-Id"]
    if status in (HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.TOO_MANY_REQUESTS):
        names.append("Retry-After")
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        names += ["RateLimit", "RateLimit-Policy"]
    if status == HTTPStatus.UNAUTHORIZED:
        names.append("WWW-Authenticate")
    return {
        "description": "; ".join(f"`{kind.code}`: {kind.title}" for kind in kinds) + ".",
        "headers": {name: name for name in names},
        "content": {
            PROBLEM_JSON: {
                "schema": ProblemSchema,
                "examples": {kind.code: kind.code for kind in kinds},
            }
        },
    }


def refusals(operation: Operation) -> list[Kind]:
    """Return every kind of problem that an operation can answer with, by status."""
    codes = {"internal_error", "not_acceptable", *operation.refusals}
    if operation.auth == "required":
        codes.add("token_required")
    if operation.auth != "none":
        codes.add("token_invalid")
    if operation.body or operation.query or operation.condition:
        codes.add("malformed_request")
    if operation.body:
        codes |= {"body_too_large", "unsupported_media_type", "invalid_request"}
    if operation.key:
        codes.add("idempotency_key_reused")
    if operation.condition == "If-Match":
        codes.add("stale_version")
    if "{game_id}" in operation.path:
        codes.add("game_not_found")
    if operation.stored:
        codes.add("store_unavailable")
    if operation.limited:
        codes.add("rate_limited")
    return sorted((CATALOGUE[code] for code in codes), key=lambda kind: (kind.status, kind.code))
