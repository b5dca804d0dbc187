"""What streams tell: a game can be kept by it, once and in order, and it gives nothing away."""

import json
from collections.abc import Callable, Iterator
from functools import partial
from random import Random

import pytest

from service.api.render import encode, renderer
from service.api.schemas.responses import GameSchema
from service.api.streaming import FRAMINGS, NDJSON, SSE, StreamBody
from service.games.access import Caller
from service.games.stream import Position, Stream
from service.games.streams import Streams
from service.rules.cards import DECK_SIZE
from service.rules.moves import Discard, Draw, Pass, PlayerMove
from service.rules.ruleset import PRESETS
from tests.conftest import Tally
from tests.games.playing import Table
from tests.streams.following import MemoryFeed, PublishingStore, followers_over, streams_over
from tests.streams.reading import Message, Reader, Shown, known_of, learn

VIEWERS = (0, 1, None)


def a_table(seed: int, seats: int = 2, **words: object) -> Table:
    rules = PRESETS["oklahoma" if seats == 2 else "oklahoma-penalties"].rules
    store = PublishingStore(MemoryFeed())
    return Table(seed, rules=rules, seats=seats, store=store, **words)  # type: ignore[arg-type]


def streams_of(table: Table) -> Streams:
    assert isinstance(table.store, PublishingStore)
    return streams_over(table.games, followers_over(table.store, table.store.feed))


class Watcher:
    """A viewer who reads server-sent events and keeps the game by them alone."""

    def __init__(self, table: Table, streams: Streams, seat: int | None) -> None:
        self.table = table
        self.streams = streams
        self.seat = seat
        self.known: Shown = {}
        self.version = 0
        self.events: list[str] = []
        self.snapshots = 0
        self.reader = Reader()
        self.stream: Stream | None = None
        self.chunks: Iterator[bytes] = iter(())

    def connect(self, position: Position | None = None) -> None:
        table = self.table
        token = None if self.seat is None else table.tokens[self.seat]
        caller = Caller(token, table.invite)
        self.stream = self.streams.open(table.game_id, caller, None, position)
        self.chunks = iter(StreamBody(self.stream, FRAMINGS[SSE], with_view=False))

    def cut(self) -> None:
        if self.stream:
            self.stream.close()
        self.stream = None

    def catch_up(self) -> None:
        """Read until the table's version is known."""
        while self.version < self.table.record.version:
            for message in self.reader.take(next(self.chunks)):
                self._take(message)

    def _take(self, message: Message) -> None:
        told = message.json
        assert (message.type, message.id) == (told["type"], told["id"])
        self.version = told["version"]
        if message.type == "snapshot":
            self.snapshots += 1
            self.known = known_of(told["game"])
            return
        self.events.append(told["id"])
        self.known = learn(self.known, told, self.seat)

    def check(self) -> None:
        """Compare what is kept with the view that a look gives now."""
        view = json.loads(encode(renderer(GameSchema)(self.table.look(self.seat))))
        assert self.known == known_of(view), self.table.record.version


@pytest.mark.parametrize("seed, seats", [(1, 2), (2, 2), (3, 3), (4, 4)])
def test_a_snapshot_and_the_events_are_the_game_at_every_commit(
    seed: int, seats: int, tally: Tally
) -> None:
    dice = Random(seed)
    table = a_table(seed, seats, joined=1)
    streams = streams_of(table)
    watchers = [Watcher(table, streams, seat) for seat in (0, None)]
    for watcher in watchers:
        watcher.connect()
    for name in ("Bob", "Cyd", "Dee")[: seats - 1]:
        table.tokens.append(table.join(name).token)
        newcomer = Watcher(table, streams, len(table.tokens) - 1)
        newcomer.connect()
        watchers.append(newcomer)
    while not table.record.state.result and table.record.version < 400:
        table.go_on(dice)
        for watcher in watchers:
            watcher.catch_up()
            watcher.check()
            tally(games_compared=1)
    assert {watcher.snapshots for watcher in watchers} == {1}
    for watcher in watchers:
        watcher.cut()


@pytest.mark.parametrize("seed", range(4))
def test_cuts_and_reconnects_give_each_event_once_in_order(seed: int, tally: Tally) -> None:
    dice = Random(seed)
    table = a_table(seed)
    streams = streams_of(table)
    watchers = [Watcher(table, streams, seat) for seat in VIEWERS]
    for watcher in watchers:
        watcher.connect(Position(0))
    while not table.record.state.result:
        table.go_on(dice)
        for watcher in watchers:
            if watcher.stream is None and dice.random() < 0.5:
                last = watcher.reader.id if dice.random() < 0.5 else None
                watcher.connect(Position(watcher.version, last))
                tally(reconnects=1)
            if watcher.stream and dice.random() < 0.7:
                story_goes_on(watcher)
            if watcher.stream and dice.random() < 0.3:
                watcher.cut()
    ids = [logged.id for logged in table.events()]
    for watcher in watchers:
        watcher.cut()
        watcher.connect(Position(watcher.version, watcher.reader.id or None))
        story_goes_on(watcher)
        assert watcher.events == ids
        assert watcher.snapshots == 0
        assert list(watcher.chunks) in ([], [FRAMINGS[SSE].hello])


