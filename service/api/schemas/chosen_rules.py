"""The rules of a new game in a request: a preset, and the options that are set otherwise."""

from dataclasses import dataclass
from typing import Any, ClassVar, Final

from marshmallow import ValidationError

from service.api.schemas.fields import Taken
from service.rules.errors import InvalidRules
from service.rules.ruleset import (
    DEFAULT_PRESET,
    OPTIONS,
    PRESETS,
    Option,
    RuleSet,
    choose_rules,
)


@dataclass(frozen=True, slots=True)
class ChosenRules:
    """The rules of a new game, and the preset they began with."""

    preset: str
    rules: RuleSet


class RulesField(Taken):
    """A preset and any options set otherwise."""

    takes = 'an object such as {"preset": "oklahoma", "target_score": 50}'
    shape: ClassVar[dict[str, Any]] = {"allOf": [{"$ref": "#/components/schemas/RulesRequest"}]}

    def read(self, value: Any) -> ChosenRules:
        if not isinstance(value, dict):
            self.refuse(value)
        preset = value.get("preset", DEFAULT_PRESET)
        overrides = {name: option for name, option in value.items() if name != "preset"}
        if not isinstance(preset, str):
            raise ValidationError({"preset": [f"Send one of {', '.join(PRESETS)}."]})
        try:
            return ChosenRules(preset, choose_rules(preset, overrides))
        except InvalidRules as error:
            raise ValidationError(
                {fault.option: [fault.detail] for fault in error.faults}
            ) from error


def _option_shape(option: Option) -> dict[str, Any]:
    bounds = {
        "minimum": option.minimum,
        "maximum": option.maximum,
        "enum": list(option.values) if option.values else None,
        "description": option.description,
    }
    kind = "string" if option.type == "choice" else option.type
    return {"type": kind, **{key: word for key, word in bounds.items() if word is not None}}


RULES_SHAPE: Final[dict[str, Any]] = {
    "type": "object",
    "description": "A preset and the options that are set otherwise.",
    "additionalProperties": False,
    "properties": {
        "preset": {
            "type": "string",
            "enum": list(PRESETS),
            "default": DEFAULT_PRESET,
            "description": "The published rules to begin with.",
        },
        **{option.name: _option_shape(option) for option in OPTIONS},
    },
}
