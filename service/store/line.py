"""One connection to a server: redis-py makes it, and commands then go straight to its socket.

redis-py knows how to connect, to encrypt and to authenticate; its way of sending and reading costs
more than all the rest of a trip.
"""

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import hiredis
from redis.connection import DefaultParser
from redis.exceptions import ConnectionError as ConnectionLost
from redis.exceptions import InvalidResponse, RedisError
from redis.exceptions import TimeoutError as NoAnswer

Argument: TypeAlias = bytes | str | int
Command: TypeAlias = Sequence[Argument]

_CHUNK: Final = 65_536


class Line:
    """A connection, made already, that is used by one caller at a time."""

    __slots__ = ("_connection", "_reader", "_socket")

    def __init__(self, connection: Any) -> None:  # redis-py types its clients, not these
        self._connection = connection
        self._socket = connection._get_socket()  # noqa: SLF001  # it has no other name
        self._reader = hiredis.Reader(
            protocolError=InvalidResponse,
            replyError=DefaultParser.parse_error,
        )

    def exchange(self, commands: Sequence[Command]) -> list[Any]:
        """Send the commands in one trip and return their replies.

        :raises RedisError: for the first error among the replies, or if the server did not answer.
            Nothing may be sent on the line after that.
        """
        try:
            self._socket.sendall(b"".join(map(_packed, commands)))
            replies = [self._reply() for _ in commands]
        except TimeoutError:
            raise NoAnswer("no answer in time") from None
        except OSError as error:
            raise ConnectionLost(f"the connection broke: {error.strerror}") from None
        for reply in replies:
            if isinstance(reply, RedisError):  # a server that is loading is not a ResponseError
                raise reply
        return replies

    def close(self) -> None:
        """Close the connection."""
        self._connection.disconnect()

    def _reply(self) -> Any:
        while (reply := self._reader.gets()) is False:
            received = self._socket.recv(_CHUNK)
            if not received:
                raise ConnectionLost("the server closed the connection")
            self._reader.feed(received)
        return reply


def _packed(command: Command) -> bytes:
    arguments: Any = tuple(command)  # hiredis types a tuple of one
    packed: bytes = hiredis.pack_command(arguments)
    return packed
