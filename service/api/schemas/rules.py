"""Rule sets in answers: every option of the rule book is a field."""

from service.api.schemas.shown import Answer, AnyValue, Flag, Part, Parts, Shown, Text, Texts, Whole
from service.rules.ruleset import OPTIONS, Option


def _field(option: Option) -> Shown:
    if option.type == "boolean":
        return Flag(option.description)
    if option.type == "integer":
        return Whole(option.description, minimum=option.minimum, maximum=option.maximum)
    values = ", ".join(f"`{value}`" for value in option.values or ())
    return Text(f"{option.description} One of {values}; more may come.")


class RulesSchema(Answer):
    """Every option of a game as it is played."""

    class Meta(Answer.Meta):
        include = {option.name: _field(option) for option in OPTIONS}  # noqa: RUF012


class PresetSchema(Answer):
    """A published rule sheet."""

    name = Text("What `rules.preset` takes.")
    title = Text("Its title.")
    summary = Text("What sets it apart, in one sentence.")
    rules = Part(RulesSchema)


class OptionSchema(Answer):
    """An option of a rule set."""

    name = Text("What `rules` takes it by.")
    type = Text("`boolean`, `integer` or `choice`.")
    description = Text("What it means.")
    minimum = Whole("The least integer it takes; null for other types.", nullable=True)
    maximum = Whole("The greatest integer it takes; null for other types.", nullable=True)
    values = Texts("The values that a choice takes; null for other types.", nullable=True)
    default = AnyValue("Its value in the default preset: a boolean, an integer or a text.")


class RuleCatalogueSchema(Answer):
    """Every preset and every option."""

    presets = Parts(PresetSchema, "Every preset.")
    options = Parts(OptionSchema, "Every option.")
