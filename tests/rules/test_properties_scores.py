"""Scores of random games, held against a second scorer and the rule book's ends of a game."""

from collections.abc import Iterable, Iterator

from service.rules.cards import card_name, cards_in
from service.rules.state import GameState, RoundResult
from tests.rules import scoresheet
from tests.rules.chance import Ply
from tests.rules.random_games import GAMES, game, games, worth
from tests.rules.tables import table


def results(plies: Iterable[Ply]) -> Iterator[tuple[Ply, RoundResult]]:
    return ((ply, ply.event.result) for ply in plies if ply.event.result)


def test_every_round_is_scored_as_by_a_second_hand() -> None:
    kinds = set()
    for ply, found in results(games(4 * GAMES)):
        before, after, chosen = ply.before, ply.after, ply.after.rules
        kinds.add((found.kind, chosen.scoring))
        assert found.totals == after.totals
        if found.kind == "void":
            assert (before.totals, before.boxes) == (after.totals, after.boxes)
            assert (found.lines, found.winner) == ((), None)
            continue
        assert (found.kind, found.winner) == scoresheet.outcome(found, chosen, after.seats)
        upcard = card_name(table(after).upcard)
        added = scoresheet.amounts(found, chosen, after.seats, upcard)
        assert {seat: _sum(found, seat) for seat in added} == added
        assert all(
            after.totals[seat] == before.totals[seat] + points for seat, points in added.items()
        )
        winner, boxes = scoresheet.boxes(found, chosen, after.seats)
        won = [now - then for now, then in zip(after.boxes, before.boxes, strict=True)]
        assert won == [boxes if seat == winner else 0 for seat in range(after.seats)]
    assert len(kinds) == 10


def _sum(found: RoundResult, seat: int) -> int:
    return sum(line.points for line in found.lines if line.seat == seat)


def test_every_line_bears_the_rounds_multiplier() -> None:
    for ply, found in results(games(GAMES)):
        spade = card_name(table(ply.after).upcard).endswith("S")
        times = ply.after.rules.spade_upcard_multiplier if spade else 1
        assert {line.multiplier for line in found.lines} <= {times}
        assert all(line.points % times == 0 for line in found.lines)


def test_a_deadwood_line_in_points_names_whose_deadwood_it_counts() -> None:
    seats = set()
    for ply, found in results(games(4 * GAMES)):
        counts = {laid.seat: laid.deadwood_points for laid in found.hands}
        points = ply.after.rules.scoring == "points"
        named = [line for line in found.lines if line.from_seat is not None]
        assert named == [line for line in found.lines if points and line.reason == "deadwood"]
        assert len({line.from_seat for line in named}) == len(named)
        for line in named:
            assert line.from_seat is not None
            less = counts[line.from_seat] - counts[line.seat]
            assert line.points == less * line.multiplier
        seats.add(len(counts) if named else 0)
    assert seats == {0, 2, 3, 4}


def test_every_hand_shown_is_the_hand_held() -> None:
    for ply, found in results(games(GAMES)):
        for laid in found.hands:
            shown = [*(card for meld in laid.melds for card in cards_in(meld))]
            shown += [*(card for card, _ in laid.layoffs), *cards_in(laid.deadwood)]
            assert sorted(shown) == list(cards_in(table(ply.after).hands[laid.seat]))
            assert laid.deadwood_points == worth(laid.deadwood)


def test_final_lines_lead_to_final_scores() -> None:
    for seed in range(4 * GAMES):
        last = game(seed)[-1]
        over = last.after.result
        assert over
        sums = list(over.totals)
        for line in over.lines:
            sums[line.seat] += line.points
        assert (tuple(sums), over.totals) == (over.final_scores, last.after.totals)
        assert over.final_scores == scoresheet.final_scores(last.after)


def right_winner(state: GameState, settled: bool, why: str) -> tuple[int, str] | None:
    """Return who has won a game and why, by the rule book, if anybody has."""
    inside = [seat for seat in range(state.seats) if not state.out[seat]]
    penalties = state.rules.scoring == "penalties"
    totals = {seat: state.totals[seat] for seat in inside}
    best = min(totals.values()) if penalties else max(totals.values())
    equals = [seat for seat in inside if totals[seat] == best]
    reached = max(totals.values()) >= state.rules.target_score
    if settled and reached and (len(equals) == 1 or not penalties):
        return equals[0], "target"
    if len(inside) == 1:
        return inside[0], why
    on = table(state)
    if on.phase == "over" and on.number == state.rules.round_limit:
        return equals[0], "rounds"
    return None


def test_games_end_when_and_as_the_rule_book_says() -> None:
    reasons = set()
    for ply in games(4 * GAMES):
        found = ply.event.result
        settled = found is not None and found.kind != "void"
        over = ply.after.result
        expected = right_winner(
            ply.after, settled, ply.after.result.reason if ply.after.result else ""
        )
        assert (over and (over.winner, over.reason)) == expected
        reasons.add(over and over.reason)
    assert reasons == {None, "target", "rounds", "resigned", "timed_out"}
