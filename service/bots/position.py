"""What a bot reads off its view before it decides: its cards, those it cannot see, the stage."""

from dataclasses import dataclass

from service.rules.cards import FULL_DECK, Card, CardSet, set_of
from service.rules.ruleset import RuleSet
from service.rules.views import ActionsView, RoundView, SeatView


@dataclass(frozen=True, slots=True)
class Position:
    """A turn as the seat to act sees it.

    ``pile`` is oldest first, and never empty where it may be drawn from. ``unseen`` cards lie in
    the stock or in an opponent's hand, ``held_by_others`` surely in one. ``next_hand`` counts the
    next seat's cards, ``turns`` how many each seat has had, and ``draws_left`` how many this seat
    can still have, the present one included.
    """

    rules: RuleSet
    actions: ActionsView
    hand: CardSet
    pile: tuple[Card, ...]
    unseen: CardSet
    held_by_others: CardSet
    knock_limit: int
    opponents: int
    next_hand: int
    turns: int
    draws_left: int

    @property
    def share(self) -> float:
        """The chance that an unseen card is in the next seat's hand."""
        unknown = self.next_hand - self.held_by_others.bit_count() / self.opponents
        return min(1.0, unknown / max(1, self.unseen.bit_count()))


def read(view: SeatView) -> Position:
    """Return the position of the seat that is to draw, pass, throw or go out.

    :raises ValueError: if it has no such turn.
    """
    you, table = view.you, view.round
    if you is None or table is None or table.turn != you.seat:
        raise ValueError("the view offers its seat no turn: choose for the seat whose turn it is")
    pile = set_of(table.discard_pile)
    others = 1 << table.upcard & ~(pile | you.hand)
    seats = [player.seat for player in view.players if not player.out]
    return Position(
        rules=view.rules,
        actions=view.actions,
        hand=you.hand,
        pile=table.discard_pile,
        unseen=FULL_DECK & ~(you.hand | pile | others),
        held_by_others=others,
        knock_limit=table.knock_limit,
        opponents=len(seats) - 1,
        next_hand=_next_hand(view, you.seat),
        turns=table.turns_played // len(seats),
        draws_left=_draws_left(view.rules, table, len(seats)),
    )


def _next_hand(view: SeatView, seat: int) -> int:
    others = [player for player in view.players if not player.out and player.seat != seat]
    return min(others, key=lambda player: (player.seat - seat) % view.seats).card_count


def _draws_left(rules: RuleSet, table: RoundView, seats: int) -> int:
    """Return how often a seat can still draw before the round is void, at least once."""
    turns = min(table.stock_count - rules.stock_floor, rules.turn_limit - table.turns_played)
    return max(1, -(-turns // seats))
