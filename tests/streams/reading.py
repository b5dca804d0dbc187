"""Reading streams as the standards say, and keeping a game by what they tell."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

Shown = dict[str, Any]


@dataclass(slots=True)
class Message:
    """One server-sent event; ``id`` is the last one sent so far."""

    type: str
    data: str
    id: str

    @property
    def json(self) -> Shown:
        shown: Shown = json.loads(self.data)
        return shown


@dataclass(slots=True)
class Reader:
    """Takes bytes as they come and gives the messages that are complete."""

    id: str = ""
    retry: int | None = None
    comments: int = 0
    _rest: str = ""
    _type: str = ""
    _lines: list[str] = field(default_factory=list)

    def take(self, chunk: bytes) -> Iterator[Message]:
        self._rest += chunk.decode()
        *lines, self._rest = re.split("\r\n|\r|\n", self._rest)
        for line in lines:
            yield from self._line(line)

    def _line(self, line: str) -> Iterator[Message]:
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if not line:
            kind, lines = self._type or "message", self._lines
            self._type, self._lines = "", []  # before the yield, after which nobody may come back
            if lines:
                yield Message(kind, "\n".join(lines), self.id)
        elif not name:
            self.comments += 1
        elif name == "id":
            self.id = value
        elif name == "event":
            self._type = value
        elif name == "data":
            self._lines.append(value)
        elif name == "retry":
            self.retry = int(value)


def messages(chunks: Iterable[bytes]) -> list[Message]:
    reader = Reader()
    return [message for chunk in chunks for message in reader.take(chunk)]


def known_of(view: Shown) -> Shown:
    """Return what a viewer knows of cards, turns, phase and totals, from a view."""
    table, own = view["round"], view["you"]
    known: Shown = {
        "players": {
            each["seat"]: (each["name"], each["kind"], each["card_count"], each["total"])
            for each in view["players"]
        },
        "hand": sorted(own["hand"]) if own else None,
        "over": view["result"],
    }
    fields = ("number", "phase", "turn", "dealer", "upcard", "stock_count", "discard_pile")
    return known | {name: table[name] if table else None for name in fields}


def learn(known: Shown, event: Shown, me: int | None) -> Shown:
    """Return what a viewer knows after an event, from what they knew before it."""
    after = {**known, "players": dict(known["players"])}
    seat, kind = event["seat"], event["type"]
    if kind == "joined":
        after["players"][seat] = (event["name"], event["occupant"], 0, 0)
    elif kind in ("left", "removed"):
        after["players"].pop(event.get("removed", seat), None)
    elif kind == "dealt":
        _deal(after, event, me)
    elif kind == "drew":
        _draw(after, event, me)
    elif kind in ("discarded", "knocked") and "card" in event:
        _throw(after, event["card"], seat, me)
    if known["phase"] or kind == "dealt":
        after["phase"], after["turn"] = event.get("phase", after["phase"]), event.get("turn")
    if "result" in event:
        for player, total in enumerate(event["result"]["totals"]):
            after["players"][player] = (*after["players"][player][:3], total)
    after["over"] = event.get("game_result", after["over"])
    return after


def _deal(after: Shown, event: Shown, me: int | None) -> None:
    size = 10 if len(after["players"]) == 2 else 7
    for seat, (name, kind, _, total) in after["players"].items():
        after["players"][seat] = (name, kind, size, total)
    after["stock_count"] = 51 - size * len(after["players"])
    after["discard_pile"] = [event["upcard"]]
    after["hand"] = None if me is None else sorted(event["hand"])
    after |= {"number": event["round"], "dealer": event["dealer"], "upcard": event["upcard"]}


def _draw(after: Shown, event: Shown, me: int | None) -> None:
    seat = event["seat"]
    _hold(after, seat, 1)
    if event["source"] == "stock":
        after["stock_count"] -= 1
    else:
        *after["discard_pile"], taken = after["discard_pile"]
        assert taken == event["card"]
    if seat == me:
        after["hand"] = sorted([*after["hand"], event["card"]])


def _throw(after: Shown, card: str, seat: int, me: int | None) -> None:
    _hold(after, seat, -1)
    after["discard_pile"] = [*after["discard_pile"], card]
    if seat == me:
        after["hand"] = [held for held in after["hand"] if held != card]


def _hold(after: Shown, seat: int, more: int) -> None:
    name, kind, held, total = after["players"][seat]
    after["players"][seat] = (name, kind, held + more, total)
