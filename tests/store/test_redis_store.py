from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from itertools import pairwise

import msgspec
import pytest
from redis import Redis
from redis.crc import key_slot

from service.games.ports import (
    Applied,
    Commit,
    FinishedRound,
    Loaded,
    Missing,
    Operation,
    Outcome,
    Replayed,
    Ring,
    Stale,
    StoreUnavailable,
    UnreadableGame,
)
from service.games.record import GameRecord, RoundRecord
from service.rules.state import Event
from service.store import codec
from service.store.redis_store import RedisGameStore
from service.store.seen import Seen
from tests.store.factory import (
    DECK,
    RESULT,
    a_creation,
    a_finish,
    a_move,
    a_record,
    an_event,
    an_operation,
    new_id,
)

REMEMBERED = 64
DREW = Event(type="drew", seat=0, source="stock", card=51)


def created(store: RedisGameStore) -> GameRecord:
    commit = a_creation()
    assert store.commit(commit) == Applied()
    return commit.record


def moved(store: RedisGameStore, record: GameRecord, times: int, ring: Ring) -> list[Operation]:
    """Return the operations of as many moves, the last one's revision being the game's."""
    operations = [an_operation(ring) for _ in range(times)]
    for operation in operations:
        commit = a_move(record, operation)
        assert store.commit(commit) == Applied()
        record = commit.record
    return operations


def loaded(store: RedisGameStore, record: GameRecord) -> GameRecord:
    found = store.load(record.game_id)
    assert found is not None
    return found.record


def is_remembered(store: RedisGameStore, record: GameRecord, operation: Operation) -> bool:
    found = store.load(record.game_id, operation.id)
    return found is not None and found.applied == operation


def keys_of(server: Redis, game_id: str) -> list[str]:
    return sorted(map(bytes.decode, server.scan_iter(f"okg:{{{game_id}}}*")))


def contents_of(server: Redis, game_id: str) -> dict[str, object]:
    """Return all that is kept of a game, and for about how many seconds."""
    return {key: (server.dump(key), round(server.ttl(key), -3)) for key in keys_of(server, game_id)}


# What is stored


def test_a_created_game_is_loaded_as_it_was_stored(store: RedisGameStore) -> None:
    commit = a_creation()
    assert store.commit(commit) == Applied()
    assert store.load(commit.record.game_id) == Loaded(commit.record, None)


def test_an_unknown_game_is_not_found(store: RedisGameStore) -> None:
    assert store.load(new_id(), "some operation") is None
    assert store.round(new_id(), 1) is None
    assert store.results(new_id()) == ()
    assert store.events(new_id(), 4, 10).events == ()


def test_a_load_tells_the_operation_it_asked_for(store: RedisGameStore) -> None:
    record = created(store)
    [operation] = moved(store, record, 1, "keys")
    for asked, applied in ((operation.id, operation), ("another", None), (None, None)):
        found = store.load(record.game_id, asked)
        assert found is not None
        assert found.applied == applied


def test_a_move_replaces_the_snapshot_and_adds_its_event(store: RedisGameStore) -> None:
    record = created(store)
    commit = a_move(record)
    assert store.commit(commit) == Applied()
    assert loaded(store, record) == commit.record
    assert store.events(record.game_id, 1, 10).events == commit.events


def test_several_events_are_one_commit(store: RedisGameStore) -> None:
    commit = a_move(created(store), events=(DREW, DREW, DREW))
    assert store.commit(commit) == Applied()
    assert commit.record.version == 4
    assert store.events(commit.record.game_id, 1, 10).events == commit.events


def test_a_game_and_its_log_come_in_one_trip(store: RedisGameStore, server: Redis) -> None:
    commit = a_move(created(store), events=(DREW, DREW, DREW))
    assert store.commit(commit) == Applied()
    game_id = commit.record.game_id
    before = server.info("stats")["total_reads_processed"]
    both = [store.load_since(game_id, after, 2) for after in range(6)]
    read = server.info("stats")["total_reads_processed"] - before - 1
    assert both == [(commit.record, store.events(game_id, after, 2)) for after in range(6)]
    assert read == len(both)
    assert store.load_since(new_id(), 0, 2) is None


