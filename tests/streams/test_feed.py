"""The feed over a real server: every commit is heard, whatever becomes of the connection."""

import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from service.games.access import Caller
from service.games.follow import Followers
from service.games.ports import Applied, StoreUnavailable
from service.games.record import GameRecord
from service.games.usecases import Games
from service.store.feed import RedisFeed, channel_of
from service.store.redis_store import RedisGameStore
from tests.games.table import ask, games_over, new_game
from tests.servers import StoreServer, client_of, start_store
from tests.store.factory import a_creation, a_move
from tests.store.proxy import FaultyProxy

PATIENCE = 10.0


class Ear:
    """Counts what is heard."""

    def __init__(self) -> None:
        self.times = threading.Semaphore(0)

    def __call__(self) -> None:
        self.times.release()

    def heard(self) -> bool:
        return self.times.acquire(timeout=PATIENCE)

    def heard_more(self) -> bool:
        return self.times.acquire(blocking=False)


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with start_store(tmp_path_factory.mktemp("store")) as started:
        yield started


@pytest.fixture
def store(url: str) -> Iterator[RedisGameStore]:
    with closing(RedisGameStore(url, timeout_seconds=2, pool_size=4)) as opened:
        yield opened


@pytest.fixture
def feed(url: str) -> Iterator[RedisFeed]:
    with closing(RedisFeed(url, timeout_seconds=2)) as opened:
        yield opened


def create(store: RedisGameStore) -> GameRecord:
    commit = a_creation()
    store.commit(commit)
    return commit.record


def move(store: RedisGameStore, before: GameRecord) -> GameRecord:
    commit = a_move(before)
    store.commit(commit)
    return commit.record


def test_every_commit_is_heard_by_those_who_watch_its_game(
    store: RedisGameStore, feed: RedisFeed
) -> None:
    watched, other = create(store), create(store)
    ear, deaf = Ear(), Ear()
    feed.watch(watched.game_id, ear)
    feed.watch(other.game_id, deaf)
    for _ in range(3):
        watched = move(store, watched)
        assert ear.heard()
    assert not deaf.heard_more()


def test_a_refused_commit_is_not_heard(store: RedisGameStore, feed: RedisFeed) -> None:
    before = create(store)
    after = move(store, before)
    ear = Ear()
    feed.watch(before.game_id, ear)
    store.commit(a_move(before))
    move(store, after)
    assert ear.heard()
    assert not ear.heard_more()


def test_watching_ends_and_can_begin_again(
    url: str, store: RedisGameStore, feed: RedisFeed
) -> None:
    record = create(store)
    first, second = Ear(), Ear()
    unwatch = feed.watch(record.game_id, first)
    unwatch()
    feed.watch(record.game_id, second)
    unwatch()
    record = move(store, record)
    assert second.heard()
    assert not first.heard_more()
    with client_of(url) as client:
        [(_, watchers)] = client.pubsub_numsub(channel_of(record.game_id))
        assert watchers == 1


def test_many_games_are_watched_over_one_connection(
    url: str, store: RedisGameStore, feed: RedisFeed
) -> None:
    with client_of(url) as client:
        before = len(client.client_list())
        unwatches = [feed.watch(create(store).game_id, Ear()) for _ in range(50)]
        assert len(client.client_list()) <= before + 1 + 1  # the feed's and the store's own
        for unwatch in unwatches:
            unwatch()


def test_a_connection_that_was_cut_is_replaced_and_all_games_count_as_changed(
    url: str, store: RedisGameStore, feed: RedisFeed
) -> None:
    record = create(store)
    ears = [Ear(), Ear()]
    feed.watch(record.game_id, ears[0])
    feed.watch(create(store).game_id, ears[1])
    with client_of(url) as client:
        client.client_kill_filter(_type="pubsub")
    assert all(ear.heard() for ear in ears)
    move(store, record)
    assert ears[0].heard()


def test_a_server_that_restarts_is_listened_to_again(tmp_path: Path) -> None:
    server = StoreServer(tmp_path, durability="always").start()
    store = RedisGameStore(server.url, timeout_seconds=2, pool_size=2)
    feed = RedisFeed(server.url, timeout_seconds=2)
    with closing(server), closing(store), closing(feed):
        record, ear = create(store), Ear()
        feed.watch(record.game_id, ear)
        server.kill()
        server.start()
        assert ear.heard()
        move(store, record)
        assert ear.heard()


def test_a_connection_that_fell_silent_is_replaced(tmp_path: Path) -> None:
    server = StoreServer(tmp_path).start()
    with closing(server), FaultyProxy(server.socket_path) as proxy:
        store = RedisGameStore(server.url, timeout_seconds=2, pool_size=2)
        feed = RedisFeed(proxy.url, timeout_seconds=0.2, quiet_seconds=0.05)
        with closing(store), closing(feed):
            record, ear = create(store), Ear()
            feed.watch(record.game_id, ear)
            proxy.faults += ("silence", "silence")
            record = move(store, record)
            assert ear.heard()
            while ear.heard_more():
                pass
            move(store, record)
            assert ear.heard()


def test_an_error_of_ours_is_told_and_the_feed_goes_on(
    url: str, store: RedisGameStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.store.feed.LONGEST_PAUSE", 0.01)
    told: list[Exception] = []
    with closing(RedisFeed(url, timeout_seconds=2, failed=told.append)) as feed:
        record, ear = create(store), Ear()
        broken, fault = create(store), ValueError("a listener that fails once")
        faults = [fault]

        def fail_once() -> None:
            if faults:
                raise faults.pop()

        feed.watch(record.game_id, ear)
        feed.watch(broken.game_id, fail_once)
        move(store, broken)
        assert ear.heard()  # a new connection: commits may have gone unheard
        move(store, record)
        assert ear.heard()
        assert told == [fault]


def test_a_server_that_forbids_publishing_still_takes_commits(tmp_path: Path) -> None:
    server = StoreServer(tmp_path).start()
    with closing(server), client_of(server.url) as client:
        client.execute_command("ACL", "SETUSER", "default", "-publish")
        with closing(RedisGameStore(server.url, timeout_seconds=2, pool_size=2)) as store:
            assert store.commit(a_creation()) == Applied()


def test_where_nobody_answers_watching_is_refused(tmp_path: Path) -> None:
    server = StoreServer(tmp_path).start()
    server.close()
    with closing(RedisFeed(server.url, timeout_seconds=0.1)) as feed:
        with pytest.raises(StoreUnavailable):
            feed.watch("nowhere", Ear())
        assert not feed._watches


def test_followers_miss_nothing_while_a_server_restarts(tmp_path: Path) -> None:
    server = StoreServer(tmp_path, durability="always").start()
    store = RedisGameStore(server.url, timeout_seconds=2, pool_size=4)
    feed = RedisFeed(server.url, timeout_seconds=2)
    followers = Followers(store, feed, 10)
    with closing(server), closing(store), closing(feed), closing(followers):
        games: Games = games_over(store)
        seated = games.create(new_game(), ask(key="the-key-of-who-creates"))
        game_id = seated.view.game_id
        games.join(game_id, "Bob", None, ask(key="the-key-of-who-joins"))
        follower, news = followers.join(game_id)
        versions = [news.record.version]
        for times in range(4):
            if times % 2:
                server.kill()
                server.start()
            games.set_entropy(game_id, f"text {times}", ask(seated.token))
            while versions[-1] < games.look(game_id, Caller()).view().version:
                later = follower.next(PATIENCE)
                assert later is not None
                versions += [logged.version for logged in later.events]
        assert versions == [2, 3, 4, 5, 6]
