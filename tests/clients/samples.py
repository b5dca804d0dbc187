"""Answers as the service gives them, in full."""

import json

from oklahoma_gin import View
from oklahoma_gin._decode import decode

GAME_ID = "b7Qm3xT9uKcW2_zA"
TOKEN = "okg_c2VhdC10b2tlbg"
RULES: dict[str, bool | int | str] = {
    "knock_limit_source": "upcard",
    "knock_limit_points": 10,
    "ace_upcard": "gin_only",
    "spade_upcard_multiplier": 2,
    "upcard_offer": True,
    "passed_upcard": "stock_only",
    "return_taken_discard": False,
    "gin_bonus": 25,
    "big_gin_bonus": 0,
    "undercut_bonus": 10,
    "undercut_penalty": 0,
    "undercut_on_tie": True,
    "layoff_on_gin": False,
    "layoff_onto": "grown",
    "stock_floor": 2,
    "turn_limit": 200,
    "round_limit": 1000,
    "scoring": "points",
    "target_score": 100,
    "first_player": "random",
    "next_dealer": "winner",
    "game_bonus": 100,
    "box_bonus": 0,
    "gin_extra_boxes": 0,
    "undercut_extra_boxes": 0,
    "shutout": "none",
}


def view_json(version: int = 17, **changes: object) -> dict[str, object]:
    """A running round seen from seat 0, holding eleven cards."""
    return {
        "game_id": GAME_ID,
        "version": version,
        "etag": f'"{version}-9f3c1a2b.0"',
        "status": "playing",
        "visibility": "private",
        "invite": "inv_4tQb8rV1mXZk",
        "sandbox": False,
        "preset": "oklahoma",
        "rules": RULES,
        "seats": 2,
        "hand_size": 10,
        "turn_seconds": 30,
        "timeout_action": "autoplay",
        "created_at": "2030-01-02T03:04:05Z",
        "updated_at": "2030-01-02T03:05:06.789Z",
        "expires_at": "2030-01-16T03:05:06Z",
        "players": [player_json(0, "Ann"), player_json(1, "Bob")],
        "you": {
            "seat": 0,
            "hand": ["AC", "2C", "3C", "9D", "9H", "9S", "4D", "5D", "6D", "TH", "KD"],
            "drawn_card": "KD",
            "drawn_from": "stock",
            "melds": [["AC", "2C", "3C"], ["4D", "5D", "6D"], ["9D", "9H", "9S"]],
            "deadwood": ["KD", "TH"],
            "deadwood_points": 20,
            "possible_melds": [["AC", "2C", "3C"], ["4D", "5D", "6D"], ["9D", "9H", "9S"]],
        },
        "round": round_json(),
        "last_round": result_json(),
        "actions": {
            "join": False,
            "leave": False,
            "add_bot": False,
            "remove": [],
            "deal": False,
            "entropy": True,
            "pass": True,
            "draw": ["stock", "discard"],
            "discard": [{"card": "KD", "deadwood_points": 10}],
            "knock": [{"discard": "KD", "deadwood_points": 10, "gin": False, "melds": [["AC"]]}],
            "big_gin": False,
            "layoff": {
                "targets": [{"card": "6D", "meld": 0, "requires": ["7D"], "deadwood_points": 4}],
                "best": {
                    "melds": [["KC", "KH", "KS"]],
                    "layoffs": [{"card": "7D", "meld": 0}],
                    "deadwood": ["AC", "3S"],
                    "deadwood_points": 4,
                },
            },
            "resign": True,
            "rematch": False,
            "why_not": {"join": "already_seated", "big_gin": "deadwood_over_limit"},
        },
        "turn_deadline": "2030-01-02T03:06:00Z",
        "next_commitment": "ab" * 32,
        "rematch_game_id": None,
        "result": {
            "winner": 0,
            "reason": "target",
            "totals": [107, 92],
            "final_scores": [207, 92],
            "lines": [line_json(100, "game_bonus")],
        },
        **changes,
    }


def line_json(points: int, reason: str, from_seat: int | None = None) -> dict[str, object]:
    """An amount that seat 0 gets."""
    line = {"seat": 0, "points": points, "reason": reason, "multiplier": 1}
    return {**line, "from_seat": from_seat}


def player_json(seat: int, name: str) -> dict[str, object]:
    return {
        "seat": seat,
        "name": name,
        "kind": "human",
        "card_count": 10,
        "total": 34,
        "boxes": 2,
        "out": False,
    }


def round_json() -> dict[str, object]:
    return {
        "number": 3,
        "phase": "discard",
        "dealer": 1,
        "turn": 0,
        "turns_played": 6,
        "last_turn": False,
        "upcard": "7S",
        "passed": [0, 1],
        "knock_limit": 7,
        "limit_card": "7S",
        "multiplier": 2,
        "stock_count": 27,
        "discard_pile": ["7S", "QC"],
        "shown": [shown_json()],
        "knocker": 1,
        "result": None,
        "commitment": "cd" * 32,
    }


def shown_json() -> dict[str, object]:
    return {
        "seat": 1,
        "melds": [["8D", "9D", "TD"]],
        "layoffs": [{"card": "7D", "meld": 0}],
        "deadwood": ["2H"],
        "deadwood_points": 2,
    }


def result_json() -> dict[str, object]:
    return {
        "number": 2,
        "kind": "undercut",
        "winner": 0,
        "knocker": 1,
        "hands": [shown_json()],
        "lines": [line_json(4, "deadwood", 1), line_json(10, "undercut_bonus")],
        "totals": [34, 12],
    }


def event_json(version: int, kind: str = "drew", **changes: object) -> dict[str, object]:
    """An event of the log."""
    return {
        "id": f"{version}-4c1d2e3f",
        "version": version,
        "at": "2030-01-02T03:05:06.789Z",
        "type": kind,
        "seat": version % 2,
        **changes,
    }


def last_event_json(version: int) -> dict[str, object]:
    """The event that ends the game."""
    return event_json(version, "knocked", game_result=view_json()["result"])


def page_json(
    version: int, *events: dict[str, object], first_version: int = 1
) -> dict[str, object]:
    return {"events": list(events), "first_version": first_version, "version": version}


def moved_json(version: int = 18, *events: dict[str, object]) -> dict[str, object]:
    """The answer to a move."""
    return {**view_json(version), "events": list(events)}


def snapshot_json(version: int, **changes: object) -> dict[str, object]:
    game = view_json(version, result=None, **changes)
    return {**event_json(version, "snapshot", seat=None), "game": game}


def frame(shown: dict[str, object], end: str = "\n") -> bytes:
    """An object as a server-sent event."""
    place = f"id: {shown['id']}{end}" if "id" in shown else ""
    data = json.dumps(shown, ensure_ascii=False)
    return f"{place}event: {shown['type']}{end}data: {data}{end}{end}".encode()


def problem_json(code: str, status: int, **members: object) -> dict[str, object]:
    return {
        "type": f"/problems/{code}",
        "title": code.replace("_", " ").capitalize(),
        "status": status,
        "detail": "What was wrong, and what to do next.",
        "code": code,
        "request_id": "req-1",
        **members,
    }


def a_view(version: int = 17, **changes: object) -> View:
    return decode(View, view_json(version, **changes))
