"""Builds the image of the Dockerfile with ``buildah``, over a base that ``debootstrap`` makes.

No image is pulled: a minimal Debian of the release that the Dockerfile names stands in for its
base, under the same name. It differs from the published one in what that leaves out, as manuals.
"""

import json
import os
import re
import shutil
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

ROOT = Path(__file__).parents[2]
DOCKERFILE = ROOT / "Dockerfile"
KEPT = ROOT / "build" / "image"
NAME = "localhost/oklahoma-gin:test"
BUILD_SECONDS = 900


@dataclass(frozen=True, slots=True)
class Image:
    """A built image: what it says of itself, its files in a directory, its layers' sizes in bytes.

    The first layer is the base.
    """

    config: dict[str, Any]
    files: Path
    layers: tuple[int, ...]


class Buildah:
    """``buildah`` with a storage of its own, which needs no mounts and goes with its directory."""

    def __init__(self, directory: Path) -> None:
        self._options = (
            *("--root", str(directory / "storage"), "--runroot", str(directory / "run")),
            *("--storage-driver", "vfs"),
        )

    def __call__(self, *arguments: str | Path) -> str:
        """Run one command and return what it prints."""
        return told("buildah", *self._options, *map(str, arguments))

    def import_base(self, name: str, archive: Path) -> None:
        """Make an image of one layer from the files in an archive."""
        container = self("from", "--pull-never", "scratch")
        self("add", "--quiet", container, archive, "/")
        self("commit", "--quiet", container, name)
        self("rm", container)

    def image(self, name: str) -> Image:
        """Return a built image, with its files laid out."""
        told = json.loads(self("inspect", "--type", "image", name))
        manifest = json.loads(told["Manifest"])
        files = Path(self("mount", self("from", "--pull-never", name)))
        layers = tuple(int(layer["size"]) for layer in manifest["layers"])
        return Image(told["Docker"]["config"], files, layers)


@dataclass(frozen=True, slots=True)
class Base:
    """The image that every stage of the Dockerfile begins from, and its Debian release."""

    name: str
    release: str

    @classmethod
    def named(cls) -> Self:
        """Return the one base that the Dockerfile names."""
        names = set(re.findall(r"^FROM (\S+)", DOCKERFILE.read_text(), re.MULTILINE))
        assert len(names) == 1, f"All stages begin from one base, and these are named: {names}"
        name = names.pop()
        found = re.fullmatch(r"docker\.io/library/debian:([a-z]+)-slim", name)
        assert found, f"{name} is no docker.io/library/debian:RELEASE-slim"
        return cls(name, found[1])

    def archive(self) -> Path:
        """Return its files in an archive, which is made once and kept."""
        archive = KEPT / f"{self.release}.tar"
        if not archive.exists():
            self._make(archive)
        return archive

    def _make(self, archive: Path) -> None:
        tree, draft = KEPT / self.release, archive.with_suffix(".draft")
        shutil.rmtree(tree, ignore_errors=True)
        tree.mkdir(parents=True)
        told("debootstrap", "--variant=minbase", self.release, str(tree))
        leave = ("./dev/*", "./proc/*", "./sys/*", "./var/cache/apt/archives/*")
        told("tar", "-C", str(tree), *(f"--exclude={it}" for it in leave), "-cf", str(draft), ".")
        shutil.rmtree(tree)
        draft.rename(archive)


@contextmanager
def built() -> Iterator[Image]:
    """Build the image, which takes a minute or two; its files go with the context."""
    assert os.geteuid() == 0, "Building an image takes root here: sudo make image-test"
    directory = KEPT / "build"
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    try:
        base, buildah = Base.named(), Buildah(directory)
        buildah.import_base(base.name, base.archive())
        buildah(
            *("build", "--isolation", "chroot", "--pull-never", "--format", "docker"),
            *("--layers=false", "--tag", NAME, *_pip_secrets(directory), "."),
        )
        yield buildah.image(NAME)
    finally:
        shutil.rmtree(directory)


def told(*command: str) -> str:
    """Run a command in the checkout and return what it prints; if it fails, tell all it said."""
    done = subprocess.run(
        command, check=False, cwd=ROOT, capture_output=True, text=True, timeout=BUILD_SECONDS
    )
    assert done.returncode == 0, f"{' '.join(command)}:\n{done.stdout}\n{done.stderr}"[-8_000:]
    return done.stdout.strip()


def _pip_secrets(directory: Path) -> Iterator[str]:
    """Tell the build's pip, and nobody later, the index and the authorities of this machine."""
    lines = ["[global]"]
    authorities = os.environ.get("PIP_CERT") or ssl.get_default_verify_paths().cafile
    if authorities:
        lines.append("cert = /run/secrets/ca.pem")
        yield from ("--secret", f"id=ca.pem,src={authorities}")
    if index := _index():
        lines.append(f"index-url = {index}")
    told_pip = directory / "pip.conf"
    told_pip.write_text("\n".join(lines) + "\n")
    yield from ("--secret", f"id=pip.conf,src={told_pip}")


def _index() -> str:
    if named := os.environ.get("PIP_INDEX_URL"):
        return named
    ask = [sys.executable, "-m", "pip", "config", "get", "global.index-url"]
    done = subprocess.run(ask, check=False, capture_output=True, text=True)
    return done.stdout.strip()
