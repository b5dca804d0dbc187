"""Records and commits made by hand, as large as those of a real game."""

from dataclasses import replace
from secrets import token_hex

from service.games.ports import Commit, FinishedRound, Operation, Ring
from service.games.record import GameRecord, LoggedEvent, Player, RoundRecord, Shuffle
from service.rules.cards import FULL_DECK, set_of
from service.rules.ruleset import RuleSet
from service.rules.state import Event, GameState, Laid, Line, Round, RoundResult

DECK = tuple(card * 17 % 52 for card in range(52))
SHUFFLE = Shuffle("okg-shuffle-1", "G" * 22, 3, 2, "5e" * 32, "c0" * 32, ("séance", ""))
RESULT = RoundResult(
    number=3,
    kind="undercut",
    winner=1,
    knocker=0,
    hands=(
        Laid(0, (7, 7 << 13), (), 1 << 51, 10),
        Laid(1, (), ((3, 0), (16, 1)), FULL_DECK, 340),
    ),
    lines=(Line(1, 12, "deadwood", 2), Line(1, -10, "undercut", 1)),
    totals=(34, 56),
)
LONGEST_ROUND = Round(
    number=3,
    dealer=1,
    commitment="c0" * 32,
    deck=DECK,
    upcard=DECK[20],
    hands=(set_of(DECK[0:20:2]), set_of(DECK[1:20:2])),
    discard_pile=DECK[20:50],
    stock_at=50,
    phase="over",
    turn=None,
    limit_card=DECK[20],
    turns_played=29,
    passed=(0, 1),
    drawn_card=DECK[49],
    drawn_from="stock",
    knocker=0,
    going_out="knock",
    shown=RESULT.hands,
    result=RESULT,
)


def new_id() -> str:
    return token_hex(12)


def a_record(game_id: str | None = None, version: int = 1, nonce: str | None = None) -> GameRecord:
    """Return a game at the end of a long round, the largest snapshot of two seats."""
    return GameRecord(
        game_id=game_id or new_id(),
        version=version,
        nonce=nonce or token_hex(4),
        created_at=1_760_000_000_000,
        updated_at=1_760_000_360_000,
        expires_at=1_761_209_960_000,
        preset="oklahoma",
        visibility="private",
        turn_seconds=604_800,
        timeout_action="autoplay",
        sandbox=False,
        players=(
            Player("Ann", token_hex(8), token_hex(8), "e" * 64),
            Player("Zoë 🂡", token_hex(8), token_hex(8)),
        ),
        state=GameState(
            rules=RuleSet(),
            occupants=("human", "bot"),
            totals=(34, 56),
            boxes=(2, 3),
            out=(False, False),
            round=LONGEST_ROUND,
            last_round=replace(RESULT, number=2),
        ),
        next_secret=token_hex(32),
        shuffle=SHUFFLE,
        round_versions=(140, 210),
        turn_deadline=1_760_000_400_000,
    )


def an_operation(ring: Ring = "keys", operation_id: str | None = None) -> Operation:
    return Operation(operation_id or new_id(), token_hex(16), '{"seat":0}', ring)


def an_event(version: int, event: Event | None = None) -> LoggedEvent:
    told = event or Event(
        type="discarded", seat=version % 2, phase="draw", turn=0, card=version % 52
    )
    return LoggedEvent(version, f"{version}-{token_hex(4)}", 1_760_000_000_000 + version, told)


def a_creation(operation: Operation | None = None, game_id: str | None = None) -> Commit:
    """Return the commit that creates a game."""
    return Commit(
        record=a_record(game_id),
        expected=None,
        operation=operation or an_operation("pinned"),
        events=(an_event(1, Event(type="created", seat=0, occupant="human")),),
        keep_from=1,
        ttl_seconds=86_400,
    )


def a_move(
    before: GameRecord,
    operation: Operation | None = None,
    events: tuple[Event, ...] = (Event(type="drew", seat=0, source="stock", card=51),),
) -> Commit:
    """Return the commit that adds these events to a game."""
    versions = range(before.version + 1, before.version + 1 + len(events))
    return Commit(
        record=a_record(before.game_id, versions[-1]),
        expected=before.revision,
        operation=operation or an_operation(),
        events=tuple(map(an_event, versions, events)),
        keep_from=1,
        ttl_seconds=1_209_600,
    )


def a_finish(before: GameRecord, first_version: int, *later: Event) -> Commit:
    """Return the commit whose first event ends a round that began with ``first_version``."""
    end = Event(type="laid_off", seat=1, layoffs=(), melds=(7,), result=RESULT)
    record = RoundRecord(RESULT.number, 1, DECK, RESULT, SHUFFLE)
    commit = a_move(before, events=(end, *later))
    return replace(commit, finished=(FinishedRound(record, first_version),))
