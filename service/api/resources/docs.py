"""Documentation: the spec, a page that shows it from our own files alone, and the index."""

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Final

from service.api.files import kept
from service.api.operation import JSON, YAML, Call, Reply, Resource
from service.api.problems import Problem
from service.api.schemas.pages import IndexSchema
from service.api.spec import as_json, as_yaml

docs = Resource("docs", "The contract, for people and for machines.")

HTML: Final = "text/html; charset=utf-8"
_KEPT: Final = (("Cache-Control", "public, max-age=300"), ("X-Content-Type-Options", "nosniff"))
# Swagger UI's own style sheet holds its icons as data.
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
PAGE: Final = Path(__file__).parents[1] / "docs_page"
_SWAGGER_UI: Final = Path(str(files("flask_swagger_ui"))) / "dist"
_CSS: Final = "text/css; charset=utf-8"
_SCRIPT: Final = "text/javascript; charset=utf-8"
_ASSETS: Final = {
    "docs.css": (PAGE, _CSS),
    "docs.js": (PAGE, _SCRIPT),
    "swagger-ui.css": (_SWAGGER_UI, _CSS),
    "swagger-ui-bundle.js": (_SWAGGER_UI, _SCRIPT),
    "favicon-32x32.png": (_SWAGGER_UI, "image/png"),
}


@dataclass(frozen=True, slots=True)
class Index:
    """Where everything is."""

    name: str = "Oklahoma Gin"
    play: str = "/play/"
    docs: str = "/docs"
    openapi: str = "/openapi.yaml"
    rules: str = "/v1/rules"
    problems: str = "/problems"
    health: str = "/readyz"


@docs.get("/", "getIndex", answer=IndexSchema, media=(JSON, "text/html"), shows="Index")
def get_index(call: Call) -> Reply:
    """Find everything.

    The places of the table, the documentation, the contract, the rules and the health of this
    service; as a page of links where Accept prefers one, as browsers' does.
    """
    headers = (*_KEPT, ("Vary", "Accept"))
    if call.media == JSON:
        return Reply(Index(), headers=headers)
    page = (PAGE / "welcome.html").read_bytes()
    return Reply(page, media=HTML, headers=(*headers, ("Content-Security-Policy", _POLICY)))


@docs.get("/openapi.yaml", "getOpenapiYaml", media=(YAML,))
def get_openapi_yaml(call: Call) -> Reply:
    """Read the contract as YAML.

    OpenAPI 3.1, made from the schemas and routes that this service runs on.
    """
    return Reply(as_yaml(call.operations), media=YAML, headers=_KEPT)


@docs.get("/openapi.json", "getOpenapiJson", media=(JSON,))
def get_openapi_json(call: Call) -> Reply:
    """Read the contract as JSON.

    The same document as /openapi.yaml.
    """
    return Reply(as_json(call.operations), media=JSON, headers=_KEPT)


@docs.get("/docs", "getDocs", media=("text/html",), condition="If-None-Match")
def get_docs(_call: Call) -> Reply:
    """Open the documentation page.

    Everything on it is served from here, and "try it" calls this service.
    """
    return kept(PAGE / "index.html", HTML, _POLICY)


@docs.get(
    "/docs/{asset}",
    "getDocsAsset",
    media=("text/css", "text/javascript", "image/png"),
    condition="If-None-Match",
    refusals=("not_found",),
)
def get_docs_asset(_call: Call, asset: str) -> Reply:
    """Load a file of the documentation page.

    A script, a style sheet or an icon.
    """
    if asset not in _ASSETS:
        raise Problem("not_found", f"The page has no such file; it has {', '.join(_ASSETS)}.")
    folder, media = _ASSETS[asset]
    return kept(folder / asset, media, _POLICY)
