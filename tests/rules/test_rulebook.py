"""Every clause of docs/rules.md has a test that bears its label, and every such test a clause."""

import ast
import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
RULE_BOOK = TESTS.parent / "docs" / "rules.md"
FILES = (
    *sorted((TESTS / "rules").glob("test_rulebook_*.py")),
    *sorted((TESTS / "rules").glob("test_cases*.py")),
    TESTS / "games" / "test_first_player.py",
)


def labels() -> set[str]:
    return set(re.findall(r"\*\*([a-z]+\.[a-z_0-9]+)\*\*", RULE_BOOK.read_text(encoding="utf-8")))


def clause_tests() -> set[str]:
    """Return the part before the double underscore of every test that has one."""
    names = {
        node.name
        for file in FILES
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef)
    }
    return {
        name.removeprefix("test_").split("__")[0]
        for name in names
        if name.startswith("test_") and "__" in name
    }


def test_every_clause_has_a_test() -> None:
    tested = clause_tests()
    assert not {label for label in labels() if label.replace(".", "_") not in tested}
    assert len(labels()) > 100


def test_every_test_names_a_clause_or_a_case() -> None:
    known = {label.replace(".", "_") for label in labels()}
    assert not {name for name in clause_tests() - known if not re.fullmatch(r"r\d\d", name)}


def test_labels_are_different_as_names_too() -> None:
    assert len({label.replace(".", "_") for label in labels()}) == len(labels())
