"""What others' tools find in the manifests and the Dockerfile: nothing that is not argued."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Tally
from tests.k8s.manifests import ROOT, read

LINT_SECONDS = 120
OLDEST = "1.32"  # its pods may sleep before they stop


def told(*command: str | Path, given: str | None = None) -> str:
    """Run a linter and return what it prints; what it finds fails the test."""
    done = subprocess.run(
        command, check=False, capture_output=True, text=True, input=given, timeout=LINT_SECONDS
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"[-8_000:]
    return done.stdout


@pytest.mark.parametrize("version", [(), ("-k", OLDEST)], ids=["newest", OLDEST])
def test_the_manifests_keep_to_the_schemas_of_kubernetes(
    tools: Path, rendered: str, version: tuple[str, ...]
) -> None:
    options = ("--strict", *version, "/dev/stdin")
    said = told(tools / "kubernetes-validate", *options, given=rendered)
    assert said.count(" passed ") == len(read(rendered).objects)


def test_checkov_finds_nothing_in_the_manifests(
    tools: Path, rendered: str, tmp_path: Path, tally: Tally
) -> None:
    path = tmp_path / "rendered.yaml"
    path.write_text(rendered)
    found = checkov(tools, path, "kubernetes")
    exceptions = found["results"]["skipped_checks"]
    assert all(it["check_result"]["suppress_comment"].strip() for it in exceptions), (
        "each is argued"
    )
    tally(checks_passed=found["summary"]["passed"], exceptions_argued=len(exceptions))


def test_checkov_finds_nothing_in_the_dockerfile(tools: Path, tally: Tally) -> None:
    found = checkov(tools, ROOT / "Dockerfile", "dockerfile")
    assert not found["results"]["skipped_checks"]
    tally(dockerfile_checks_passed=found["summary"]["passed"])


def test_hadolint_finds_nothing_in_the_dockerfile(tools: Path) -> None:
    assert not told(tools / "hadolint", ROOT / "Dockerfile")


def checkov(tools: Path, path: Path, framework: str) -> dict[str, Any]:
    options = ("--framework", framework, "--skip-download", "--output", "json")
    found: dict[str, Any] = json.loads(told(tools / "checkov", "--file", path, *options))
    assert found["summary"]["passed"], "it has looked at something"
    return found
