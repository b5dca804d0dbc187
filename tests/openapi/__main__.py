"""``python -m tests.openapi [OLD NEW]`` names what a contract breaks of the last released one.

The exit status is 1 if anything is broken.
"""

import sys
from pathlib import Path
from typing import Any, Final

import yaml

from tests.openapi.differ import additions, breaking_changes

ROOT: Final = Path(__file__).parents[2]
RELEASED: Final = ROOT / "docs" / "openapi.released.yaml"
PRESENT: Final = ROOT / "openapi.yaml"


def read(path: Path) -> dict[str, Any]:
    """Return a document from a file of YAML."""
    document: dict[str, Any] = yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)
    return document


def main(paths: list[str]) -> int:
    """Compare two files and return the exit status."""
    old, new = (read(Path(path)) for path in paths or (RELEASED, PRESENT))
    broken = breaking_changes(old, new)
    for name in additions(old, new):
        _say(f"new       {name}")
    for each in broken:
        _say(f"breaking  {each}")
    versions = f"{old['info']['version']} to {new['info']['version']}"
    _say(f"{versions}: {len(broken)} breaking changes")
    return 1 if broken else 0


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
