"""Hands laid down: what a record shows of them, held against the cards that were held."""

from collections import Counter
from collections.abc import Collection, Iterable
from typing import TypeAlias

from oklahoma_gin._cards import is_meld, points_of
from oklahoma_gin.models import Card, Cards, Event, Layoff, Melds, RoundResult, Shown

Laid: TypeAlias = tuple[Melds, tuple[Layoff, ...], Cards]
Outcome: TypeAlias = tuple[str, int | None]


class ReplayError(ValueError):
    """A move that cannot have been made on this deck; `reason` is one of `VerificationError`."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail


def differs(event: Event, reason: str, but: str) -> ReplayError:
    """The error that says what is so instead of what the event says."""
    return ReplayError(reason, f"Move {event.version} ({event.type} by seat {event.seat}): {but}.")


def check_laid(event: Event, hand: Iterable[Card], laid: Laid, points: int | None) -> None:
    """Every card of the hand lies once: in a meld, as a layoff, or as deadwood of these points."""
    melds, layoffs, deadwood = laid
    cards = [card for meld in melds for card in meld]
    cards += [*deadwood, *(layoff.card for layoff in layoffs)]
    if Counter(cards) != Counter(hand):
        raise differs(event, "laid_cards_altered", "the cards laid are not the hand held")
    for meld in melds:
        if not is_meld(meld):
            raise differs(event, "not_a_meld", f"{' '.join(meld)} is no meld")
    if points != points_of(deadwood):
        raise differs(event, "points_altered", f"the deadwood counts {points_of(deadwood)}")


def check_layoffs(event: Event, onto: Melds, earlier: Iterable[Layoff]) -> None:
    """A meld grows from what the knocker laid, or from what earlier opponents made of that."""
    before = tuple(earlier)
    own = event.layoffs or ()
    for index in {layoff.meld for layoff in own}:
        if not 0 <= index < len(onto):
            raise differs(event, "not_a_meld", f"the knocker laid no meld {index}")
        added = _cards_on(index, own)
        grown = [*onto[index], *_cards_on(index, before), *added]
        if not (is_meld(grown) or is_meld([*onto[index], *added])):
            raise differs(
                event, "not_a_meld", f"{' '.join(added)} cannot lie on {' '.join(onto[index])}"
            )


def _cards_on(index: int, layoffs: Iterable[Layoff]) -> list[Card]:
    return [layoff.card for layoff in layoffs if layoff.meld == index]


def check_result(event: Event, result: RoundResult, knocker: int | None, kind: str | None) -> None:
    """The winner follows from the hands; who wins a tie is left to the rules of the game."""
    if result.knocker != knocker:
        raise differs(event, "result_altered", f"the knocker is seat {knocker}")
    if event.type not in ("knocked", "laid_off"):
        outcomes: set[Outcome] = {("void", None)}
    elif kind in ("gin", "big_gin"):
        outcomes = {(kind, knocker)}
    else:
        outcomes = _outcomes_of_a_knock(result.hands)
    if (result.kind, result.winner) not in outcomes:
        right = " or ".join(f"{kind}, won by seat {winner}" for kind, winner in sorted(outcomes))
        raise differs(event, "result_altered", f"the round is {right}")


def _outcomes_of_a_knock(hands: Collection[Shown]) -> set[Outcome]:
    """Hands are shown clockwise, the knocker's first; the nearest of equals undercuts."""
    knocker, *opponents = hands
    best = min(opponents, key=lambda laid: laid.deadwood_points)
    outcomes: set[Outcome] = set()
    if knocker.deadwood_points <= best.deadwood_points:
        outcomes.add(("knock", knocker.seat))
    if best.deadwood_points <= knocker.deadwood_points:
        outcomes.add(("undercut", best.seat))
    return outcomes
