"""Files that browsers keep: sent plain or compressed, each with a tag of its content."""

from dataclasses import dataclass
from functools import lru_cache
from gzip import compress
from hashlib import sha256
from pathlib import Path
from typing import Final

from flask import request

from service.api.operation import Reply

# The names of the files stay and their content changes: what is kept is asked about every time.
_HEADERS: Final = (
    ("Cache-Control", "public, no-cache"),
    ("Vary", "Accept-Encoding"),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
)


@dataclass(frozen=True, slots=True)
class File:
    """The content of a file, plain and compressed."""

    content: bytes
    compressed: bytes
    digest: str


def kept(path: Path, media: str, policy: str) -> Reply:
    """Return a file as its caller can read it, under a Content-Security-Policy.

    :raises FileNotFoundError: if there is none.
    """
    file = _read(path, path.stat().st_mtime_ns)
    headers = (*_HEADERS, ("Content-Security-Policy", policy))
    if request.accept_encodings["gzip"] > 0:
        small = (*headers, ("Content-Encoding", "gzip"))
        return Reply(file.compressed, media=media, etag=f'"{file.digest}-gzip"', headers=small)
    return Reply(file.content, media=media, etag=f'"{file.digest}"', headers=headers)


@lru_cache(maxsize=128)
def _read(path: Path, _changed: int) -> File:
    content = path.read_bytes()
    return File(content, compress(content, mtime=0), sha256(content).hexdigest()[:16])