def test_any_text_may_name_an_operation(store: RedisGameStore) -> None:
    record = created(store)
    operation = Operation('0 POST /é "\x00{}" \n', "{", '"\\', "keys")
    commit = a_move(record, operation)
    assert store.commit(commit) == Applied()
    assert is_remembered(store, record, operation)
    assert store.commit(commit) == Replayed(operation, commit.record)


# What is refused, and in which order


def test_a_move_in_a_game_that_does_not_exist_is_missing(store: RedisGameStore) -> None:
    unknown = a_record()
    assert store.commit(a_move(unknown)) == Missing()
    assert store.load(unknown.game_id) is None


def test_a_move_on_an_older_revision_is_stale(store: RedisGameStore) -> None:
    record = created(store)
    commit = a_move(record)
    store.commit(commit)
    assert store.commit(a_move(record)) == Stale(commit.record)


def test_the_same_version_with_another_nonce_is_stale(store: RedisGameStore) -> None:
    record = created(store)
    other_history = replace(record, nonce="00000000")
    assert store.commit(a_move(other_history)) == Stale(record)


def test_the_same_operation_is_replayed_even_on_an_older_revision(store: RedisGameStore) -> None:
    record = created(store)
    commit = a_move(record)
    store.commit(commit)
    later = a_move(commit.record)
    store.commit(later)
    assert store.commit(commit) == Replayed(commit.operation, later.record)
    assert store.events(record.game_id, 1, 10).events == (*commit.events, *later.events)


def test_a_replay_gives_the_body_that_was_applied(store: RedisGameStore) -> None:
    commit = a_move(created(store))
    store.commit(commit)
    other_body = replace(commit.operation, fingerprint="another", note="another")
    outcome = store.commit(replace(commit, operation=other_body))
    assert outcome == Replayed(commit.operation, commit.record)


def test_creating_twice_is_replayed(store: RedisGameStore) -> None:
    commit = a_creation()
    store.commit(commit)
    assert store.commit(commit) == Replayed(commit.operation, commit.record)


def test_creating_a_game_that_exists_is_stale(store: RedisGameStore) -> None:
    record = created(store)
    assert store.commit(a_creation(game_id=record.game_id)) == Stale(record)


def test_one_of_many_concurrent_moves_is_applied(store: RedisGameStore) -> None:
    for _ in range(10):
        record = created(store)
        commits = [a_move(record) for _ in range(8)]
        with ThreadPoolExecutor(8) as threads:
            outcomes = list(threads.map(store.commit, commits))
        [winner] = [c for c, o in zip(commits, outcomes, strict=True) if o == Applied()]
        assert outcomes.count(Stale(winner.record)) == 7
        assert store.events(record.game_id, 1, 10).events == winner.events


def test_one_of_many_concurrent_repeats_is_applied(store: RedisGameStore) -> None:
    commit = a_move(created(store))
    with ThreadPoolExecutor(8) as threads:
        outcomes = list(threads.map(store.commit, [commit] * 8))
    assert outcomes.count(Applied()) == 1
    assert outcomes.count(Replayed(commit.operation, commit.record)) == 7
    assert store.events(commit.record.game_id, 1, 10).events == commit.events


def refused_commits(record: GameRecord) -> dict[str, Commit]:
    """Return commits that get as far as they can before the script refuses them."""
    move = a_move(record)
    finish = a_finish(record, 1)
    return {
        "stale": a_finish(replace(record, nonce="00000000"), 1),
        "no life": replace(move, ttl_seconds=0),
        "a life too long": replace(move, ttl_seconds=1 << 62),
        "no version to keep": replace(move, keep_from=-1),
        "a version that the log has": replace(
            move, events=(an_event(1),), record=replace(move.record, version=1)
        ),
        "a round from no version": replace(
            finish, finished=(FinishedRound(finish.finished[0].record, -1),)
        ),
    }


@pytest.mark.parametrize("why", refused_commits(a_record()))
def test_a_refused_commit_leaves_no_trace(store: RedisGameStore, server: Redis, why: str) -> None:
    record = created(store)
    refused = refused_commits(record)[why]
    before = contents_of(server, record.game_id)
    outcome: Outcome | str
    try:
        outcome = store.commit(refused)
    except StoreUnavailable as error:
        outcome = str(error)
    assert isinstance(outcome, Stale if why == "stale" else str), outcome
    assert contents_of(server, record.game_id) == before


