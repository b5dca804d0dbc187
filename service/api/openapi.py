"""``python -m service.api.openapi [FILE]`` writes the contract, without a file to stdout."""

import sys
from pathlib import Path

from service.api.factory import all_operations
from service.api.spec import as_yaml


def write(arguments: list[str]) -> None:
    """Write the contract to the file named, or to standard output."""
    text = as_yaml(all_operations())
    if arguments:
        Path(arguments[0]).write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    write(sys.argv[1:])
