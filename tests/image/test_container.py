"""The image at work: root read-only, memory at /tmp, no rights, a Redis beside it."""

import time

import pytest
import requests

from oklahoma_gin import Client
from tests.e2e.players import play_out, seat_all
from tests.image.builder import Image
from tests.image.container import STOP_SECONDS, Container, run

pytestmark = pytest.mark.timeout(1_200)

PATIENCE = 10


def mounts(container: Container) -> dict[str, tuple[str, set[str]]]:
    """Return the kind and the options of each mount that the service sees."""
    rows = (line.split() for line in container.about("mounts").splitlines())
    return {point: (kind, set(options.split(","))) for _, point, kind, options, *_ in rows}


def test_a_whole_game_is_played_on_a_root_that_cannot_be_written(
    container: Container, url: str
) -> None:
    with Client(url) as client:
        assert play_out(seat_all(client)).result
    seen = mounts(container)
    assert "ro" in seen["/"][1]
    writable = {point for point, (_, options) in seen.items() if "rw" in options}
    assert {point for point in writable if not point.startswith(("/dev/", "/proc"))} == {"/tmp"}
    assert seen["/tmp"][0] == "tmpfs"


def test_it_serves_the_table_and_the_documentation(container: Container, url: str) -> None:
    for path in ("/play/", "/play/main.js", "/docs", "/openapi.yaml"):
        assert requests.get(f"{url}{path}", timeout=PATIENCE).status_code == 200, container.log


def test_it_has_no_rights_and_can_get_none(container: Container) -> None:
    told = dict(line.split(":\t", 1) for line in container.about("status").splitlines())
    assert told["Uid"].split() == ["10001"] * 4
    assert told["Gid"].split() == ["10001"] * 4
    assert int(told["CapEff"], 16) == int(told["CapBnd"], 16) == 0
    assert told["NoNewPrivs"] == "1"


def test_its_first_process_is_the_server_itself(container: Container) -> None:
    told = dict(line.split(":\t", 1) for line in container.about("status").splitlines())
    assert told["NSpid"].split()[-1] == "1"
    assert "gunicorn" in container.about("cmdline")


def test_it_ends_within_its_time_with_a_player_waiting(container: Container, url: str) -> None:
    with Client(url) as client:
        seat = client.create_game("Ann")
        path = f"{url}/v1/games/{seat.game_id}/stream"
        headers = {"Authorization": f"Bearer {seat.token}"}
        with requests.get(path, headers=headers, stream=True, timeout=PATIENCE) as stream:
            lines = stream.iter_lines()
            assert next(lines)
            began = time.monotonic()
            assert container.stop() == 0, container.log
            assert time.monotonic() - began < STOP_SECONDS
            assert b"event: reconnect" in list(lines)
    assert "Shutting down" in container.log


def test_its_health_check_tells_a_server_from_none(
    image: Image, container: Container, environ: dict[str, str]
) -> None:
    check = image.config["Healthcheck"]["Test"][1:]
    assert run(image, *check, **environ).returncode == 0
    container.stop()
    assert run(image, *check, **environ).returncode != 0


def test_it_writes_nowhere_but_in_memory(image: Image) -> None:
    assert run(image, "/usr/bin/touch", "/tmp/here").returncode == 0
    for place in ("/here", "/opt/oklahoma-gin/here", "/home/here", "/var/here"):
        refused = run(image, "/usr/bin/touch", place)
        assert "Read-only file system" in refused.stderr


@pytest.mark.parametrize("missing", ["REDIS_URL", "SECRET_KEY"])
def test_it_does_not_start_without_what_all_instances_share(
    image: Image, environ: dict[str, str], redis_url: str, missing: str
) -> None:
    given = {**environ, "REDIS_URL": redis_url}
    del given[missing]
    ended = run(image, *image.config["Entrypoint"], *image.config["Cmd"], **given)
    assert ended.returncode != 0
    assert missing in ended.stderr
