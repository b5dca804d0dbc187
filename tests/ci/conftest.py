"""Tests that need more than Python: `make ci` runs them, and a missing program fails them."""

from collections.abc import Iterator

import pytest

from tests.e2e.service import Service


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with Service(tmp_path_factory.mktemp("service"), WEB_CONCURRENCY="2") as running:
        yield running
