"""Idempotency keys, preconditions and races."""

from collections.abc import Callable

import pytest

from service.games.access import Caller
from service.games.desk import DECISIONS, PATIENCE
from service.games.errors import Refusal
from service.games.ports import StoreUnavailable
from service.rules.moves import Draw, Pass
from tests.games.playing import CREATE_KEY, Table, code_of, request
from tests.games.table import KEY


def dealt(seats: int = 2) -> Table:
    table = Table(seats=seats)
    table.deal()
    return table


def never(_revision: str) -> bool:
    return False


# Keys


def test_the_same_request_again_is_applied_once() -> None:
    table = dealt()
    seat = table.turn
    first = table.move(Pass(), key="k1")
    again = table.move(Pass(), seat, key="k1")
    assert (first.replayed, again.replayed) == (False, True)
    assert again.view == first.view
    assert len(table.events()) == table.record.version


def test_the_same_key_with_another_body_is_refused() -> None:
    table = dealt()
    seat, before = table.turn, table.record.version + 1
    table.move(Pass(), key="k1")
    asked = table.ask(seat, "k1", body="another")
    code = code_of(lambda: table.games.move(table.game_id, Draw("discard"), asked))
    assert code == "idempotency_key_reused"
    assert table.record.version == before


def test_a_replay_shows_the_game_as_it_is_now() -> None:
    table = dealt()
    seat = table.turn
    table.move(Pass(), key="k1")
    table.move(Pass())
    table.move(Draw("stock"))
    again = table.move(Pass(), seat, key="k1")
    assert again.replayed
    assert again.view.version == table.record.version
    assert again.view.you
    assert again.view.you.seat == seat


def test_a_refusal_is_not_remembered() -> None:
    table = dealt()
    seat = table.turn
    other = 1 - seat
    code = code_of(lambda: table.move(Pass(), other, key="k1"))
    assert code == "not_your_turn"
    table.move(Pass())
    assert not table.move(Pass(), other, key="k1").replayed


def test_a_key_is_the_callers_own_and_of_one_path() -> None:
    table = dealt()
    first, second = table.turn, 1 - table.turn
    table.move(Pass(), first, key="k1")
    assert not table.move(Pass(), second, key="k1").replayed
    asked = table.ask(first, "k1", path="POST /entropy")
    assert not table.games.set_entropy(table.game_id, "x", asked).replayed


def test_without_a_key_the_same_request_is_another_one() -> None:
    table = dealt()
    before = table.record.version
    for _ in range(2):
        assert not table.games.set_entropy(table.game_id, "x", table.ask(0)).replayed
    assert table.record.version == before + 2
    operations = [commit.operation for commit in table.store.commits[-2:]]
    assert {operation.ring for operation in operations} == {"internal"}
    assert operations[0].id != operations[1].id


def test_the_key_is_looked_up_before_the_version_and_the_rules() -> None:
    table = dealt()
    seat = table.turn
    table.move(Pass(), key="k1")
    asked = table.ask(seat, "k1", when=never)
    assert table.games.move(table.game_id, Pass(), asked).replayed


def test_a_replay_takes_the_callers_token() -> None:
    table = dealt()
    seat = table.turn
    table.move(Pass(), key="k1")
    forged = table.tokens[seat][:-4] + "AAAA"
    asked = request(forged, key="k1")
    assert code_of(lambda: table.games.move(table.game_id, Pass(), asked)) == "token_invalid"


def test_creating_again_under_a_key_gives_the_same_game_and_token() -> None:
    table = Table()
    asked = request(path="POST /v1/games", key=CREATE_KEY)
    again = table.games.create(table.new(), asked)
    assert (again.replayed, again.token, again.seat) == (True, table.tokens[0], 0)
    assert (again.view.game_id, again.invite) == (table.game_id, table.invite)
    assert again.view.version == table.record.version
    assert len(table.store.games) == 1
    assert table.store.commits[0].operation.ring == "pinned"


def test_creating_another_game_under_the_key_is_refused() -> None:
    table = Table()
    asked = request(path="POST /v1/games", key=CREATE_KEY, body="another")
    code = code_of(lambda: table.games.create(table.new(), asked))
    assert code == "idempotency_key_reused"


def test_without_a_key_each_creation_is_a_new_game() -> None:
    table = Table()
    asked = request(path="POST /v1/games")
    ids = {table.games.create(table.new(), asked).view.game_id for _ in range(5)}
    assert len(ids) == 5
    assert all(len(game_id) == 22 for game_id in ids)


def test_joining_again_under_a_key_gives_the_original_token_even_if_renewed() -> None:
    table = Table(joined=1)
    key = "a-joining-key-of-32-characters-l"
    joined = table.join("Bob", key)
    asked = request(joined.token, path="POST /token")
    renewed = table.games.renew_token(table.game_id, asked)
    again = table.join("Bob", key)
    assert (again.replayed, again.seat, again.token) == (True, 1, joined.token)
    assert again.token != renewed.token
    assert table.record.state.occupants == ("human", "human")


def test_a_joining_repeated_after_leaving_seats_nobody() -> None:
    table = Table(joined=1)
    key = "a-joining-key-of-32-characters-l"
    joined = table.join("Bob", key)
    table.games.leave(table.game_id, request(joined.token, path="POST /leave"))
    again = table.join("Bob", key)
    assert (again.replayed, again.token) == (True, joined.token)
    assert again.view.you is None
    assert table.record.state.occupants == ("human", None)


