"""Behind an nginx that compresses, and so weakens tags, a client that echoes them is served."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.ci.proxies import nginx
from tests.contract.http import Answer, Wire
from tests.contract.table import Table, dealt, new_key, seat_all
from tests.e2e.service import Service

SERVERS = """
    gzip on;
    gzip_min_length 1;
    gzip_proxied any;
    gzip_types application/json application/problem+json;
    server {
        listen unix:{directory}/http.sock;
        location / { proxy_pass {service}; }
    }
"""


def wire_in(directory: Path) -> Wire:
    return Wire(str(directory / "http.sock"))


@pytest.fixture(scope="module")
def proxied(service: Service) -> Iterator[Wire]:
    servers = SERVERS.replace("{service}", service.url)
    with nginx(servers, lambda directory: wire_in(directory).get("/livez")) as directory:
        yield wire_in(directory)


PACKED = ("Accept-Encoding", "gzip")


def unpacked(answer: Answer) -> dict[str, Any]:
    assert answer.header("Content-Encoding") == "gzip"
    view: dict[str, Any] = json.loads(gzip.decompress(answer.content))
    return view


@pytest.fixture
def table(proxied: Wire) -> Table:
    return seat_all(proxied)


def test_the_proxy_weakens_the_tag_and_the_body_keeps_it(table: Table) -> None:
    answer = table.look(0, PACKED)
    assert answer.header("ETag") == "W/" + unpacked(answer)["etag"]
    assert table.look(0).header("ETag") == unpacked(answer)["etag"]


def test_an_echoed_tag_makes_a_look_304(table: Table) -> None:
    for headers in ((PACKED,), ()):
        tag = table.look(0, *headers).header("ETag") or ""
        again = table.look(0, PACKED, ("If-None-Match", tag))
        assert (again.status, again.content) == (304, b"")
        other = table.look(1, PACKED, ("If-None-Match", tag))
        assert other.status == 200


@pytest.mark.parametrize("source", ["header", "body"])
def test_an_echoed_tag_lets_a_move_through_once(table: Table, source: str) -> None:
    looked = table.look(0, PACKED)
    tag = looked.header("ETag") if source == "header" else unpacked(looked)["etag"]
    assert tag
    body = {"entropy": "seven herons"}
    moved = table.post(0, "entropy", body, PACKED, ("If-Match", tag))
    assert moved.status == 200
    stale = table.post(0, "entropy", body, PACKED, ("If-Match", tag))
    assert stale.status == 412
    assert stale.json["game"]["etag"] == unpacked(moved)["etag"]
    weak = moved.header("ETag") or ""
    assert weak.startswith("W/")
    assert table.post(0, "entropy", body, ("If-Match", weak)).status == 200


def test_a_chain_of_echoed_tags_plays_on(proxied: Wire) -> None:
    table = dealt(proxied)
    tag = table.look(0, PACKED).header("ETag") or ""
    for seat, verb, body in (
        (0, "pass", None),
        (1, "draw", {"source": "discard"}),
        (1, "discard", {"card": table.view(1)["you"]["hand"][0]}),
        (0, "draw", {"source": "stock"}),
    ):
        answer = table.post(seat, verb, body, PACKED, ("If-Match", tag))
        assert answer.status == 200, unpacked(answer)
        tag = answer.header("ETag") or ""


def test_a_key_is_replayed_through_the_proxy(table: Table) -> None:
    key = ("Idempotency-Key", new_key())
    first = table.post(0, "entropy", {"entropy": "seven herons"}, PACKED, key)
    again = table.post(0, "entropy", {"entropy": "seven herons"}, PACKED, key)
    assert (first.replayed, again.replayed) == (False, True)
    assert unpacked(again) == unpacked(first)
