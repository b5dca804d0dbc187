"""Moves: what a seat does in a game; each answers with the seat's new view and what happened."""

from service.api.operation import Call, Reply, Resource
from service.api.resources.replies import move_reply
from service.api.resources.seats import OF_A_SEAT
from service.api.schemas.requests import (
    AnswerKnockSchema,
    DealSchema,
    DiscardSchema,
    DrawSchema,
    KnockSchema,
    NothingSchema,
)
from service.rules.moves import Discard, Draw, Knock, LayOff, Pass, PlayerMove, Resign

moves = Resource("moves", "Play; every move answers with the caller's new view and what happened.")

IN_TURN = ("not_your_turn", "wrong_phase", "game_over")


def _move(call: Call, game_id: str, move: PlayerMove) -> Reply:
    return move_reply(call.services.games.move(game_id, move, call.ask))


@moves.post(
    "/v1/games/{game_id}/deal",
    "dealRound",
    body=DealSchema,
    refusals=("game_not_full", "wrong_phase", "game_over"),
    example={"entropy": "seven herons"},
    **OF_A_SEAT,
)
def deal_round(call: Call, game_id: str) -> Reply:
    """Deal the next round.

    Any seat may start it once every seat is taken and no round is running.
    """
    return move_reply(call.services.games.deal(game_id, call.body.get("entropy"), call.ask))


@moves.post(
    "/v1/games/{game_id}/pass",
    "passUpcard",
    body=NothingSchema,
    refusals=IN_TURN,
    **OF_A_SEAT,
)
def pass_upcard(call: Call, game_id: str) -> Reply:
    """Decline the upcard.

    Only during the offer, in turn. Taking the upcard is a draw from the discard pile.
    """
    return _move(call, game_id, Pass())


@moves.post(
    "/v1/games/{game_id}/draw",
    "drawCard",
    body=DrawSchema,
    refusals=(*IN_TURN, "source_unavailable"),
    example={"source": "stock"},
    **OF_A_SEAT,
)
def draw_card(call: Call, game_id: str) -> Reply:
    """Draw a card.

    From the stock, unseen by anybody else, or the top of the discard pile. Taking the offered
    upcard is `discard`; while it is offered the stock is `wrong_phase`, so pass first.
    """
    return _move(call, game_id, Draw(call.body["source"]))


@moves.post(
    "/v1/games/{game_id}/discard",
    "discardCard",
    body=DiscardSchema,
    refusals=(*IN_TURN, "card_not_in_hand", "card_just_taken"),
    example={"card": "KD"},
    **OF_A_SEAT,
)
def discard_card(call: Call, game_id: str) -> Reply:
    """Throw a card and end the turn.

    `actions.discard` lists the cards that may be thrown and the deadwood that each leaves.
    """
    return _move(call, game_id, Discard(call.body["card"]))


@moves.post(
    "/v1/games/{game_id}/knock",
    "knock",
    body=KnockSchema,
    refusals=(
        *IN_TURN,
        "card_not_in_hand",
        "card_just_taken",
        "invalid_melds",
        "deadwood_over_limit",
    ),
    example={"discard": "KD", "melds": [["7C", "7D", "7S"], ["9H", "TH", "JH", "QH"]]},
    **OF_A_SEAT,
)
def knock(call: Call, game_id: str) -> Reply:
    """Go out.

    Throws `discard` and lays the hand down, in the melds named or in the best ones. A knock without
    deadwood is gin; one without `discard`, everything melded, is big gin.
    """
    return _move(call, game_id, Knock(call.body.get("discard"), call.body.get("melds")))


@moves.post(
    "/v1/games/{game_id}/layoff",
    "layOff",
    body=AnswerKnockSchema,
    refusals=(*IN_TURN, "card_not_in_hand", "invalid_melds", "invalid_layoff"),
    example={"layoffs": [{"card": "KH", "meld": 1}]},
    **OF_A_SEAT,
)
def lay_off(call: Call, game_id: str) -> Reply:
    """Answer a knock.

    The seat's one answer: its own melds, and cards onto the knocker's melds in whatever order.
    What is left out the service fills in best; what is named it never improves.
    """
    return _move(call, game_id, LayOff(call.body.get("layoffs"), call.body.get("melds")))


@moves.post(
    "/v1/games/{game_id}/resign",
    "resignGame",
    body=NothingSchema,
    refusals=("wrong_phase", "game_over"),
    **OF_A_SEAT,
)
def resign_game(call: Call, game_id: str) -> Reply:
    """Leave a running game for good.

    With two seats the other one wins, and the running round is recorded as void.
    """
    return _move(call, game_id, Resign())


@moves.post(
    "/v1/games/{game_id}/claim",
    "claimTimeout",
    body=NothingSchema,
    refusals=("deadline_not_passed", "wrong_phase", "game_over"),
    **OF_A_SEAT,
)
def claim_timeout(call: Call, game_id: str) -> Reply:
    """Call the time of a late seat.

    After `turn_deadline` any seat may; what the game's `timeout_action` says is applied, once:
    the turn is played for the late seat, or the seat is out. Until somebody claims, it may still
    move.
    """
    return move_reply(call.services.games.claim(game_id, call.ask))
