"""``python -m tests.clients.reference`` writes the SDK's reference.md from its docstrings.

What stands in examples.md under the title of a section goes into that section; a test runs it.
"""

import dataclasses
import inspect
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import oklahoma_gin
from oklahoma_gin import models, records
from oklahoma_gin.errors import OklahomaGinError
from tests.e2e.service import ROOT

PAGES: Final = ROOT / "clients" / "python" / "docs"
REFERENCE: Final = PAGES / "reference.md"
EXAMPLES: Final = PAGES / "examples.md"

_PLAYING: Final = ("Client", "Seat", "EventStream", "verify_round", "VerificationError")
_GIVEN: Final = ("Seat", "EventStream")  # a client makes them
_MODULE: Final = re.compile(r"\b(?:[a-z_]+\.)+(?=\w)")


def reference() -> str:
    """Return the whole page."""
    examples = _examples()
    told = [_INTRODUCTION]
    for title, names in sections().items():
        told.append(f"## {title}\n")
        told += [examples[title]] if title in examples else []
        for name in names:
            told += _entry(name, getattr(oklahoma_gin, name))
            told += [examples[name]] if name in examples else []
    return "\n".join(told).rstrip() + "\n"


def sections() -> dict[str, list[str]]:
    """Return the public names under the title of their section."""
    public = [name for name in oklahoma_gin.__all__ if name != "__version__"]
    kinds = {name: _section(name, getattr(oklahoma_gin, name)) for name in public}
    titles = ("Playing", "Views", "Records", "Errors", "Aliases")
    ordered = {title: [name for name in public if kinds[name] == title] for title in titles}
    return {**ordered, "Playing": list(_PLAYING)}


def _section(name: str, thing: Any) -> str:
    if name in _PLAYING:
        return "Playing"
    if name in _TOLD:
        return "Errors" if name == "PROBLEMS" else "Aliases"
    homes = {models.__name__: "Views", records.__name__: "Records"}
    return homes.get(thing.__module__, "Errors")


def _entry(name: str, thing: Any) -> Iterator[str]:
    yield f"### {name}\n"
    if name in _TOLD:
        yield f"{_TOLD[name]}\n"
    elif inspect.isclass(thing) and issubclass(thing, OklahomaGinError):
        yield f"{_doc(thing)}\n"
    elif dataclasses.is_dataclass(thing):
        yield f"{_doc(thing)}\n"
        yield _fields(thing)
    else:
        if name not in _GIVEN:
            yield f"`{_signature(name, thing)}`\n"
        yield f"{_doc(thing)}\n"
        yield from _methods(thing) if inspect.isclass(thing) else ()


def _fields(thing: Any) -> str:
    rows = (
        f"| `{row.name}` | `{_named(inspect.formatannotation(row.type))}` |".replace(
            " | None", " or None"
        )
        for row in dataclasses.fields(thing)
    )
    return "\n".join(("| field | type |", "|---|---|", *rows, ""))


def _methods(thing: Any) -> Iterator[str]:
    for name, member in vars(thing).items():
        if name.startswith("_"):
            continue
        if isinstance(member, property):
            yield f"**`{name}`**\n\n{_doc(member)}\n"
        elif callable(member):
            yield f"**`{_signature(name, member)}`**\n\n{_doc(member)}\n"


def _signature(name: str, thing: Any) -> str:
    words = str(inspect.signature(thing)).replace("(self, ", "(").replace("(self)", "()")
    return name + _named(re.sub(r"<(?:function|built-in)[^>]*>", "…", words))


def _named(annotation: str) -> str:
    return _MODULE.sub("", annotation).replace("'", "")


def _doc(thing: Any) -> str:
    return inspect.getdoc(thing) or ""


def _examples() -> Mapping[str, str]:
    parts = re.split(r"^## (\w+)\n", EXAMPLES.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], (f"{part.strip()}\n" for part in parts[1::2]), strict=True))


_TOLD: Final[Mapping[str, str]] = {
    "PROBLEMS": "The class of each problem code, by the code.",
    "Card": 'A `str` of a rank, `A23456789TJQK`, and a suit, `CDHS`: `"TD"`.',
    "Cards": "A `tuple` of cards.",
    "Melds": "A `tuple` of melds, each of them `Cards`.",
    "RuleValue": "The value of an option: `bool`, `int` or `str`.",
    "Rules": "Options by name: `Mapping[str, RuleValue]`.",
}
_INTRODUCTION: Final = """\
# Reference

Every public name of `oklahoma_gin`, made from its docstrings. The examples are run by the tests,
one after the other, against a service that was started with `SANDBOX=1 make run`.
"""


if __name__ == "__main__":
    REFERENCE.write_text(reference(), encoding="utf-8")
