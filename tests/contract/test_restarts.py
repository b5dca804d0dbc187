"""Keys and tokens across restarts of the service and of Redis, and across a change of its secret.

Every acknowledged operation is repeated after each restart; what is acknowledged is on disk.
"""

import re
import signal
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.conftest import Tally
from tests.contract.http import Answer, Body, Wire
from tests.contract.logs import told_secrets, unknown_lines
from tests.contract.table import NAMES, Table, new_key
from tests.e2e.service import Service
from tests.servers import StoreServer

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]

KEYS = [f"a key of the service that is number {number} of three" for number in range(3)]


@dataclass(slots=True)
class Story:
    """Operations under keys, with the first answer to each, so that all can be repeated."""

    wire: Wire
    told: list[tuple[str, Body, str | None, str, Answer]] = field(default_factory=list)

    def tell(self, path: str, body: Body = None, token: str | None = None) -> Answer:
        key = new_key()
        answer = self.wire.post(path, body, token, ("Idempotency-Key", key))
        assert answer.status in (200, 201), answer.content
        assert not answer.replayed
        self.told.append((path, body, token, key, answer))
        return answer

    def repeat(self) -> int:
        """Send every operation again, check that each is a replay, and return how many."""
        for path, body, token, key, first in self.told:
            again = self.wire.post(path, body, token, ("Idempotency-Key", key))
            assert (again.status, again.replayed) == (first.status, True), again.content
            for name in ("seat", "token"):
                assert again.json.get(name) == first.json.get(name)
        return len(self.told)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[StoreServer]:
    server = StoreServer(tmp_path, durability="always")
    try:
        yield server.start()
    finally:
        server.close()


def service_over(store: StoreServer, directory: Path, key: str, previous: str = "") -> Service:
    return Service(
        directory,
        REDIS_URL=store.url,
        WEB_CONCURRENCY="2",
        SECRET_KEY=key,
        SECRET_KEY_PREVIOUS=previous,
    )


def play_a_little(story: Story, visibility: str = "public") -> Table:
    """Create, join, deal, move, add entropy, renew, and leave another game; each under a key."""
    created = story.tell("/v1/games", {"name": NAMES[0], "visibility": visibility})
    told = created.json
    path = f"/v1/games/{told['game']['game_id']}"
    body = {"name": NAMES[1], "invite": told["invite"]}
    joined = story.tell(f"{path}/players", body).json
    renewed = story.tell(f"{path}/token", None, joined["token"]).json
    tokens = [told["token"], renewed["token"]]
    table = Table(story.wire, told["game"]["game_id"], tokens, told["invite"], created)
    story.tell(f"{path}/entropy", {"entropy": "seven herons"}, tokens[1])
    turn = story.tell(f"{path}/deal", None, tokens[0]).json["round"]["turn"]
    story.tell(f"{path}/draw", {"source": "discard"}, tokens[turn])
    lobby = story.tell("/v1/games", {"name": NAMES[2]}).json
    left = f"/v1/games/{lobby['game']['game_id']}"
    leaver = story.tell(f"{left}/players", {"name": NAMES[3]}).json["token"]
    story.tell(f"{left}/leave", None, leaver)
    return table


def check_log(service: Service, wire: Wire) -> None:
    secrets = wire.secrets | {key.encode() for key in KEYS}
    assert told_secrets(service.log, secrets) == []
    assert unknown_lines(service.log) == []


def test_all_is_replayed_after_the_service_and_redis_were_killed(
    store: StoreServer, tmp_path: Path, tally: Tally
) -> None:
    first = service_over(store, tmp_path, KEYS[0]).start()
    wire = Wire(first.url)
    story = Story(wire)
    try:
        table = play_a_little(story)
        before = table.whole()
    finally:
        first.stop(signal.SIGKILL)
    with service_over(store, tmp_path, KEYS[0]) as second:
        wire.address = second.url
        replayed = story.repeat()
        assert table.whole() == before
        store.kill()
        store.start()
        replayed += story.repeat()
        assert table.whole() == before
        check_log(second, wire)
    check_log(first, wire)
    tally(replayed=replayed, doubled=0)


def without_invite(answers: list[bytes]) -> list[bytes]:
    return [re.sub(rb'"invite":"[^"]*"', b"", answer) for answer in answers]


def test_tokens_keys_and_invites_outlive_one_change_of_the_secret(
    store: StoreServer, tmp_path: Path, tally: Tally
) -> None:
    with service_over(store, tmp_path, KEYS[0]) as first:
        wire = Wire(first.url)
        story = Story(wire)
        table = play_a_little(story, "private")
        before = without_invite(table.whole())
    with service_over(store, tmp_path, KEYS[1], KEYS[0]) as second:
        wire.address = second.url
        replayed = story.repeat()
        assert without_invite(table.whole()) == before  # the host's is under the new secret
        old = table.tokens[1]
        table.tokens[1] = table.post(1, "token").json["token"]
        assert wire.get(table.path, old).code == "game_not_found"
        check_log(second, wire)
    with service_over(store, tmp_path, KEYS[2], KEYS[1]) as third:
        wire.address = third.url
        assert wire.get(table.path, table.tokens[0]).code == "game_not_found"
        assert wire.get("/v1/seat", table.tokens[0]).code == "token_invalid"
        assert wire.get(f"{table.path}?invite={table.invite}").code == "game_not_found"
        assert wire.get(table.path, old).code == "game_not_found"
        assert table.view(1)["you"]["seat"] == 1
        assert table.done(1, "entropy", {"entropy": "ten herons"})["you"]["seat"] == 1
        check_log(third, wire)
    tally(replayed_under_another_secret=replayed)
