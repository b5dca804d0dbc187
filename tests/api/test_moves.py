"""Each move over HTTP, by a stacked deck: worked case 5 of the rule book, and leaving the table."""

from typing import Any

from tests.api.client import Client, Table

KNOCKER = ["8D", "9D", "TD", "4C", "4H", "4S", "QC", "QD", "QS", "2H"]
DEFENDER = ["7D", "6D", "KC", "KH", "KS", "9H", "TH", "JH", "AC", "3S"]
UPCARD, DRAWN = "5S", "KD"


def stacked() -> list[str]:
    dealt = [card for pair in zip(KNOCKER, DEFENDER, strict=True) for card in pair]
    named = {*dealt, UPCARD, DRAWN}
    rest = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK" if rank + suit not in named]
    return [*dealt, UPCARD, DRAWN, *rest]


def knocked(client: Client, **knock: Any) -> Table:
    table = Table(client, deck=[stacked()])
    for seat, name, body in (
        (0, "deal", None),
        (0, "pass", None),
        (1, "pass", None),
        (0, "draw", {"source": "stock"}),
        (0, "knock", {"discard": DRAWN, **knock}),
    ):
        answer = table.move(seat, name, body)
        assert answer.status_code == 200, answer.get_data(True)
    return table


def test_named_layoffs_go_on_the_named_melds_in_any_order(client: Client) -> None:
    table = knocked(client)
    view = table.view(1)
    run = next(index for index, meld in enumerate(view["round"]["shown"][0]["melds"])
               if meld == ["8D", "9D", "TD"])  # fmt: skip
    targets = {each["card"]: each for each in view["actions"]["layoff"]["targets"]}
    assert targets["7D"] == {"card": "7D", "meld": run, "requires": [], "deadwood_points": 10}
    assert targets["6D"] == {"card": "6D", "meld": run, "requires": ["7D"], "deadwood_points": 4}
    layoffs = [{"card": "6D", "meld": run}, {"card": "7D", "meld": run}]
    result = table.move(1, "layoff", {"layoffs": layoffs}).get_json()["round"]["result"]
    assert result["kind"] == "knock"
    assert sorted(result["hands"][1]["layoffs"], key=str) == sorted(layoffs, key=str)
    assert result["hands"][1]["deadwood_points"] == 4
    assert result["totals"] == [2, 0]


def test_an_empty_list_of_layoffs_is_none_and_an_absent_one_the_best(client: Client) -> None:
    none = knocked(client).move(1, "layoff", {"layoffs": []}).get_json()["round"]["result"]
    best = knocked(client).move(1, "layoff").get_json()["round"]["result"]
    assert (none["totals"], best["totals"]) == ([15, 0], [2, 0])


def test_a_bad_layoff_is_refused_and_nothing_has_changed(client: Client) -> None:
    table = knocked(client)
    before = table.view(1)
    for layoffs, code in (
        ([{"card": "6D", "meld": 0}, {"card": "KC", "meld": 1}], "invalid_layoff"),
        ([{"card": "7D", "meld": 9}], "invalid_layoff"),
        ([{"card": "2C", "meld": 0}], "card_not_in_hand"),
    ):
        assert table.move(1, "layoff", {"layoffs": layoffs}).get_json()["code"] == code
    assert table.view(1) == before


def test_a_knock_may_name_its_melds(client: Client) -> None:
    melds = [["QC", "QD", "QS"], ["8D", "9D", "TD"], ["4S", "4H", "4C"]]
    table = knocked(client, melds=melds)
    shown = table.view(1)["round"]["shown"][0]
    assert sorted(shown["melds"]) == sorted(sorted_names(meld) for meld in melds)
    assert shown["deadwood"] == ["2H"]


def sorted_names(meld: list[str]) -> list[str]:
    return sorted(meld, key=lambda name: ("CDHS".index(name[1]), "A23456789TJQK".index(name[0])))


def test_melds_that_are_none_are_refused(client: Client) -> None:
    table = Table(client, deck=[stacked()])
    table.move(0, "deal")
    table.move(0, "pass")
    table.move(1, "pass")
    table.move(0, "draw", {"source": "stock"})
    body = {"discard": DRAWN, "melds": [["8D", "9D"], ["4C", "4H", "4S"]]}
    assert table.move(0, "knock", body).get_json()["code"] == "invalid_melds"
    assert table.move(0, "knock").get_json()["code"] == "invalid_request"


def test_resigning_gives_the_game_to_the_other_seat(client: Client) -> None:
    table = knocked(client)
    answer = table.move(1, "resign").get_json()
    assert answer["result"]["winner"] == 0
    assert answer["result"]["reason"] == "resigned"
    assert table.move(0, "deal").get_json()["code"] == "game_over"


def test_the_host_takes_a_player_out_before_the_deal(table: Table) -> None:
    assert table.move(1, "remove", {"seat": 1}).status_code == 403
    answer = table.move(0, "remove", {"seat": 1})
    assert [player["seat"] for player in answer.get_json()["players"]] == [0]
    assert table.client.get(table.path, token=table.tokens[1]).status_code == 401


def test_who_leaves_watches_and_the_seat_is_free(table: Table) -> None:
    answer = table.move(1, "leave")
    assert answer.get_json()["you"] is None
    assert answer.headers["ETag"].endswith('.s"')
    joined = table.client.post(f"{table.path}/players", {"name": "Eve"})
    assert joined.get_json()["seat"] == 1


def test_a_full_game_and_a_seated_caller_cannot_join(table: Table) -> None:
    path = f"{table.path}/players"
    assert table.client.post(path, {"name": "Eve"}).get_json()["code"] == "game_full"
    seated = table.client.post(path, {"name": "Bob"}, token=table.tokens[1])
    assert seated.get_json()["code"] == "already_seated"


def test_a_game_that_is_not_full_is_not_dealt(client: Client) -> None:
    made = client.create()
    path = f"/v1/games/{made['game']['game_id']}/deal"
    assert client.post(path, token=made["token"]).get_json()["code"] == "game_not_full"
