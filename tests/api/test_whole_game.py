from typing import Any

from tests.api.client import Client, Table


def choose(actions: dict[str, Any]) -> tuple[str, dict[str, Any] | None]:
    if actions["deal"]:
        return "deal", None
    if actions["layoff"]:
        return "layoff", {}
    if actions["pass"]:
        return "pass", None
    if actions["draw"]:
        return "draw", {"source": actions["draw"][0]}
    if actions["knock"]:
        best = min(actions["knock"], key=lambda choice: choice["deadwood_points"])
        return "knock", {"discard": best["discard"], "melds": best["melds"]}
    lowest = min(actions["discard"], key=lambda choice: choice["deadwood_points"])
    return "discard", {"card": lowest["card"]}


def play_out(table: Table) -> dict[str, Any]:
    view = table.view()
    while view["status"] != "finished":
        seat = (view["round"] or {"turn": 0})["turn"] or 0
        if view["you"]["seat"] != seat:
            view = table.view(seat)
        name, body = choose(view["actions"])
        answer = table.move(seat, name, body, headers={"If-Match": view["etag"]})
        assert answer.status_code == 200, answer.get_data(True)
        assert answer.headers["ETag"] == answer.get_json()["etag"]
        assert answer.get_json()["version"] == view["version"] + 1
        view = answer.get_json()
    return view


def test_a_game_is_played_to_its_end_and_every_answer_keeps_the_contract(client: Client) -> None:
    table = Table(client, rules={"preset": "oklahoma", "target_score": 30})
    final = play_out(table)
    sheet = client.get(f"{table.path}/score").get_json()
    assert max(final["result"]["totals"]) >= 30
    assert sheet["result"] == final["result"]
    for seat in (0, 1):
        lines = [line for each in sheet["rounds"] for line in each["lines"]]
        total = sum(line["points"] for line in lines if line["seat"] == seat)
        assert total == final["result"]["totals"][seat]


def test_the_log_has_one_event_for_each_version(client: Client) -> None:
    table = Table(client, rules={"target_score": 10})
    final = play_out(table)
    versions: list[int] = []
    while versions[-1:] != [final["version"]]:
        after = versions[-1] if versions else 0
        page = client.get(f"{table.path}/events?after={after}&limit=100").get_json()
        versions += [event["version"] for event in page["events"]]
    assert versions == list(range(1, final["version"] + 1))


def test_a_finished_round_is_shown_whole(client: Client) -> None:
    table = Table(client, rules={"target_score": 10})
    play_out(table)
    record = client.get(f"{table.path}/rounds/1").get_json()
    assert len(set(record["deck"])) == 52
    assert record["shuffle"]["game_id"] == table.game_id
    assert record["moves"][0]["type"] == "dealt"
