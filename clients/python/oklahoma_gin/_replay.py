"""A round played again on its deck, move by move, by what a record shows to everybody."""

from collections.abc import Callable
from typing import Final

from oklahoma_gin._cards import points_of
from oklahoma_gin._laid import (
    Laid,
    ReplayError,
    check_laid,
    check_layoffs,
    check_result,
    differs,
)
from oklahoma_gin.models import Card, Event, Layoff, Rules, RuleValue
from oklahoma_gin.records import RoundRecord

TWO_SEATS_HAND: Final = 10
MORE_SEATS_HAND: Final = 7


def replay(record: RoundRecord, seats: int, rules: Rules) -> None:
    """Deal the record's deck and make its moves; raises `ReplayError` at the first that differs.

    Of the `rules` it wants to know whether the upcard is offered; where they are silent, the deal
    is believed.
    """
    table = _Table(record, seats, rules.get("upcard_offer"))
    for event in record.moves:
        table.follow(event)
    if table.phase != "over":
        raise ReplayError("move_missing", "The moves end before the round does.")


class _Table:
    """The cards of a round and whose turn it is; `laid` holds hands as they were laid down."""

    def __init__(self, record: RoundRecord, seats: int, offer: RuleValue | None) -> None:
        self.record = record
        self.offer = offer
        self.order = _order(record, seats)
        dealt = len(self.order) * (TWO_SEATS_HAND if seats == 2 else MORE_SEATS_HAND)
        self.hands = {
            seat: set(record.deck[place : dealt : len(self.order)])
            for place, seat in enumerate(self.order)
        }
        self.pile = [record.deck[dealt]]
        self.stock = list(reversed(record.deck[dealt + 1 :]))
        self.phase = "undealt"
        self.turn = self.order[0]
        self.version = 0
        self.passed = 0
        self.knocker: int | None = None
        self.kind: str | None = None
        self.laid: dict[int, Laid] = {}

    def follow(self, event: Event) -> None:
        """Make one move; a type that touches no card is passed over."""
        if self.version and event.version != self.version + 1:
            raise differs(event, "move_missing", f"it follows move {self.version}")
        if (self.phase == "undealt") is not (event.type == "dealt"):
            raise differs(event, "move_missing", "a round begins with its one deal")
        if self.phase == "over":
            raise differs(event, "result_altered", "the round was over before it")
        self.version = event.version
        move = _MOVES.get(event.type)
        if move is not None:
            move(self, event)
        if event.result is not None:
            self._end(event)
        if move is not None or event.result is not None:
            self._check_told(event)

    def deal(self, event: Event) -> None:
        shuffle = self.record.shuffle
        if (event.round, event.dealer) != (self.record.number, self.record.dealer):
            raise differs(
                event,
                "turn_altered",
                f"round {self.record.number} is dealt by seat {self.record.dealer}",
            )
        if event.upcard != self.pile[0]:
            raise differs(event, "card_altered", f"the upcard is {self.pile[0]}")
        if shuffle is not None and event.commitment != shuffle.commitment:
            raise differs(event, "commitment_altered", f"it rests on {shuffle.commitment}")
        told = event.phase == "upcard_offer"
        offer = told if self.offer is None else self.offer
        self.phase = "upcard_offer" if offer else "draw"

    def pass_upcard(self, event: Event) -> None:
        self._check_turn(event, "upcard_offer")
        self.passed += 1
        self._next()
        if self.passed == len(self.order):
            self.phase = "draw"

    def draw(self, event: Event) -> None:
        from_stock = event.source == "stock"
        self._check_turn(event, "draw", *(() if from_stock else ("upcard_offer",)))
        source = {"stock": self.stock, "discard": self.pile}.get(event.source or "")
        card = source.pop() if source else None
        if card is None or card != event.card:
            raise differs(event, "card_altered", f"the top card is {card}, not {event.card}")
        self.hands[self.turn].add(card)
        self.phase = "discard"

    def discard(self, event: Event) -> None:
        self._check_turn(event, "discard")
        self._throw(event, event.card)
        self._next()
        self.phase = "draw"

    def knock(self, event: Event) -> None:
        self._check_turn(event, "discard")
        if event.card is not None:
            self._throw(event, event.card)
        self.knocker = self.turn
        left = self._lay(event, ())
        self.kind = "knock" if left else "big_gin" if event.card is None else "gin"
        if event.kind != self.kind:
            raise differs(event, "result_altered", f"this is {self.kind}")
        self._next()
        self.phase = "layoff"

    def lay_off(self, event: Event) -> None:
        self._check_turn(event, "layoff")
        earlier = [layoff for _, layoffs, _ in self.laid.values() for layoff in layoffs]
        onto = self.laid[self.order[0] if self.knocker is None else self.knocker][0]
        check_layoffs(event, onto, earlier)
        self._lay(event, event.layoffs or ())
        self._next()

    def _throw(self, event: Event, card: Card | None) -> None:
        if card is None or card not in self.hands[self.turn]:
            raise differs(event, "card_not_held", f"seat {self.turn} does not hold {card}")
        self.hands[self.turn].remove(card)
        self.pile.append(card)

    def _lay(self, event: Event, layoffs: tuple[Layoff, ...]) -> int:
        """Put down the hand of the seat on turn; returns its deadwood points."""
        laid = (event.melds or (), layoffs, event.deadwood or ())
        check_laid(event, self.hands[self.turn], laid, event.deadwood_points)
        self.laid[self.turn] = laid
        return points_of(laid[2])

    def _end(self, event: Event) -> None:
        """Hold the result against the cards on the table."""
        result = self.record.result
        if event.result != result or result.number != self.record.number:
            raise differs(event, "result_altered", "it tells another result than the record")
        for shown in result.hands:
            laid = (shown.melds, shown.layoffs, shown.deadwood)
            check_laid(event, self.hands[shown.seat], laid, shown.deadwood_points)
            if self.laid.get(shown.seat, laid) != laid:
                raise differs(event, "result_altered", f"seat {shown.seat} laid its hand otherwise")
        if event.type == "laid_off" and self.turn != self.knocker:
            raise differs(event, "move_missing", f"seat {self.turn} has not answered the knock")
        check_result(event, result, self.knocker, self.kind)
        self.phase = "over"

    def _check_turn(self, event: Event, *phases: str) -> None:
        if self.phase not in phases:
            raise differs(event, "wrong_phase", f"the phase is {self.phase}")
        if event.seat != self.turn or (self.phase == "layoff" and self.turn == self.knocker):
            raise differs(event, "wrong_turn", f"seat {self.turn} is on turn")

    def _check_told(self, event: Event) -> None:
        turn = None if self.phase == "over" else self.turn
        if (event.phase, event.turn) != (self.phase, turn):
            raise differs(
                event, "turn_altered", f"after it the phase is {self.phase} and the turn {turn}"
            )

    def _next(self) -> None:
        self.turn = self.order[(self.order.index(self.turn) + 1) % len(self.order)]


_MOVES: Final[dict[str, Callable[[_Table, Event], None]]] = {
    "dealt": _Table.deal,
    "passed": _Table.pass_upcard,
    "drew": _Table.draw,
    "discarded": _Table.discard,
    "knocked": _Table.knock,
    "laid_off": _Table.lay_off,
}


def _order(record: RoundRecord, seats: int) -> list[int]:
    """The seats that play the round, clockwise from the dealer's left."""
    playing = [laid.seat for laid in record.result.hands]
    around = [(record.dealer + step) % seats for step in range(1, seats + 1)]
    order = [seat for seat in around if seat in playing]
    if len(order) < 2 or len(order) != len(playing):
        raise ReplayError(
            "result_altered", "The result must show one hand of each seat that plays."
        )
    return order
