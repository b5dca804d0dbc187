"""Settling one request: find the game, prove the caller, decide, commit. No lock is ever held.

The operation is looked up before the version and the rules, in the read and again in the commit, so
that whatever a client or a network repeats is applied once.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from service.games.access import Caller, claim_of, game_not_found, token_required, viewer_of
from service.games.changes import Change, Seating
from service.games.errors import Refusal
from service.games.news import unbroken
from service.games.notes import note_of, read_note
from service.games.ports import (
    Applied,
    Clock,
    Commit,
    GameStore,
    Missing,
    Operation,
    Replayed,
    Ring,
    StoreUnavailable,
)
from service.games.record import GameRecord, LoggedEvent
from service.games.tokens import Tokens, url_text
from service.games.view import view_of
from service.rules.errors import RuleError

DECISIONS: Final = 64
PATIENCE: Final = 1_500


@dataclass(frozen=True, slots=True)
class Ask:
    """One request that changes something.

    ``path`` is its method and path, the scope of its idempotency ``key``; ``fingerprint``, needed
    with a key alone, the SHA-256 of its body as understood. ``precondition`` tells of a revision
    whether the caller's If-Match holds for it.
    """

    caller: Caller
    path: str
    fingerprint: str
    key: str | None = None
    precondition: Callable[[str], bool] | None = None


@dataclass(frozen=True, slots=True)
class Done:
    """How a request went: the game now, the caller's seat in it, and whether it is a replay.

    ``seating`` and ``key_id`` tell which token the answer gives, where it gives one; with a token
    that opens nothing any more the caller sees the game as a spectator. ``events`` are those of the
    request's own commit, in a replay too unless the log has dropped them since.
    """

    record: GameRecord
    seat: int | None
    replayed: bool
    seating: Seating | None
    key_id: str
    events: tuple[LoggedEvent, ...] = ()


Decide: TypeAlias = Callable[[GameRecord, int], Change]
DecideForAnybody: TypeAlias = Callable[[GameRecord, int | None], Change]
Settled: TypeAlias = Callable[[Literal["applied", "replayed", "stale"]], None]


class Desk:
    """Settles requests over a store; ``settled`` is told how each commit went."""

    def __init__(
        self,
        store: GameStore,
        tokens: Tokens,
        clock: Clock,
        settled: Settled = lambda _outcome: None,
    ) -> None:
        self._store = store
        self._tokens = tokens
        self._clock = clock
        self._settled = settled

    def open(self, change: Change, ask: Ask) -> Done:
        """Store a new game, or replay its creation; older keys' ids are looked up first."""
        older = self._tokens.game_ids(ask.key)[1:] if ask.key else ()
        for game_id in older:
            loaded = self._store.load(game_id, _operation_id(ask, ""))
            if loaded and loaded.applied:
                return self._replay(ask, loaded.applied, loaded.record)
        done = self._commit(change, None, ask, "pinned", 0)
        if isinstance(done, Done):
            return done
        raise RuntimeError("the id of a new game is in use")

    def settle(self, game_id: str, ask: Ask, decide: Decide) -> Done:
        """Apply once what ``decide`` makes of the game for the caller's seat, or replay it.

        :raises Refusal: if the caller has no seat, or as ``admit`` does.
        """

        def decide_for_a_seat(record: GameRecord, seat: int | None) -> Change:
            if seat is None:
                raise token_required()
            return decide(record, seat)

        return self._apply(game_id, ask, decide_for_a_seat, "keys")

    def admit(self, game_id: str, ask: Ask, decide: DecideForAnybody) -> Done:
        """Apply once what ``decide`` makes of the game for somebody who wants in, or replay it.

        :raises Refusal: if the caller, the precondition or the rules say no.
        """
        return self._apply(game_id, ask, decide, "pinned")

    def _apply(self, game_id: str, ask: Ask, decide: DecideForAnybody, ring: Ring) -> Done:
        """Decide and commit.

        A race lost without an If-Match is decided again on the game as it is now, as if the request
        had come a moment later; one with an If-Match is stale. Who loses race after race for
        ``PATIENCE`` milliseconds is told to come again.
        """
        started = self._clock.now()
        now = self._recalled(game_id, ask, decide, ring) or self._read(game_id, ask)
        for _ in range(DECISIONS):
            if isinstance(now, Done):
                return now
            seat, change = self._decided(now, ask, decide)
            now = self._commit(change, now.revision, ask, ring, seat)
            if self._clock.now() - started > PATIENCE:
                break
        if isinstance(now, Done):
            return now
        raise StoreUnavailable(
            "The game changed again and again while this request was decided; nothing was applied."
        )

    def _recalled(
        self, game_id: str, ask: Ask, decide: DecideForAnybody, ring: Ring
    ) -> Done | GameRecord | None:
        """Decide on what this process saw last, which saves a read; the commit compares it.

        It may be past, so it is never the ground for a refusal: whatever stands against the change
        is found again in what is read. An If-Match that names another revision tells that it is.
        """
        record = self._store.recall(game_id)
        if record is None or (ask.precondition and not ask.precondition(record.revision)):
            return None
        try:
            seat, change = self._decided(record, ask, decide)
        except Exception:  # noqa: BLE001  # the same decision follows, on what is read
            return None
        return self._commit(change, record.revision, ask, ring, seat)

    def _decided(
        self, record: GameRecord, ask: Ask, decide: DecideForAnybody
    ) -> tuple[int | None, Change]:
        """Return the caller's seat, and what the request makes of the game as the record has it.

        :raises Refusal: if the caller, the precondition or the rules say no.
        """
        seat = viewer_of(record, ask.caller, self._tokens)
        if ask.precondition and not ask.precondition(record.revision):
            raise stale(record, seat, self._tokens)
        try:
            return seat, decide(record, seat)
        except RuleError as error:
            raise Refusal(
                error.code,
                error.detail,
                numbers=error.numbers,
                faults=((error.pointer, error.detail),) if error.pointer else (),
                look=lambda: view_of(record, seat, self._tokens),
            ) from error

    def _read(self, game_id: str, ask: Ask) -> Done | GameRecord:
        """Return the game as it is kept, or how this very operation went before."""
        loaded = self._store.load(game_id, _operation_id(ask, game_id) if ask.key else None)
        if loaded is None:
            raise game_not_found()
        if loaded.applied:
            return self._replay(ask, loaded.applied, loaded.record)
        return loaded.record

    def _commit(
        self, change: Change, expected: str | None, ask: Ask, ring: Ring, seat: int | None
    ) -> Done | GameRecord:
        """Return how it went, or the game as it is now where another commit came first."""
        operation = self._operation(change, ask, ring)
        record = change.record
        outcome = self._store.commit(
            Commit(
                record=record,
                expected=expected,
                operation=operation,
                events=change.events,
                keep_from=change.keep_from,
                ttl_seconds=(record.expires_at - record.updated_at) // 1000,
                finished=change.finished,
            )
        )
        if isinstance(outcome, Applied):
            self._settled("applied")
            key_id = self._tokens.key_id()
            return self._done(record, seat, change.seating, key_id, change.events, replayed=False)
        if isinstance(outcome, Replayed):
            return self._replay(ask, outcome.operation, outcome.record)
        if isinstance(outcome, Missing):
            raise game_not_found()
        self._settled("stale")
        return outcome.record

    def _operation(self, change: Change, ask: Ask, ring: Ring) -> Operation:
        note = note_of(self._tokens.key_id(), change)
        if ask.key is None:
            return Operation(change.record.nonce + change.events[-1].id, "", note, "internal")
        return Operation(_operation_id(ask, change.record.game_id), ask.fingerprint, note, ring)

    def _replay(self, ask: Ask, applied: Operation, record: GameRecord) -> Done:
        """Answer an operation that was applied before, to whoever may still repeat it.

        The key of a creation or a joining is its secret; a renewal or a leaving may be repeated
        with the token that it ended.
        """
        note = read_note(applied.note)
        seating = note.seating
        seat: int | None = None
        took_a_seat = seating is not None and not seating.before
        if not took_a_seat and not self._gave_up(ask, record, seating):
            seat = viewer_of(record, ask.caller, self._tokens)
        if applied.fingerprint != ask.fingerprint:
            raise _key_reused()
        self._settled("replayed")
        events = self._logged(record.game_id, note.versions)
        return self._done(record, seat, seating, note.key_id, events, replayed=True)

    def _logged(self, game_id: str, versions: range) -> tuple[LoggedEvent, ...]:
        """Return the events of some versions, none where the log does not hold them all."""
        if not versions:
            return ()
        events = self._store.events(game_id, versions[0] - 1, len(versions)).events
        return events if unbroken(events, versions[0], versions[-1]) else ()

    def _gave_up(self, ask: Ask, record: GameRecord, seating: Seating | None) -> bool:
        """Return whether the caller's token is the one that this very operation ended."""
        claim = claim_of(ask.caller, record.game_id)
        if claim is None or ask.caller.token is None or seating is None or not seating.before:
            return False
        return self._tokens.opens(ask.caller.token, claim, seating.before)

    def _done(
        self,
        record: GameRecord,
        seat: int | None,
        seating: Seating | None,
        key_id: str,
        events: tuple[LoggedEvent, ...],
        *,
        replayed: bool,
    ) -> Done:
        if seating:
            player = record.players[seating.seat]
            kept = (seating.occupancy, seating.nonce)
            opens = player is not None and (player.occupancy, player.nonce) == kept
            seat = seating.seat if opens else None
        return Done(record, seat, replayed, seating, key_id, events)


def _operation_id(ask: Ask, game_id: str) -> str:
    """Return the name of caller, method, path and key; 22 characters."""
    claim = claim_of(ask.caller, game_id)
    scope = "\0".join((claim.occupancy if claim else "", ask.path, ask.key or ""))
    return url_text(hashlib.sha256(scope.encode()).digest()[:16])


def stale(record: GameRecord, seat: int | None, tokens: Tokens) -> Refusal:
    """Return the answer to an If-Match that the game is past, with the caller's view of it."""
    return Refusal(
        "stale_version",
        f"The game is at version {record.version}, which your If-Match does not name. Look at the "
        "game as it is now and decide anew.",
        look=lambda: view_of(record, seat, tokens),
    )


def _key_reused() -> Refusal:
    return Refusal(
        "idempotency_key_reused",
        "That Idempotency-Key came before with another body. Nothing was applied now; send a new "
        "key with a new request.",
    )
