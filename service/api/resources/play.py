"""The web table: the files of ``clients/web/page`` as they are, for browsers that keep them."""

from dataclasses import dataclass
from functools import lru_cache
from gzip import compress
from hashlib import sha256
from pathlib import Path
from typing import Final

from flask import request

from service.api.operation import Call, Reply, Resource
from service.api.problems import Problem

play = Resource("play", "The web table, a front end that knows this contract alone.")

PAGE: Final = Path(__file__).parents[2] / "page"
MEDIA: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_KINDS: Final = tuple(media.partition(";")[0] for media in MEDIA.values())
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
# The names of the files stay and their content changes: what is kept is asked about every time.
_HEADERS: Final = (
    ("Cache-Control", "public, no-cache"),
    ("Vary", "Accept-Encoding"),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Content-Security-Policy", _POLICY),
)


@dataclass(frozen=True, slots=True)
class File:
    """A file of the page, plain and compressed."""

    content: bytes
    compressed: bytes
    digest: str


@play.get(
    "/play/index.html",
    "getTable",
    alias="/play/",
    media=("text/html",),
    condition="If-None-Match",
)
def get_table(_call: Call) -> Reply:
    """Play in the browser.

    The web table, at `/play/` for short: everything on it is served from here, and it calls nothing
    but this contract.
    """
    return _reply(PAGE / "index.html")


@play.get(
    "/play/{file}",
    "getTableFile",
    media=_KINDS,
    condition="If-None-Match",
    refusals=("not_found",),
)
def get_table_file(_call: Call, file: str) -> Reply:
    """Load a file of the web table.

    A script, a style sheet or a picture.
    """
    path = PAGE / file
    if path.suffix not in MEDIA or path.parent != PAGE or not path.is_file():
        raise Problem("not_found", "The web table has no such file; it begins at /play/.")
    return _reply(path)


def _reply(path: Path) -> Reply:
    file = _read(path, path.stat().st_mtime_ns)
    media = MEDIA[path.suffix]
    if request.accept_encodings["gzip"] > 0:
        headers = (*_HEADERS, ("Content-Encoding", "gzip"))
        return Reply(file.compressed, media=media, etag=f'"{file.digest}-gzip"', headers=headers)
    return Reply(file.content, media=media, etag=f'"{file.digest}"', headers=_HEADERS)


@lru_cache(maxsize=128)
def _read(path: Path, _changed: int) -> File:
    content = path.read_bytes()
    return File(content, compress(content, mtime=0), sha256(content).hexdigest()[:16])
