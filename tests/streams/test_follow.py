"""Followers: one read for all of a game, nothing lost, nobody held up by the slow."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from service.games.errors import Refusal
from service.games.follow import Followers
from service.games.news import ROOM, Follower, News
from service.games.ports import Loaded, StoreUnavailable
from tests.games.playing import Table, request
from tests.streams.following import MemoryFeed, PublishingStore

PATIENCE = 10.0


class FailingStore(PublishingStore):
    """A store whose next reads fail as often as it is told."""

    def __init__(self, feed: MemoryFeed) -> None:
        super().__init__(feed)
        self.failures: list[Exception] = []

    def load(self, *asked: Any, **words: Any) -> Loaded | None:
        if self.failures:
            raise self.failures.pop()
        loaded: Loaded | None = super().load(*asked, **words)
        return loaded


@pytest.fixture
def feed() -> MemoryFeed:
    return MemoryFeed()


@pytest.fixture
def store(feed: MemoryFeed) -> FailingStore:
    return FailingStore(feed)


@pytest.fixture
def table(store: FailingStore) -> Table:
    return Table(store=store)


@pytest.fixture
def followers(store: FailingStore, feed: MemoryFeed) -> Iterator[Followers]:
    made = Followers(store, feed, 60)
    yield made
    made.close()


def versions_until(follower: Follower, last: int) -> list[int]:
    told: list[int] = []
    while not told or told[-1] < last:
        news = follower.next(PATIENCE)
        assert news is not None
        told += [logged.version for logged in news.events] or [news.record.version]
    return told


def test_a_follower_begins_with_the_game_whole(table: Table, followers: Followers) -> None:
    _, news = followers.join(table.game_id)
    assert news.record == table.record
    assert news.events == ()
    assert news.last_id == table.events()[-1].id


def test_followers_get_every_event_in_order(table: Table, followers: Followers) -> None:
    early, news = followers.join(table.game_id)
    table.deal()
    late, later = followers.join(table.game_id)
    table.go_on(Random(1))
    last = table.record.version
    assert versions_until(early, last) == list(range(news.record.version + 1, last + 1))
    assert versions_until(late, last) == list(range(later.record.version + 1, last + 1))


def test_a_commit_is_read_once_however_many_follow(
    table: Table, followers: Followers, store: FailingStore
) -> None:
    places = [followers.join(table.game_id)[0] for _ in range(50)]
    before = store.reads
    table.deal()
    told = [place.next(PATIENCE) for place in places]
    assert len({id(news) for news in told}) == 1
    assert store.reads - before == 1  # by the reader; the use case remembers the game


def test_what_went_unheard_is_told_as_soon_as_anything_is_heard(
    table: Table, followers: Followers, feed: MemoryFeed
) -> None:
    follower, news = followers.join(table.game_id)
    feed.deaf = True
    table.deal()
    table.go_on(Random(2))
    feed.deaf = False
    feed.tell(table.game_id)
    last = table.record.version
    assert versions_until(follower, last) == list(range(news.record.version + 1, last + 1))


def test_a_slow_follower_gets_the_game_whole_in_place_of_what_waits(table: Table) -> None:
    follower, record = Follower(), table.record
    events = tuple(table.events())
    for version in range(ROOM + 3):
        follower.hand(News(replace(record, version=version), str(version), events[:1]))
    told = [follower.next(0) for _ in range(4)]
    assert [(each.record.version, len(each.events)) for each in told if each] == [
        (ROOM, 0),
        (ROOM + 1, 1),
        (ROOM + 2, 1),
    ]
    assert told[3] is None


def test_another_history_is_told_as_the_game_whole(
    table: Table, followers: Followers, store: FailingStore
) -> None:
    table.deal()
    follower, _ = followers.join(table.game_id)
    kept = store.games[table.game_id]
    lost = kept.log.pop()
    kept.record = replace(kept.record, nonce="another")
    kept.log.append(replace(lost, id=f"{lost.version}-another"))
    store.feed.tell(table.game_id)
    news = follower.next(PATIENCE)
    assert news is not None
    assert (news.events, news.last_id) == ((), f"{lost.version}-another")


def test_a_store_that_fails_for_a_moment_loses_nothing(
    table: Table, followers: Followers, store: FailingStore
) -> None:
    follower, news = followers.join(table.game_id)
    store.feed.deaf = True
    table.deal()
    store.feed.deaf = False
    store.failures = [StoreUnavailable("away"), StoreUnavailable("away")]
    store.feed.tell(table.game_id)
    assert versions_until(follower, table.record.version) == [news.record.version + 1]


@pytest.mark.parametrize("how", ["it is gone", "it cannot be read"])
def test_a_game_that_cannot_be_followed_any_more_ends_its_followers_alone(
    table: Table, followers: Followers, store: FailingStore, how: str
) -> None:
    other = table.games.create(table.new(), request(key="the-key-of-another-game"))
    other_id = other.view.game_id
    follower, _ = followers.join(table.game_id)
    elsewhere, _ = followers.join(other_id)
    if how == "it is gone":
        del store.games[table.game_id]
    else:
        store.failures = [ValueError("another schema")]
    store.feed.tell(table.game_id)
    assert follower.next(PATIENCE) is None
    assert follower.ended
    table.games.join(other_id, "Bob", None, request(key="the-key-of-who-joins"))
    assert elsewhere.next(PATIENCE) is not None


def test_whoever_leaves_last_ends_the_watching(
    table: Table, followers: Followers, feed: MemoryFeed
) -> None:
    places = [followers.join(table.game_id)[0] for _ in range(2)]
    assert len(feed.watches[table.game_id]) == 1
    followers.leave(table.game_id, places[0])
    followers.leave(table.game_id, places[0])
    assert (followers.places, len(feed.watches[table.game_id])) == (1, 1)
    followers.leave(table.game_id, places[1])
    assert (followers.places, len(feed.watches[table.game_id])) == (0, 0)


def test_whoever_finds_no_game_leaves_no_trace(followers: Followers, feed: MemoryFeed) -> None:
    with pytest.raises(Refusal) as refused:
        followers.join("nowhere")
    assert refused.value.code == "game_not_found"
    assert followers.places == 0
    assert not feed.watches["nowhere"]


def test_there_are_only_so_many_places(table: Table, store: FailingStore, feed: MemoryFeed) -> None:
    followers = Followers(store, feed, 2)
    first, _ = followers.join(table.game_id)
    followers.join(table.game_id)
    with pytest.raises(Refusal) as refused:
        followers.join(table.game_id)
    assert refused.value.code == "too_many_streams"
    followers.leave(table.game_id, first)
    followers.join(table.game_id)
    followers.close()


def test_draining_ends_all_and_takes_nobody(table: Table, followers: Followers) -> None:
    follower, _ = followers.join(table.game_id)
    waiting = threading.Thread(target=follower.next, args=(PATIENCE,))
    waiting.start()
    followers.drain()
    waiting.join(PATIENCE)
    assert not waiting.is_alive()
    assert follower.ended
    with pytest.raises(Refusal) as refused:
        followers.join(table.game_id)
    assert refused.value.code == "draining"
