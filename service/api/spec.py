"""openapi.yaml, made from the operations: OpenAPI 3.1 in the subset that generators read well."""

from functools import lru_cache
from itertools import groupby
from typing import Any, Final

import msgspec
import yaml
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from marshmallow import Schema

from service.api.described import described, refusals
from service.api.examples import EXAMPLES, problem_example
from service.api.operation import Operation
from service.api.parameters import HEADERS, PATH_PARAMETERS, REQUEST_HEADERS
from service.api.schemas.chosen_rules import RULES_SHAPE
from service.api.schemas.requests import Body
from service.api.version import VERSION

DESCRIPTION: Final = """\
A referee for Gin Rummy and Oklahoma Gin, 2 to 4 seats.

Create a game, hand its id to the other players, and play: every move answers with the caller's new
view, and `actions` in it is the complete truth about what the caller may do now.

Every answer that is not 2xx or 304 is a problem (RFC 9457); look at its `code`. Send `If-Match`
with the `etag` of the last view to move only if nothing has changed, and an `Idempotency-Key` to
repeat a request safely. Unknown fields of a request are refused, unknown parameters of a query are
ignored; ignore unknown fields of an answer, and expect new values of texts.
"""


@lru_cache(maxsize=4)
def document(operations: tuple[Operation, ...]) -> dict[str, Any]:
    """Return the OpenAPI document of the operations."""
    meanings: dict[str, str] = {}

    def name_of(schema: type[Schema] | Schema) -> str:
        name = component_name(schema)
        meanings[name] = schema.__doc__ or name
        return name

    spec = APISpec(
        title="Oklahoma Gin",
        version=VERSION,
        openapi_version="3.1.0",
        info={
            "description": DESCRIPTION,
            "contact": {"name": "The authors of Oklahoma Gin"},
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        servers=[{"url": "/", "description": "The service that serves this document."}],
        plugins=[MarshmallowPlugin(schema_name_resolver=name_of)],
    )
    _add_components(spec, operations)
    for tag in dict.fromkeys(operation.tag for operation in operations):
        spec.tag({"name": tag.name, "description": tag.description})
    for path, group in groupby(sorted(operations, key=_by_path), key=lambda each: each.path):
        spec.path(path, operations={each.method.lower(): described(each) for each in group})
    made = spec.to_dict()
    for name, schema in made["components"]["schemas"].items():
        schema.setdefault("description", meanings.get(name, name))
    return {"openapi": made.pop("openapi"), **made}


@lru_cache(maxsize=4)
def as_yaml(operations: tuple[Operation, ...]) -> str:
    """Return the document as YAML."""
    text: str = yaml.dump(
        document(operations), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100
    )
    return text


@lru_cache(maxsize=4)
def as_json(operations: tuple[Operation, ...]) -> bytes:
    """Return the document as JSON."""
    return msgspec.json.encode(document(operations))


def component_name(schema: type[Schema] | Schema) -> str:
    """Return the name of a schema in the document; those of bodies end in Request."""
    kind = schema if isinstance(schema, type) else type(schema)
    return kind.__name__.removesuffix("Schema") + ("Request" if issubclass(kind, Body) else "")


def _add_components(spec: APISpec, operations: tuple[Operation, ...]) -> None:
    components = spec.components
    components.security_scheme(
        "seatToken",
        {"type": "http", "scheme": "bearer", "description": "A seat token, `okg_…`."},
    )
    components.schema("RulesRequest", RULES_SHAPE)
    for name, parameter in (*REQUEST_HEADERS.items(), *PATH_PARAMETERS.items()):
        components.parameter(name, parameter["in"], parameter)
    for name, header in HEADERS.items():
        components.header(name, header)
    for name, example in EXAMPLES.items():
        components.example(name, {"value": example})
    answered = {kind for operation in operations for kind in refusals(operation)}
    for kind in sorted(answered, key=lambda kind: kind.code):
        components.example(kind.code, {"value": problem_example(kind)})


def _by_path(operation: Operation) -> tuple[str, str]:
    return operation.path, operation.method


class _Dumper(yaml.SafeDumper):
    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002
        return True

    def text(self, text: str) -> yaml.ScalarNode:
        return self.represent_scalar("tag:yaml.org,2002:str", text, "|" if "\n" in text else None)


_Dumper.add_representer(str, _Dumper.text)
