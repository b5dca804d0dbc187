"""``python clients/generated/make.py``: makes four SDKs from openapi.yaml, checks their types and
plays a game with each against the service.

The exit status is 1 if a generator warns of what matters, a type is wrong or a game goes wrong.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.e2e.service import Service

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parents[1]
MADE: Final = HERE / "made"
CONTRACT: Final = ROOT / "openapi.yaml"
BIN: Final = Path(sys.executable).parent
NPM: Final = HERE / "node_modules" / ".bin"

# openapi-generator calls its support of 3.1 young and names objects without fields;
# openapi-python-client leaves out the contract as YAML, and says on one more line that it did.
HARMLESS: Final = (
    "OpenAPI 3.1 support",
    "Failed to get the schema name: null",
    "Default to typing.Any",
    "WARNING parsing GET /openapi.yaml within docs",
    "Warning(s) encountered while generating",
)

Command = Sequence[str | Path]


@dataclass(frozen=True, slots=True)
class Sdk:
    """How an SDK is made, how its types are checked, and what plays with it."""

    name: str
    make: Command
    check: tuple[Command, ...]
    play: Command


def _python(name: str, package: str, make: Command) -> Sdk:
    script = HERE / f"play_{name}.py"
    strict = ("--strict", "--follow-imports=silent", "--config-file=")
    return Sdk(
        name,
        make,
        (
            (BIN / "mypy", "--config-file=", MADE / name / package),
            (BIN / "mypy", *strict, script),
        ),
        (sys.executable, script),
    )


def _typescript(name: str, make: Command) -> Sdk:
    check = ((NPM / "tsc", "--project", HERE),)
    return Sdk(name, make, check, ("node", MADE / "js" / f"play_{name}.js"))


SDKS: Final = (
    _python(
        "openapi_generator",
        "openapi_generator_sdk",
        (
            *(BIN / "openapi-generator-cli", "generate", "-g", "python", "-i", CONTRACT),
            *("-o", MADE / "openapi_generator", "--package-name", "openapi_generator_sdk"),
            "--global-property=apiTests=false,modelTests=false,apiDocs=false,modelDocs=false",
        ),
    ),
    _python(
        "openapi_python_client",
        "openapi_python_client_sdk",
        (
            *(BIN / "openapi-python-client", "generate", "--path", CONTRACT, "--meta", "none"),
            *("--output-path", MADE / "openapi_python_client" / "openapi_python_client_sdk"),
        ),
    ),
    _typescript(
        "openapi_fetch",
        (
            *(NPM / "openapi-typescript", CONTRACT, "--default-non-nullable", "false"),
            *("--output", MADE / "openapi_fetch" / "contract.ts"),
        ),
    ),
    _typescript(
        "hey_api",
        (NPM / "openapi-ts", "-i", CONTRACT, "-o", MADE / "hey_api", "-c", "@hey-api/client-fetch"),
    ),
)


def main() -> int:
    """Make, check and play with every SDK; return the exit status."""
    shutil.rmtree(MADE, ignore_errors=True)
    for sdk in SDKS:
        (MADE / sdk.name).mkdir(parents=True)
        if warnings := _warnings(_run(sdk.make)):
            sys.exit(f"{sdk.name} warns:\n" + "\n".join(warnings))
        _say(f"{sdk.name:<24}made without warnings that matter")
    for command in dict.fromkeys(command for sdk in SDKS for command in sdk.check):
        _run(command)
    _say("All types hold.")
    with tempfile.TemporaryDirectory() as directory, Service(Path(directory)) as service:
        met = [_met(sdk, service.url) for sdk in SDKS]
    return 0 if all(met) else 1


def _met(sdk: Sdk, url: str) -> bool:
    """Play a game and return whether all that had to be met was."""
    told = json.loads(_run((*sdk.play, url)))
    _say(f"{sdk.name:<24}{json.dumps(told)}")
    return (
        told["refused"] == "not_your_turn"
        and told["stale"] == "stale_version"
        and told["replayed"] == "true"
        and told["events"] == [3, 4, 5, 6, 7]
        and told["winner"] in (0, 1)
    )


def _warnings(said: str) -> list[str]:
    return [
        line
        for line in said.splitlines()
        if "warn" in line.lower() and not any(harmless in line for harmless in HARMLESS)
    ]


def _run(command: Command) -> str:
    """Return what a command said, or end the program with it where the command fails."""
    paths = os.pathsep.join(str(MADE / sdk.name) for sdk in SDKS[:2])
    done = subprocess.run(
        [str(part) for part in command],
        cwd=HERE,
        env={**os.environ, "PYTHONPATH": paths, "MYPYPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{command[0]} failed:\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    return done.stdout + done.stderr


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    sys.exit(main())
