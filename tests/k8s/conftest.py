"""The manifests of each place, rendered by ``kubectl kustomize``."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.k8s.manifests import ROOT, Place, read

PLACES = ("dev", "prod")
RENDER_SECONDS = 60


@pytest.fixture(scope="session")
def tools() -> Path:
    """Return where ``make k8s-check`` has installed kubectl and the linters."""
    named = os.environ.get("TEST_OPS")
    assert named, "Set TEST_OPS to the directory of kubectl and checkov, or run `make k8s-check`."
    return Path(named).absolute()


@pytest.fixture(scope="session", params=PLACES)
def rendered(request: pytest.FixtureRequest, tools: Path) -> str:
    """Return the YAML that would be applied for one place."""
    overlay = ROOT / "k8s" / "overlays" / request.param
    return subprocess.run(
        [tools / "kubectl", "kustomize", overlay],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        timeout=RENDER_SECONDS,
    ).stdout


@pytest.fixture(scope="session")
def place(rendered: str) -> Place:
    return read(rendered)
