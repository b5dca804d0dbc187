"""What a request costs, counted: nothing here is timed, so that it holds on any machine."""

from collections.abc import Callable
from cProfile import Profile
from pstats import Stats

import pytest
from flask import Flask
from redis import Redis

from tests.conftest import Tally
from tests.speed import bounds
from tests.speed.playing import Playing

MOVES = 60
ROUNDS = 30

# Between two readings the server has read one of them.
READING = b"*2\r\n$4\r\nINFO\r\n$5\r\nstats\r\n"


def trips_and_bytes(server: Redis, work: Callable[[], object]) -> tuple[int, int]:
    """Return how often the server read from clients meanwhile, and how many bytes."""
    before = server.info("stats")
    work()
    after = server.info("stats")
    trips = after["total_reads_processed"] - before["total_reads_processed"] - 1
    received = after["total_net_input_bytes"] - before["total_net_input_bytes"] - len(READING)
    return trips, received


def calls_of(playing: Playing, request: Callable[[], object], times: int) -> float:
    """Return how many functions the app calls for one such request, on the average."""
    profile = Profile()
    playing.watched = profile
    for _ in range(times):
        request()
    return float(Stats(profile).total_calls) / times  # type: ignore[attr-defined]  # typeshed's gap


def test_a_move_costs_few_round_trips_to_redis_and_few_bytes(
    playing: Playing, server: Redis, tally: Tally
) -> None:
    trips, sent = trips_and_bytes(server, lambda: [playing.move() for _ in range(MOVES)])
    tally(trips_in_60_moves=trips, bytes_to_redis_in_60_moves=sent)
    assert trips <= bounds.TRIPS_A_MOVE * MOVES
    assert sent <= bounds.SENT_A_MOVE * MOVES


def test_a_worker_that_has_not_seen_the_last_move_takes_one_trip_more(
    playing: Playing, server: Redis, workers: tuple[Flask, Flask], tally: Tally
) -> None:
    def alternate() -> None:
        for number in range(MOVES):
            playing.app = workers[number % 2]
            playing.move()

    alternate()
    trips, _ = trips_and_bytes(server, alternate)
    tally(trips_in_60_moves_by_two_workers=trips)
    assert trips <= bounds.TRIPS_AFTER_ANOTHER * MOVES


def test_the_answer_to_a_move_stays_small(playing: Playing, tally: Tally) -> None:
    size = sum(len(playing.move().content) for _ in range(MOVES))
    tally(bytes_answered_to_60_moves=size)
    assert size <= bounds.ANSWER_OF_A_MOVE * MOVES


@pytest.mark.parametrize("kind", bounds.CALLS)
def test_a_request_calls_few_functions(playing: Playing, kind: str, tally: Tally) -> None:
    etag = playing.look().view["etag"]
    requests: dict[str, Callable[[], object]] = {
        "livez": lambda: playing.ask("GET", "/livez"),
        "unchanged": lambda: playing.look(etag),
        "view": playing.look,
        "move": playing.move,
    }
    requests[kind]()
    calls = calls_of(playing, requests[kind], MOVES)
    tally(**{f"calls_for_{kind}": round(calls)})
    assert calls <= bounds.CALLS[kind]


def test_what_is_counted_is_what_was_asked_for(playing: Playing, server: Redis) -> None:
    assert playing.look(playing.look().view["etag"]).status == 304
    assert trips_and_bytes(server, lambda: playing.ask("GET", "/livez")) == (0, 0)
    trips, _ = trips_and_bytes(server, playing.look)
    assert trips == 1


def test_a_snapshot_does_not_grow_with_the_rounds_played(
    playing: Playing, server: Redis, tally: Tally
) -> None:
    key = f"okg:{{{playing.game_id}}}"
    largest: dict[int, int] = {}
    for number in playing.rounds():
        largest[number] = max(largest.get(number, 0), server.hstrlen(key, "snap"))
        if number > ROUNDS:
            break
    early = max(largest[number] for number in (2, 3, 4))
    late = max(largest[number] for number in (ROUNDS - 2, ROUNDS - 1, ROUNDS))
    tally(largest_snapshot_of_early_rounds=early, largest_snapshot_of_late_rounds=late)
    assert max(largest.values()) <= bounds.SNAPSHOT
    assert late <= early + bounds.SNAPSHOT_GROWTH
