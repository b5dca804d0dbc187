"""Play a whole game of Oklahoma Gin, both seats, and print its score sheet.

python whole_game.py [base_url] [--preset gin]
"""

import argparse
import sys
from collections.abc import Mapping, Sequence

from oklahoma_gin import Client, DiscardOption, Line, OklahomaGinError, Score, Seat, View

MOST_MOVES = 20_000


def move(client: Client, seat: Seat, view: View) -> None:
    """Make the one move that a simple player makes of those that `view.actions` offers."""
    may = view.actions
    if may.deal:
        seat.deal()
    elif may.layoff:
        seat.layoff(may.layoff.best.layoffs, may.layoff.best.melds)
    elif may.big_gin:
        seat.knock()
    elif may.knock:
        seat.knock(min(may.knock, key=lambda option: option.deadwood_points).discard)
    elif may.discard:
        seat.discard(min(may.discard, key=least_deadwood_then_highest).card)
    elif "discard" in may.draw and top_card_helps(client, view):
        seat.draw("discard")
    elif may.pass_upcard:
        seat.pass_upcard()
    elif may.draw:
        seat.draw(may.draw[0])


def least_deadwood_then_highest(option: DiscardOption) -> tuple[int, int]:
    """A key that puts the discard to make first."""
    return option.deadwood_points, -"A23456789TJQK".index(option.card[0])


def top_card_helps(client: Client, view: View) -> bool:
    """Whether some other card could be thrown for the top of the pile, leaving less deadwood."""
    if view.you is None or view.round is None:
        return False
    top = view.round.discard_pile[-1]
    discards = client.analyse_hand([*view.you.hand, top]).discards or ()
    left = [option.deadwood_points for option in discards if option.card != top]
    return bool(left) and min(left) < view.you.deadwood_points


def play(client: Client, seats: Sequence[Seat]) -> None:
    """Let the seats move in turn until the game has a result."""
    for step in range(MOST_MOVES):
        seat = seats[step % len(seats)]
        view = seat.view()
        if view.result is not None:
            return
        move(client, seat, view)


def print_score(score: Score) -> None:
    """Every round with its lines, then the totals and the winner."""
    names = {player.seat: player.name for player in score.players}
    for played in score.rounds:
        winner = "nobody" if played.winner is None else names[played.winner]
        print(f"Round {played.number}: {played.kind}, {winner} wins")
        print_lines(names, played.lines)
        print(f"  totals {' - '.join(map(str, played.totals))}")
    for player in score.players:
        print(f"{player.name}: {player.total} points, {player.boxes} boxes")
    if score.result is not None and score.result.winner is not None:
        print_lines(names, score.result.lines)
        print(f"Final scores {' - '.join(map(str, score.result.final_scores))}")
        print(f"Winner: {names[score.result.winner]} ({score.result.reason})")


def print_lines(names: Mapping[int, str], lines: Sequence[Line]) -> None:
    """Each amount with whom it is for, and why."""
    for line in lines:
        print(f"  {names[line.seat]:<8}{line.points:+5}  {line.reason}")


def main() -> int:
    """The exit status: 0 where the game was won."""
    parser = argparse.ArgumentParser(description="Play a whole game, both seats.")
    parser.add_argument("base_url", nargs="?", default="http://127.0.0.1:8000")
    parser.add_argument("--preset", help="oklahoma unless named")
    chosen = parser.parse_args()
    with Client(chosen.base_url) as client:
        ann = client.create_game("Ann", preset=chosen.preset)
        bob = client.join(ann.game_id, "Bob", invite=ann.invite)
        play(client, (ann, bob))
        score = ann.score()
    print_score(score)
    return 0 if score.result is not None and score.result.winner is not None else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (OklahomaGinError, ValueError) as error:
        sys.exit(f"whole_game: {error}")
