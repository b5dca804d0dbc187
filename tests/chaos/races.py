"""Many callers at once who all want the same thing, of which there is one."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias
from uuid import uuid4

from tests.chaos.caller import Answer, Request
from tests.chaos.crowd import Course, Crowd, Standings, create
from tests.chaos.ledger import Trace
from tests.chaos.moves import CHAT, Move, offered
from tests.chaos.stage import sockets_by_worker
from tests.e2e.service import Service

CROWD: Final = 20
JOINERS: Final = 10
MOST_TRIES: Final = 50


Race: TypeAlias = Callable[[Crowd, int], Standings]


def move_race(*, same: bool, conditional: bool) -> Race:
    """Return the race for one version of a game: one winner, and the log tells of nobody else."""

    def run(crowd: Crowd, rounds: int) -> Standings:
        standings = Standings()
        course = Course(crowd, seed=rounds)
        while standings.rounds < rounds:
            seat = course.advance()
            moves = offered(course.view["actions"])
            if same:
                moves = [course.dice.choice(moves)]
            elif len(moves) == 1:  # nothing to choose from, but the way on
                crowd.alone(course.request(seat, moves[0], conditional=False, key=None))
                continue
            _race_for_a_move(crowd, course, seat, moves, standings, conditional=conditional)
        return standings

    return run


def _race_for_a_move(
    crowd: Crowd,
    course: Course,
    seat: int,
    moves: Sequence[Move],
    standings: Standings,
    *,
    conditional: bool,
) -> None:
    chosen = [moves[place % len(moves)] for place in range(crowd.size)]
    keyed = standings.rounds % 2
    requests = [
        course.request(seat, move, conditional=conditional, key=str(uuid4()) if keyed else None)
        for move in chosen
    ]
    before = int(course.view["version"])
    answers = crowd.send(requests)
    standings.count(answers)
    traces = [
        Trace(move.event, seat, move.detail)
        for move, answer in zip(chosen, answers, strict=True)
        if answer.attempt.fresh
    ]
    lost = {answer.attempt.status for answer in answers if not answer.attempt.fresh}
    standings.expect(len(traces) == 1, f"{len(traces)} winners")
    standings.expect(lost <= ({412} if conditional else {409, 412}), f"losers were told {lost}")
    standings.expect(course.version() == before + 1, f"version {before} became {course.version()}")
    standings.expect(course.last_trace() in traces, f"the log says {course.last_trace()}")


def same_key_race(crowd: Crowd, rounds: int) -> Standings:
    """Send one move under one key at once: it is applied once, and all are told that it was."""
    standings = Standings()
    course = Course(crowd, seed=rounds)
    while standings.rounds < rounds:
        seat = course.advance()
        move = course.dice.choice([*offered(course.view["actions"]), CHAT])
        conditional = bool(standings.rounds % 2)
        request = course.request(seat, move, conditional=conditional, key=str(uuid4()))
        before = int(course.view["version"])
        answers = crowd.send([request] * crowd.size)
        standings.count(answers)
        _expect_one_of_all(standings, answers, 200)
        standings.expect(
            course.version() == before + 1, f"version {before} became {course.version()}"
        )
    return standings


def text_race(crowd: Crowd, rounds: int) -> Standings:
    """Send what is always allowed: each is applied once, or refused for having always come late."""
    standings = Standings()
    course = Course(crowd, seed=rounds)
    while standings.rounds < rounds:
        seat = course.advance()
        before = course.version()
        answers = crowd.send([course.request(seat, CHAT, conditional=False, key=None)] * crowd.size)
        standings.count(answers)
        applied = sum(answer.attempt.fresh for answer in answers)
        others = {answer.attempt.status for answer in answers if not answer.attempt.fresh}
        standings.expect(applied >= 1, "nobody got through")
        standings.expect(others <= {412}, f"others were told {others}")
        standings.expect(
            course.version() == before + applied, f"{applied} applied, {course.version()}"
        )
    return standings


def join_race(crowd: Crowd, rounds: int) -> Standings:
    """Join one free seat at once, with a key of one's own or none: one is seated."""
    standings = Standings()
    for _ in range(rounds):
        path = f"/v1/games/{create(crowd).body['game']['game_id']}"
        keyed = standings.rounds % 2
        answers = crowd.send(
            [
                Request("POST", f"{path}/players", body={"name": f"P{place}"}, headers=_key(keyed))
                for place in range(crowd.size)
            ]
        )
        standings.count(answers)
        statuses = Counter(answer.attempt.status for answer in answers)
        standings.expect(statuses == {201: 1, 409: crowd.size - 1}, f"answers {dict(statuses)}")
        view = crowd.alone(Request("GET", path)).body
        names = [player["name"] for player in view["players"]]
        seated = [
            answer.body["game"]["players"][1]["name"] for answer in answers if answer.body["game"]
        ]
        standings.expect(
            set(seated) == {names[1]}, f"{names} are seated, callers were told {seated}"
        )
        standings.expect(view["version"] == 2, f"version {view['version']}")
    return standings


