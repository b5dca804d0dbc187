"""Seat tokens, invites and key rotation."""

from functools import partial

import pytest

from service.games.access import Caller
from service.games.tokens import Claim, Tokens, read_token
from service.rules.moves import Draw
from tests.games.playing import CREATE_KEY, Table, code_of, request, use_cases
from tests.games.table import KEY

NEW_KEY, NEWEST_KEY = "n" * 32, "w" * 32
CLAIM = Claim("g" * 22, 2, "o" * 8)


def test_a_token_says_what_it_claims() -> None:
    token = Tokens(KEY).seat_token(CLAIM, "nonce")
    assert token.startswith("okg_")
    assert read_token(token) == CLAIM
    assert Tokens(KEY).opens(token, CLAIM, "nonce")


@pytest.mark.parametrize(
    "claim,nonce",
    [
        (Claim("h" * 22, 2, "o" * 8), "nonce"),
        (Claim("g" * 22, 3, "o" * 8), "nonce"),
        (Claim("g" * 22, 2, "p" * 8), "nonce"),
        (CLAIM, "other"),
    ],
)
def test_a_token_opens_nothing_but_its_claim(claim: Claim, nonce: str) -> None:
    token = Tokens(KEY).seat_token(CLAIM, "nonce")
    assert not Tokens(KEY).opens(token, claim, nonce)


@pytest.mark.parametrize("token", ["", "okg_", "x" * 67, "okg_" + "a" * 62, "okg_" + "é" * 63])
def test_text_that_is_no_token_claims_nothing(token: str) -> None:
    assert read_token(token) is None


def test_a_token_altered_in_any_place_opens_nothing() -> None:
    table = Table()
    token = table.tokens[0]
    for place in range(4, len(token)):
        other = "1" if token[place] != "1" else "0"
        forged = token[:place] + other + token[place + 1 :]
        look = partial(table.games.look, table.game_id, Caller(forged))
        assert code_of(look) == "token_invalid"


@pytest.mark.parametrize("cut", [-1, -10, 10, 4])
def test_a_token_cut_short_opens_nothing(cut: int) -> None:
    table = Table()
    caller = Caller(table.tokens[1][:cut])
    assert code_of(lambda: table.games.look(table.game_id, caller).view()) == "token_invalid"
    assert code_of(lambda: table.games.seat(caller)) == "token_invalid"


def test_a_token_of_another_game_opens_nothing_here() -> None:
    table = Table()
    foreign = table.games.create(table.new(), request(path="POST /v1/games")).token
    assert (
        code_of(lambda: table.games.look(table.game_id, Caller(foreign)).view()) == "token_invalid"
    )
    move = request(foreign)
    assert code_of(lambda: table.games.leave(table.game_id, move)) == "token_invalid"


def test_a_token_finds_its_seat_by_itself() -> None:
    table = Table(seats=3)
    for seat, token in enumerate(table.tokens):
        view = table.games.seat(Caller(token))
        assert view.game_id == table.game_id
        assert view.you
        assert view.you.seat == seat
    assert code_of(lambda: table.games.seat(Caller())) == "token_required"
    lost = Tokens(KEY).seat_token(CLAIM, "nonce")
    assert code_of(lambda: table.games.seat(Caller(lost))) == "token_invalid"


def test_moves_take_a_token() -> None:
    table = Table()
    table.deal()
    asked = request()
    call = code_of(lambda: table.games.move(table.game_id, Draw("discard"), asked))
    assert call == "token_required"


# Private games


def test_a_private_game_is_not_there_for_strangers() -> None:
    table = Table(visibility="private")
    foreign = table.games.create(table.new(), request(path="POST /v1/games")).token
    for caller in (Caller(), Caller(foreign), Caller("okg_x"), Caller(None, "i" * 22)):
        look = partial(table.games.look, table.game_id, caller)
        assert code_of(look) == "game_not_found"
    missing = code_of(lambda: table.games.look("x" * 22, Caller()).view())
    assert missing == "game_not_found"


def test_strangers_to_a_private_game_get_nothing_of_it() -> None:
    table = Table(visibility="private")
    game_id, stranger = table.game_id, Caller()
    assert code_of(lambda: table.games.score(game_id, stranger)) == "game_not_found"
    assert code_of(lambda: table.games.round(game_id, 1, stranger)) == "game_not_found"
    assert code_of(lambda: table.games.events(game_id, stranger, 0, 10)) == "game_not_found"
    join = request(path="POST /players")
    assert code_of(lambda: table.games.join(game_id, "Eve", None, join)) == "game_not_found"


def test_an_invite_opens_a_private_game_for_looking_and_joining() -> None:
    table = Table(visibility="private", joined=1)
    assert table.invite
    assert len(table.invite) >= 22
    seen = table.games.look(table.game_id, Caller(None, table.invite)).view()
    assert seen.you is None
    assert table.join("Bob").seat == 1
    other = table.games.create(table.new(), request(path="POST /v1/games")).invite
    look = code_of(lambda: table.games.look(table.game_id, Caller(None, other)).view())
    assert look == "game_not_found"


