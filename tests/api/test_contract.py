"""openapi.yaml: it is what the code makes, it is valid, and it and the routes are one list."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from service.api.factory import all_operations
from service.api.problems import CATALOGUE
from service.api.schemas.pages import ProblemSchema
from service.api.schemas.requests import Body
from service.api.spec import as_json, as_yaml, component_name, document
from tests.answers import escaped, validator
from tests.api.client import Client

COMMITTED = Path(__file__).parents[2] / "openapi.yaml"


def loaded(text: str) -> Any:
    return yaml.load(text, yaml.CSafeLoader)


def operations() -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (method, path, operation)
        for path, methods in document(all_operations())["paths"].items()
        for method, operation in methods.items()
    ]


def test_the_committed_contract_is_what_the_code_makes() -> None:
    assert COMMITTED.read_text(encoding="utf-8") == as_yaml(all_operations()), "make openapi"


def test_the_contract_has_the_version_of_the_project() -> None:
    project = tomllib.loads(COMMITTED.with_name("pyproject.toml").read_text(encoding="utf-8"))
    assert document(all_operations())["info"]["version"] == project["project"]["version"]


def test_the_contract_is_valid_openapi() -> None:
    validate(loaded(as_yaml(all_operations())))


def test_every_route_is_in_the_contract_and_the_other_way_round(client: Client) -> None:
    routes = {
        (method.lower(), re.sub(r"<(\w+)>", r"{\1}", rule.rule))
        for rule in client.app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    aliases = {("get", operation.alias) for operation in all_operations() if operation.alias}
    assert aliases <= routes
    assert routes - aliases == {(method, path) for method, path, _ in operations()}


def test_every_operation_is_documented() -> None:
    names = [operation["operationId"] for _, _, operation in operations()]
    assert len(names) == len(set(names))
    for method, path, operation in operations():
        assert re.fullmatch(r"[a-z]+([A-Z][a-z]*)*", operation["operationId"])
        assert len(operation["summary"]) > 3, path
        assert len(operation["description"]) > 10, path
        for status, answer in operation["responses"].items():
            assert "X-Request-Id" in answer["headers"], (method, path, status)
            for media, content in answer.get("content", {}).items():
                assert not media.endswith("json") or "examples" in content or "openapi" in path


def test_the_contract_is_friendly_to_generators() -> None:
    text = as_yaml(all_operations())
    assert "oneOf" not in text
    assert "nullable" not in text
    for name, schema in document(all_operations())["components"]["schemas"].items():
        if not name.endswith("Request"):
            assert "enum" not in str(schema), name
            assert "additionalProperties" not in schema, name
        else:
            assert schema["additionalProperties"] is False


def test_every_example_is_valid() -> None:
    contract = json.loads(as_json(all_operations()))
    for method, path, operation in operations():
        body = operation.get("requestBody", {}).get("content", {}).get("application/json")
        place = f"/paths/{escaped(path)}/{method}"
        if body:
            schema = f"{place}/requestBody/content/application~1json/schema"
            validator(schema).validate(body["example"])
        for status, answer in operation["responses"].items():
            for media, content in answer.get("content", {}).items():
                schema = f"{place}/responses/{status}/content/{escaped(media)}/schema"
                for example in content.get("examples", {}):
                    validator(schema).validate(contract["components"]["examples"][example]["value"])


def test_every_schema_is_a_json_schema() -> None:
    for schema in document(all_operations())["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)


def test_every_code_of_the_contract_is_of_the_catalogue() -> None:
    examples = {
        name
        for _, _, operation in operations()
        for status, answer in operation["responses"].items()
        if int(status) >= 400
        for name in answer["content"]["application/problem+json"]["examples"]
    }
    # A method that is not for a path belongs to no operation.
    assert examples | {"method_not_allowed"} == set(CATALOGUE)


def test_components_are_named_for_what_they_are() -> None:
    class DrawSchema(Body):
        pass

    assert component_name(DrawSchema) == "DrawRequest"
    assert component_name(ProblemSchema) == "Problem"


@pytest.mark.parametrize("path", ["/openapi.yaml", "/openapi.json"])
def test_the_contract_is_served(client: Client, path: str) -> None:
    served = loaded(client.get(path).get_data(as_text=True))
    assert served == loaded(as_yaml(all_operations()))
