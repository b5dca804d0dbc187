"""The web table: the files of ``clients/web/page`` as they are, for browsers that keep them."""

from pathlib import Path
from typing import Final

from service.api.files import kept
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
    return kept(PAGE / "index.html", MEDIA[".html"], _POLICY)


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
    return kept(path, MEDIA[path.suffix], _POLICY)
