import os
import signal
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import NoReturn

import pytest
import redis

from service.store import embedded
from service.store.embedded import EmbeddedUnavailable, EmbeddedValkey

CRASHING_SERVICE = """
import os, sys
from pathlib import Path
import redis
from service.store.embedded import EmbeddedValkey
valkey = EmbeddedValkey.start(Path(sys.argv[1]))
redis.Redis.from_url(valkey.url).set("upcard", "7S")
print(valkey.pid, valkey.url, flush=True)
os.abort()
"""


def client(valkey: EmbeddedValkey) -> redis.Redis:
    return redis.Redis.from_url(valkey.url, decode_responses=True)


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def leave_an_orphan(data_dir: Path) -> tuple[int, str]:
    """Starts a server from a process that dies at once; gives the server's pid and URL."""
    crashed = subprocess.run(
        [sys.executable, "-c", CRASHING_SERVICE, str(data_dir)],
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    pid, url = crashed.stdout.split()
    return int(pid), url


def test_games_survive_a_restart(tmp_path: Path) -> None:
    with EmbeddedValkey.start(tmp_path) as valkey, client(valkey) as link:
        link.set("upcard", "7S")
    with EmbeddedValkey.start(tmp_path) as valkey, client(valkey) as link:
        assert link.get("upcard") == "7S"


def test_what_was_acknowledged_survives_the_death_of_the_server(tmp_path: Path) -> None:
    with EmbeddedValkey.start(tmp_path) as valkey, client(valkey) as link:
        link.set("upcard", "7S")
        os.kill(valkey.pid or 0, signal.SIGKILL)
    with EmbeddedValkey.start(tmp_path) as valkey, client(valkey) as link:
        assert link.get("upcard") == "7S"


def test_nothing_is_evicted_and_every_write_is_on_disk(tmp_path: Path) -> None:
    with EmbeddedValkey.start(tmp_path) as valkey, client(valkey) as link:
        assert link.config_get("maxmemory-policy", "appendonly", "appendfsync", "port") == {
            "maxmemory-policy": "noeviction",
            "appendonly": "yes",
            "appendfsync": "always",
            "port": "0",
        }


def test_a_directory_with_a_long_path_will_do(tmp_path: Path) -> None:
    with EmbeddedValkey.start(tmp_path / ("x" * 120)) as valkey, client(valkey) as link:
        assert link.ping()


def test_stop_leaves_no_process_and_no_socket(tmp_path: Path) -> None:
    with EmbeddedValkey.start(tmp_path) as valkey:
        pid, socket_dir = valkey.pid, Path(valkey.url.removeprefix("unix://")).parent
    assert valkey.pid is None
    assert pid is not None
    assert not is_running(pid)
    assert not socket_dir.exists()
    valkey.stop()


def test_a_second_service_is_refused_one_directory(tmp_path: Path) -> None:
    with EmbeddedValkey.start(tmp_path) as valkey:
        with pytest.raises(EmbeddedUnavailable, match="Another service keeps its games in"):
            EmbeddedValkey.start(tmp_path)
        with client(valkey) as link:
            assert link.ping()


def test_the_orphan_of_a_crash_is_ended_and_its_games_are_kept(tmp_path: Path) -> None:
    _, orphan_url = leave_an_orphan(tmp_path)
    with redis.Redis.from_url(orphan_url) as orphan:
        assert orphan.ping()
        with EmbeddedValkey.start(tmp_path) as valkey, client(valkey) as link:
            assert link.get("upcard") == "7S"
            with pytest.raises(redis.ConnectionError):
                orphan.ping()


def test_an_orphan_that_does_not_end_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "_STOP_SECONDS", 0.05)
    orphan, _ = leave_an_orphan(tmp_path)
    os.kill(orphan, signal.SIGSTOP)
    try:
        with pytest.raises(EmbeddedUnavailable, match="does not stop; end it"):
            EmbeddedValkey.start(tmp_path)
        assert (tmp_path / "valkey" / "valkey.pid").read_text().strip() == str(orphan)
    finally:
        os.kill(orphan, signal.SIGCONT)
    monkeypatch.undo()
    EmbeddedValkey.start(tmp_path).stop()


def test_a_forked_child_does_not_stop_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with EmbeddedValkey.start(tmp_path) as valkey, client(valkey) as link:
        with monkeypatch.context() as child:
            child.setattr(os, "getpid", lambda: -1)
            valkey.stop()
        assert link.ping()


def test_a_forked_child_that_let_go_does_not_hold_the_directory(tmp_path: Path) -> None:
    script = """
import os, sys, signal
from pathlib import Path
from service.store.embedded import EmbeddedValkey
valkey = EmbeddedValkey.start(Path(sys.argv[1]))
if os.fork():
    os.kill(os.getpid(), signal.SIGKILL)
valkey.disown()
print(flush=True)
sys.stdin.read()
"""
    with subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path)],
        cwd=Path(__file__).parents[2],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as crashing:
        assert crashing.stdout is not None
        crashing.stdout.readline()
        crashing.wait()
        EmbeddedValkey.start(tmp_path).stop()


def test_where_there_is_no_binary_the_sentence_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(_: str) -> NoReturn:
        raise metadata.PackageNotFoundError

    monkeypatch.setattr(metadata, "files", missing)
    with pytest.raises(EmbeddedUnavailable, match=r"set REDIS_URL .* extra 'embedded'"):
        EmbeddedValkey.start(tmp_path)


@pytest.mark.parametrize(
    "binary, sentence", [("/bin/false", "did not come up"), ("/dev/null", "cannot be run here")]
)
def test_a_server_that_does_not_start_is_refused_and_frees_the_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, binary: str, sentence: str
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(embedded, "find_binary", lambda: Path(binary))
        with pytest.raises(EmbeddedUnavailable, match=sentence):
            EmbeddedValkey.start(tmp_path)
    EmbeddedValkey.start(tmp_path).stop()
