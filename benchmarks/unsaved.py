"""The service without anything behind its moves: ``python -m benchmarks.unsaved``.

A commit upon a game that is known stays in the worker, and so it is for one worker only. All else
is done: what would be sent is encoded, the answer is made, the line is logged.
"""

import os
import sys
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flask import Flask


def app() -> "Flask":
    """Return the app over a store that keeps no move; gunicorn calls it in its worker."""
    from service.games.ports import Applied, Commit, Loaded, Outcome  # noqa: PLC0415  # after gevent
    from service.store.layout import arguments_of  # noqa: PLC0415
    from service.store.redis_store import RedisGameStore  # noqa: PLC0415

    class Unsaved(RedisGameStore):
        def load(self, game_id: str, operation_id: str | None = None) -> Loaded | None:
            seen = self.recall(game_id)
            return Loaded(seen, None) if seen else super().load(game_id, operation_id)

        def commit(self, commit: Commit) -> Outcome:
            if self.recall(commit.record.game_id) is None:
                return super().commit(commit)
            arguments_of(commit)
            self._seen.keep(commit.record)
            return Applied()

    import service.store.redis_store  # noqa: PLC0415

    service.store.redis_store.RedisGameStore = Unsaved  # type: ignore[misc]
    from service.wsgi import app as made  # noqa: PLC0415

    return made


def main() -> None:
    """Serve it as ``python -m service`` does."""
    config = str(files("service") / "gunicorn.conf.py")
    command = [sys.executable, "-m", "gunicorn", "-c", config, "benchmarks.unsaved:app()"]
    os.execv(sys.executable, command)  # noqa: S606


if __name__ == "__main__":
    main()
