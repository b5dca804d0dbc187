"""The web table as the service hands it out: needs no Node, no build and nobody else."""

import gzip
import re

import pytest

from service.api.resources.play import MEDIA, PAGE
from tests.api.client import Client

FILES = sorted(path.name for path in PAGE.iterdir())


def test_every_file_of_the_page_is_of_a_kind_that_is_served() -> None:
    assert len(FILES) > 10
    assert {path.suffix for path in PAGE.iterdir()} <= set(MEDIA)


def test_the_table_is_found_and_strict(client: Client) -> None:
    response = client.get("/play/index.html")
    assert response.mimetype == "text/html"
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    for place in re.findall(r'(?:src|href)="([\w.]+)"', response.get_data(as_text=True)):
        assert place in FILES


@pytest.mark.parametrize("path", ["/play/", "/play"])
def test_the_table_has_a_short_address(client: Client, path: str) -> None:
    found = client.app.test_client().get(path, follow_redirects=True)
    assert found.request.path == "/play/"
    assert found.get_data() == (PAGE / "index.html").read_bytes()


def test_its_address_without_a_slash_names_no_host(client: Client) -> None:
    headers = {"Host": "elsewhere.example"}
    moved = client.app.test_client().get("/play?theme=dark", headers=headers)
    assert (moved.status_code, moved.headers["Location"]) == (308, "/play/?theme=dark")


@pytest.mark.parametrize("file", FILES)
def test_a_file_is_asked_about_and_not_sent_again(client: Client, file: str) -> None:
    response = client.get(f"/play/{file}")
    assert response.get_data() == (PAGE / file).read_bytes()
    assert response.headers["Cache-Control"] == "public, no-cache"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    again = client.get(f"/play/{file}", headers={"If-None-Match": response.headers["ETag"]})
    assert again.status_code == 304


def test_a_compressed_file_has_a_tag_of_its_own(client: Client) -> None:
    plain = client.get("/play/main.js")
    compressed = client.get("/play/main.js", headers={"Accept-Encoding": "gzip"})
    assert gzip.decompress(compressed.get_data()) == plain.get_data()
    assert compressed.headers["ETag"] != plain.headers["ETag"]
    assert compressed.headers["Vary"] == "Accept-Encoding"


@pytest.mark.parametrize("file", ["nothing.js", "..", "%2e%2e%2fwsgi.py", "page", "main.js.map"])
def test_nothing_else_is_served(client: Client, file: str) -> None:
    assert client.get(f"/play/{file}").status_code == 404
