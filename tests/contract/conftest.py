"""One running service for these files, whose log is read to the end after each of them."""

from collections.abc import Iterator

import pytest

from tests.contract.http import Wire
from tests.contract.logs import told_secrets, unknown_lines
from tests.e2e.service import Service

SECRET_KEY = "the key of the contract's tests, known to them alone"


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    directory = tmp_path_factory.mktemp("contract")
    with Service(directory, WEB_CONCURRENCY="2", SECRET_KEY=SECRET_KEY) as running:
        yield running


@pytest.fixture(scope="session")
def wire(service: Service) -> Wire:
    return Wire(service.url, {SECRET_KEY.encode()})


@pytest.fixture(scope="module", autouse=True)
def _the_log_tells_no_secret(service: Service, wire: Wire) -> Iterator[None]:
    begun = len(service.log)
    yield
    log = service.log[begun:]
    assert told_secrets(log, wire.secrets) == []
    assert unknown_lines(log) == []
