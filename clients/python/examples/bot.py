"""A bot for any seat of any game: keeps the least deadwood, and goes out as soon as it may.

python bot.py BASE_URL GAME_ID [--invite INVITE] [--name NAME]    takes the lowest free seat
python bot.py BASE_URL --token TOKEN                              plays the seat of a token
"""

import argparse
import sys

from oklahoma_gin import Client, DiscardOption, OklahomaGinError, Seat, StaleVersion, View


def play(client: Client, seat: Seat) -> View:
    """Move whenever it is the seat's turn, call the time of who is late; the last view."""
    while (view := seat.wait_for_turn(claim=True)).result is None:
        try:
            move(client, seat, view)
        except StaleVersion:
            continue  # somebody else dealt, or called this seat's time
    return view


def move(client: Client, seat: Seat, view: View) -> None:
    """Make one of the moves that the view offers."""
    may = view.actions
    if may.layoff:
        seat.layoff()
    elif may.big_gin:
        seat.knock()
    elif may.knock:
        seat.knock(min(may.knock, key=lambda option: option.deadwood_points).discard)
    elif may.discard:
        seat.discard(min(may.discard, key=least_deadwood_then_highest).card)
    elif "discard" in may.draw and ("stock" not in may.draw or gains(client, view)):
        seat.draw("discard")
    elif may.pass_upcard:
        seat.pass_upcard()
    elif may.draw:
        seat.draw("stock")
    else:
        seat.deal()


def least_deadwood_then_highest(option: DiscardOption) -> tuple[int, int]:
    """A key that puts the discard to make first."""
    return option.deadwood_points, -"A23456789TJQK".index(option.card[0])


def gains(client: Client, view: View) -> bool:
    """Whether the top of the pile leaves less deadwood once some other card is thrown for it."""
    if view.you is None or view.round is None:
        return False
    top = view.round.discard_pile[-1]
    discards = client.analyse_hand([*view.you.hand, top]).discards or ()
    left = [option.deadwood_points for option in discards if option.card != top]
    return bool(left) and min(left) < view.you.deadwood_points


def main() -> None:
    """Play one seat to the end of its game and say how it ended."""
    parser = argparse.ArgumentParser(description="Play a seat of a game of Oklahoma Gin.")
    parser.add_argument("base_url")
    parser.add_argument("game_id", nargs="?")
    parser.add_argument("--token", help="of a seat that is taken already")
    parser.add_argument("--invite", help="to a private game")
    parser.add_argument("--name", default="Robin")
    chosen = parser.parse_args()
    if (chosen.game_id is None) is (chosen.token is None):
        parser.error("name a game_id to join, or a --token of a seat")
    with Client(chosen.base_url) as client:
        if chosen.token:
            seat = client.seat(chosen.token)
        else:
            seat = client.join(chosen.game_id, chosen.name, invite=chosen.invite)
            print(f"seat {seat.seat}, token {seat.token}", flush=True)
        result = play(client, seat).result
    print(f"won by seat {result.winner}, totals {result.totals}" if result else "no result")


if __name__ == "__main__":
    try:
        main()
    except (OklahomaGinError, ValueError) as error:
        sys.exit(f"bot: {error}")
