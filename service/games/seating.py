"""Changes of the seats: who creates a game, joins, leaves and goes on in another."""

from dataclasses import replace

from service.games.changes import (
    Change,
    Moment,
    NewGame,
    Seating,
    player_in,
    recorded,
    with_entropy,
    with_player,
)
from service.games.record import GameRecord, Player
from service.games.shuffle import new_secret
from service.games.tokens import new_nonce, new_occupancy
from service.rules.moves import Join, Leave, Rematch, Remove, SetEntropy
from service.rules.play import apply, new_game
from service.rules.state import Event, GameState, Step


def create(new: NewGame, game_id: str, moment: Moment) -> Change:
    """Return a game with its host in seat 0 and bots, if there are any, in the next ones.

    :raises RuleError: if the bots are more than the other seats.
    """
    host = _new_player(new.name, moment)
    players = (host, *(_new_bot(bot.level, bot.name, moment) for bot in new.bots))
    steps = [new_game(new.rules, new.seats)]
    for _ in new.bots:
        steps.append(apply(steps[-1].state, 0, Join("bot")))
    taken = (*players, *(None,) * (new.seats - len(players)))
    record = _new_record(new, game_id, taken, steps[0].state, moment)
    change = recorded(record, steps, moment, names=tuple(player.name for player in players))
    return replace(change, seating=Seating(0, host.occupancy, host.nonce))


def _new_record(
    new: NewGame,
    game_id: str,
    players: tuple[Player | None, ...],
    state: GameState,
    moment: Moment,
) -> GameRecord:
    """Return a record before its first version."""
    return GameRecord(
        game_id=game_id,
        version=0,
        nonce="",
        created_at=moment.now,
        updated_at=moment.now,
        expires_at=moment.now,
        preset=new.preset,
        visibility=new.visibility,
        turn_seconds=new.turn_seconds,
        timeout_action=new.timeout_action,
        sandbox=bool(new.decks),
        players=players,
        state=state,
        next_secret=new_secret(moment.random),
        decks=new.decks,
    )


def join(record: GameRecord, caller: int | None, name: str, entropy: str, moment: Moment) -> Change:
    """Return the game with a newcomer, who may hold no seat of it yet, in its lowest free seat.

    :raises RuleError: if the game takes nobody in.
    """
    step = apply(record.state, caller, Join())
    seat = step.event.seat or 0
    player = replace(_new_player(name, moment), entropy=entropy)
    change = recorded(with_player(record, seat, player), (step,), moment, names=(name,))
    return replace(change, seating=Seating(seat, player.occupancy, player.nonce))


def add_bot(
    record: GameRecord, caller: int, level: str, name: str | None, moment: Moment
) -> Change:
    """Return the game with a bot in its lowest free seat.

    :raises RuleError: if the caller is not the host, or the game takes nobody in.
    """
    step = apply(record.state, caller, Join("bot"))
    bot = _new_bot(level, name, moment)
    record = with_player(record, step.event.seat or 0, bot)
    return recorded(record, (step,), moment, names=(bot.name,))


def leave(record: GameRecord, seat: int, moment: Moment) -> Change:
    """Return the game with the seat given up before the first deal.

    :raises RuleError: if a round has been dealt.
    """
    step = apply(record.state, seat, Leave())
    player = player_in(record, seat)
    change = recorded(with_player(record, seat, None), (step,), moment)
    return replace(change, seating=Seating(seat, player.occupancy, before=player.nonce))


def remove(record: GameRecord, caller: int, seat: int, moment: Moment) -> Change:
    """Return the game with another seat cleared by the host before the first deal.

    :raises RuleError: if the caller is not the host, or there is nobody to take out.
    """
    step = apply(record.state, caller, Remove(seat))
    return recorded(with_player(record, seat, None), (step,), moment)


def set_entropy(record: GameRecord, seat: int, text: str, moment: Moment) -> Change:
    """Return the game with a seat's text for the next shuffle.

    :raises RuleError: if the seat is out or the game over.
    """
    step = apply(record.state, seat, SetEntropy())
    return recorded(with_entropy(record, seat, text), (step,), moment)


def renew_token(record: GameRecord, seat: int, moment: Moment) -> Change:
    """Return the game with another nonce for a seat, so that its token so far opens nothing."""
    player = player_in(record, seat)
    renewed = replace(player, nonce=new_nonce(moment.random))
    step = Step(record.state, Event(type="token_renewed", seat=seat))
    change = recorded(with_player(record, seat, renewed), (step,), moment)
    seating = Seating(seat, player.occupancy, renewed.nonce, before=player.nonce)
    return replace(change, seating=seating)


def rematch(record: GameRecord, seat: int, rematch_game_id: str, moment: Moment) -> Change:
    """Return a finished game that names the one in which its seats go on.

    :raises RuleError: if it was not played to its end.
    """
    step = apply(record.state, seat, Rematch())
    return recorded(replace(record, rematch_game_id=rematch_game_id), (step,), moment)


def moves_down(before: GameRecord) -> int:
    """Return by how many places the seats move down in a rematch: one, or on to a human host."""
    seats = len(before.players)
    return next(down for down in range(1, seats + 1) if not player_in(before, down % seats).level)


def rematch_of(
    before: GameRecord, sitting: tuple[Player, ...], game_id: str, moment: Moment
) -> Change:
    """Return the game in which the seats of a finished one go on, each some seats further down.

    ``sitting`` are the players by their seats so far, as they are to sit in the new game.
    """
    down = moves_down(before)
    players = sitting[down:] + sitting[:down]
    new = NewGame(
        name=players[0].name,
        seats=len(players),
        preset=before.preset,
        rules=before.state.rules,
        visibility=before.visibility,
        turn_seconds=before.turn_seconds,
        timeout_action=before.timeout_action,
    )
    steps = [new_game(new.rules, new.seats)]
    for player in players[1:]:
        kind = _kind(player)
        caller = 0 if kind.occupant == "bot" else None
        steps.append(apply(steps[-1].state, caller, kind))
    record = _new_record(new, game_id, players, steps[0].state, moment)
    record = replace(record, listed=False)
    return recorded(record, steps, moment, names=tuple(player.name for player in players))


def _kind(player: Player) -> Join:
    """Return how a player takes a seat."""
    return Join("bot" if player.level else "human")


def _new_bot(level: str, name: str | None, moment: Moment) -> Player:
    return replace(_new_player(name or f"{level.capitalize()} bot", moment), level=level)


def _new_player(name: str, moment: Moment) -> Player:
    return Player(name, new_occupancy(moment.random), new_nonce(moment.random))
