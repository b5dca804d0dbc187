"""Auditing a stored game: all that is kept of it has to follow from its decks and its moves.

Every finished round is played again by the rules, from its record; what came after the last of them
from the log. Each event, result and total, and in the end the whole state, must come out the same.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from service.games.differing import differing
from service.games.ports import GameStore, StoreUnavailable
from service.games.record import LOG_EVENTS, GameRecord, LoggedEvent, RoundRecord
from service.games.replay import Unplayable, again, versions_follow
from service.games.shuffle import (
    ALGORITHM,
    commitment_of,
    deck_of,
    first_player_of,
    high_cards_of,
)
from service.rules.cards import DECK_SIZE, Card
from service.rules.errors import RuleError
from service.rules.play import new_game
from service.rules.rounds import highest_card_seat
from service.rules.state import Event, GameState, RoundResult

PAGE: Final = 500
READINGS: Final = 5


@dataclass(frozen=True, slots=True)
class Audit:
    """What was played again of a game, and the first thing that did not come out the same."""

    game_id: str
    rounds: int
    moves: int
    difference: str | None


@dataclass(frozen=True, slots=True)
class Kept:
    """All that is stored of a game, read while nothing changed."""

    record: GameRecord
    results: tuple[RoundResult, ...]
    rounds: tuple[RoundRecord | None, ...]
    log: tuple[LoggedEvent, ...]


class Restless(StoreUnavailable):
    """The game moved during each reading."""


class _Difference(Exception):
    """What differs, and where."""


def audit(store: GameStore, game_id: str) -> Audit | None:
    """Play a game again and return how that went; nothing where there is no such game.

    :raises StoreUnavailable: if the store does not answer or the game cannot be read.
    """
    kept = _read(store, game_id)
    if kept is None:
        return None
    replay = _Replay(kept)
    try:
        replay.run()
    except _Difference as found:
        return Audit(game_id, replay.rounds, replay.moves, str(found))
    return Audit(game_id, replay.rounds, replay.moves, None)


def _read(store: GameStore, game_id: str) -> Kept | None:
    """Return a game as it was at one moment.

    :raises Restless: if it moved during each of five readings.
    """
    loaded = store.load(game_id)
    for _ in range(READINGS):
        if loaded is None:
            return None
        kept = _read_once(store, loaded.record)
        loaded = store.load(game_id)
        if loaded and loaded.record.revision == kept.record.revision:
            return kept
    raise Restless(
        f"The game moved during each of {READINGS} readings. Audit it again when it is quieter."
    )


def _read_once(store: GameStore, record: GameRecord) -> Kept:
    results = store.results(record.game_id)
    rounds = tuple(store.round(record.game_id, number + 1) for number in range(len(results)))
    return Kept(record, results, rounds, tuple(_log(store, record)))


def _log(store: GameStore, record: GameRecord) -> Iterator[LoggedEvent]:
    after = 0
    while page := store.events(record.game_id, after, PAGE).events:
        yield from (logged for logged in page if logged.version <= record.version)
        after = page[-1].version


class _Replay:
    """Plays one game again, counting as it goes."""

    def __init__(self, kept: Kept) -> None:
        self._kept = kept
        self._record = kept.record
        self._logged = {each.version: each for each in kept.log}
        self._state = _opening(kept)
        self._told = 0
        self.rounds = 0
        self.moves = 0

    def run(self) -> None:
        """Play it to its present state.

        :raises _Difference: at the first thing that is not as it was kept.
        """
        self._check_log()
        for number, record in enumerate(self._kept.rounds, 1):
            self._between_rounds(record)
            self._round(number, record)
        self._rest()
        _same("the snapshot", self._record.state, self._state)

    def _check_log(self) -> None:
        log, version = self._kept.log, self._record.version
        _refuse("the log", versions_follow(log))
        needed = max(1, min(version - LOG_EVENTS + 1, *self._record.round_versions[:1], version))
        if not log or log[0].version > needed:
            raise _Difference(f"the log: version {needed} is missing")
        if log[-1].version != version:
            raise _Difference(f"the log ends with version {log[-1].version}, the game is {version}")

    def _between_rounds(self, record: RoundRecord | None) -> None:
        """Play what the log still holds of the time before a round."""
        first = record.moves[0].version if record and record.moves else self._told + 1
        for version in range(self._told + 1, first):
            if logged := self._logged.get(version):
                self._play(f"version {version}", logged, ())

    def _round(self, number: int, record: RoundRecord | None) -> None:
        place = f"round {number}"
        if record is None:
            raise _Difference(f"{place}: it is finished and there is no record of it")
        if not record.moves or record.moves[0].event.type != "dealt":
            raise _Difference(f"{place}: its record does not begin with the deal")
        _refuse(place, versions_follow(record.moves))
        if record.moves[0].version <= self._told:
            raise _Difference(f"{place}: it begins with version {record.moves[0].version} again")
        if sorted(record.deck) != list(range(DECK_SIZE)):
            raise _Difference(f"{place}: its deck is not {DECK_SIZE} different cards")
        self._check_shuffle(place, record)
        self._stand_up(record.moves[0].event)
        for logged in record.moves:
            where = f"{place}, version {logged.version}"
            _same(f"{where} in the log", self._logged.get(logged.version, logged), logged)
            self._play(where, logged, record.deck)
        self._check_result(place, record, self._kept.results[number - 1])
        self.rounds += 1

    def _check_shuffle(self, place: str, record: RoundRecord) -> None:
        """Check the deck, and who begins, against the shuffle that was revealed."""
        shuffle, dealt = record.shuffle, record.moves[0].event
        if shuffle is None:
            if not self._record.sandbox:
                raise _Difference(f"{place}: its shuffle is not revealed")
            return
        named = (shuffle.algorithm, shuffle.game_id, shuffle.round, shuffle.seats)
        due = (ALGORITHM, self._record.game_id, record.number, self._state.seats)
        _same(f"{place}, shuffle", named, due)
        _same(f"{place}, commitment", shuffle.commitment, commitment_of(shuffle.secret))
        _same(f"{place}, commitment of the deal", dealt.commitment, shuffle.commitment)
        _same(f"{place}, deck", record.deck, deck_of(shuffle), "deck")
        if record.number == 1:
            self._check_first_player(place, record)

    def _check_first_player(self, place: str, record: RoundRecord) -> None:
        shuffle, chosen_by = record.shuffle, self._state.rules.first_player
        first = 0
        if shuffle and chosen_by == "random":
            first = first_player_of(shuffle)
        elif shuffle and chosen_by == "high_card":
            cards = high_cards_of(shuffle)
            _same(f"{place}, high cards", record.moves[0].event.high_cards, cards, "high_cards")
            first = highest_card_seat(cards)
        _same(f"{place}, dealer", record.dealer, (first - 1) % self._state.seats)

    def _stand_up(self, dealt: Event) -> None:
        """Take the seats out that resigned before a deal, where the log does not tell it any more.

        Nobody who is out comes in again: the deal, played again, would give them no hand.
        """
        hands = dealt.hands or ()
        out = tuple(gone or not hand for gone, hand in zip(self._state.out, hands, strict=False))
        if len(hands) == self._state.seats and self._told + 1 not in self._logged:
            self._state = replace(self._state, out=out)

    def _check_result(self, place: str, record: RoundRecord, listed: RoundResult) -> None:
        table = self._state.round
        if table is None or table.result is None:
            raise _Difference(f"{place}: its moves do not end it")
        _same(f"{place}, result", record.result, table.result)
        _same(f"{place}, result on the score sheet", listed, table.result)
        kept, played = (record.number, record.dealer), (table.number, table.dealer)
        _same(f"{place}, number and dealer", kept, played)

    def _rest(self) -> None:
        """Play what the log tells after the last finished round; the running one is dealt last."""
        running = self._record.state.round
        for version in range(self._told + 1, self._record.version + 1):
            if logged := self._logged.get(version):
                self._play(f"version {version}", logged, running.deck if running else ())

    def _play(self, where: str, logged: LoggedEvent, deck: tuple[Card, ...]) -> None:
        self._told = logged.version
        if logged.event.type == "created":
            return
        try:
            step = again(self._record, self._state, deck, logged.event)
        except Unplayable as unplayable:
            raise _Difference(f"{where}: {unplayable}") from None
        except RuleError as refused:
            told = f"'{logged.event.type}' is against the rules ({refused.detail})"
            raise _Difference(f"{where}: {told}") from None
        except LookupError:
            raise _Difference(f"{where}: it names a seat, card or meld that is not there") from None
        _same(f"{where}, '{logged.event.type}'", logged.event, step.event)
        self._state = step.state
        self.moves += 1


def _opening(kept: Kept) -> GameState:
    """Return the game as its host opened it, or with its seats taken, as far back as the log goes.

    Seats do not change after the first deal, so those of the snapshot have been taken by then.
    """
    state = kept.record.state
    opened = new_game(state.rules, state.seats).state
    if kept.log and kept.log[0].version == 1:
        return opened
    return replace(opened, occupants=state.occupants)


def _refuse(where: str, fault: str | None) -> None:
    if fault:
        raise _Difference(f"{where}: {fault}")


def _same(where: str, kept: object, played: object, name: str = "") -> None:
    _refuse(where, differing(kept, played, name))
