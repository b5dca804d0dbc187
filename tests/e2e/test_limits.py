"""Rate limits and CORS as an operator sets them, over two workers and a real store."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from tests.e2e.service import Service

pytestmark = pytest.mark.slow

PAGE = "https://table.example"
QUOTA = 3


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    directory: Path = tmp_path_factory.mktemp("limits")
    settings = {
        "CORS_ORIGINS": PAGE,
        "RATE_LIMIT_SEATS": f"{QUOTA}/day",
        "RATE_LIMIT_REQUESTS": "100/day",
        "PROXY_COUNT": "1",
    }
    with Service(directory, WEB_CONCURRENCY="2", **settings) as running:
        yield running


def create(service: Service, address: str, **headers: str) -> requests.Response:
    return requests.post(
        f"{service.url}/v1/games",
        json={"name": "Ann"},
        headers={"X-Forwarded-For": address, **headers},
        timeout=10,
    )


def test_the_workers_count_together_and_apart_by_address(service: Service) -> None:
    answers = [create(service, "192.0.2.1") for _ in range(QUOTA + 1)]
    assert [each.status_code for each in answers] == [201] * QUOTA + [429]
    assert int(answers[-1].headers["Retry-After"]) > 0
    assert create(service, "192.0.2.2").status_code == 201


def test_a_replay_is_free(service: Service) -> None:
    key = {"Idempotency-Key": "e2a7a2fb-0d1f-4f42-a8d1-13d0ad9aa0a1"}
    answers = [create(service, "192.0.2.3", **key) for _ in range(QUOTA + 2)]
    assert {each.status_code for each in answers} == {201}
    assert len({each.json()["token"] for each in answers}) == 1


def test_a_page_may_read_the_refusal(service: Service) -> None:
    answers = [create(service, "192.0.2.4", Origin=PAGE) for _ in range(QUOTA + 1)]
    assert answers[-1].status_code == 429
    assert answers[-1].headers["Access-Control-Allow-Origin"] == PAGE
    assert "RateLimit" in answers[-1].headers["Access-Control-Expose-Headers"]