def same_key_seat_race(crowd: Crowd, rounds: int) -> Standings:
    """Create, then join, under one key at once: one game, one seat, one token for all."""
    standings = Standings()
    for _ in range(rounds):
        request = Request("POST", "/v1/games", body={"name": "Ann"}, headers=_key(True))
        created = crowd.send([request] * crowd.size)
        standings.count(created)
        _expect_one_of_all(standings, created, 201)
        tokens = {answer.body.get("token") for answer in created}
        standings.expect(len(tokens) == 1, f"{len(tokens)} tokens for a creation")
        path = f"/v1/games/{created[0].body['game']['game_id']}/players"
        request = Request("POST", path, body={"name": "Bob"}, headers=_key(True))
        joined = crowd.send([request] * crowd.size)
        standings.count(joined)
        _expect_one_of_all(standings, joined, 201)
        tokens = {answer.body.get("token") for answer in joined}
        standings.expect(len(tokens) == 1, f"{len(tokens)} tokens for a joining")
    return standings


def _expect_one_of_all(standings: Standings, answers: Sequence[Answer], status: int) -> None:
    statuses = {answer.attempt.status for answer in answers}
    fresh = sum(answer.attempt.fresh for answer in answers)
    standings.expect(statuses == {status}, f"answers {statuses}")
    standings.expect(fresh == 1, f"{fresh} were applied as new")


def _key(keyed: object) -> dict[str, str]:
    return {"Idempotency-Key": str(uuid4())} if keyed else {}


RACES: Final[dict[str, tuple[int, Race]]] = {
    "one move, If-Match": (CROWD, move_race(same=True, conditional=True)),
    "one move, no If-Match": (CROWD, move_race(same=True, conditional=False)),
    "different moves, If-Match": (CROWD, move_race(same=False, conditional=True)),
    "different moves, no If-Match": (CROWD, move_race(same=False, conditional=False)),
    "one move under one key": (CROWD, same_key_race),
    "texts, all of them allowed": (CROWD, text_race),
    "joins for one seat": (JOINERS, join_race),
    "creates and joins under one key": (JOINERS, same_key_seat_race),
}
"""Each race with the number of callers in it."""


def race(service: Service, name: str, rounds: int) -> Standings:
    """Run one race over all workers of a service."""
    size, run = RACES[name]
    with Crowd(service.url, size) as crowd:
        _spread(crowd, service)
        return run(crowd, rounds)


def _spread(crowd: Crowd, service: Service) -> None:
    """Have the crowd connect until every worker holds some of its connections."""
    for _ in range(MOST_TRIES):
        crowd.connect()
        if all(sockets_by_worker(service).values()):
            return
    raise RuntimeError(f"one worker takes all connections: {sockets_by_worker(service)}")
