"""The lists of public games in Redis: apart from each other, by age, and no longer than needed."""

import pytest
from redis import Redis

from service.games.ports import Listing
from service.store.redis_store import RedisGameStore

DAY = 86_400_000
CREATED = 1_790_000_000_000
LISTINGS: tuple[Listing, ...] = ("waiting", "playing")


def place(number: int) -> str:
    return f"{CREATED + number:013d}:game-{number}"


@pytest.fixture(autouse=True)
def empty(server: Redis) -> None:
    server.delete("okg:lobby", "okg:playing")


@pytest.mark.parametrize("listing", LISTINGS)
def test_places_are_listed_the_newest_first_and_page_by_page(
    store: RedisGameStore, listing: Listing
) -> None:
    for number in (3, 1, 5, 2, 4, 1):
        store.list_game(listing, place(number), DAY)
    first = store.places(listing, None, 2)
    assert first == (place(5), place(4))
    assert store.places(listing, first[-1], 9) == (place(3), place(2), place(1))


@pytest.mark.parametrize("listing", LISTINGS)
def test_a_place_is_in_one_list_until_it_is_struck_there(
    store: RedisGameStore, listing: Listing
) -> None:
    [other] = set(LISTINGS) - {listing}
    store.list_game(listing, place(1), DAY)
    store.strike(other, place(1))
    assert store.places(other, None, 9) == ()
    assert store.places(listing, None, 9) == (place(1),)
    store.strike(listing, place(1))
    assert store.places(listing, None, 9) == ()


@pytest.mark.parametrize("listing", LISTINGS)
def test_what_is_older_than_a_game_lives_is_dropped(
    store: RedisGameStore, listing: Listing
) -> None:
    for number in (0, 1, DAY, DAY + 1):
        store.list_game(listing, place(number), DAY)
    assert store.places(listing, None, 9) == (place(DAY + 1), place(DAY), place(1))


def test_a_list_that_nobody_writes_goes_by_itself(store: RedisGameStore, server: Redis) -> None:
    store.list_game("playing", place(1), DAY)
    assert 0 < server.pttl("okg:playing") <= DAY
