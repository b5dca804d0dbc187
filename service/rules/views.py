"""What a viewer sees of a game: built up from nothing, field by field, never cut down.

A viewer is a seat or, as ``None``, a spectator. Nothing else in the service decides what is hidden.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from service.rules import melds as arrangements
from service.rules.cards import Card, CardSet, cards_in
from service.rules.layoffs import Answer, Target, best_answer, targets
from service.rules.legal import Actions, is_last_turn, knock_limit, layoff_spread, legal
from service.rules.moves import Occupant, Source
from service.rules.ruleset import RuleSet
from service.rules.scoring import multiplier
from service.rules.state import (
    Event,
    GameResult,
    GameState,
    GoingOut,
    Laid,
    Phase,
    Round,
    RoundResult,
    Status,
)
from service.rules.why_not import why_not


@dataclass(frozen=True, slots=True)
class DiscardChoice:
    """A card that may be thrown, and the lowest deadwood that it leaves."""

    card: Card
    deadwood_points: int


@dataclass(frozen=True, slots=True)
class KnockChoice:
    """A card that may be thrown to go out, and what is laid when no melds are named."""

    discard: Card
    deadwood_points: int
    gin: bool
    melds: tuple[CardSet, ...]


@dataclass(frozen=True, slots=True)
class LayoffChoices:
    """Every layoff that can be reached, and the best answer."""

    targets: tuple[Target, ...]
    best: Answer


@dataclass(frozen=True, slots=True)
class ActionsView:
    """All that the viewer may do now, with the figures that a front end shows beside it.

    ``why_not`` has the code of the refusal for each action that is not offered.
    """

    join: bool
    leave: bool
    add_bot: bool
    remove: tuple[int, ...]
    deal: bool
    entropy: bool
    pass_upcard: bool
    draw: tuple[Source, ...]
    discard: tuple[DiscardChoice, ...]
    knock: tuple[KnockChoice, ...]
    big_gin: bool
    layoff: LayoffChoices | None
    resign: bool
    rematch: bool
    why_not: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class PlayerView:
    """The public facts of a taken seat."""

    seat: int
    occupant: Occupant
    card_count: int
    total: int
    boxes: int
    out: bool


@dataclass(frozen=True, slots=True)
class OwnView:
    """The viewer's own hand, the best split of all of it, eleven cards too, and all its melds."""

    seat: int
    hand: CardSet
    drawn_card: Card | None
    drawn_from: Source | None
    melds: tuple[CardSet, ...]
    deadwood: CardSet
    deadwood_points: int
    possible_melds: tuple[CardSet, ...]


@dataclass(frozen=True, slots=True)
class RoundView:
    """The public facts of the round on the table; the discard pile is oldest first.

    ``limit_card`` is the card that sets the knock limit, none where the limit is fixed.
    """

    number: int
    phase: Phase
    dealer: int
    turn: int | None
    turns_played: int
    last_turn: bool
    upcard: Card
    passed: tuple[int, ...]
    knock_limit: int
    limit_card: Card | None
    multiplier: int
    stock_count: int
    discard_pile: tuple[Card, ...]
    shown: tuple[Laid, ...]
    knocker: int | None
    result: RoundResult | None
    commitment: str | None


@dataclass(frozen=True, slots=True)
class SeatView:
    """A game as one viewer sees it, and the whole of what a bot is handed."""

    status: Status
    seats: int
    rules: RuleSet
    players: tuple[PlayerView, ...]
    you: OwnView | None
    round: RoundView | None
    last_round: RoundResult | None
    actions: ActionsView
    result: GameResult | None


@dataclass(frozen=True, slots=True)
class EventView:
    """An event as one viewer sees it; what is absent does not belong to it or is hidden."""

    type: str
    seat: int | None
    phase: Phase | None
    turn: int | None
    occupant: Occupant | None
    card: Card | None
    source: Source | None
    kind: GoingOut | None
    melds: tuple[CardSet, ...] | None
    layoffs: tuple[tuple[Card, int], ...] | None
    deadwood: CardSet | None
    deadwood_points: int | None
    round: int | None
    dealer: int | None
    commitment: str | None
    upcard: Card | None
    hand: CardSet | None
    high_cards: tuple[Card, ...] | None
    result: RoundResult | None
    game_result: GameResult | None


