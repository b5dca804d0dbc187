"""Streams as bytes: whatever a text holds, each object stays one message and one line."""

import json
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.api.streaming import FRAMINGS, NDJSON, SSE, one_line
from tests.streams.reading import Message, Reader, messages

SPLITTERS = "\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
NASTY = [
    "line\nfeed",
    "carriage\rreturn",
    "both\r\n",
    "\r\nid: 9\r\nevent: removed\r\ndata: {}\r\n\r\n",
    "\u2028separated\u2029",
    "next\x85line",
    "\x0b\x0c\x1c\x1d\x1e\x00\x7f",
    "Zoë 🂡 👩🏽‍🚀",
    ": comment",
    "data: {}\n\n",
    "\ufeff",
]


def told(text: str) -> dict[str, object]:
    return {"id": "2-9f3c1a2b", "version": 2, "type": "joined", "seat": 1, "name": text}


@pytest.mark.parametrize("text", NASTY)
def test_text_stays_inside_its_message(text: str) -> None:
    [message] = messages([FRAMINGS[SSE].frame(told(text))])
    assert (message.type, message.id, message.json) == ("joined", "2-9f3c1a2b", told(text))


@given(st.text())
def test_any_text_stays_on_its_line(text: str) -> None:
    line = FRAMINGS[NDJSON].frame(told(text))
    assert line.decode().splitlines() == [line.decode().removesuffix("\n")]
    assert json.loads(line) == told(text)
    assert not set(one_line(told(text)).decode()) & set(SPLITTERS)


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_frames_may_be_cut_anywhere(size: int) -> None:
    whole = FRAMINGS[SSE].hello + b"".join(FRAMINGS[SSE].frame(told(text)) for text in "aÿ")
    reader = Reader()
    read = [message for part in parts(whole, size) for message in reader.take(part)]
    assert [message.json["name"] for message in read] == ["a", "ÿ"]
    assert reader.retry == 1000


def parts(whole: bytes, size: int) -> Iterator[bytes]:
    text = whole.decode()
    for start in range(0, len(text), size):
        yield text[start : start + size].encode()


def test_a_sign_of_life_tells_nothing() -> None:
    reader = Reader()
    assert list(reader.take(FRAMINGS[SSE].heartbeat)) == []
    assert reader.comments == 1
    assert FRAMINGS[NDJSON].heartbeat.strip() == b""


def test_a_message_without_a_place_leaves_the_reader_where_it_was() -> None:
    place, asked = told("Ann"), {"type": "reconnect"}
    read = messages([FRAMINGS[SSE].frame(place), FRAMINGS[SSE].frame(asked)])
    assert read[1] == Message("reconnect", '{"type":"reconnect"}', "2-9f3c1a2b")
