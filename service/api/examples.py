"""The examples of the contract: one game, followed from its creation to its score sheet."""

from typing import Any, Final

from service.api.problems import CATALOGUE, Kind
from service.api.render import renderer
from service.api.schemas.rules import OptionSchema, PresetSchema, RulesSchema
from service.api.streaming import FRAMINGS, NDJSON, SSE
from service.rules.ruleset import DEFAULT_PRESET, OPTIONS, PRESETS

GAME_ID: Final = "kQ3vT0mB9xYc2LwZ"
TOKEN: Final = f"okg_{GAME_ID}.0.p7RkWq2c.Zk8rV1mXb4tQ"
COMMITMENT: Final = "9b74c9897bac770ffc029102a200c5de9b74c9897bac770ffc029102a200c5de"

_RUN: Final = ["9H", "TH", "JH", "QH"]
_SET: Final = ["7C", "7D", "7S"]
_MELDS: Final = [_SET, _RUN[:3], _RUN, _RUN[1:]]
_PRESET: Final = renderer(PresetSchema)(PRESETS[DEFAULT_PRESET])

_HANDS: Final[list[dict[str, Any]]] = [
    {
        "seat": 0,
        "melds": [_SET, _RUN],
        "layoffs": [],
        "deadwood": ["AC", "2C", "3D"],
        "deadwood_points": 6,
    },
    {
        "seat": 1,
        "melds": [["4S", "5S", "6S"]],
        "layoffs": [{"card": "KH", "meld": 1}],
        "deadwood": ["2D", "8D", "4H", "6H", "9S", "JS"],
        "deadwood_points": 39,
    },
]

ROUND_RESULT: Final[dict[str, Any]] = {
    "number": 1,
    "kind": "knock",
    "winner": 0,
    "knocker": 0,
    "hands": _HANDS,
    "lines": [{"seat": 0, "points": 33, "reason": "deadwood", "multiplier": 1, "from_seat": 1}],
    "totals": [33, 0],
}

_ROUND: Final[dict[str, Any]] = {
    "number": 1,
    "phase": "discard",
    "dealer": 1,
    "turn": 0,
    "turns_played": 6,
    "last_turn": False,
    "upcard": "6C",
    "passed": [0, 1],
    "knock_limit": 6,
    "limit_card": "6C",
    "multiplier": 1,
    "stock_count": 24,
    "discard_pile": ["6C", "KC", "QC", "JC", "TC", "KS", "QS"],
    "shown": [],
    "knocker": None,
    "result": None,
    "commitment": COMMITMENT,
}

_LEFT: Final = {
    "AC": 15,
    "2C": 14,
    "7C": 30,
    "3D": 13,
    "7D": 30,
    "KD": 6,
    "9H": 16,
    "TH": 45,
    "JH": 45,
    "QH": 16,
    "7S": 30,
}

