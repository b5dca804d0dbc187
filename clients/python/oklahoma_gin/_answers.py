"""Responses into values, and refusals into the exception of their problem code."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from email.utils import parsedate_to_datetime
from typing import TypeVar

from requests import Response

from oklahoma_gin._decode import MismatchError, decode
from oklahoma_gin.errors import PROBLEMS, Fault, Problem, ProblemReport, UnexpectedAnswerError
from oklahoma_gin.models import View

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Words:
    code: str = ""
    title: str = ""
    detail: str = ""
    request_id: str = ""
    errors: tuple[Fault, ...] = ()


def value_of(kind: type[T], response: Response) -> T:
    """The body of a success as a `kind`; raises `UnexpectedAnswerError` where it is none."""
    try:
        return decode(kind, json.loads(response.content))
    except ValueError as unread:
        raise UnexpectedAnswerError(
            f"The {response.status_code} answer of {response.request.method} "
            f"{response.request.path_url.partition('?')[0]} is not a {kind.__name__} ({unread}). "
            "Check that base_url is an Oklahoma Gin service, and that this SDK is as new as it is."
        ) from unread


def problem_of(response: Response) -> Problem:
    """The exception for a response that is no success, whatever its body holds."""
    members = _members(response)
    words = _words(members)
    report = ProblemReport(
        status=response.status_code,
        code=words.code,
        title=words.title,
        detail=words.detail or _without_detail(response),
        request_id=words.request_id or response.headers.get("X-Request-Id", ""),
        errors=words.errors,
        game=_game(members.get("game")),
        retry_after=retry_after(response),
        numbers=_numbers(members),
    )
    return PROBLEMS.get(words.code, Problem)(report)


def retry_after(response: Response) -> float | None:
    """Seconds that `Retry-After` asks for, a date taken against the response's own `Date`."""
    asked = response.headers.get("Retry-After", "").strip()
    if asked.isdecimal() and asked.isascii():
        return float(asked)
    try:
        until = parsedate_to_datetime(asked)
        span = until - parsedate_to_datetime(response.headers.get("Date", ""))
    except (TypeError, ValueError):
        return None
    return max(span, timedelta()).total_seconds()


def _members(response: Response) -> Mapping[str, object]:
    try:
        body = json.loads(response.content)
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def _words(members: Mapping[str, object]) -> _Words:
    try:
        return decode(_Words, members)
    except MismatchError:
        return _Words()


def _game(member: object) -> View | None:
    """The view that a problem carries; one that cannot be read must not hide the problem."""
    try:
        return decode(View, member)
    except MismatchError:
        return None


def _numbers(members: Mapping[str, object]) -> dict[str, int]:
    return {
        name: value
        for name, value in members.items()
        if isinstance(value, int) and not isinstance(value, bool) and name != "status"
    }


def _without_detail(response: Response) -> str:
    elsewhere = response.headers.get("Location")
    if elsewhere is not None:
        return f"The service has moved to {elsewhere}; give that address as base_url."
    return f"The server answered {response.reason or 'without a reason'}, with no problem body."
