import os
import re
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import MISSING, Field, fields
from pathlib import Path
from typing import Any

import pytest

from service.settings import Settings, SettingsError, variables

KEY = "k" * 32


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for variable in variables().values():
        monkeypatch.delenv(variable.name, raising=False)
    monkeypatch.setenv("DATA_DIR", str(tmp_path))


def test_without_variables_the_documented_defaults_hold(tmp_path: Path) -> None:
    kept = (Settings.from_env().secret_key, tmp_path)
    assert Settings.from_env() == Settings(secret_key=kept[0], data_dir=kept[1])


def test_every_field_has_a_variable_with_a_meaning() -> None:
    assert list(variables()) == [field.name for field in fields(Settings)]
    assert all(variable.meaning.endswith(".") for variable in variables().values())
    assert len({variable.name for variable in variables().values()}) == len(variables())


def test_values_are_read_in_their_types(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name, value in {
        "REDIS_URL": "redis://localhost:6380/2",
        "REDIS_TIMEOUT": "0.5",
        "SECRET_KEY": KEY,
        "SECRET_KEY_PREVIOUS": KEY[::-1],
        "PORT": "0",
        "SANDBOX": "1",
        "WAITING_GAME_HOURS": "2",
        "PLAYING_GAME_DAYS": "3",
        "FINISHED_GAME_DAYS": "4",
    }.items():
        monkeypatch.setenv(name, value)
    settings = Settings.from_env()
    assert settings.redis_url == "redis://localhost:6380/2"
    assert (settings.redis_timeout, settings.port, settings.sandbox) == (0.5, 0, True)
    assert (settings.waiting_life, settings.playing_life) == (7_200, 259_200)
    assert settings.finished_life == 345_600
    assert not (tmp_path / "secret_key").exists()


def test_an_empty_variable_counts_as_absent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDIS_URL", "")
    monkeypatch.setenv("PORT", "")
    settings = Settings.from_env()
    assert (settings.redis_url, settings.port) == (None, 8000)


@pytest.mark.parametrize(
    "name, value, takes",
    [
        ("PORT", "65536", "a whole number from 0 to 65535"),
        ("PORT", "80.5", "a whole number from 0 to 65535"),
        ("WEB_CONCURRENCY", "two", "a whole number from 1 to 256"),
        ("WEB_CONCURRENCY", "9" * 5_000, "a whole number from 1 to 256"),
        ("REDIS_TIMEOUT", "nan", "a number of seconds from 0.05 to 2.0"),
        ("REDIS_TIMEOUT", "60", "a number of seconds from 0.05 to 2.0"),
        ("SANDBOX", "maybe", "1, true, yes, on, 0, false, no or off, in lower case"),
        ("HOST", "999.1.1.1", "an IP address of this machine, or a name that stands for one"),
        ("HOST", "nohost.invalid", "an IP address of this machine, or a name that stands for one"),
        ("HOST", "[::1]", "an IP address of this machine, or a name that stands for one"),
        ("LOG_LEVEL", "loud", "debug, info, warning, error or critical"),
    ],
)
def test_a_wrong_value_is_named_with_what_it_takes(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, takes: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as refused:
        Settings.from_env()
    assert str(refused.value) == f"{name} is {value!r}; it takes {takes}."


@pytest.mark.parametrize(
    "name, value",
    [
        ("SECRET_KEY", "hunter2"),
        ("SECRET_KEY_PREVIOUS", "hunter2"),
        ("REDIS_URL", "http://u:hunter2@h"),
    ],
)
def test_a_wrong_secret_is_named_but_not_shown(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as refused:
        Settings.from_env()
    assert str(refused.value).startswith(
        f"{name} has {len(value)} characters (not shown); it takes"
    )
    assert "hunter2" not in str(refused.value)


def test_the_page_of_the_settings_names_each_as_it_is() -> None:
    page = (Path(__file__).parents[1] / "docs" / "operating.md").read_text(encoding="utf-8")
    rows = [
        tuple(cell.strip() for cell in line.strip("|").split("|"))
        for line in page.partition("\n## The log\n")[0].splitlines()
        if line.startswith("| `")
    ]
    told = variables()
    assert rows == [
        (f"`{it.name}`", it.takes.words, default_of(each), it.meaning)
        for each, it in ((each, told[each.name]) for each in fields(Settings))
    ]


def test_every_setting_that_a_page_names_is_one() -> None:
    root = Path(__file__).parents[1]
    pages = [root / "README.md", root / "CONTRIBUTING.md", *(root / "docs").rglob("*.md")]
    named = re.compile(r"`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?`")
    known = {variable.name for variable in variables().values()} | {"TEST_REDIS_SERVER"}
    found = [(page.name, name) for page in pages for name in named.findall(page.read_text("utf-8"))]
    assert len(found) > 20
    assert [(page, name) for page, name in found if name not in known] == []


def default_of(each: "Field[Any]") -> str:
    if each.default is MISSING or each.default in (None, ""):
        return ""
    default = int(each.default) if isinstance(each.default, bool) else each.default
    return f"`{default}`"


def test_figures_and_players_have_ports_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METRICS_PORT", "9000")
    assert Settings.from_env().metrics_port == 9_000
    monkeypatch.setenv("PORT", "9000")
    with pytest.raises(SettingsError, match="METRICS_PORT is 9000, and so is PORT; give it an"):
        Settings.from_env()


def test_all_faults_are_named_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PORT", "SANDBOX", "SECRET_KEY"):
        monkeypatch.setenv(name, "?")
    with pytest.raises(SettingsError) as refused:
        Settings.from_env()
    assert {line.split()[0] for line in str(refused.value).splitlines()} == {
        "PORT",
        "SANDBOX",
        "SECRET_KEY",
    }


def test_secrets_stay_out_of_the_repr(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDIS_URL", "redis://:hunter2@h")
    settings = Settings.from_env()
    assert "hunter2" not in repr(settings)
    assert settings.secret_key not in repr(settings)


def test_the_kept_key_is_private_and_stays(tmp_path: Path) -> None:
    first = Settings.from_env().secret_key
    path = tmp_path / "secret_key"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert len(first) >= 32
    assert Settings.from_env().secret_key == first
    assert [each.name for each in tmp_path.iterdir()] == ["secret_key"]


def test_all_who_start_at_once_keep_one_key() -> None:
    with ThreadPoolExecutor(8) as together:
        keys = {each.secret_key for each in together.map(lambda _: Settings.from_env(), range(32))}
    assert len(keys) == 1


def test_a_kept_key_that_was_cut_is_refused(tmp_path: Path) -> None:
    (tmp_path / "secret_key").write_text("short", encoding="ascii")
    with pytest.raises(SettingsError, match="has 5 characters; it takes at least 32"):
        Settings.from_env()


def test_a_directory_that_cannot_hold_the_key_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("DATA_DIR", str(tmp_path / "file"))
    with pytest.raises(SettingsError, match=r"SECRET_KEY is not set and .* set SECRET_KEY to"):
        Settings.from_env()


@pytest.mark.parametrize(
    "command",
    [
        ["-m", "service"],
        ["-m", "gunicorn", "-c", "service/gunicorn.conf.py", "service.wsgi:app"],
    ],
    ids=["service", "gunicorn"],
)
def test_a_wrong_value_stops_the_start_with_its_sentence(command: list[str]) -> None:
    ended = subprocess.run(
        [sys.executable, *command],
        env=os.environ | {"PORT": "eighty"},
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert ended.returncode == 1
    assert ended.stderr == "PORT is 'eighty'; it takes a whole number from 0 to 65535.\n"


@pytest.mark.parametrize(
    "name, value",
    [
        ("CORS_ORIGINS", "table.example"),
        ("CORS_ORIGINS", "https://table.example/page"),
        ("CORS_ORIGINS", "https://table.example,"),
        ("RATE_LIMIT_SEATS", "twenty"),
        ("RATE_LIMIT_SEATS", "0/minute"),
        ("RATE_LIMIT_REQUESTS", "600"),
        ("PROXY_COUNT", "11"),
    ],
)
def test_what_is_no_origin_and_no_rate_is_refused(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError, match=name):
        Settings.from_env()


def test_origins_are_listed_with_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CORS_ORIGINS", "https://table.example, http://localhost:5173")
    origins = {"https://table.example", "http://localhost:5173"}
    assert Settings.from_env().origins == origins
    monkeypatch.setenv("CORS_ORIGINS", "*")
    assert Settings.from_env().origins == {"*"}
    monkeypatch.delenv("CORS_ORIGINS")
    assert Settings.from_env().origins == frozenset()