GAME: Final[dict[str, Any]] = {
    "game_id": GAME_ID,
    "version": 17,
    "etag": '"17-9f3c1a2b.0"',
    "status": "playing",
    "visibility": "public",
    "invite": None,
    "sandbox": False,
    "preset": DEFAULT_PRESET,
    "rules": renderer(RulesSchema)(PRESETS[DEFAULT_PRESET].rules),
    "seats": 2,
    "hand_size": 10,
    "turn_seconds": 0,
    "timeout_action": "autoplay",
    "created_at": "2026-11-14T22:13:20.042Z",
    "updated_at": "2026-11-14T22:19:05.310Z",
    "expires_at": "2026-11-28T22:19:05.310Z",
    "players": [
        {
            "seat": seat,
            "name": name,
            "kind": "human",
            "card_count": held,
            "total": 0,
            "boxes": 0,
            "out": False,
        }
        for seat, name, held in ((0, "Ann", 11), (1, "Bob", 10))
    ],
    "you": {
        "seat": 0,
        "hand": ["AC", "2C", "7C", "3D", "7D", "KD", "9H", "TH", "JH", "QH", "7S"],
        "drawn_card": "QH",
        "drawn_from": "stock",
        "melds": [_SET, _RUN],
        "deadwood": ["AC", "2C", "3D", "KD"],
        "deadwood_points": 16,
        "possible_melds": _MELDS,
    },
    "round": _ROUND,
    "last_round": None,
    "actions": {
        "join": False,
        "leave": False,
        "add_bot": False,
        "remove": [],
        "deal": False,
        "entropy": True,
        "pass": False,
        "draw": [],
        "discard": [{"card": card, "deadwood_points": left} for card, left in _LEFT.items()],
        "knock": [{"discard": "KD", "deadwood_points": 6, "gin": False, "melds": [_SET, _RUN]}],
        "big_gin": False,
        "layoff": None,
        "resign": True,
        "rematch": False,
        "why_not": {
            "join": "already_seated",
            "leave": "wrong_phase",
            "add_bot": "game_full",
            "remove": "wrong_phase",
            "deal": "wrong_phase",
            "pass": "wrong_phase",
            "draw": "wrong_phase",
            "big_gin": "invalid_request",
            "layoff": "wrong_phase",
            "rematch": "wrong_phase",
        },
    },
    "turn_deadline": None,
    "next_commitment": COMMITMENT[::-1],
    "rematch_game_id": None,
    "result": None,
}

_EVENTS: Final[list[dict[str, Any]]] = [
    {
        "id": "16-4c1d2e3f",
        "version": 16,
        "at": "2026-11-14T22:18:58.001Z",
        "type": "discarded",
        "seat": 1,
        "phase": "draw",
        "turn": 0,
        "card": "QS",
    },
    {
        "id": "17-9f3c1a2b",
        "version": 17,
        "at": "2026-11-14T22:19:05.310Z",
        "type": "drew",
        "seat": 0,
        "phase": "discard",
        "turn": 0,
        "card": "QH",
        "source": "stock",
    },
]

_CREATED: Final[dict[str, Any]] = {
    "id": "1-7be2f05a",
    "version": 1,
    "at": "2026-11-14T22:13:20.042Z",
    "type": "created",
    "seat": 0,
    "name": "Ann",
}

_SNAPSHOT: Final[dict[str, Any]] = {
    "id": "16-4c1d2e3f",
    "version": 16,
    "at": "2026-11-14T22:18:58.001Z",
    "type": "snapshot",
    "seat": None,
    "game": {**GAME, "version": 16, "etag": '"16-0b7d2c91.0"'},
}


def _stream(media: str, objects: list[dict[str, Any]]) -> str:
    framing = FRAMINGS[media]
    return (framing.hello + b"".join(map(framing.frame, objects))).decode()


