"""What this process saw last of games, so that a move need not read what has not changed."""

from collections import OrderedDict
from threading import Lock
from typing import Final

from service.games.record import GameRecord

MOST: Final = 4_096


class Seen:
    """The games seen last, up to ``most`` of them; threads and greenlets may share it.

    A record is a value, and its revision carries a nonce, so one that is past can be told from the
    one that is kept, after a failover too.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._records: OrderedDict[str, GameRecord] = OrderedDict()
        self._lock = Lock()

    def keep(self, record: GameRecord) -> GameRecord:
        """Keep a record, forgetting the game that was seen longest ago, and return it."""
        with self._lock:
            self._records[record.game_id] = record
            self._records.move_to_end(record.game_id)
            if len(self._records) > self._most:
                self._records.popitem(last=False)
        return record

    def recall(self, game_id: str) -> GameRecord | None:
        """Return the record that was seen last of a game, if it is still kept."""
        return self._records.get(game_id)

    def forget(self, game_id: str) -> None:
        """Keep nothing of a game."""
        with self._lock:
            self._records.pop(game_id, None)