def test_a_token_of_a_private_game_needs_no_invite() -> None:
    table = Table(visibility="private")
    assert table.games.look(table.game_id, Caller(table.tokens[1])).view().you


def test_anybody_may_watch_a_public_game() -> None:
    table = Table()
    view = table.games.look(table.game_id, Caller()).view()
    assert (view.you, view.actions.draw) == (None, ())


# Renewal and leaving


def test_a_renewed_token_opens_and_the_old_one_does_not() -> None:
    table = Table()
    old = table.tokens[1]
    renewed = table.games.renew_token(table.game_id, table.ask(1))
    assert renewed.token != old
    assert renewed.seat == 1
    seen = table.games.look(table.game_id, Caller(renewed.token)).view().you
    assert seen
    assert seen.seat == 1
    assert code_of(lambda: table.games.look(table.game_id, Caller(old)).view()) == "token_invalid"
    assert table.events()[-1].event.type == "token_renewed"


def test_the_old_token_may_repeat_its_renewal_and_nothing_else() -> None:
    table = Table()
    asked = table.ask(1, "renewing", path="POST /token")
    renewed = table.games.renew_token(table.game_id, asked)
    again = table.games.renew_token(table.game_id, asked)
    assert (again.token, again.seat, again.replayed) == (renewed.token, 1, True)
    assert again.view.version == renewed.view.version
    other_key = table.ask(1, "another", path="POST /token")
    assert code_of(lambda: table.games.renew_token(table.game_id, other_key)) == "token_invalid"
    other_path = table.ask(1, "renewing", path="POST /leave")
    assert code_of(lambda: table.games.leave(table.game_id, other_path)) == "token_invalid"


def test_a_key_survives_a_renewed_token() -> None:
    table = Table()
    table.deal()
    table.move(Draw("discard"), key="drawing")
    seat = table.turn
    table.tokens[seat] = table.games.renew_token(table.game_id, table.ask(seat)).token
    assert table.move(Draw("discard"), seat, key="drawing").replayed


def test_whoever_left_may_repeat_the_leaving_and_nothing_else() -> None:
    table = Table()
    asked = table.ask(1, "leaving", path="POST /leave")
    left = table.games.leave(table.game_id, asked)
    assert left.view.you is None
    again = table.games.leave(table.game_id, asked)
    assert again.replayed
    assert again.view.you is None
    unkeyed = table.ask(1, path="POST /leave")
    assert code_of(lambda: table.games.leave(table.game_id, unkeyed)) == "token_invalid"
    look = code_of(lambda: table.games.look(table.game_id, Caller(table.tokens[1])).view())
    assert look == "token_invalid"


def test_the_next_in_a_seat_shares_nothing_with_the_one_who_left() -> None:
    table = Table()
    first = table.tokens[1]
    table.games.leave(table.game_id, table.ask(1, "leaving", path="POST /leave"))
    table.tokens[1] = table.join("Cyd").token
    assert table.tokens[1] != first
    assert code_of(lambda: table.games.look(table.game_id, Caller(first)).view()) == "token_invalid"
    second = table.ask(1, "leaving", path="POST /leave")
    assert not table.games.leave(table.game_id, second).replayed


# Key rotation


def test_tokens_under_the_key_before_still_open() -> None:
    table = Table(visibility="private")
    rotated = use_cases(table.store, 2, secret=NEW_KEY, previous=KEY)
    assert rotated.look(table.game_id, Caller(table.tokens[1])).view().you
    assert rotated.look(table.game_id, Caller(None, table.invite)).view().you is None
    twice = use_cases(table.store, 3, secret=NEWEST_KEY, previous=NEW_KEY)
    call = code_of(lambda: twice.look(table.game_id, Caller(table.tokens[1])))
    assert call == "game_not_found"


def test_new_tokens_are_under_the_new_key() -> None:
    table = Table(joined=1)
    rotated = use_cases(table.store, 2, secret=NEW_KEY, previous=KEY)
    token = rotated.join(table.game_id, "Bob", None, request(path="POST /players")).token
    alone = use_cases(table.store, 3, secret=NEW_KEY)
    assert alone.look(table.game_id, Caller(token)).view().you


def test_a_creation_repeated_after_a_rotation_gives_the_original() -> None:
    table = Table()
    rotated = use_cases(table.store, 2, secret=NEW_KEY, previous=KEY)
    asked = request(path="POST /v1/games", key=CREATE_KEY)
    again = rotated.create(table.new(), asked)
    assert (again.replayed, again.token) == (True, table.tokens[0])
    assert again.view.game_id == table.game_id


def test_a_joining_repeated_after_a_rotation_gives_the_original() -> None:
    table = Table(joined=1)
    key = "a-joining-key-of-32-characters-l"
    token = table.join("Bob", key).token
    rotated = use_cases(table.store, 2, secret=NEW_KEY, previous=KEY)
    asked = request(path="POST /players", key=key, invite=table.invite)
    again = rotated.join(table.game_id, "Bob", None, asked)
    assert (again.replayed, again.token, again.seat) == (True, token, 1)
