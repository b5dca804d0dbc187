"""Rules of the house that no other tool checks."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
TREES = (".ci", "clients", "docs", "requirements", "service", "tests")
NOT_OURS = {"__pycache__", "build", "dist", "node_modules"}


def our_files() -> Iterator[Path]:
    yield from (path for path in ROOT.iterdir() if path.is_file())
    for tree in TREES:
        for path in (ROOT / tree).rglob("*"):
            if path.is_file() and not NOT_OURS & set(path.parts):
                yield path


def modules(*trees: str) -> list[Path]:
    return sorted(path for tree in trees for path in (ROOT / tree).rglob("*.py"))


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def test_every_target_of_the_makefile_is_in_its_help() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    phony = set(re.findall(r"^\.PHONY: (.+)$", makefile, re.MULTILINE)[0].split())
    explained = set(re.findall(r"^([a-z0-9-]+):.*## \S", makefile, re.MULTILINE))
    assert explained == phony
    assert {"help", "run", "test", "check", "openapi", "ci", "lock", "clean"} <= phony


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
def test_a_lock_holds_versions_and_hashes_and_no_address(lock: Path) -> None:
    text = lock.read_text(encoding="utf-8")
    entries = re.split(r"^(?=[a-z0-9])", text, flags=re.MULTILINE)[1:]
    assert entries
    assert all(re.match(r"[a-z0-9._-]+==\S+", each) for each in entries)
    assert all("--hash=sha256:" in each for each in entries)
    assert not re.search(r"://|--(extra-)?index-url|--find-links", text)


def test_the_locks_agree() -> None:
    pins = {
        lock.stem: set(re.findall(r"^\S+==\S+", lock.read_text(), re.MULTILINE)) for lock in LOCKS
    }
    assert pins["run"] < pins["embedded"] < pins["dev"]


def test_every_dependency_is_in_its_lock() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    locked = set(re.findall(r"^(\S+)==", (ROOT / "requirements/run.txt").read_text(), re.MULTILINE))
    wanted = {re.split(r"[^\w-]", each.replace("_", "-"))[0] for each in project["dependencies"]}
    assert wanted <= locked


def test_no_file_names_a_machine() -> None:
    machine = re.compile(rb"/(root|home/\w+|Users/\w+)/|https?://\S+/simple\b")
    assert [str(path) for path in our_files() if machine.search(path.read_bytes())] == []


def test_the_rules_import_the_standard_library_and_themselves() -> None:
    strangers = {
        name
        for path in modules("service/rules")
        for name in imported(path)
        if name.split(".")[0] not in sys.stdlib_module_names
        and not name.startswith("service.rules")
    }
    assert strangers == set()


def test_modules_stay_short() -> None:
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines())
        for path in modules("service", "clients/python/oklahoma_gin")
    }
    assert {name: lines for name, lines in lengths.items() if lines > 350} == {}