def test_a_secret_key_is_not_kept() -> None:
    table = Table()
    kept = repr(table.store.games) + repr(table.store.commits)
    assert CREATE_KEY not in kept
    assert KEY not in kept
    assert not any(token in kept for token in table.tokens)
    assert table.invite
    assert table.invite not in kept


# Preconditions


def test_a_stale_precondition_comes_before_the_rules() -> None:
    table = dealt()
    asked = table.ask(1 - table.turn, when=never)
    code = code_of(lambda: table.games.move(table.game_id, Draw("stock"), asked))
    assert code == "stale_version"


def test_the_token_comes_before_the_precondition() -> None:
    table = dealt()
    asked = request("okg_forged", when=never)
    assert code_of(lambda: table.games.move(table.game_id, Pass(), asked)) == "token_invalid"


def test_a_precondition_is_asked_of_the_revision() -> None:
    table = dealt()
    revision = table.record.revision
    asked = table.ask(table.turn, when=lambda now: now == revision)
    version = table.games.move(table.game_id, Pass(), asked).view.version
    assert table.record.revision != revision
    assert revision.startswith(f"{version - 1}-")


# Races: another request commits between this one's reading and its writing


def by_other(table: Table, seat: int) -> Callable[[], None]:
    """Return a request of another seat that changes the version and nothing on the table."""
    return lambda: void(table.games.set_entropy(table.game_id, "mine", table.ask(seat)))


def void(_value: object) -> None:
    pass


def test_a_race_lost_without_a_precondition_is_decided_again() -> None:
    table = dealt()
    before = table.record.version
    table.store.before.append(by_other(table, 1 - table.turn))
    answer = table.move(Pass())
    assert answer.view.version == before + 2
    assert [logged.event.type for logged in table.events()[-2:]] == ["entropy_set", "passed"]


def test_a_race_lost_with_a_precondition_is_stale() -> None:
    table = dealt()
    revision = table.record.revision
    asked = table.ask(table.turn, when=lambda now: now == revision)
    table.store.before.append(by_other(table, 1 - table.turn))
    code = code_of(lambda: table.games.move(table.game_id, Pass(), asked))
    assert code == "stale_version"
    assert table.events()[-1].event.type == "entropy_set"


def test_a_race_for_one_move_has_one_winner() -> None:
    table = dealt()
    seat = table.turn
    table.store.before.append(lambda: void(table.move(Pass(), seat)))
    assert code_of(lambda: table.move(Pass(), seat)) == "not_your_turn"
    assert [logged.event.type for logged in table.events()][-2:] == ["dealt", "passed"]


def test_a_race_for_the_last_seat_has_one_winner() -> None:
    table = Table(joined=1)
    table.store.before.append(lambda: void(table.join("Cyd")))
    assert code_of(lambda: table.join("Bob")) == "game_full"
    assert [player and player.name for player in table.record.players] == ["Ann", "Cyd"]


def test_a_race_with_itself_is_applied_once() -> None:
    table = dealt()
    seat, before = table.turn, table.record.version
    table.store.before.append(lambda: void(table.move(Pass(), seat, key="k1")))
    answer = table.move(Pass(), seat, key="k1")
    assert answer.replayed
    assert table.record.version == before + 1


def test_creating_twice_at_once_makes_one_game() -> None:
    table = Table()
    table.store.games.clear()
    asked = request(path="POST /v1/games", key=CREATE_KEY)
    table.store.before.append(lambda: void(table.games.create(table.new(), asked)))
    answer = table.games.create(table.new(), asked)
    assert answer.replayed
    assert len(table.store.games) == 1
    seen = table.games.look(table.game_id, Caller(answer.token)).view().you
    assert seen
    assert seen.seat == 0


def test_who_loses_race_after_race_is_told_to_come_again() -> None:
    table = dealt()
    rival = by_other(table, 1 - table.turn)

    def lose(left: int) -> None:
        rival()
        if left:
            table.store.before.insert(0, lambda: lose(left - 1))

    table.store.before.append(lambda: lose(DECISIONS))
    with pytest.raises(StoreUnavailable, match="nothing was applied"):
        table.move(Pass())


def test_nobody_waits_long_for_a_race_to_be_won() -> None:
    table = dealt()
    rival = by_other(table, 1 - table.turn)

    def lose(left: int) -> None:
        rival()
        table.clock.millis += PATIENCE + 1
        if left:
            table.store.before.insert(0, lambda: lose(left - 1))

    table.store.before.append(lambda: lose(1))  # what is remembered loses the first
    with pytest.raises(StoreUnavailable, match="nothing was applied"):
        table.move(Pass())


def test_a_game_that_vanishes_meanwhile_is_not_found() -> None:
    table = dealt()
    table.store.before.append(table.store.games.clear)
    assert code_of(lambda: table.move(Pass())) == "game_not_found"
    assert code_of(lambda: table.games.look(table.game_id, Caller()).view()) == "game_not_found"


@pytest.mark.parametrize("when", [None, never])
def test_a_refusal_shows_the_game_as_it_is(when: Callable[[str], bool] | None) -> None:
    table = dealt()
    asked = table.ask(table.turn, when=when)
    with pytest.raises(Refusal) as caught:
        table.games.move(table.game_id, Draw("stock"), asked)
    assert caught.value.look
    assert caught.value.look() == table.look(table.turn)
