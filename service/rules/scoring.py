"""Settling a round and ending a game, as itemised lines."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from service.rules.cards import suit_of
from service.rules.ruleset import RuleSet
from service.rules.state import EndReason, GameResult, GameState, Laid, Line, Round, RoundKind

SPADES: Final = 3


@dataclass(frozen=True, slots=True)
class Settlement:
    """Who won a round and how, the lines of it, and the boxes that the winner takes."""

    kind: RoundKind
    winner: int
    lines: tuple[Line, ...]
    boxes: int


def multiplier(rules: RuleSet, table: Round) -> int:
    """Return what every line of the round's settlement is multiplied by."""
    return rules.spade_upcard_multiplier if suit_of(table.upcard) == SPADES else 1


def settle(rules: RuleSet, table: Round) -> Settlement:
    """Settle a round that somebody went out in, from all the hands shown, the knocker's first."""
    knocker, *opponents = table.shown
    best = _lowest(opponents)
    kind: RoundKind = table.going_out or "void"
    winner = knocker
    if kind == "knock" and _undercuts(rules, best, knocker):
        kind, winner = "undercut", best
    others = [laid for laid in table.shown if laid is not winner]
    lines = _round_lines(rules, kind, winner, knocker, others, multiplier(rules, table))
    return Settlement(kind, winner.seat, tuple(lines), 1 + _extra_boxes(rules, kind))


def _lowest(opponents: list[Laid]) -> Laid:
    """Return the lowest count, the nearest clockwise from the knocker among equals."""
    return min(opponents, key=lambda laid: laid.deadwood_points)


def _undercuts(rules: RuleSet, opponent: Laid, knocker: Laid) -> bool:
    if opponent.deadwood_points == knocker.deadwood_points:
        return rules.undercut_on_tie
    return opponent.deadwood_points < knocker.deadwood_points


def _extra_boxes(rules: RuleSet, kind: RoundKind) -> int:
    if kind in ("gin", "big_gin"):
        return rules.gin_extra_boxes
    return rules.undercut_extra_boxes if kind == "undercut" else 0


def _round_lines(
    rules: RuleSet, kind: RoundKind, winner: Laid, knocker: Laid, others: list[Laid], times: int
) -> Iterator[Line]:
    penalties = rules.scoring == "penalties"
    gin = {"gin": rules.gin_bonus, "big_gin": rules.big_gin_bonus}.get(kind, 0)
    for other in others:
        count = other.deadwood_points - winner.deadwood_points
        seat = other.seat if penalties else winner.seat
        loser = None if penalties else other.seat
        yield Line(seat, count * times, "deadwood", times, loser)
        if gin and penalties:
            yield Line(seat, gin * times, f"{kind}_bonus", times)
    if gin and not penalties:
        yield Line(winner.seat, gin * times, f"{kind}_bonus", times)
    if kind == "undercut":
        yield from _undercut_lines(rules, winner.seat, knocker.seat, times)


def _undercut_lines(rules: RuleSet, winner: int, knocker: int, times: int) -> Iterator[Line]:
    penalties = rules.scoring == "penalties"
    if penalties and rules.undercut_penalty:
        yield Line(knocker, rules.undercut_penalty * times, "undercut_penalty", times)
    if rules.undercut_bonus:
        bonus = -rules.undercut_bonus if penalties else rules.undercut_bonus
        yield Line(winner, bonus * times, "undercut_bonus", times)


def add_lines(totals: tuple[int, ...], lines: tuple[Line, ...]) -> tuple[int, ...]:
    """Return totals by seat with the lines added."""
    sums = list(totals)
    for line in lines:
        sums[line.seat] += line.points
    return tuple(sums)


def seats_in(state: GameState) -> list[int]:
    """Return the seats that are not out, in turn order."""
    return [seat for seat in range(state.seats) if not state.out[seat]]


def winner_by_target(state: GameState) -> int | None:
    """Return who has won by the target after a settled round, if anybody has."""
    rules, seats = state.rules, seats_in(state)
    if not any(state.totals[seat] >= rules.target_score for seat in seats):
        return None
    best = best_total(state)
    equals = [seat for seat in seats if state.totals[seat] == state.totals[best]]
    return best if len(equals) == 1 or rules.scoring == "points" else None


def best_total(state: GameState) -> int:
    """Return the seat in the game with the best total, the lowest seat among equals."""
    sign = -1 if state.rules.scoring == "points" else 1
    return min(seats_in(state), key=lambda seat: sign * state.totals[seat])


def end_result(state: GameState, winner: int | None, reason: EndReason) -> GameResult:
    """Return the game's result with its end bonuses, which never change who won."""
    bonuses = winner is not None and state.rules.scoring == "points"
    lines = tuple(_end_lines(state, winner)) if bonuses and winner is not None else ()
    return GameResult(winner, reason, state.totals, add_lines(state.totals, lines), lines)


def _end_lines(state: GameState, winner: int) -> Iterator[Line]:
    rules = state.rules
    if rules.game_bonus:
        yield Line(winner, rules.game_bonus, "game_bonus", 1)
    others = [boxes for seat, boxes in enumerate(state.boxes) if seat != winner]
    if rules.shutout == "double" and not any(others) and state.totals[winner]:
        yield Line(winner, state.totals[winner], "shutout", 1)
    for seat, boxes in enumerate(state.boxes):
        if boxes and rules.box_bonus:
            yield Line(seat, boxes * rules.box_bonus, "box_bonus", 1)
