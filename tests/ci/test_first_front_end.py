"""The guide's front end, put together from its pieces as a reader would, in a real browser."""

import re
import subprocess
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.service import ROOT, Service

GUIDE = ROOT / "docs" / "first-front-end.md"
DRIVER = Path(__file__).with_name("first_front_end.js")


class Quiet(SimpleHTTPRequestHandler):
    """Serves files and says nothing of it."""

    def log_message(self, format: str, *_said: Any) -> None:  # the name it has
        pass


def pieces(language: str) -> list[str]:
    """Return the guide's code in a language, piece by piece."""
    return re.findall(rf"^```{language}\n(.*?)^```", GUIDE.read_text(), re.MULTILINE | re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[tuple[Path, int]]:
    """A folder that is served, and the port at which."""
    server = ThreadingHTTPServer(("localhost", 0), partial(Quiet, directory=str(tmp_path)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield tmp_path, server.server_port
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.timeout(120)
def test_the_front_end_of_the_guide_plays_a_bot_and_a_friend(
    folder: tuple[Path, int], tmp_path_factory: pytest.TempPathFactory
) -> None:
    directory, port = folder
    page = f"http://localhost:{port}"
    with Service(tmp_path_factory.mktemp("guide"), CORS_ORIGINS=page) as service:
        script = "".join(pieces("js")).replace("http://127.0.0.1:8000", service.url)
        (directory / "index.html").write_text(pieces("html")[0])
        (directory / "table.js").write_text(script)
        ended = subprocess.run(
            ["node", str(DRIVER), page], capture_output=True, text=True, timeout=100, check=False
        )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "wins the game" in ended.stdout


def test_the_guide_begins_the_service_as_the_test_does() -> None:
    assert "CORS_ORIGINS=http://localhost:5173 make run\n" in pieces("sh")
    assert "Access-Control" not in GUIDE.read_text()