@pytest.mark.parametrize("part", ["keys", "events", "rounds", "results"])
def test_a_key_of_another_type_is_noticed_before_the_first_write(
    store: RedisGameStore, server: Redis, part: str
) -> None:
    record = created(store)
    store.commit(a_move(record))
    key = f"okg:{{{record.game_id}}}:{part}"
    server.delete(key)
    server.set(key, "no such thing")
    before = contents_of(server, record.game_id)
    with pytest.raises(StoreUnavailable, match="WRONGTYPE"):
        store.commit(a_finish(loaded(store, record), 1))
    assert contents_of(server, record.game_id) == before


def test_a_full_server_refuses_a_commit_whole(store: RedisGameStore, server: Redis) -> None:
    record = created(store)
    before = contents_of(server, record.game_id)
    server.config_set("maxmemory", 1)
    try:
        with pytest.raises(StoreUnavailable, match="maxmemory"):
            store.commit(a_finish(record, 1))
        with pytest.raises(StoreUnavailable, match="maxmemory"):
            store.commit(a_creation(game_id="full"))
    finally:
        server.config_set("maxmemory", 0)
    assert contents_of(server, record.game_id) == before
    assert keys_of(server, "full") == []


@pytest.mark.parametrize("versions", [(2, 4), (3, 2), (2, 2), (2,)])
def test_events_have_to_lead_up_to_the_record(
    store: RedisGameStore, versions: tuple[int, ...]
) -> None:
    commit = replace(a_move(a_record(), events=(DREW, DREW)), events=tuple(map(an_event, versions)))
    with pytest.raises(ValueError, match="consecutive"):
        store.commit(commit)


# What is remembered of operations


@pytest.mark.parametrize("ring, other", [("keys", "internal"), ("internal", "keys")])
def test_the_last_64_operations_of_a_ring_are_remembered(
    store: RedisGameStore, ring: Ring, other: Ring
) -> None:
    record = created(store)
    first, *rest = moved(store, record, REMEMBERED, ring)
    moved(store, loaded(store, record), REMEMBERED, other)
    assert all(is_remembered(store, record, operation) for operation in (first, *rest))
    moved(store, loaded(store, record), 1, ring)
    assert not is_remembered(store, record, first)
    assert all(is_remembered(store, record, operation) for operation in rest)


def test_a_pinned_operation_is_never_forgotten(store: RedisGameStore) -> None:
    creation = a_creation()
    store.commit(creation)
    pinned = moved(store, creation.record, REMEMBERED + 1, "pinned")
    moved(store, loaded(store, creation.record), REMEMBERED + 1, "keys")
    for operation in (creation.operation, *pinned):
        assert is_remembered(store, creation.record, operation)


def test_a_forgotten_operation_on_an_old_revision_is_stale(store: RedisGameStore) -> None:
    record = created(store)
    commit = a_move(record)
    store.commit(commit)
    moved(store, commit.record, REMEMBERED, "keys")
    assert store.commit(commit) == Stale(loaded(store, record))


# The log


def test_pages_of_the_log_follow_one_another(store: RedisGameStore) -> None:
    commit = a_move(created(store), events=(DREW,) * 9)
    store.commit(commit)
    game_id = commit.record.game_id
    pages = [store.events(game_id, after, 4) for after in (0, 4, 8, 10)]
    assert [[e.version for e in page.events] for page in pages] == [
        [1, 2, 3, 4],
        [5, 6, 7, 8],
        [9, 10],
        [],
    ]
    assert {page.first_version for page in pages} == {1}


@pytest.mark.parametrize("after", [-1, 1 << 53, 1 << 80])
def test_a_page_after_any_number_is_a_page(store: RedisGameStore, after: int) -> None:
    record = created(store)
    assert len(store.events(record.game_id, after, 10).events) == (after < 1)


