"""A second scorer, written from the rule book alone, to hold against the engine's.

It reads what a round showed (hands as laid, who knocked, the upcard) and works with plain dicts.
"""

from service.rules.cards import card_name, cards_in
from service.rules.ruleset import RuleSet
from service.rules.state import GameState, Laid, RoundResult

VALUES = {rank: value for value, rank in enumerate("A23456789TJQK", 1)}


def value(name: str) -> int:
    return min(VALUES[name[0]], 10)


def count(laid: Laid) -> int:
    return sum(value(card_name(card)) for card in cards_in(laid.deadwood))


def went_out(laid: Laid, seats: int) -> str:
    """Return how the knocker went out, from the hand shown alone."""
    held = sum(len(cards_in(meld)) for meld in (*laid.melds, laid.deadwood))
    if count(laid):
        return "knock"
    return "big_gin" if held == (11 if seats == 2 else 8) else "gin"


def clockwise(knocker: int, seats: int) -> list[int]:
    return [(knocker + step) % seats for step in range(1, seats)]


def outcome(found: RoundResult, rules: RuleSet, seats: int) -> tuple[str, int]:
    """Return the kind of a settled round and who won it."""
    assert found.knocker is not None
    shown = {laid.seat: laid for laid in found.hands}
    knocker = found.knocker
    how = went_out(shown[knocker], seats)
    if how != "knock":
        return how, knocker
    best, lowest = knocker, count(shown[knocker])
    for seat in clockwise(knocker, seats):
        if seat not in shown:
            continue
        theirs = count(shown[seat])
        tie = theirs == lowest and best == knocker and rules.undercut_on_tie
        if theirs < lowest or tie:
            best, lowest = seat, theirs
    return ("undercut" if best != knocker else "knock"), best


def amounts(found: RoundResult, rules: RuleSet, seats: int, upcard: str) -> dict[int, int]:
    """Return what a settled round adds to each total."""
    kind, winner = outcome(found, rules, seats)
    shown = {laid.seat: count(laid) for laid in found.hands}
    times = rules.spade_upcard_multiplier if upcard.endswith("S") else 1
    bonus = {"gin": rules.gin_bonus, "big_gin": rules.big_gin_bonus}.get(kind, 0)
    added = dict.fromkeys(range(seats), 0)
    losers = [seat for seat in shown if seat != winner]
    if rules.scoring == "points":
        added[winner] = sum(shown[seat] - shown[winner] for seat in losers) + bonus
        added[winner] += rules.undercut_bonus if kind == "undercut" else 0
    else:
        for seat in losers:
            added[seat] = shown[seat] - shown[winner] + bonus
        if kind == "undercut":
            assert found.knocker is not None
            added[found.knocker] += rules.undercut_penalty
            added[winner] -= rules.undercut_bonus
    return {seat: points * times for seat, points in added.items()}


def boxes(found: RoundResult, rules: RuleSet, seats: int) -> tuple[int, int]:
    """Return who takes how many boxes for a settled round."""
    kind, winner = outcome(found, rules, seats)
    extra = {
        "gin": rules.gin_extra_boxes,
        "big_gin": rules.gin_extra_boxes,
        "undercut": rules.undercut_extra_boxes,
    }
    return winner, 1 + extra.get(kind, 0)


def final_scores(state: GameState) -> tuple[int, ...]:
    """Return the scores with end bonuses of a finished game, from totals and boxes."""
    assert state.result
    scores = list(state.totals)
    winner, rules = state.result.winner, state.rules
    if rules.scoring == "penalties" or winner is None:
        return tuple(scores)
    beaten = [state.boxes[seat] for seat in range(state.seats) if seat != winner]
    if rules.shutout == "double" and sum(beaten) == 0:
        scores[winner] *= 2
    scores[winner] += rules.game_bonus
    return tuple(
        score + rules.box_bonus * won for score, won in zip(scores, state.boxes, strict=True)
    )