def view_for(state: GameState, seat: int | None) -> SeatView:
    """Return what a seat, or a spectator, sees of the game."""
    table = state.round
    actions = legal(state, seat)
    return SeatView(
        status=state.status,
        seats=state.seats,
        rules=state.rules,
        players=_players(state),
        you=None if seat is None else _own(table, seat),
        round=_round(state.rules, table) if table else None,
        last_round=state.last_round,
        actions=_actions(state, seat, actions),
        result=state.result,
    )


def event_for(event: Event, seat: int | None) -> EventView:
    """Return what a seat, or a spectator, learns from an event.

    The card of a draw from the stock is for the seat that drew it, a dealt hand for its seat.
    """
    hidden = event.type == "drew" and event.source == "stock" and event.seat != seat
    return EventView(
        type=event.type,
        seat=event.seat,
        phase=event.phase,
        turn=event.turn,
        occupant=event.occupant,
        card=None if hidden else event.card,
        source=event.source,
        kind=event.kind,
        melds=event.melds,
        layoffs=event.layoffs,
        deadwood=event.deadwood,
        deadwood_points=event.deadwood_points,
        round=event.round,
        dealer=event.dealer,
        commitment=event.commitment,
        upcard=event.upcard,
        hand=event.hands[seat] if event.hands and seat is not None else None,
        high_cards=event.high_cards,
        result=event.result,
        game_result=event.game_result,
    )


def _players(state: GameState) -> tuple[PlayerView, ...]:
    hands = state.round.hands if state.round else (0,) * state.seats
    return tuple(
        PlayerView(
            seat=seat,
            occupant=occupant,
            card_count=hands[seat].bit_count(),
            total=state.totals[seat],
            boxes=state.boxes[seat],
            out=state.out[seat],
        )
        for seat, occupant in enumerate(state.occupants)
        if occupant
    )


def _own(table: Round | None, seat: int) -> OwnView:
    if table is None:
        return OwnView(seat, 0, None, None, (), 0, 0, ())
    hand = table.hands[seat]
    split = arrangements.best_split(hand)
    holding = table.turn == seat and table.phase == "discard"
    return OwnView(
        seat=seat,
        hand=hand,
        drawn_card=table.drawn_card if holding else None,
        drawn_from=table.drawn_from if holding else None,
        melds=split.melds,
        deadwood=split.deadwood,
        deadwood_points=split.points,
        possible_melds=arrangements.melds_in(hand) if split.melds else (),
    )


def _round(rules: RuleSet, table: Round) -> RoundView:
    return RoundView(
        number=table.number,
        phase=table.phase,
        dealer=table.dealer,
        turn=table.turn,
        turns_played=table.turns_played,
        last_turn=is_last_turn(rules, table),
        upcard=table.upcard,
        passed=table.passed,
        knock_limit=knock_limit(rules, table),
        limit_card=None if rules.knock_limit_source == "fixed" else table.limit_card,
        multiplier=multiplier(rules, table),
        stock_count=len(table.deck) - table.stock_at,
        discard_pile=table.discard_pile,
        shown=table.shown,
        knocker=table.knocker,
        result=table.result,
        commitment=table.commitment,
    )


def _actions(state: GameState, seat: int | None, actions: Actions) -> ActionsView:
    table = state.round
    hand = table.hands[seat] if table and seat is not None else 0
    return ActionsView(
        join=actions.join,
        leave=actions.leave,
        add_bot=actions.add_bot,
        remove=actions.remove,
        deal=actions.deal,
        entropy=actions.entropy,
        pass_upcard=actions.pass_upcard,
        draw=actions.draw,
        discard=_discards(hand, actions.discard),
        knock=_knocks(hand, actions.knock),
        big_gin=actions.big_gin,
        layoff=_layoffs(state.rules, table, hand) if actions.layoff and table else None,
        resign=actions.resign,
        rematch=actions.rematch,
        why_not=why_not(state, seat, actions),
    )


def _discards(hand: CardSet, discards: CardSet) -> tuple[DiscardChoice, ...]:
    if not discards:
        return ()
    left = arrangements.deadwood_by_discard(hand, discards)
    return tuple(DiscardChoice(card, left[card]) for card in cards_in(discards))


def _knocks(hand: CardSet, discards: CardSet) -> tuple[KnockChoice, ...]:
    choices = []
    for card in cards_in(discards):
        split = arrangements.best_split(hand ^ 1 << card)
        choices.append(KnockChoice(card, split.points, split.points == 0, split.melds))
    return tuple(choices)


def _layoffs(rules: RuleSet, table: Round, hand: CardSet) -> LayoffChoices:
    spread = layoff_spread(rules, table)
    return LayoffChoices(targets(hand, spread), best_answer(hand, spread))
