"""Every refusal is an exception of its own, and says what the service said."""

import pickle

import pytest

from oklahoma_gin import (
    PROBLEMS,
    Client,
    DeadwoodOverLimit,
    InvalidRules,
    OklahomaGinError,
    Problem,
    RateLimited,
    Seat,
    StaleVersion,
    UnexpectedAnswerError,
)
from tests.clients.http_stub import Reply, Stub
from tests.clients.samples import a_view, problem_json, view_json

CATALOGUE = {
    400: "malformed_request",
    401: "token_required token_invalid",
    403: "host_only",
    404: "game_not_found round_not_found not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    409: "not_your_turn wrong_phase source_unavailable game_full game_not_full already_seated "
    "game_over deadline_not_passed",
    412: "stale_version",
    413: "body_too_large",
    415: "unsupported_media_type",
    422: "invalid_request card_not_in_hand card_just_taken invalid_melds deadwood_over_limit "
    "invalid_layoff invalid_rules idempotency_key_reused",
    429: "rate_limited",
    500: "internal_error",
    503: "store_unavailable draining too_many_streams",
}
CASES = [(status, code) for status, codes in CATALOGUE.items() for code in codes.split()]


def test_the_table_holds_exactly_the_catalogue() -> None:
    assert set(PROBLEMS) == {code for _, code in CASES}
    assert len(set(PROBLEMS.values())) == len(PROBLEMS)


@pytest.mark.parametrize("status, code", CASES)
def test_a_code_raises_its_class(stub: Stub, status: int, code: str) -> None:
    stub.will_answer(Reply(status, problem_json(code, status)))
    with Client(stub.url, retries=0) as client, pytest.raises(Problem) as caught:
        client.rules()
    assert type(caught.value) is PROBLEMS[code]
    assert type(caught.value).__name__ == code.title().replace("_", "")
    assert (caught.value.status, caught.value.code) == (status, code)


def test_an_unknown_code_is_a_plain_problem(stub: Stub, client: Client) -> None:
    stub.will_answer(Reply(409, problem_json("moon_full", 409)))
    with pytest.raises(Problem) as caught:
        client.rules()
    assert type(caught.value) is Problem
    assert caught.value.code == "moon_full"


def test_a_problem_reads_as_one_sentence_with_every_fault(stub: Stub, client: Client) -> None:
    faults = [
        {"pointer": "/rules/gin_bonus", "detail": "is 2000; 0 to 1000."},
        {"pointer": "", "detail": "is odd."},
    ]
    stub.will_answer(Reply(422, problem_json("invalid_rules", 422, errors=faults)))
    with pytest.raises(InvalidRules) as caught:
        client.create_game("Ann", rules={"gin_bonus": 2000})
    assert str(caught.value) == (
        "422 invalid_rules: What was wrong, and what to do next.; "
        "/rules/gin_bonus: is 2000; 0 to 1000.; /: is odd. (request req-1)"
    )


def test_a_knock_over_the_limit_says_both_numbers(stub: Stub, seat: Seat) -> None:
    numbers = {"deadwood_points": 12, "knock_limit": 7}
    stub.will_answer(Reply(422, problem_json("deadwood_over_limit", 422, **numbers)))
    with pytest.raises(DeadwoodOverLimit) as caught:
        seat.knock("KD")
    assert (caught.value.deadwood_points, caught.value.knock_limit) == (12, 7)


@pytest.mark.parametrize("code, status", [("not_your_turn", 409), ("stale_version", 412)])
def test_a_conflict_refreshes_the_seat(stub: Stub, seat: Seat, code: str, status: int) -> None:
    stub.will_answer(Reply(status, problem_json(code, status, game=view_json(19))))
    with pytest.raises(PROBLEMS[code]) as caught:
        seat.draw("stock")
    assert caught.value.game == seat.game == a_view(19)


def test_a_view_that_cannot_be_read_does_not_hide_the_problem(stub: Stub, seat: Seat) -> None:
    stub.will_answer(Reply(412, problem_json("stale_version", 412, game={"version": 19})))
    with pytest.raises(StaleVersion) as caught:
        seat.draw("stock")
    assert caught.value.game is None
    assert seat.game.version == 17


def test_a_refusal_without_a_view_leaves_the_seat_as_it_was(stub: Stub, seat: Seat) -> None:
    stub.will_answer(Reply(422, problem_json("card_not_in_hand", 422)))
    with pytest.raises(PROBLEMS["card_not_in_hand"]):
        seat.discard("AS")
    assert seat.game == a_view(17)


@pytest.mark.parametrize(
    "body", [b"<html>Bad Request</html>", b"", b"[1]", b'{"code": 7}', b"\xff"]
)
def test_a_body_that_is_no_problem_still_gives_the_status(
    stub: Stub, client: Client, body: bytes
) -> None:
    stub.will_answer(Reply(400, body, {"X-Request-Id": "req-7"}))
    with pytest.raises(Problem) as caught:
        client.rules()
    assert (caught.value.status, caught.value.code) == (400, "")
    assert caught.value.request_id == "req-7"
    assert "no problem body" in str(caught.value)


def test_a_redirect_names_the_address_to_use(stub: Stub, seat: Seat) -> None:
    stub.will_answer(Reply(301, None, {"Location": "https://gin.example/"}))
    with pytest.raises(Problem, match=r"https://gin\.example/; give that address as base_url"):
        seat.draw("stock")
    assert len(stub.asked) == 1


@pytest.mark.parametrize("body", [b"<html>", b"[]", b"null", b"\xff"])
def test_a_success_that_cannot_be_read_says_what_to_check(
    stub: Stub, client: Client, body: bytes
) -> None:
    stub.will_answer(Reply(200, body))
    with pytest.raises(UnexpectedAnswerError, match=r"GET /v1/rules is not a RuleBook .*base_url"):
        client.rules()


def test_an_unreadable_answer_does_not_repeat_the_invite(stub: Stub, client: Client) -> None:
    stub.will_answer(Reply(200, b"?"))
    with pytest.raises(UnexpectedAnswerError) as caught:
        client.view("g1", invite="hush")
    assert "hush" not in str(caught.value)


def test_too_many_requests_is_left_to_the_caller(
    stub: Stub, client: Client, pauses: list[float]
) -> None:
    stub.will_answer(Reply(429, problem_json("rate_limited", 429), {"Retry-After": "7"}))
    with pytest.raises(RateLimited) as caught:
        client.rules()
    assert caught.value.retry_after == 7.0
    assert pauses == []


def test_a_problem_survives_a_journey_between_processes(stub: Stub, seat: Seat) -> None:
    stub.will_answer(Reply(412, problem_json("stale_version", 412, game=view_json(19))))
    with pytest.raises(OklahomaGinError) as caught:
        seat.draw("stock")
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is StaleVersion
    assert again.game == a_view(19)