def story_goes_on(watcher: Watcher) -> None:
    """Read on without keeping the game, which nobody can keep from the first event alone."""
    while watcher.version < watcher.table.record.version:
        for message in watcher.reader.take(next(watcher.chunks)):
            watcher.version = message.json["version"]
            watcher.events.append(message.id)


def moves_of(table: Table, turns: int) -> list[tuple[int, PlayerMove]]:
    """Make moves that lay no hand down and return them."""
    made: list[tuple[int, PlayerMove]] = []
    for _ in range(turns):
        seat = table.turn
        actions = table.look(seat).actions
        move: PlayerMove = (
            Discard(actions.discard[0].card)
            if actions.discard
            else Pass()
            if actions.pass_upcard
            else Draw("stock")
        )
        table.move(move, seat)
        made.append((seat, move))
    return made


def bytes_told(table: Table, seat: int | None, script: list[tuple[int, PlayerMove]]) -> bytes:
    """Return all that both kinds of streams tell a viewer while a script is played."""
    streams = streams_of(table)
    token = None if seat is None else table.tokens[seat]
    opened = [streams.open(table.game_id, Caller(token, table.invite)) for _ in FRAMINGS]
    chunks = [
        iter(StreamBody(stream, framing, with_view=True))
        for stream, framing in zip(opened, FRAMINGS.values(), strict=True)
    ]
    told = bytearray()
    steps: list[Callable[[], object]] = [table.deal]
    steps += [partial(table.move, move, mover) for mover, move in script]
    for step in steps:
        step()
        for each in chunks:
            told += until(each, table.record.version)
    for stream in opened:
        stream.close()
    return bytes(told)


def until(chunks: Iterator[bytes], version: int) -> bytes:
    told = b""
    while f'"version":{version},'.encode() not in told:
        told += next(chunks)
    return told.replace(b":\n\n", b"")


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("viewer", VIEWERS)
def test_no_byte_of_a_stream_depends_on_hidden_cards(
    seed: int, viewer: int | None, tally: Tally
) -> None:
    dice = Random(seed)
    deck = tuple(dice.sample(range(DECK_SIZE), DECK_SIZE))
    played = a_table(seed, decks=(deck,))
    played.deal(0)
    script = moves_of(played, 24)
    seen = known_cards(played, viewer)
    places = [place for place, card in enumerate(deck) if card not in seen]
    cards = [deck[place] for place in places]
    turned = list(deck)
    for place, card in zip(places, cards[1:] + cards[:1], strict=True):
        turned[place] = card
    assert turned != list(deck)
    told = bytes_told(a_table(seed, decks=(deck,)), viewer, script)
    again = bytes_told(a_table(seed, decks=(tuple(turned),)), viewer, script)
    assert told == again
    tally(bytes_compared=len(told))


def known_cards(table: Table, viewer: int | None) -> set[int]:
    """Return the cards that a viewer has seen in a round: the pile's and their own, ever."""
    seen = {event.event.card for event in table.events() if shown_to(event.event, viewer)}
    for logged in table.events():
        if logged.event.type == "dealt" and logged.event.hands and viewer is not None:
            seen |= {card for card in range(DECK_SIZE) if logged.event.hands[viewer] >> card & 1}
        seen.add(logged.event.upcard)
    return {card for card in seen if card is not None}


def shown_to(event: object, viewer: int | None) -> bool:
    source, seat = getattr(event, "source", None), getattr(event, "seat", None)
    return source != "stock" or seat == viewer


def test_lines_begin_with_a_snapshot_even_where_a_position_is_given() -> None:
    table = a_table(9)
    table.deal(0)
    streams = streams_of(table)
    stream = streams.open(table.game_id, Caller(), None, Position(1), whole_first=True)
    chunks = iter(StreamBody(stream, FRAMINGS[NDJSON], with_view=False))
    lines = [json.loads(line) for _ in range(2) for line in next(chunks).splitlines()]
    stream.close()
    told = [(line["type"], line["version"]) for line in lines]
    assert told == [("snapshot", 3), ("joined", 2), ("dealt", 3)]
