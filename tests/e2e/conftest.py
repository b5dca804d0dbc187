"""One running service for each file of tests of the whole."""

from collections.abc import Iterator

import pytest

from tests.e2e.service import Service


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with Service(tmp_path_factory.mktemp("service"), WEB_CONCURRENCY="2") as running:
        yield running
