"""A call whose outcome is unknown is repeated under the same key; a refusal is not."""

import pytest
import requests
from requests.adapters import HTTPAdapter

from oklahoma_gin import Client, OklahomaGinError, Problem, Seat, StoreUnavailable, TransportError
from tests.clients.http_stub import Reply, Stub
from tests.clients.samples import TOKEN, problem_json, view_json

CUT = Reply(cut=True)
DONE = Reply(200, view_json(18))
AWAY = problem_json("store_unavailable", 503)


@pytest.mark.parametrize(
    "lost",
    [
        CUT,
        Reply(200, view_json(18), torn=True),
        Reply(503, AWAY),
        Reply(502, b"<html>"),
        Reply(504, b""),
    ],
)
def test_a_lost_answer_is_asked_for_again_with_the_same_key(
    stub: Stub, seat: Seat, lost: Reply
) -> None:
    stub.will_answer(lost, DONE)
    assert seat.draw("stock").version == 18
    first, second = stub.asked
    assert first == second


def test_create_is_repeated_with_the_same_key(stub: Stub, client: Client) -> None:
    made = Reply(201, {"game": view_json(1), "seat": 0, "token": TOKEN, "invite": None})
    stub.will_answer(CUT, made)
    assert client.create_game("Ann").token == TOKEN
    first, second = stub.asked
    assert first == second


@pytest.mark.parametrize("status", [400, 401, 404, 409, 412, 422, 429, 500])
def test_a_certain_answer_is_not_repeated(
    stub: Stub, seat: Seat, pauses: list[float], status: int
) -> None:
    stub.will_answer(Reply(status, problem_json("moon_full", status)))
    with pytest.raises(Problem):
        seat.draw("stock")
    assert len(stub.asked) == 1
    assert pauses == []


def test_back_off_doubles_and_is_bounded(stub: Stub, pauses: list[float]) -> None:
    stub.will_answer(*[CUT] * 8, DONE)
    with Client(stub.url, retries=8, sleep=pauses.append, jitter=lambda: 1.0) as client:
        client.view("g1")
    assert pauses == [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0]


def test_jitter_takes_up_to_half_of_a_pause(stub: Stub, pauses: list[float]) -> None:
    stub.will_answer(CUT, DONE)
    with Client(stub.url, sleep=pauses.append, jitter=lambda: 0.0) as client:
        client.view("g1")
    assert pauses == [0.05]


def test_retry_after_comes_on_top_of_the_back_off(
    stub: Stub, seat: Seat, pauses: list[float]
) -> None:
    stub.will_answer(Reply(503, AWAY, {"Retry-After": "2"}), DONE)
    seat.draw("stock")
    assert pauses == [2.1]


@pytest.mark.parametrize("asked, pause", [("nonsense", 0.1), ("-3", 0.1)])
def test_a_retry_after_that_is_none_is_ignored(
    stub: Stub, seat: Seat, pauses: list[float], asked: str, pause: float
) -> None:
    stub.will_answer(Reply(503, AWAY, {"Retry-After": asked}), DONE)
    seat.draw("stock")
    assert pauses == [pause]


@pytest.mark.parametrize("minutes, pause", [("05", 3.1), ("04", 0.1)])
def test_a_retry_after_that_is_a_date_counts_from_the_answers_own(
    stub: Stub, seat: Seat, pauses: list[float], minutes: str, pause: float
) -> None:
    date = {"Date": "Wed, 02 Jan 2030 03:04:57 GMT"}
    until = {"Retry-After": f"Wed, 02 Jan 2030 03:{minutes}:00 GMT"}
    stub.will_answer(Reply(503, AWAY, {**date, **until}), DONE)
    seat.draw("stock")
    assert pauses == [pause]


def test_a_long_retry_after_is_left_to_the_caller(
    stub: Stub, seat: Seat, pauses: list[float]
) -> None:
    stub.will_answer(Reply(503, AWAY, {"Retry-After": "31"}))
    with pytest.raises(StoreUnavailable) as caught:
        seat.draw("stock")
    assert caught.value.retry_after == 31.0
    assert pauses == []


def test_the_last_problem_is_raised_when_the_repeats_are_used_up(
    stub: Stub, seat: Seat, pauses: list[float]
) -> None:
    stub.will_answer(*[Reply(503, AWAY)] * 4)
    with pytest.raises(StoreUnavailable):
        seat.draw("stock")
    assert len(pauses) == 3
    assert seat.game.version == 17


def test_no_answer_at_all_says_what_to_check(
    stub: Stub, client: Client, pauses: list[float]
) -> None:
    stub.will_answer(*[CUT] * 4)
    with pytest.raises(
        TransportError, match=r"GET .*/v1/games/g1 in 4 attempt\(s\).*Check that the service runs"
    ) as caught:
        client.view("g1", invite="hush")
    assert isinstance(caught.value, OklahomaGinError)
    assert "hush" not in str(caught.value)
    assert len(pauses) == 3


def test_a_read_that_times_out_is_repeated(
    monkeypatch: pytest.MonkeyPatch, stub: Stub, seat: Seat
) -> None:
    send = HTTPAdapter.send
    keys: list[object] = []

    def slow_once(
        self: HTTPAdapter, request: requests.PreparedRequest, **options: object
    ) -> requests.Response:
        keys.append(request.headers["Idempotency-Key"])
        if len(keys) == 1:
            raise requests.ReadTimeout
        return send(self, request, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(HTTPAdapter, "send", slow_once)
    stub.will_answer(DONE)
    assert seat.draw("stock").version == 18
    assert keys[0] == keys[1]


def test_a_certificate_that_is_refused_is_not_tried_again(
    monkeypatch: pytest.MonkeyPatch, client: Client, pauses: list[float]
) -> None:
    def refuse(
        _self: HTTPAdapter, _request: requests.PreparedRequest, **_options: object
    ) -> requests.Response:
        raise requests.exceptions.SSLError

    monkeypatch.setattr(HTTPAdapter, "send", refuse)
    with pytest.raises(TransportError, match="in 1 attempt"):
        client.rules()
    assert pauses == []


def test_a_client_of_its_own_pauses_in_earnest(monkeypatch: pytest.MonkeyPatch, stub: Stub) -> None:
    slept: list[float] = []
    monkeypatch.setattr("oklahoma_gin._requestor.time.sleep", slept.append)
    stub.will_answer(CUT, DONE)
    with Client(stub.url, jitter=lambda: 1.0) as client:
        assert client.view("g1").version == 18
    assert slept == [0.1]
