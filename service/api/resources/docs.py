"""Documentation: the spec, a page that shows it from our own files alone, and the index."""

from dataclasses import dataclass
from importlib.resources import files
from typing import Final

from service.api.operation import JSON, YAML, Call, Reply, Resource
from service.api.problems import Problem
from service.api.schemas.pages import IndexSchema
from service.api.spec import as_json, as_yaml

docs = Resource("docs", "The contract, for people and for machines.")

HTML: Final = "text/html; charset=utf-8"
_KEPT: Final = (("Cache-Control", "public, max-age=300"), ("X-Content-Type-Options", "nosniff"))
_ASSET_KEPT: Final = (
    ("Cache-Control", "public, max-age=86400"),
    ("X-Content-Type-Options", "nosniff"),
)
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
_PAGE: Final = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Oklahoma Gin API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
</head>
<body>
<noscript>This page needs JavaScript; the contract itself is at <a href="/openapi.yaml">
/openapi.yaml</a>.</noscript>
<div id="docs"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
"""
_START: Final = """SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#docs",
  deepLinking: true,
  persistAuthorization: false,
  queryConfigEnabled: false,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
  layout: "BaseLayout"
});
"""
_ASSETS: Final = {
    "swagger-ui.css": "text/css; charset=utf-8",
    "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
    "favicon-32x32.png": "image/png",
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


@docs.get("/", "getIndex", answer=IndexSchema, shows="Index")
def get_index(_call: Call) -> Reply:
    """Find everything.

    The places of the documentation, the contract, the rules and the health of this service.
    """
    return Reply(Index(), headers=_KEPT)


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


@docs.get("/docs", "getDocs", media=("text/html",))
def get_docs(_call: Call) -> Reply:
    """Open the documentation page.

    Everything on it is served from here, and "try it" calls this service.
    """
    return Reply(_PAGE, media=HTML, headers=(*_KEPT, ("Content-Security-Policy", _POLICY)))


@docs.get(
    "/docs/{asset}",
    "getDocsAsset",
    media=("text/css", "text/javascript", "image/png"),
    refusals=("not_found",),
)
def get_docs_asset(_call: Call, asset: str) -> Reply:
    """Load a file of the documentation page.

    A script, a style sheet or an icon.
    """
    if asset == "start.js":
        return Reply(_START, media=_ASSETS["swagger-ui-bundle.js"], headers=_ASSET_KEPT)
    if asset not in _ASSETS:
        raise Problem("not_found", f"The page has no such file; it has {', '.join(_ASSETS)}.")
    content = (files("flask_swagger_ui") / "dist" / asset).read_bytes()
    return Reply(content, media=_ASSETS[asset], headers=_ASSET_KEPT)
