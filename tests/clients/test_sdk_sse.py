"""The parser of server-sent events, against the standard and a network that cuts anywhere."""

import json
from random import Random

import pytest

from oklahoma_gin._sse import Frame, Parser

NAME = "Zoë 🂡\u2028\u2029\x85 d'Ét\u00e9"


def frames(*pieces: bytes) -> list[Frame]:
    parser = Parser()
    return [frame for piece in pieces for frame in parser.feed(piece)]


def data_of(*pieces: bytes) -> list[str]:
    return [frame.data for frame in frames(*pieces)]


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"])
def test_every_line_end_ends_a_line(end: bytes) -> None:
    text = b"id: 3-a\nevent: drew\ndata: one\ndata: two\n\ndata: three\n\n".replace(b"\n", end)
    first, second = frames(text)
    assert first == Frame("drew", "one\ntwo", "3-a")
    assert second == Frame("message", "three", "3-a")


def test_line_ends_may_be_mixed() -> None:
    assert data_of(b"data: a\r\rdata: b\n\r\ndata: c\r\n\ndata: d\n\n") == ["a", "b", "c", "d"]


def test_a_cr_ends_a_line_at_once_and_its_lf_may_come_later() -> None:
    parser = Parser()
    assert [each.data for each in parser.feed(b"data: a\r\n\r")] == ["a"]
    assert list(parser.feed(b"")) == []
    assert list(parser.feed(b"\n")) == []
    assert [each.data for each in parser.feed(b"data: b\n\n")] == ["b"]


def test_an_lf_after_the_lf_of_a_split_crlf_is_a_line_of_its_own() -> None:
    assert data_of(b"data: a\r", b"\n", b"\n") == ["a"]


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_a_stream_cut_anywhere_reads_the_same(end: str) -> None:
    lines = ["\ufeff: hello", "retry: 250", "", "id: 7-x", "event: joined"]
    lines += ["data: " + json.dumps({"name": NAME}, ensure_ascii=False), "data:", ""]
    text = (end.join(lines) + end).encode()
    whole = frames(text)
    assert [json.loads(each.data) for each in whole] == [{"name": NAME}]
    assert frames(*(text[at : at + 1] for at in range(len(text)))) == whole
    dice = Random(1)
    for _ in range(200):
        cuts = sorted(dice.sample(range(len(text)), 4))
        bounds = zip([0, *cuts], [*cuts, len(text)], strict=True)
        assert frames(*(text[start:end] for start, end in bounds)) == whole


def test_comments_and_unknown_fields_are_nothing() -> None:
    assert data_of(b":\n\n: data: no\n\nmood: glum\n\ndatas: no\n\n:data\n\n") == []


def test_one_space_after_the_colon_is_dropped_and_no_more() -> None:
    assert data_of(b"data:a\n\ndata: b\n\ndata:  c \n\ndata\n\n") == ["a", "b", " c ", ""]


def test_an_event_without_data_is_not_dispatched_but_keeps_its_id() -> None:
    assert frames(b"event: ping\nid: 4\n\ndata: a\n\n") == [Frame("message", "a", "4")]


def test_an_id_with_nul_is_ignored_and_an_empty_one_resets() -> None:
    assert [each.id for each in frames(b"id: 4\nid: 5\0\ndata: a\n\nid\ndata: b\n\n")] == ["4", ""]


@pytest.mark.parametrize(
    "line, seconds",
    [(b"retry: 1500", 1.5), (b"retry: x", None), (b"retry: -1", None), (b"retry: \xc2\xb2", None)],
)
def test_retry_is_in_seconds(line: bytes, seconds: float | None) -> None:
    parser = Parser()
    assert list(parser.feed(line + b"\n")) == []
    assert parser.retry == seconds


def test_what_is_not_ended_is_not_told() -> None:
    assert data_of(b"data: a\n\ndata: b\n") == ["a"]


def test_bytes_that_are_no_utf_8_do_not_end_the_stream() -> None:
    assert data_of(b"data: \xff\n\ndata: b\n\n") == ["\ufffd", "b"]
