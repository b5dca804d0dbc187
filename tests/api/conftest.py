import pytest

from tests.api.client import Client, Log, Table, client_over


@pytest.fixture
def log() -> Log:
    return Log()


@pytest.fixture
def client(log: Log) -> Client:
    return client_over(log=log)


@pytest.fixture
def table(client: Client) -> Table:
    return Table(client)


@pytest.fixture
def dealt(table: Table) -> Table:
    assert table.move(0, "deal").status_code == 200
    return table
