"""Tickets: each opens one viewer's stream, for an hour, while their token lives."""

from functools import partial

import pytest

from service.games.access import Caller
from service.games.tickets import TICKET_SECONDS
from tests.games.playing import code_of, request
from tests.streams.following import Seen, begins_with, code_or_answer


@pytest.fixture
def seen() -> Seen:
    return Seen()


def test_a_ticket_opens_its_own_viewer_s_stream(seen: Seen) -> None:
    for seat in (0, 1, None):
        first = next(iter(seen.by_ticket(seen.ticket(seat))))
        assert first is not None
        assert first.view() == seen.table.look(seat)


def test_a_ticket_opens_nothing_else(seen: Seen) -> None:
    ticket = seen.ticket()
    games, game_id = seen.table.games, seen.table.game_id
    assert code_or_answer(lambda: games.look(game_id, Caller(ticket)).view()) == "token_invalid"
    assert games.look(game_id, Caller(None, ticket)).view() == seen.table.look(None)
    other = games.create(seen.table.new(), request(key="the-key-of-another-game")).view.game_id
    assert code_of(lambda: seen.streams.open(other, Caller(), ticket)) == "token_invalid"


@pytest.mark.parametrize(
    "forged",
    [
        "",
        "okt_",
        "okt_0ffffffff" + "A" * 32,
        "okt_sffffffff" + "A" * 32,
        "okt_3ffffffff" + "A" * 32,
    ],
)
def test_a_forged_ticket_opens_nothing(seen: Seen, forged: str) -> None:
    assert code_of(lambda: seen.by_ticket(forged)) == "token_invalid"


def test_a_ticket_cannot_be_made_another_seat_s_or_last_longer(seen: Seen) -> None:
    ticket = seen.ticket(0)
    for forged in (f"okt_1{ticket[5:]}", f"okt_s{ticket[5:]}", f"okt_0ffffffff{ticket[13:]}"):
        assert code_of(partial(seen.by_ticket, forged)) == "token_invalid"


def test_a_ticket_lasts_an_hour(seen: Seen) -> None:
    ticket = seen.streams.ticket(seen.table.game_id, seen.caller(0))
    assert ticket.expires_at == seen.table.clock.millis + TICKET_SECONDS * 1000
    seen.table.clock.millis = ticket.expires_at - 1
    assert begins_with(seen.by_ticket(ticket.ticket)) == [0]
    seen.table.clock.millis += 1
    assert code_of(lambda: seen.by_ticket(ticket.ticket)) == "token_invalid"


def test_a_ticket_dies_with_its_token(seen: Seen) -> None:
    ticket = seen.ticket(1)
    told = iter(seen.by_ticket(ticket))
    assert next(told)
    table = seen.table
    table.games.renew_token(table.game_id, table.ask(1))
    assert not any(told)
    assert code_of(lambda: seen.by_ticket(ticket)) == "token_invalid"


def test_a_private_game_is_not_found_by_strangers() -> None:
    seen = Seen("private")
    game_id = seen.table.game_id
    invited = Caller(None, seen.table.invite)
    assert code_of(lambda: seen.open(None)) == "game_not_found"
    assert code_of(lambda: seen.by_ticket("okt_sffffffff" + "A" * 32)) == "game_not_found"
    assert code_of(lambda: seen.streams.ticket(game_id, Caller())) == "game_not_found"
    assert begins_with(seen.streams.open(game_id, invited)) == [0]
    ticket = seen.streams.ticket(game_id, invited).ticket
    first = next(iter(seen.by_ticket(ticket)))
    assert first is not None
    assert first.view().you is None


def test_a_ticket_asked_for_on_a_stale_view_is_refused(seen: Seen) -> None:
    def ask() -> object:
        return seen.streams.ticket(seen.table.game_id, seen.caller(0), lambda _revision: False)

    assert code_of(ask) == "stale_version"