def test_the_log_is_cut_but_holds_what_it_must(store: RedisGameStore, server: Redis) -> None:
    record = created(store)
    for keep_from in (1, 1, 1, 950, 1250):
        commit = replace(a_move(record, events=(DREW,) * 300), keep_from=keep_from)
        assert store.commit(commit) == Applied()
        record = commit.record
        page = store.events(record.game_id, 0, 2000)
        assert page.first_version == page.events[0].version <= keep_from
        assert page.events[-1].version == record.version
        assert all(b.version == a.version + 1 for a, b in pairwise(page.events))
    assert server.xlen(f"okg:{{{record.game_id}}}:events") < 400


# Finished rounds


def test_a_round_record_holds_exactly_its_moves(store: RedisGameStore) -> None:
    before = a_move(created(store), events=(DREW, DREW))
    store.commit(before)
    moves = a_move(before.record, events=(Event(type="dealt", seat=0), DREW, DREW))
    store.commit(moves)
    finish = a_finish(moves.record, 4, Event(type="dealt", seat=1), DREW)
    store.commit(finish)
    [finished] = finish.finished
    expected = replace(finished.record, moves=(*moves.events, finish.events[0]))
    assert store.round(finish.record.game_id, 3) == expected
    assert store.round(finish.record.game_id, 2) is None


def test_a_round_may_begin_and_end_in_one_commit(store: RedisGameStore) -> None:
    finish = a_finish(created(store), 2)
    store.commit(finish)
    found = store.round(finish.record.game_id, 3)
    assert found is not None
    assert found.moves == finish.events


def test_a_round_record_outlives_its_moves_in_the_log(store: RedisGameStore) -> None:
    record = created(store)
    commit = replace(a_finish(record, 1, *(DREW,) * 400), keep_from=402)
    store.commit(commit)
    assert store.events(record.game_id, 0, 1).first_version > 2
    found = store.round(record.game_id, 3)
    assert found is not None
    assert [move.version for move in found.moves] == [1, 2]


def test_results_are_kept_in_order(store: RedisGameStore) -> None:
    record = created(store)
    results = [replace(RESULT, number=number, totals=(number, 0)) for number in range(1, 13)]
    for result in results:
        finished = FinishedRound(
            RoundRecord(result.number, 0, DECK, result, None), record.version + 1
        )
        ended = a_move(record, events=(Event(type="laid_off", seat=1, result=result),))
        store.commit(replace(ended, finished=(finished,)))
        record = ended.record
    assert store.results(record.game_id) == tuple(results)
    assert [store.round(record.game_id, r.number) is not None for r in results] == [True] * 12


# Keys


def every_key(store: RedisGameStore, server: Redis, ttl_seconds: int) -> list[str]:
    """Return the keys of a game that has one of each kind, whose last commit set this life."""
    record = created(store)
    for ring in ("keys", "internal"):
        moved(store, loaded(store, record), 1, ring)
    store.commit(replace(a_finish(loaded(store, record), 1), ttl_seconds=ttl_seconds))
    return keys_of(server, record.game_id)


def test_a_repetition_leaves_the_life_of_a_game_as_it_is(
    store: RedisGameStore, server: Redis
) -> None:
    created = a_creation()
    key = f"okg:{{{created.record.game_id}}}"
    store.commit(created)
    assert store.commit(created) == Replayed(created.operation, created.record)
    assert 0 < server.ttl(key) <= created.ttl_seconds
    server.persist(key)
    assert store.commit(created) == Replayed(created.operation, created.record)
    assert server.ttl(key) == -1


def test_a_commit_sets_the_life_of_all_keys(store: RedisGameStore, server: Redis) -> None:
    keys = every_key(store, server, 3600)
    assert len(keys) == 6
    assert all(3590 < server.ttl(key) <= 3600 for key in keys)


def test_all_keys_of_a_game_share_a_slot(store: RedisGameStore, server: Redis) -> None:
    keys = every_key(store, server, 3600)
    assert len({key_slot(key.encode()) for key in keys}) == 1


def test_a_game_created_again_starts_afresh(store: RedisGameStore, server: Redis) -> None:
    record = created(store)
    moved(store, record, 3, "keys")
    store.commit(a_finish(loaded(store, record), 1))
    server.delete(f"okg:{{{record.game_id}}}")
    again = a_creation(game_id=record.game_id)
    assert store.commit(again) == Applied()
    assert store.results(record.game_id) == ()
    assert store.events(record.game_id, 0, 10).events == again.events


