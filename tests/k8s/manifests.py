"""Reads what ``kubectl kustomize`` has rendered."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

Object = dict[str, Any]

ROOT = Path(__file__).parents[2]
NAME = "oklahoma-gin"

_SIZES = {"": 1.0, "m": 1e-3, "Ki": 2.0**10, "Mi": 2.0**20, "Gi": 2.0**30}


def amount(quantity: object) -> float:
    """Return a quantity such as ``500m`` or ``64Mi`` as a number."""
    found = re.fullmatch(r"(\d+)(m|Ki|Mi|Gi)?", str(quantity))
    assert found, f"{quantity} is no quantity"
    return int(found[1]) * _SIZES[found[2] or ""]


def matches(selector: Object, labels: Object) -> bool:
    """Return whether a selector's ``matchLabels`` choose what has these labels."""
    return set(selector.get("matchLabels", {}).items()) <= set(labels.items())


@dataclass(frozen=True, slots=True)
class Place:
    """The objects of one place."""

    objects: tuple[Object, ...]

    def of(self, kind: str) -> list[Object]:
        """Return all objects of a kind."""
        return [it for it in self.objects if it["kind"] == kind]

    def one(self, kind: str, name: str = NAME) -> Object:
        """Return the one object of a kind and name; a name made by hash counts by its beginning."""
        [found] = [it for it in self.of(kind) if re.sub(r"-\w{10}$", "", named(it)) == name]
        return found

    @property
    def templates(self) -> Iterator[Object]:
        """What its pods are made from."""
        for kind in ("Deployment", "StatefulSet"):
            yield from (it["spec"]["template"] for it in self.of(kind))

    @property
    def service_pod(self) -> Object:
        """What a pod of the service is made from."""
        template: Object = self.one("Deployment")["spec"]["template"]
        return template

    @property
    def service(self) -> Object:
        """The container of the service."""
        [container] = self.service_pod["spec"]["containers"]
        made: Object = container
        return made

    @property
    def environ(self) -> dict[str, str | None]:
        """What the service is told; None for what a Secret holds."""
        told: dict[str, str | None] = dict(self.one("ConfigMap")["data"])
        return told | {it["name"]: it.get("value") for it in self.service["env"]}


def named(it: Object) -> str:
    """Return an object's name."""
    name: str = it["metadata"]["name"]
    return name


def read(rendered: str) -> Place:
    """Return the place that a rendered text describes."""
    return Place(tuple(yaml.safe_load_all(rendered)))
