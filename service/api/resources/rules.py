"""Rules: the presets, and what every option means and takes."""

from dataclasses import dataclass
from typing import Final

from service.api.operation import Call, Reply, Resource
from service.api.problems import Problem
from service.api.schemas.rules import PresetSchema, RuleCatalogueSchema
from service.rules.ruleset import OPTIONS, PRESETS, Option, Preset

rules = Resource("rules", "Presets and options.")

LASTING: Final = (("Cache-Control", "public, max-age=300"),)


@dataclass(frozen=True, slots=True)
class RuleCatalogue:
    """Every preset and every option."""

    presets: tuple[Preset, ...]
    options: tuple[Option, ...]


@rules.get("/v1/rules", "getRules", answer=RuleCatalogueSchema, shows="RuleCatalogue")
def get_rules(_call: Call) -> Reply:
    """Read the presets and the options.

    Everything that `rules` takes when a game is created.
    """
    return Reply(RuleCatalogue(tuple(PRESETS.values()), OPTIONS), headers=LASTING)


@rules.get(
    "/v1/rules/{preset}",
    "getPreset",
    answer=PresetSchema,
    refusals=("not_found",),
    shows="Preset",
)
def get_preset(_call: Call, preset: str) -> Reply:
    """Read one preset.

    Its title, what sets it apart, and every option as it sets it.
    """
    found = PRESETS.get(preset)
    if found is None:
        raise Problem("not_found", f"No preset has this name; there are {', '.join(PRESETS)}.")
    return Reply(found, headers=LASTING)