def test_a_newer_snapshot_is_refused_and_left_alone(store: RedisGameStore, server: Redis) -> None:
    record = created(store)
    newer = {**msgspec.msgpack.decode(codec.encode_snapshot(record)), "schema": 2}
    server.hset(f"okg:{{{record.game_id}}}", "rev", "1-ffffffff")
    server.hset(f"okg:{{{record.game_id}}}", "snap", msgspec.msgpack.encode(newer))
    before = contents_of(server, record.game_id)
    with pytest.raises(UnreadableGame, match="format 2"):
        store.load(record.game_id)
    with pytest.raises(UnreadableGame, match="format 2"):
        store.commit(a_move(replace(record, nonce="00000000")))
    assert contents_of(server, record.game_id) == before


# Trips and the script


def calls(server: Redis) -> dict[str, int]:
    """Return how often each command came from a client or a script since the last reset."""
    statistics = server.info("commandstats")
    own = ("cmdstat_config|resetstat", "cmdstat_config", "cmdstat_info")
    return {
        name.removeprefix("cmdstat_"): row["calls"]
        for name, row in statistics.items()
        if name not in own
    }


def test_a_load_is_one_trip(store: RedisGameStore, server: Redis) -> None:
    record = created(store)
    server.config_resetstat()
    store.load(record.game_id, "some operation")
    assert calls(server) == {"hmget": 1}


def test_a_commit_is_one_trip(store: RedisGameStore, server: Redis) -> None:
    record = created(store)
    commit = a_move(record)
    server.config_resetstat()
    store.commit(commit)
    by_the_script = {
        "hmget": 1,
        "llen": 1,
        "xrevrange": 1,
        "hset": 1,
        "rpush": 1,
        "xadd": 1,
        "xtrim": 1,
        "expire": 6,
        "publish": 1,
    }
    assert calls(server) == {"evalsha": 1, **by_the_script}


def test_a_flushed_script_is_loaded_again(store: RedisGameStore, server: Redis) -> None:
    record = created(store)
    server.script_flush()
    commit = a_move(record)
    assert store.commit(commit) == Applied()
    server.config_resetstat()
    assert store.commit(a_move(commit.record)) == Applied()
    assert "eval" not in calls(server)


def test_the_check_commits_a_canary_that_goes_by_itself(
    store: RedisGameStore, server: Redis
) -> None:
    store.check()
    canaries = keys_of(server, "canary-*")
    assert canaries
    assert all(0 < server.pttl(key) <= 5000 for key in canaries)


# What was seen last


def test_what_was_loaded_or_stored_is_recalled(store: RedisGameStore, store_url: str) -> None:
    record = created(store)
    assert store.recall(record.game_id) == record
    with closing(RedisGameStore(store_url, timeout_seconds=2, pool_size=1)) as other:
        assert other.recall(record.game_id) is None
        loaded = other.load(record.game_id)
        assert loaded
        assert other.recall(record.game_id) == loaded.record == record
        move = a_move(record)
        assert store.commit(move) == Applied()
        assert other.recall(record.game_id) == record
        assert isinstance(other.commit(a_move(record)), Stale)
        assert other.recall(record.game_id) == move.record


def test_what_is_gone_is_not_recalled(store: RedisGameStore, server: Redis) -> None:
    record = created(store)
    server.delete(f"okg:{{{record.game_id}}}")
    assert store.load(record.game_id) is None
    assert store.recall(record.game_id) is None


def test_a_revision_that_was_seen_is_not_decoded_again(store: RedisGameStore) -> None:
    record = created(store)
    first, second = store.load(record.game_id), store.load(record.game_id)
    assert first
    assert second
    assert first.record is second.record


def test_as_many_games_are_recalled_as_there_is_room_for() -> None:
    seen = Seen(2)
    one, two, three = (replace(a_record(), game_id=name) for name in ("one", "two", "three"))
    for record in (one, two, one, three):
        assert seen.keep(record) is record
    assert [seen.recall(name) for name in ("one", "two", "three")] == [one, None, three]
