"""The life of a game through the use cases: seats, versions, the log, the clock, decks, records."""

from random import Random

import pytest

from service.games.access import Caller
from service.games.changes import Lifetimes
from service.games.errors import Refusal
from service.games.record import LOG_EVENTS
from service.games.shuffle import commitment_of, deck_of
from service.rules.legal import Actions
from service.rules.moves import Resign
from service.rules.ruleset import PRESETS, choose_rules
from tests.games.playing import Table, code_of, request, use_cases
from tests.rules.chance import shuffled

DAY = 24 * 3600


def test_joining_takes_the_lowest_free_seat() -> None:
    table = Table(seats=4)
    table.games.leave(table.game_id, table.ask(2))
    table.games.leave(table.game_id, table.ask(1))
    assert table.join("Eve").seat == 1
    assert table.join("Fay").seat == 2
    names = [player.name for player in table.look(None).players]
    assert names == ["Ann", "Eve", "Fay", "Dee"]


def test_a_full_game_takes_nobody_and_a_seat_only_once() -> None:
    table = Table()
    assert code_of(lambda: table.join("Eve")) == "game_full"
    twice = request(table.tokens[1], "POST /players")
    assert code_of(lambda: table.games.join(table.game_id, "Bob", None, twice)) == "already_seated"


def test_no_round_is_dealt_before_all_seats_are_taken() -> None:
    assert code_of(Table(seats=3, joined=2).deal) == "game_not_full"


def test_the_host_may_take_a_player_out() -> None:
    table = Table(seats=3)
    assert code_of(lambda: table.games.remove(table.game_id, 2, table.ask(1))) == "host_only"
    table.games.remove(table.game_id, 1, table.ask(0))
    gone = Caller(table.tokens[1])
    assert code_of(lambda: table.games.look(table.game_id, gone).view()) == "token_invalid"
    assert table.join("Eve").seat == 1


def test_a_host_who_leaves_ends_the_game() -> None:
    table = Table()
    answer = table.games.leave(table.game_id, table.ask(0))
    assert answer.view.result
    assert (answer.view.result.reason, answer.view.result.winner) == ("cancelled", None)
    assert answer.view.status == "finished"


def test_a_game_of_missing_id_is_not_found() -> None:
    table = Table()
    asked = table.ask(0)
    assert code_of(lambda: table.games.move("x" * 22, Resign(), asked)) == "game_not_found"


# Versions and the log


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("preset", ["oklahoma", "oklahoma-penalties"])
def test_versions_go_from_1_without_a_gap_and_each_has_one_event(preset: str, seats: int) -> None:
    table = Table(rules=choose_rules(preset, {"target_score": 40}), seats=seats)
    table.play_out(Random(1))
    versions = [logged.version for logged in table.events()]
    assert versions == list(range(1, table.record.version + 1))
    assert [int(logged.id.split("-")[0]) for logged in table.events()] == versions
    assert len({logged.id for logged in table.events()}) == len(versions)
    assert [commit.record.version for commit in table.store.commits] == versions


def in_layoff(seed: int) -> Table | None:
    """Return a game of three brought to its first knock, if its first round has one."""
    table = Table(seed=seed, seats=3, rules=PRESETS["oklahoma-open"].rules)
    dice = Random(seed)
    table.deal()
    while table.phase not in ("layoff", "over"):
        table.go_on(dice)
    return table if table.phase == "layoff" else None


def test_a_resignation_in_a_layoff_makes_several_events_in_one_commit() -> None:
    table = next(filter(None, map(in_layoff, range(40))))
    before, turn = table.record.version, table.turn
    table.move(Resign(), turn)
    made = [logged.event.type for logged in table.events()[before:]]
    assert made == ["resigned", "laid_off"]
    assert len(table.store.commits[-1].events) == 2
    assert table.record.version == before + 2


def test_each_viewer_reads_the_log_by_pages() -> None:
    table = Table()
    table.deal()
    for viewer in (0, 1, None):
        caller = Caller(None if viewer is None else table.tokens[viewer])
        page = table.games.events(table.game_id, caller, 1, 1)
        assert [each.version for each in page.events] == [2]
        assert (page.first_version, page.version) == (1, 3)
        last = table.games.events(table.game_id, caller, 2, 10).events[0].event
        assert last.type == "dealt"
        assert (last.hand is None) == (viewer is None)


@pytest.mark.slow
def test_the_log_keeps_the_running_and_the_previous_round() -> None:
    table = Table(rules=choose_rules("oklahoma", {"target_score": 10000, "round_limit": 60}))
    dice = Random(2)
    dealt_at = []
    while not table.record.state.result and table.record.version < LOG_EVENTS + 200:
        table.go_on(dice)
        commit = table.store.commits[-1]
        if commit.events[-1].event.type == "dealt":
            dealt_at.append(commit.record.version)
        oldest = max(1, commit.record.version - LOG_EVENTS + 1)
        assert commit.keep_from == min([oldest, *dealt_at[-2:]])
    assert table.record.version > LOG_EVENTS


