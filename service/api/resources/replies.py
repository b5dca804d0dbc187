"""Replies that carry a game."""

from service.api.operation import Mark, Reply, mark_of
from service.games.view import Answer, Seated, Sight


def game_reply(sight: Sight) -> Reply:
    """Return the reply of a look at a game; the view is made only where it is sent."""
    mark = Mark(sight.seat, sight.version, sight.version)
    return Reply(sight.view, etag=sight.etag, mark=mark)


def move_reply(answer: Answer) -> Reply:
    """Return the reply of a move."""
    return Reply(
        answer, etag=answer.view.etag, replayed=answer.replayed, mark=_mark_of_change(answer)
    )


def seat_reply(seated: Seated, *, created: bool = False) -> Reply:
    """Return the reply to whoever took a seat, with the address of a game just created."""
    game_id = seated.view.game_id
    return Reply(
        seated,
        etag=seated.view.etag,
        replayed=seated.replayed,
        location=f"/v1/games/{game_id}" if created else None,
        game_id=game_id,
        mark=_mark_of_change(seated),
    )


def _mark_of_change(answer: Answer | Seated) -> Mark:
    return mark_of(answer.view, 0 if answer.replayed else len(answer.events))