EXAMPLES: Final[dict[str, Any]] = {
    "Game": GAME,
    "Created": {
        "game": GAME,
        "seat": 0,
        "token": TOKEN,
        "invite": "inv_4tQb8rV1mXZk",
        "events": [_CREATED],
    },
    "Moved": {**GAME, "events": _EVENTS[1:]},
    "Seated": {"game": GAME, "seat": 0, "token": TOKEN},
    "OwnSeat": {"game_id": GAME_ID, "seat": 0, "game": GAME},
    "ScoreSheet": {
        "players": [
            {"seat": 0, "name": "Ann", "total": 33, "boxes": 1},
            {"seat": 1, "name": "Bob", "total": 0, "boxes": 0},
        ],
        "rounds": [ROUND_RESULT],
        "result": None,
    },
    "RoundRecord": {
        "number": 1,
        "dealer": 1,
        "deck": ["AC", "2D", "2C", "8D"],
        "moves": _EVENTS,
        "result": ROUND_RESULT,
        "shuffle": {
            "algorithm": "okg-shuffle-1",
            "game_id": GAME_ID,
            "round": 1,
            "seats": 2,
            "secret": COMMITMENT[::-1],
            "commitment": COMMITMENT,
            "entropies": ["", "seven herons"],
        },
    },
    "StreamTicket": {
        "ticket": "okt_06a37c1d0p7RkWq2cZk8rV1mXb4tQp7RkWq2cZk8rV1m",
        "expires_at": "2026-11-14T23:19:05.000Z",
    },
    "Stream.event-stream": _stream(SSE, _EVENTS),
    "Stream.x-ndjson": _stream(NDJSON, [_SNAPSHOT, *_EVENTS[1:]]),
    "EventPage": {"events": _EVENTS, "first_version": 1, "version": 17},
    "HandAnalysis": {
        "melds": [_SET, _RUN],
        "deadwood": ["AC", "2C", "3D", "KD"],
        "deadwood_points": 16,
        "possible_melds": _MELDS,
        "discards": [
            {
                "card": "KD",
                "deadwood_points": 6,
                "gin": False,
                "can_knock": True,
                "melds": [_SET, _RUN],
            }
        ],
    },
    "Lobby": {
        "games": [
            {
                "game_id": GAME_ID,
                "status": "waiting",
                "preset": DEFAULT_PRESET,
                "title": PRESETS[DEFAULT_PRESET].title,
                "options": {"target_score": 50},
                "seats": 2,
                "players": [{"seat": 0, "name": "Ann", "kind": "human"}],
                "turn_seconds": 0,
                "created_at": "2026-11-14T22:13:20.042Z",
            }
        ],
        "next_cursor": None,
    },
    "LayoffAnalysis": {
        "melds": [["KC", "KH", "KS"], ["9H", "TH", "JH"]],
        "layoffs": [{"card": "6D", "meld": 0}, {"card": "7D", "meld": 0}],
        "deadwood": ["AC", "3S"],
        "deadwood_points": 4,
        "targets": [
            {"card": "6D", "meld": 0, "requires": ["7D"], "deadwood_points": 4},
            {"card": "7D", "meld": 0, "requires": [], "deadwood_points": 10},
        ],
    },
    "RoundResult": ROUND_RESULT,
    "RuleCatalogue": {
        "presets": [_PRESET],
        # Linters take what has a type for a schema; these options are one, "choice" is no type.
        "options": [renderer(OptionSchema)(it) for it in OPTIONS if it.type == "integer"][:3],
    },
    "Preset": _PRESET,
    "ProblemCatalogue": {
        "problems": [
            {
                "code": kind.code,
                "type": kind.type,
                "status": kind.status,
                "title": kind.title,
                "meaning": kind.meaning,
            }
            for kind in (CATALOGUE["not_your_turn"],)
        ]
    },
    "ProblemKind": {
        "code": "not_your_turn",
        "type": "/problems/not_your_turn",
        "status": 409,
        "title": CATALOGUE["not_your_turn"].title,
        "meaning": CATALOGUE["not_your_turn"].meaning,
    },
    "Health": {"status": "ok"},
    "Index": {
        "name": "Oklahoma Gin",
        "play": "/play/",
        "docs": "/docs",
        "openapi": "/openapi.yaml",
        "rules": "/v1/rules",
        "problems": "/problems",
        "health": "/readyz",
    },
}


def problem_example(kind: Kind) -> dict[str, Any]:
    """Return what a problem of a kind looks like, its game apart."""
    example: dict[str, Any] = {
        "type": kind.type,
        "title": kind.title,
        "status": kind.status,
        "detail": kind.meaning,
        "code": kind.code,
        "request_id": "web-7f3a",
    }
    if kind.code in ("invalid_request", "invalid_rules"):
        pointer = "/rules/gin_bonus" if kind.code == "invalid_rules" else "/name"
        example["errors"] = [{"pointer": pointer, "detail": "What is wrong, and what it takes."}]
    if kind.code == "deadwood_over_limit":
        example |= {"deadwood_points": 15, "knock_limit": 6}
    return example
