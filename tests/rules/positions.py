"""The worked positions of ``tests/cases/rules.json``, and short ways to write others."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from service.rules.cards import CardSet, parse_card, parse_set, set_of
from service.rules.layoffs import Layoff

_FILE = Path(__file__).parents[1] / "cases" / "rules.json"

CASES: dict[str, dict[str, Any]] = {
    case["id"]: case for case in json.loads(_FILE.read_text(encoding="utf-8"))["cases"]
}


def held(names: Iterable[str]) -> CardSet:
    return set_of(parse_card(name) for name in names)


def melds(*named: str) -> tuple[CardSet, ...]:
    return tuple(parse_set(meld) for meld in named)


def melds_of(listed: Iterable[Iterable[str]]) -> tuple[CardSet, ...]:
    return tuple(held(names) for names in listed)


def melds_named(text: str) -> tuple[CardSet, ...]:
    """Return the melds of a key such as ``[['5D', '6D', '7D'], ['7C', '7H', '7S']]``."""
    return melds_of(json.loads(text.replace("'", '"')))


def layoffs(*named: tuple[str, int]) -> tuple[Layoff, ...]:
    return tuple((parse_card(name), meld) for name, meld in named)
