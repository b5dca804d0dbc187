"""Chance for tests: decks, rules and players that follow from a seed."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from service.rules.cards import Card, CardSet, cards_in
from service.rules.legal import Actions, legal
from service.rules.moves import Deal, Discard, Draw, Knock, LayOff, Move, Pass, Resign, TimeOut
from service.rules.play import apply, forced
from service.rules.ruleset import OPTIONS, Option, OptionValue, RuleSet, choose_rules
from service.rules.state import Event, GameState
from tests.rules.tables import Deck, actions, full, hand_size, table, turn


def fixed_deck(name: str) -> Deck:
    """Return a shuffled deck that depends on nothing but its name."""
    return tuple(
        sorted(range(52), key=lambda card: hashlib.sha256(f"{name} {card}".encode()).digest())
    )


def shuffled(dice: Random) -> Deck:
    return tuple(dice.sample(range(52), 52))


def lucky(dice: Random, seats: int) -> Deck:
    """Return a shuffled deck that deals hands full of melds: neighbours mostly stay together."""
    by_rank = dice.random() < 0.3
    place = {card: (card % 13 * 4 if by_rank else card) + dice.gauss(0, 2) for card in range(52)}
    order = sorted(range(52), key=place.__getitem__)
    cut = dice.randrange(52)
    order = order[cut:] + order[:cut]
    size = hand_size(seats)
    hands = [order[seat * size : (seat + 1) * size] for seat in range(seats)]
    rest = order[seats * size :]
    dice.shuffle(rest)
    return (*(hand[each] for each in range(size) for hand in hands), *rest)


def some_deck(dice: Random, seats: int) -> Deck:
    return lucky(dice, seats) if dice.random() < 0.3 else shuffled(dice)


def random_value(option: Option, dice: Random) -> OptionValue:
    if option.type == "boolean":
        return dice.random() < 0.5
    if option.values:
        return dice.choice(option.values)
    assert option.minimum is not None
    assert option.maximum is not None
    edges = (option.minimum, option.maximum, option.default)
    return dice.choice((*edges, dice.randint(option.minimum, option.maximum)))


def random_rules(dice: Random, *, rounds: int = 4) -> RuleSet:
    """Return rules with every option at random; games take ``rounds`` rounds at most."""
    options = {option.name: random_value(option, dice) for option in OPTIONS}
    return choose_rules("gin", {**options, "round_limit": dice.randint(1, rounds)})


def random_move(state: GameState, dice: Random) -> tuple[int, Move]:
    """Return a move that leads on, whoever may make one: usually going out where that is offered,
    now and then resigning."""
    if dice.random() < (0.08 if table(state).phase == "layoff" else 0.002):
        if table(state).turn is not None and dice.random() < 0.5:
            return dice.randrange(state.seats), TimeOut(forfeit=dice.random() < 0.7)
        seats = [seat for seat in range(state.seats) if legal(state, seat).resign]
        return dice.choice(seats), Resign()
    if table(state).turn is None:
        seats = [seat for seat in range(state.seats) if legal(state, seat).deal]
        return dice.choice(seats), Deal(some_deck(dice, state.seats))
    return turn(state), dice.choice(list(_leading_on(actions(state), dice)))


def _leading_on(offered: Actions, dice: Random) -> Iterator[Move]:
    if offered.layoff:
        yield LayOff()
    if offered.big_gin and dice.random() < 0.7:
        yield Knock(None)
    elif offered.knock and dice.random() < 0.7:
        yield Knock(dice.choice(cards_in(offered.knock)))
    elif offered.discard:
        yield Discard(_worst(offered.discard, dice))
    if offered.pass_upcard:
        yield Pass()
    yield from (Draw(source) for source in offered.draw)


def _worst(discards: CardSet, dice: Random) -> Card:
    """Return one of the cards at random, sooner one with many points and few neighbours."""
    held = cards_in(discards)
    near = {card: sum(_kin(card, other) for other in held) for card in held}
    return min(dice.sample(held, min(3, len(held))), key=lambda card: near[card])


def _kin(card: Card, other: Card) -> bool:
    return card % 13 == other % 13 or (card // 13 == other // 13 and abs(card - other) <= 2)


def first_deal(chosen: RuleSet, seats: int, dice: Random) -> Deal:
    deck = some_deck(dice, seats)
    high_cards = shuffled(dice)[:seats] if chosen.first_player == "high_card" else None
    return Deal(deck, dice.randrange(seats), high_cards, "c" * 64)


@dataclass(frozen=True)
class Ply:
    """One applied move of a random game: before it, who and what, after it and its event."""

    before: GameState
    seat: int | None
    move: Move
    after: GameState
    event: Event


def playout(chosen: RuleSet, seats: int, dice: Random) -> Iterator[Ply]:
    """Yield every move of a random game to its end, from the first deal on."""
    state = full(chosen, seats)
    seat, move = dice.randrange(seats), first_deal(chosen, seats, dice)
    upcoming: tuple[int, Move] = (seat, move)
    while not state.result:
        seat, chosen_move = upcoming
        made = apply(state, seat, chosen_move)
        yield Ply(state, seat, chosen_move, made.state, made.event)
        state = made.state
        if not state.result:
            upcoming = forced(state) or random_move(state, dice)
