"""The first place where two values of the domain differ, in words."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any, Final

from service.rules.cards import DECK_SIZE, card_name, cards_in

_CARDS: Final = frozenset(
    {"card", "deck", "discard_pile", "drawn_card", "high_cards", "limit_card", "upcard"}
)
# What games that were stored earlier do not tell yet.
_TOLD_LATER: Final = frozenset({"from_seat"})
_CARD_SETS: Final = frozenset({"deadwood", "hands", "melds"})


def differing(kept: Any, due: Any, name: str = "", path: str = "") -> str | None:
    """Return the path to the first difference, with what is kept there and what is due.

    ``name`` is the field that holds the values: it tells cards and sets of cards from numbers.

    >>> differing(((1, 2), 3), ((1, 7), 3), "totals")
    '[0][1]: 2 is kept and 7 is due'
    >>> differing(1 << 12, 1 << 51, "deadwood")
    'KC is kept and KS is due'
    """
    if kept == due:
        return None
    if is_dataclass(kept) and type(kept) is type(due):
        pairs = ((name, f"{path}.{name}", *pair) for name, *pair in _fields(kept, due))
    elif isinstance(kept, tuple) and isinstance(due, tuple) and len(kept) == len(due):
        both = enumerate(zip(kept, due, strict=True))
        pairs = ((name, f"{path}[{place}]", *pair) for place, pair in both)
    else:
        place = f"{path.removeprefix('.')}: " if path else ""
        return f"{place}{_shown(kept, name)} is kept and {_shown(due, name)} is due"
    found = (differing(mine, its, field, place) for field, place, mine, its in pairs)
    return next(filter(None, found), None)


def _fields(kept: Any, due: Any) -> Iterator[tuple[str, Any, Any]]:
    for row in fields(kept):
        mine, its = getattr(kept, row.name), getattr(due, row.name)
        if mine is not None or row.name not in _TOLD_LATER:
            yield row.name, mine, its


def _shown(value: object, name: str) -> str:
    if isinstance(value, int) and name in _CARDS and 0 <= value < DECK_SIZE:
        return card_name(value)
    if isinstance(value, int) and name in _CARD_SETS:
        return " ".join(map(card_name, cards_in(value))) or "no card"
    return repr(value)
