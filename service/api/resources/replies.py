"""Replies that carry a game."""

from service.api.operation import Reply
from service.games.view import Answer, Seated, Sight


def game_reply(sight: Sight) -> Reply:
    """Return the reply of a look at a game; the view is made only where it is sent."""
    return Reply(sight.view, etag=sight.etag)


def move_reply(answer: Answer) -> Reply:
    """Return the reply of a move."""
    return Reply(answer.view, etag=answer.view.etag, replayed=answer.replayed)


def seat_reply(seated: Seated, *, created: bool = False) -> Reply:
    """Return the reply to whoever took a seat, with the address of a game just created."""
    game_id = seated.view.game_id
    return Reply(
        seated,
        etag=seated.view.etag,
        replayed=seated.replayed,
        location=f"/v1/games/{game_id}" if created else None,
        game_id=game_id,
    )
