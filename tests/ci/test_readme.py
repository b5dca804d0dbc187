"""The README's game of curl, as it stands there."""

import subprocess

from tests.e2e.service import ROOT, Service


def readme_lines() -> str:
    """Return the README's game of curl, as a script."""
    readme = (ROOT / "README.md").read_text()
    section = readme.split("### With curl", 1)[1]
    return section.split("```sh", 1)[1].split("```", 1)[0]


def test_the_curl_lines_of_the_readme_work(service: Service) -> None:
    script = readme_lines().replace("http://127.0.0.1:8000", service.url)
    ended = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert '"phase":"discard"' in ended.stdout
