"""Changes of the cards: the deal, a seat's move, and what follows it by itself."""

from dataclasses import replace
from random import Random

from service.bots import choose
from service.games.changes import Change, Moment, recorded, with_entropy
from service.games.record import GameRecord, Player, Shuffle
from service.games.shuffle import (
    deck_of,
    first_player_of,
    high_cards_of,
    new_secret,
    shuffle_of,
)
from service.rules.cards import Card
from service.rules.checks import check
from service.rules.errors import DeadlineNotPassed, WrongPhase
from service.rules.moves import Deal, Move, PlayerMove, TimeOut
from service.rules.play import apply, default_move, forced
from service.rules.rounds import highest_card_seat
from service.rules.state import GameState, Step
from service.rules.views import view_for


def play(record: GameRecord, seat: int, move: PlayerMove, moment: Moment) -> Change:
    """Return the game after a seat's move, and after what must follow it by itself.

    :raises RuleError: if the rules refuse the move.
    """
    return _followed(record, [apply(record.state, seat, move)], moment)


def claim(record: GameRecord, moment: Moment) -> Change:
    """Return the game after the time of the seat on turn is called.

    :raises RuleError: if nobody is on turn, the game has no clock or there is time left.
    """
    timed_out = TimeOut(forfeit=record.timeout_action == "forfeit")
    check(record.state, None, timed_out)
    if record.turn_deadline is None:
        raise WrongPhase("This game is played without a clock, so nobody is late.")
    if moment.now <= record.turn_deadline:
        left = (record.turn_deadline - moment.now) // 1000 + 1
        raise DeadlineNotPassed(
            f"The seat on turn has up to {left} seconds left. Claim after turn_deadline."
        )
    late = record.state.round.turn if record.state.round else None
    steps = [apply(record.state, None, timed_out)]
    if late is not None and not timed_out.forfeit:
        steps += _default_turn(steps[-1].state, late)
    return _followed(record, steps, moment)


def deal(record: GameRecord, seat: int, entropy: str | None, moment: Moment) -> Change:
    """Return the game with its next round dealt from the secret committed to and all entropies.

    :raises RuleError: if no round may be dealt now.
    """
    check(record.state, seat, Deal(()))
    if entropy is not None:
        record = with_entropy(record, seat, entropy)
    before = record.state.round
    number = before.number + 1 if before else 1
    entropies = tuple(player.entropy if player else "" for player in record.players)
    shuffle = shuffle_of(record.game_id, number, record.next_secret, entropies)
    move = _sandbox_deal(record) or _fair_deal(record.state, shuffle)
    step = apply(record.state, seat, move)
    record = replace(
        record,
        next_secret=new_secret(moment.random),
        shuffle=None if record.decks else shuffle,
        decks=record.decks[1:],
        round_versions=(*record.round_versions[-1:], record.version + 1),
        players=tuple(player and replace(player, entropy="") for player in record.players),
    )
    return _followed(record, [step], moment)


def _sandbox_deal(record: GameRecord) -> Deal | None:
    """Return the deal of a given deck; with such decks seat 0 plays first."""
    return Deal(record.decks[0], 0) if record.decks else None


def _fair_deal(state: GameState, shuffle: Shuffle) -> Deal:
    deck = deck_of(shuffle)
    first_player: int | None = None
    high_cards: tuple[Card, ...] | None = None
    if state.round is None:
        if state.rules.first_player == "random":
            first_player = first_player_of(shuffle)
        elif state.rules.first_player == "host":
            first_player = 0
        else:
            high_cards = high_cards_of(shuffle)
            first_player = highest_card_seat(high_cards)
    return Deal(deck, first_player, high_cards, shuffle.commitment)


def _default_turn(state: GameState, late: int) -> list[Step]:
    """Return the steps of a turn that is played for a late seat."""
    steps: list[Step] = []
    while state.round and state.round.turn == late:
        steps.append(apply(state, late, default_move(state)))
        state = steps[-1].state
    return steps


def _followed(record: GameRecord, steps: list[Step], moment: Moment) -> Change:
    """Return the change with what follows by itself: answers of who resigned, and bots' turns."""
    dice = Random(moment.random.token_bytes(8)) if _has_bots(record) else None  # noqa: S311
    while follows := _next(record.players, steps[-1].state, dice):
        seat, move = follows
        steps.append(apply(steps[-1].state, seat, move))
    return recorded(record, steps, moment)


def _has_bots(record: GameRecord) -> bool:
    return any(player and player.level for player in record.players)


def _next(
    players: tuple[Player | None, ...], state: GameState, dice: Random | None
) -> tuple[int, Move] | None:
    """Return the move that must follow a state, by whom, if one must."""
    must = forced(state)
    if must or dice is None or state.round is None or state.round.turn is None:
        return must
    seat = state.round.turn
    player = players[seat]
    if player is None or player.level is None:
        return None
    return seat, choose(view_for(state, seat), player.level, dice)
