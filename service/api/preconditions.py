"""Entity tags ``"<version>-<nonce>.<viewer>"`` and the conditions on them (RFC 9110, 13.1)."""

import re
from collections.abc import Callable
from typing import Final, TypeAlias

from service.api.problems import Problem

Condition: TypeAlias = Callable[[str], bool]

LONGEST: Final = 4096

_MEMBER: Final = re.compile(r'[ \t]*(?:(?:W/)?"([\x21\x23-\x7e\x80-\xff]*)")?[ \t]*(,|\Z)')


def tags_in(header: str, value: str) -> frozenset[str] | None:
    """Return the opaque tags of a header without quotes, weak ones too; none for ``*``.

    :raises Problem: malformed_request if it is no list of tags or longer than 4096 characters.
    """
    if len(value) > LONGEST:
        raise Problem(
            "malformed_request",
            f"{header} has {len(value)} characters; send at most {LONGEST}.",
        )
    if value.strip(" \t") == "*":
        return None
    tags = _members(value)
    if not tags:
        raise Problem(
            "malformed_request",
            f'{header} takes entity tags with their quotes, such as "17-9f3c1a2b.0", separated '
            "by commas, or *. Send the `etag` of a view unchanged.",
        )
    return frozenset(tags)


def _members(value: str) -> set[str]:
    tags = set()
    place = 0
    while place < len(value):
        member = _MEMBER.match(value, place)
        if not member:
            return set()
        if member[1] is not None:
            tags.add(member[1])
        place = member.end()
    return tags


def if_match(value: str | None) -> Condition | None:
    """Return the test of If-Match on a revision; the viewer part of a tag is not compared."""
    if value is None:
        return None
    tags = tags_in("If-Match", value)
    if tags is None:
        return lambda _revision: True
    return {tag.rpartition(".")[0] for tag in tags}.__contains__


def if_none_match(value: str | None) -> Condition | None:
    """Return the test of whether If-None-Match names an entity tag, which makes the answer 304."""
    if value is None:
        return None
    tags = tags_in("If-None-Match", value)
    if tags is None:
        return lambda _etag: True
    return lambda etag: etag.strip('"') in tags