def test_games_live_on_by_their_status() -> None:
    lives = Lifetimes()
    assert (lives.waiting, lives.playing, lives.finished) == (DAY, 14 * DAY, 30 * DAY)
    table = Table()
    waiting = table.store.commits[-1]
    assert waiting.ttl_seconds == DAY
    table.clock.millis += 5000
    view = table.deal().view
    assert table.store.commits[-1].ttl_seconds == 14 * DAY
    assert view.expires_at == table.clock.millis + 14 * DAY * 1000
    assert (view.created_at, view.updated_at) == (table.clock.millis - 5000, table.clock.millis)
    table.move(Resign(), 0)
    assert table.store.commits[-1].ttl_seconds == 30 * DAY


# The shuffle


def test_each_rounds_secret_is_committed_to_before_it_is_dealt() -> None:
    table = Table()
    dice = Random(3)
    for number in (1, 2, 3):
        promised = table.look(None).next_commitment
        table.play_round(dice)
        if table.record.state.result:
            break
        page = table.games.round(table.game_id, number, Caller())
        assert page.shuffle
        assert page.shuffle.commitment == promised == commitment_of(page.shuffle.secret)
        assert deck_of(page.shuffle) == page.deck
        assert table.look(None).next_commitment != promised


def test_texts_are_used_for_one_shuffle_only() -> None:
    table = Table(entropies=("", "bob's"))
    table.deal(0, "ann's")
    assert table.record.shuffle
    assert table.record.shuffle.entropies == ("ann's", "bob's")
    table.move(Resign(), 0)
    later = Table(seats=3, entropies=("", "b", "c"))
    later.deal(0)
    later.move(Resign(), 2)
    later.games.set_entropy(later.game_id, "new", later.ask(1))
    later.deal(0)
    assert later.record.shuffle
    assert later.record.shuffle.entropies == ("", "new", "")


def test_a_text_is_not_in_the_log() -> None:
    table = Table()
    table.games.set_entropy(table.game_id, "very-own-text", table.ask(1))
    assert table.events()[-1].event.type == "entropy_set"
    assert "very-own-text" not in repr(table.events())
    assert "very-own-text" not in repr([table.look(seat) for seat in (0, 1, None)])


def test_the_last_text_of_a_seat_counts() -> None:
    table = Table(entropies=("", "first"))
    table.games.set_entropy(table.game_id, "second", table.ask(1))
    table.deal(1, "third")
    assert table.record.shuffle
    assert table.record.shuffle.entropies == ("", "third")


def test_given_decks_are_dealt_first_and_then_shuffles() -> None:
    decks = (shuffled(Random(1)), shuffled(Random(2)))
    table = Table(decks=decks)
    assert table.look(None).sandbox
    dice = Random(4)
    for number, deck in enumerate(decks, 1):
        table.play_round(dice)
        page = table.games.round(table.game_id, number, Caller())
        assert (page.deck, page.shuffle) == (deck, None)
    table.deal()
    assert table.record.shuffle
    assert table.record.state.round
    assert table.record.state.round.deck == deck_of(table.record.shuffle)
    assert table.record.sandbox


def test_decks_are_refused_where_there_is_no_sandbox() -> None:
    table = Table(decks=(shuffled(Random(1)),))
    games = use_cases(table.store, sandbox=False)
    with pytest.raises(Refusal) as caught:
        games.create(table.new(), request(path="POST /v1/games"))
    assert caught.value.code == "invalid_request"
    assert [pointer for pointer, _ in caught.value.faults] == ["/deck"]
    assert len(table.store.games) == 1


# What is shown


def test_a_refusal_shows_nothing_hidden_and_offers_nothing() -> None:
    table = Table()
    table.deal()
    view = table.look(None)
    assert view.you is None
    assert not any((view.actions.draw, view.actions.deal, view.actions.resign))
    assert Actions().draw == ()


def test_the_store_can_be_checked() -> None:
    table = Table()
    table.games.check()
    sheet = table.games.score(table.game_id, Caller(table.tokens[0]))
    assert [(line.name, line.total, line.boxes) for line in sheet.players] == [
        ("Ann", 0, 0),
        ("Bob", 0, 0),
    ]
    assert (sheet.rounds, sheet.result) == ((), None)


def test_a_host_who_leaves_is_no_player_any_more() -> None:
    table = Table()
    table.games.leave(table.game_id, table.ask(0))
    view = table.look(1)
    assert [player.seat for player in view.players] == [1]
    assert view.result is not None
    assert view.result.reason == "cancelled"


def test_a_view_tells_the_clock_the_hand_and_the_card_that_sets_the_limit() -> None:
    table = Table(seats=3, turn_seconds=30, timeout_action="forfeit")
    table.deal()
    view = table.look(None)
    assert (view.hand_size, view.turn_seconds, view.timeout_action) == (7, 30, "forfeit")
    assert view.round is not None
    assert view.round.limit_card == view.round.upcard


def test_a_fixed_limit_is_no_cards() -> None:
    table = Table(rules=PRESETS["gin"].rules)
    table.deal()
    view = table.look(0)
    assert view.round is not None
    assert view.round.limit_card is None
