"""Addresses and flags as the environment gives them: what is taken, and what is refused."""

import subprocess
import sys
from pathlib import Path

import pytest
from redis.connection import ConnectionPool

from service.settings import Settings, SettingsError, variables
from service.store.addresses import address_of


@pytest.fixture(autouse=True)
def kept_key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for variable in variables().values():
        monkeypatch.delenv(variable.name, raising=False)
    monkeypatch.setenv("DATA_DIR", str(tmp_path))


@pytest.mark.parametrize(
    "url",
    [
        "localhost:6379",
        "redis://",
        "redis://:6379",
        "redis://hunter2:99999",
        "redis://hunter2:0",
        "redis://hunter2:port",
        "redis://[hunter2",
        "redis://hunter2:6379/abc",
        "redis://hunter2:6379/1/2",
        "redis://hunter2?db=abc",
        "redis://hunter2?socket_timeout=abc",
        "redis://hunter2?no_such_parameter=1",
        "redis://hunter2?decode_responses=1",
        "redis://hunter2?ssl_cert_reqs=none",
        "rediss://hunter2?ssl_cert_reqs=perhaps",
        "unix://",
        "unix:///",
        "unix://hunter2/socket",
        "redis+sentinel://hunter2:26379",
        "redis+sentinel://hunter2:26379/a/b",
        "redis+sentinel://hunter2:0/games",
        "redis+sentinel://hunter2:26379,/games",
        "redis+cluster://hunter2:7000/0",
        "redis+cluster://",
        "redis+cluster://hunter2:many",
        "redis+cluster://hunter2:7000?db=1",
        "redis+cluster://hunter2:7000?sentinel_password=x",
        "redis+sentinel://hunter2/games?ssl_cert_reqs=none",
        "redis+proxy://hunter2",
    ],
)
def test_a_url_that_names_no_redis_is_refused_unseen(
    monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv("REDIS_URL", url)
    with pytest.raises(SettingsError) as refused:
        Settings.from_env()
    [sentence] = str(refused.value).splitlines()
    assert sentence == variables()["redis_url"].fault(url)
    assert sentence.startswith(
        f"REDIS_URL has {len(url)} characters (not shown); it takes a URL such as "
        "redis://host:6379/0, rediss://user:password@host:6379/0, unix:///path/to/socket, "
        "redis+sentinel://host:26379,host:26379/service or redis+cluster://host:7000,host:7001, "
        "with no parameters but "
    )
    assert "hunter2" not in sentence


@pytest.mark.parametrize(
    "url",
    [
        "redis://localhost",
        "redis://[::1]:6379/",
        "redis://user:pass%20word@redis.example:6380/15?client_name=okg",
        "rediss://redis.example/0?ssl_ca_certs=/ca.pem&ssl_certfile=/c.pem&ssl_keyfile=/k.pem",
        "rediss://redis.example?ssl_cert_reqs=none&ssl_check_hostname=false",
        "unix:///tmp/valkey/socket?db=1&username=okg&password=hunter2",
        "redis+sentinel://one:26379,two,[::1]:26380/games/3",
        "rediss+sentinel://user:pass%20word@one/games?ssl_ca_certs=/ca.pem",
        "redis+sentinel://:hunter2@one/games?sentinel_username=okg&sentinel_password=hunter2",
        "redis+cluster://user:hunter2@one:7000,two:7001",
        "rediss+cluster://one:7000/?ssl_cert_reqs=none",
    ],
)
def test_a_url_that_is_taken_is_one_that_the_store_can_use(
    monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv("REDIS_URL", url)
    assert Settings.from_env().redis_url == url
    if address_of(url).kind == "one":
        ConnectionPool.from_url(url).make_connection()


def test_reading_the_settings_loads_no_redis_before_gevent() -> None:
    asked = "import sys, service.settings; sys.exit('redis' in sys.modules)"
    root = Path(__file__).parents[1]
    assert subprocess.run([sys.executable, "-c", asked], cwd=root, check=False).returncode == 0


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "::1", "localhost", ""])
def test_a_host_to_listen_at_is_taken(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    monkeypatch.setenv("HOST", host)
    assert Settings.from_env().host == (host or "127.0.0.1")


@pytest.mark.parametrize("words, meant", [("1 true yes on", True), ("0 false no off", False)])
def test_a_flag_takes_the_words_that_its_sentence_names(
    monkeypatch: pytest.MonkeyPatch, words: str, *, meant: bool
) -> None:
    for word in words.split():
        monkeypatch.setenv("SANDBOX", word)
        assert Settings.from_env().sandbox is meant
    monkeypatch.setenv("SANDBOX", words[0].replace("1", "t").replace("0", "F"))
    with pytest.raises(SettingsError, match="SANDBOX"):
        Settings.from_env()
