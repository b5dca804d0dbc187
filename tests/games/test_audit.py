"""An audit finds nothing in games as they were played, and whatever is planted in one."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from service.games.audit import Audit, audit
from service.games.errors import Refusal
from service.games.ports import Commit, Outcome, StoreUnavailable
from service.games.record import LoggedEvent, RoundRecord
from service.rules.cards import FULL_DECK
from service.rules.moves import Resign
from service.rules.ruleset import PRESETS, choose_rules
from tests.conftest import Tally
from tests.games.memory import Kept
from tests.games.playing import Table, WatchedStore

SHORT = {"target_score": 60, "round_limit": 4}


class ForgetfulStore(WatchedStore):
    """Forgets all of the log that a commit does not ask it to keep."""

    def commit(self, commit: Commit) -> Outcome:
        outcome = super().commit(commit)
        kept = self.games[commit.record.game_id]
        oldest = min(commit.keep_from, *kept.record.round_versions[:1], kept.record.version)
        kept.log[:] = [logged for logged in kept.log if logged.version >= oldest]
        return outcome


def audited(table: Table) -> Audit:
    found = audit(table.store, table.game_id)
    assert found
    return found


def a_table(seed: int = 1, preset: str = "oklahoma", seats: int = 2, **words: Any) -> Table:
    rules = choose_rules(preset, SHORT)
    return Table(seed=seed, rules=rules, seats=seats, store=ForgetfulStore(), **words)


def played(seed: int = 1, preset: str = "oklahoma", seats: int = 2, **words: Any) -> Table:
    table = a_table(seed, preset, seats, **words)
    table.play_out(Random(seed))
    return table


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("preset", list(PRESETS))
def test_nothing_is_found_in_a_game_as_it_was_played(preset: str, seats: int, tally: Tally) -> None:
    found = audited(played(seats, preset, seats))
    assert found.difference is None
    assert found.rounds > 0
    assert found.moves > 10 * found.rounds
    tally(rounds=found.rounds, moves=found.moves)


@pytest.mark.parametrize("first_player", ["random", "high_card", "host"])
def test_who_begins_follows_from_the_shuffle(first_player: str) -> None:
    rules = choose_rules("oklahoma", {**SHORT, "first_player": first_player})
    table = Table(rules=rules)
    table.play_round(Random(1))
    assert audited(table).difference is None


@pytest.mark.parametrize("seats", [2, 4])
def test_nothing_is_found_at_any_moment_of_a_game(seats: int, tally: Tally) -> None:
    dice, table = Random(seats), a_table(seats, seats=seats, joined=1)
    names = iter(("Bob", "Cyd", "Dee")[: seats - 1])
    assert audited(table) == Audit(table.game_id, 0, 0, None)
    for name in names:
        table.tokens.append(table.join(name).token)
        table.games.set_entropy(table.game_id, name, table.ask(len(table.tokens) - 1))
        assert audited(table).difference is None
    while not table.record.state.result:
        with suppress(Refusal):  # who has resigned deals no more
            table.go_on(dice)
            _something_else(table, dice)
        assert audited(table).difference is None
        tally(audits=1)


def _something_else(table: Table, dice: Random) -> None:
    """Now and then do what is no turn: leave a text, renew a token, resign."""
    seat, chance = dice.randrange(table.seats), dice.random()
    if chance < 0.05:
        table.games.set_entropy(table.game_id, "text", table.ask(seat))
    elif chance < 0.1:
        renewed = table.games.renew_token(table.game_id, table.ask(seat))
        table.tokens[seat] = renewed.token
    elif chance < 0.11:
        table.move(Resign(), seat)


@pytest.mark.parametrize("timeout_action", ["autoplay", "forfeit"])
def test_late_seats_and_bots_are_played_again(timeout_action: Any) -> None:
    table = a_table(seats=4, joined=2, turn_seconds=5, timeout_action=timeout_action)
    for level in ("easy", "medium"):
        table.games.add_bot(table.game_id, level, None, table.ask(0))
    table.deal()
    for _ in range(6):
        table.clock.millis += 60_000
        with suppress(Refusal):
            table.games.claim(table.game_id, table.ask(0))
        assert audited(table).difference is None


def test_a_game_that_was_given_up_before_it_began_is_sound() -> None:
    table = a_table(seats=3)
    table.games.remove(table.game_id, 2, table.ask(0))
    table.games.leave(table.game_id, table.ask(1))
    table.games.leave(table.game_id, table.ask(0))
    assert audited(table) == Audit(table.game_id, 0, 5, None)


def test_a_rematch_and_the_game_before_it_are_sound() -> None:
    table = played()
    again = table.games.rematch(table.game_id, table.ask(0)).view.game_id
    assert audited(table).difference is None
    found = audit(table.store, again)
    assert found
    assert (found.moves, found.difference) == (1, None)


def test_a_sandbox_deals_its_own_decks() -> None:
    table = Table(decks=(tuple(range(52)),))
    table.play_round(Random(1))
    assert audited(table).difference is None


def test_there_is_nothing_to_audit_of_a_game_that_is_not_there() -> None:
    assert audit(WatchedStore(), "nothing") is None


def test_a_game_that_moves_meanwhile_is_read_again() -> None:
    class Restless(ForgetfulStore):
        """Has a move made in the middle of the first reading."""

        def results(self, game_id: str) -> tuple[Any, ...]:
            if self.moves:
                self.moves.pop()()
            return super().results(game_id)

        def __init__(self) -> None:
            super().__init__()
            self.moves: list[Callable[[], object]] = []

    store = Restless()
    table = Table(rules=choose_rules("oklahoma", SHORT), store=store)
    table.play_round(Random(1))
    store.moves = [table.deal]
    assert audited(table).difference is None
    assert store.moves == []


Fault = Callable[[Kept], str]


def change_round(kept: Kept, number: int = 1, **changes: Any) -> RoundRecord:
    kept.rounds[number] = replace(kept.rounds[number], **changes)
    return kept.rounds[number]


def change_move(kept: Kept, at: int, **changes: Any) -> LoggedEvent:
    """Change an event of the first round, in its record and in the log."""
    moves = list(kept.rounds[1].moves)
    told = moves[at]
    moves[at] = replace(told, event=replace(told.event, **changes))
    change_round(kept, moves=tuple(moves))
    kept.log[:] = [moves[at] if each.version == told.version else each for each in kept.log]
    return moves[at]


def first(kept: Kept, kind: str) -> int:
    return next(at for at, told in enumerate(kept.rounds[1].moves) if told.event.type == kind)


def a_changed_card(kept: Kept) -> str:
    at = first(kept, "drew")
    card = kept.rounds[1].moves[at].event.card or 0
    told = change_move(kept, at, card=(card + 1) % 52)
    return f"round 1, version {told.version}, 'drew': card: "


def a_changed_deck(kept: Kept) -> str:
    head, *rest = kept.rounds[1].deck
    change_round(kept, deck=(*rest, head))
    return "round 1, deck: [0]: "


def a_doubled_card(kept: Kept) -> str:
    _, *rest = kept.rounds[1].deck
    change_round(kept, deck=(rest[0], *rest))
    return "round 1: its deck is not 52 different cards"


def another_secret(kept: Kept) -> str:
    shuffle = kept.rounds[1].shuffle
    assert shuffle
    change_round(kept, shuffle=replace(shuffle, secret="00" * 32))
    return "round 1, commitment: "


def a_hidden_shuffle(kept: Kept) -> str:
    change_round(kept, shuffle=None)
    return "round 1: its shuffle is not revealed"


def a_missing_event(kept: Kept) -> str:
    moves = kept.rounds[1].moves
    change_round(kept, moves=(*moves[:3], *moves[4:]))
    return f"round 1: version {moves[3].version} is missing"


def a_missing_entry_of_the_log(kept: Kept) -> str:
    gone = kept.log.pop(-2)
    return f"the log: version {gone.version} is missing"


def a_lost_end_of_the_log(kept: Kept) -> str:
    gone = kept.log.pop()
    return f"the log ends with version {gone.version - 1}, the game is {gone.version}"


def a_lost_beginning_of_the_log(kept: Kept) -> str:
    oldest = kept.record.round_versions[0]
    kept.log[:] = [each for each in kept.log if each.version > oldest]
    return "the log: version "


def a_foreign_id(kept: Kept) -> str:
    kept.log[-1] = replace(kept.log[-1], id="7-00000000")
    return f"the log: version {kept.log[-1].version} has the id 7-00000000"


def an_event_told_otherwise(kept: Kept) -> str:
    last = kept.rounds[max(kept.rounds)].moves[-1]
    kept.log[:] = [replace(each, at=7) if each.id == last.id else each for each in kept.log]
    return f"round {max(kept.rounds)}, version {last.version} in the log: at: 7 is kept"


def a_round_without_moves(kept: Kept) -> str:
    change_round(kept, moves=())
    return "round 1: its record does not begin with the deal"


def a_round_without_its_end(kept: Kept) -> str:
    change_round(kept, moves=kept.rounds[1].moves[:-1])
    return "round 1: its moves do not end it"


def a_wrong_total(kept: Kept) -> str:
    result = kept.rounds[1].result
    change_round(kept, result=replace(result, totals=(result.totals[0] + 1, *result.totals[1:])))
    return "round 1, result: totals[0]: "


def a_wrong_total_of_the_game(kept: Kept) -> str:
    state = kept.record.state
    kept.record = replace(kept.record, state=replace(state, totals=(0, *state.totals[1:])))
    return "the snapshot: totals[0]: 0 is kept"


def a_wrong_hand(kept: Kept) -> str:
    table = kept.record.state.round
    assert table
    hands = (table.hands[0] ^ FULL_DECK, *table.hands[1:])
    changed = replace(kept.record.state, round=replace(table, hands=hands))
    kept.record = replace(kept.record, state=changed)
    return "the snapshot: round.hands[0]: "


def a_move_against_the_rules(kept: Kept) -> str:
    at = first(kept, "drew")
    told = change_move(kept, at, seat=1 - (kept.rounds[1].moves[at].event.seat or 0))
    return f"round 1, version {told.version}: 'drew' is against the rules"


def a_seat_that_is_not_there(kept: Kept) -> str:
    told = change_move(kept, first(kept, "drew"), seat=9)
    return f"round 1, version {told.version}: "


def an_unknown_event(kept: Kept) -> str:
    told = change_move(kept, first(kept, "drew"), type="cheated")
    return f"round 1, version {told.version}: 'cheated' tells of no move"


def a_draw_from_nowhere(kept: Kept) -> str:
    told = change_move(kept, first(kept, "drew"), source=None)
    return f"round 1, version {told.version}: 'drew' names no pile"


def a_discard_of_nothing(kept: Kept) -> str:
    told = change_move(kept, first(kept, "discarded"), card=None)
    return f"round 1, version {told.version}: 'discarded' names no card"


def a_deal_by_nobody(kept: Kept) -> str:
    told = change_move(kept, 0, dealer=None)
    return f"round 1, version {told.version}: 'dealt' names no dealer"


def another_dealer(kept: Kept) -> str:
    change_round(kept, dealer=1 - kept.rounds[1].dealer)
    return "round 1, dealer: "


def a_round_told_twice(kept: Kept) -> str:
    change_round(kept, 2, moves=kept.rounds[1].moves)
    return f"round 2: it begins with version {kept.rounds[1].moves[0].version} again"


FAULTS: tuple[Fault, ...] = (
    *(a_changed_card, a_changed_deck, a_doubled_card, another_secret, a_hidden_shuffle),
    *(a_missing_event, a_missing_entry_of_the_log, a_lost_end_of_the_log),
    *(a_lost_beginning_of_the_log, a_foreign_id, an_event_told_otherwise, a_round_without_moves),
    *(a_round_without_its_end, a_wrong_total, a_wrong_total_of_the_game, a_wrong_hand),
    *(a_move_against_the_rules, a_seat_that_is_not_there, an_unknown_event, a_draw_from_nowhere),
    *(a_discard_of_nothing, a_deal_by_nobody, another_dealer, a_round_told_twice),
)


@pytest.fixture
def kept() -> Table:
    table = played(5)
    assert len(table.store.games[table.game_id].rounds) > 1
    return table


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_planted_fault_is_found(fault: Fault, kept: Table, tally: Tally) -> None:
    due = fault(kept.store.games[kept.game_id])
    found = audited(kept).difference
    assert found
    assert found.startswith(due)
    tally(faults_found=1)


def test_a_round_that_is_listed_and_not_kept_is_found(kept: Table) -> None:
    class Gapped(ForgetfulStore):
        """Has lost a round's record, and not its result."""

        def round(self, game_id: str, number: int) -> RoundRecord | None:
            return None if number == 1 else super().round(game_id, number)

    gapped = Gapped()
    gapped.games = kept.store.games
    found = audit(gapped, kept.game_id)
    assert found
    assert found.difference == "round 1: it is finished and there is no record of it"


def test_a_running_round_without_its_deck_is_found() -> None:
    table = a_table()
    table.deal()
    stored = table.store.games[table.game_id]
    stored.record = replace(stored.record, state=replace(stored.record.state, round=None))
    assert "a deck is dealt of which there is no record" in (audited(table).difference or "")


def test_a_game_that_never_rests_is_not_judged() -> None:
    class Restless(ForgetfulStore):
        """Has somebody leave a text whenever the game is read."""

        def load(self, *asked: Any) -> Any:
            loaded = super().load(*asked)
            if loaded and len(asked) == 1:
                record = replace(loaded.record, version=loaded.record.version + 1)
                self.games[record.game_id].record = record
            return loaded

    store = Restless()
    table = Table(store=store)
    with pytest.raises(StoreUnavailable, match="Audit it again"):
        audit(store, table.game_id)
