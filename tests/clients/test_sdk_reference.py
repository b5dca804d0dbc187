"""The SDK's reference: true to the docstrings, whole, and its examples work as they stand."""

import doctest
import re
from pathlib import Path

import pytest

import oklahoma_gin
from tests.clients.reference import EXAMPLES, REFERENCE, reference, sections
from tests.e2e.service import Service


def test_the_reference_is_what_the_docstrings_make() -> None:
    made = REFERENCE.read_text(encoding="utf-8")
    assert made == reference(), "python -m tests.clients.reference"


def test_every_public_name_is_in_the_reference() -> None:
    headings = re.findall(r"^### (\w+)$", REFERENCE.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(headings) == len(set(headings))
    assert set(headings) == set(oklahoma_gin.__all__) - {"__version__"}


def test_every_example_has_its_section() -> None:
    titles = re.findall(r"^## (\w+)$", EXAMPLES.read_text(encoding="utf-8"), re.MULTILINE)
    named = sections()
    assert {*titles} <= {*named} | {name for names in named.values() for name in names}


@pytest.mark.slow
def test_the_examples_of_the_reference_work(tmp_path: Path) -> None:
    text = REFERENCE.read_text(encoding="utf-8")
    with Service(tmp_path, WEB_CONCURRENCY="1") as service:
        script = text.replace("http://127.0.0.1:8000", service.url)
        examples = doctest.DocTestParser().get_doctest(script, {}, "reference.md", None, 0)
        runner = doctest.DocTestRunner()
        runner.run(examples)
        told = runner.summarize(verbose=False)
        examples.globs.clear()
    assert told.attempted > 20
    assert told.failed == 0
