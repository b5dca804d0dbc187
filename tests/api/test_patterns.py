"""What the contract says of headers is what is read: whatever fits a pattern is accepted."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.api.headers import LONGEST_KEY, idempotency_key
from service.api.parameters import REQUEST_HEADERS
from service.api.preconditions import tags_in
from service.api.problems import Problem
from service.api.schemas.streams import position_in

Read = Callable[[str], object]

READERS: dict[str, Read] = {
    "Idempotency-Key": idempotency_key,
    "Secret-Key": lambda value: idempotency_key(value, secret=True),
    "If-Match": lambda value: tags_in("If-Match", value) or value == "*",
    "If-None-Match": lambda value: tags_in("If-None-Match", value) or value == "*",
    "Last-Event-ID": lambda value: value == "" or position_in(value),
}
REFUSED: dict[str, tuple[str, ...]] = {
    "Idempotency-Key": ("", '""', '"', '"open', "ké", " ", "a\tb", '"a"b'),
    "Secret-Key": ("too short to be one", '"too short to be one"', "é" * 30),
    "If-Match": ("", "17", '"17', "**", '"a" "b"', "W/17"),
    "If-None-Match": ("", "17", '"17', "* ,", "w/*"),
    "Last-Event-ID": ("x", "17-", "-17", "17-é", "17 -a"),
}


def schema(name: str) -> dict[str, Any]:
    described: dict[str, Any] = REQUEST_HEADERS[name]["schema"]
    return described


def is_read(name: str, value: str) -> bool:
    try:
        return bool(READERS[name](value))
    except Problem:
        return False


@pytest.mark.parametrize("name", READERS)
@given(drawn=st.data())
def test_what_fits_the_pattern_is_read(name: str, drawn: st.DataObject) -> None:
    longest = schema(name).get("maxLength", LONGEST_KEY)
    fitting = st.from_regex(re.compile(schema(name)["pattern"], re.ASCII), fullmatch=True)
    value = drawn.draw(fitting.filter(lambda text: len(text) <= longest))
    assert is_read(name, value), value


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_does_not_fit(name: str) -> None:
    for value in REFUSED[name]:
        assert not is_read(name, value), value
        fits = re.search(schema(name)["pattern"], value)
        assert not fits or len(value) < schema(name).get("minLength", 0), value


@pytest.mark.parametrize("name", READERS)
def test_its_example_fits_and_is_read(name: str) -> None:
    example = REQUEST_HEADERS[name]["example"]
    assert re.search(schema(name)["pattern"], example)
    assert is_read(name, example)
