"""Lines reach whoever reads them, and nobody waits for a reader who has stopped."""

import fcntl
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from itertools import islice
from pathlib import Path

import msgspec
import pytest

from service.api import log as module
from service.api.log import Lines, Log, log_failure


class Line(msgspec.Struct):
    number: int


@dataclass
class Pipe:
    """A pipe of two pages, with the lines that a service writes to it."""

    size: int = 8192
    lost: int = 0
    ends: tuple[int, int] = field(default_factory=os.pipe)

    def __post_init__(self) -> None:
        fcntl.fcntl(self.ends[1], fcntl.F_SETPIPE_SZ, self.size)
        self.lines = Lines(self.ends[1], self.lose)

    def lose(self) -> None:
        self.lost += 1

    def read(self) -> Iterator[int]:
        """Give the number of each line, waiting for it."""
        with os.fdopen(os.dup(self.ends[0])) as reader:
            yield from map(int, reader)

    def close(self) -> None:
        for end in self.ends:
            try:
                os.close(end)
            except OSError:
                continue


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    pipe = Pipe()
    yield pipe
    pipe.close()


def numbered(number: int) -> bytes:
    return f"{number:099}\n".encode()


def test_a_line_is_written_at_once(pipe: Pipe) -> None:
    pipe.lines.write(numbered(1))
    assert os.read(pipe.ends[0], 200) == numbered(1)


def test_nobody_waits_for_a_reader_who_has_stopped(pipe: Pipe) -> None:
    for number in range(200):
        pipe.lines.write(numbered(number))
    assert list(islice(pipe.read(), 200)) == list(range(200))
    assert pipe.lost == 0


def test_lines_beyond_the_room_are_lost_and_counted(
    pipe: Pipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "ROOM", 10)
    for number in range(200):
        pipe.lines.write(numbered(number))
    kept = 200 - pipe.lost
    assert 10 < kept < 200
    assert list(islice(pipe.read(), kept)) == list(range(kept))


def test_a_reader_who_has_gone_stops_no_game(pipe: Pipe) -> None:
    os.close(pipe.ends[0])
    pipe.lines.write(numbered(1))
    assert pipe.lost == 1


def test_a_file_takes_every_line(tmp_path: Path) -> None:
    with (tmp_path / "log").open("wb") as file:
        lines = Lines(file.fileno())
        for number in range(1_000):
            lines.write(numbered(number))
    assert len((tmp_path / "log").read_bytes().splitlines()) == 1_000


def test_every_kind_of_line_is_an_object_in_json() -> None:
    stream = BytesIO()
    log = Log("info", stream)
    log.request(Line(1))
    log.warning("limiter_away", detail="gone")
    log_failure(log, ValueError("okg_secret"), "asked")
    request, warning, failure = map(json.loads, stream.getvalue().splitlines())
    assert request == {"number": 1}
    assert (warning["event"], warning["level"], warning["detail"]) == (
        *("limiter_away", "warning"),
        "gone",
    )
    assert (failure["error"], failure["request_id"]) == ("ValueError", "asked")
    assert "okg_secret" not in stream.getvalue().decode()


@pytest.mark.parametrize(
    "level, told", [("debug", 3), ("info", 3), ("warning", 2), ("error", 1), ("critical", 0)]
)
def test_what_is_below_the_level_is_left_out(level: str, told: int) -> None:
    stream = BytesIO()
    log = Log(level, stream)
    log.request(Line(1))
    log.warning("limiter_away")
    log.error("failure")
    assert stream.getvalue().count(b"\n") == told
