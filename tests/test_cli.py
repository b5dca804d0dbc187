"""The command line: what each command says, and how it ends where it cannot do what it should."""

import os
import pkgutil
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
import yaml
from click import Context
from click.testing import CliRunner, Result
from redis import Redis

from service.api.factory import all_operations
from service.api.spec import as_yaml
from service.cli.main import main
from service.rules.ruleset import choose_rules
from service.settings import variables
from service.store.embedded import EmbeddedUnavailable, EmbeddedValkey
from service.store.redis_store import RedisGameStore
from tests.conftest import Tally
from tests.games import playing
from tests.servers import StoreServer, client_of

ROOT = Path(__file__).parents[1]
PASSWORD = "hunter2-and-more-of-it"
KEY = "a key that is longer than thirty-two characters"


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for variable in variables().values():
        monkeypatch.delenv(variable.name, raising=False)
    monkeypatch.setenv("DATA_DIR", str(tmp_path / "games"))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StoreServer]:
    running = StoreServer(tmp_path_factory.mktemp("store")).start()
    yield running
    running.close()


def run(*arguments: str, **environ: str) -> Result:
    return CliRunner().invoke(main, arguments, env=environ)


def test_help_names_every_command() -> None:
    said = run("--help").output
    commands = said.partition("Commands:\n")[2]
    names = ["audit", "check-config", "openapi", "serve"]
    assert re.findall(r"^  (\S+)  ", commands, re.MULTILINE) == names
    assert "..." not in commands


def test_the_command_is_installed_with_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    [entry] = project["scripts"].values()
    assert pkgutil.resolve_name(entry) is main
    guide = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    assert all(f"`{name}" in guide for name in main.list_commands(Context(main)))


def test_an_unknown_command_is_refused() -> None:
    ended = run("deal")
    assert ended.exit_code == 2
    assert "No such command 'deal'" in ended.stderr


def test_a_start_loads_no_more_than_it_needs() -> None:
    # gunicorn replaces this process, and forks its workers before gevent has patched anything.
    heavy = "{'redis', 'flask', 'rich', 'gevent', 'apispec'} & set(sys.modules)"
    code = f"import sys, service.cli.main; sys.exit(str({heavy}) if {heavy} else 0)"
    ended = subprocess.run([sys.executable, "-c", code], env=os.environ, check=False, timeout=60)
    assert ended.returncode == 0


class Became(Exception):
    """The process would have been replaced."""


@pytest.mark.parametrize("arguments", [(), ("serve",)])
def test_serve_becomes_gunicorn(
    monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    def become(path: str, command: list[str]) -> None:
        raise Became(path, *command)

    monkeypatch.setattr(os, "execv", become)
    replaced = run(*arguments).exception
    assert isinstance(replaced, Became)
    program, *command, config, app = replaced.args
    assert (program, command) == (sys.executable, [sys.executable, "-m", "gunicorn", "-c"])
    assert Path(config).is_file()
    assert app == "service.wsgi:app"


@pytest.mark.parametrize("command", ["serve", "check-config", "audit --all"])
def test_a_wrong_setting_is_a_sentence_and_status_1(command: str) -> None:
    ended = run(*command.split(), PORT="eighty", SECRET_KEY="short-and-secret")
    assert ended.exit_code == 1
    assert ended.stderr == (
        "SECRET_KEY has 16 characters (not shown); it takes at least 32 characters that nobody "
        "can guess.\nPORT is 'eighty'; it takes a whole number from 0 to 65535.\n"
    )


def test_check_config_names_every_setting_and_no_secret(server: StoreServer) -> None:
    url = f"{server.url}?client_name=table"
    ended = run("check-config", REDIS_URL=url, SECRET_KEY=KEY, SECRET_KEY_PREVIOUS=KEY[::-1])
    assert ended.exit_code == 0, ended.output
    shown = {line.split()[0]: line for line in ended.stdout.splitlines()}
    for variable in variables().values():
        assert variable.meaning in shown[variable.name]
    for secret in (KEY, KEY[::-1], url):
        assert secret not in ended.output
    assert shown["SECRET_KEY"].split()[1:4] == ["(not", "shown)", "environment"]
    assert shown["PORT"].split()[1:3] == ["8000", "default"]
    assert ended.stdout.endswith("OK: the Redis that REDIS_URL names takes games.\n")


def test_check_config_finds_a_redis_that_does_not_answer(tmp_path: Path) -> None:
    url = f"unix://{tmp_path}/nobody.sock?password={PASSWORD}"
    ended = run("check-config", REDIS_URL=url)
    assert ended.exit_code == 1
    assert ended.stderr.startswith("REDIS_URL names a Redis that does not take games: ")
    assert PASSWORD not in ended.output


def test_check_config_without_a_redis_needs_a_valkey(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = run("check-config")
    assert ended.exit_code == 0
    assert "OK: a private Valkey will keep the games in " in ended.stdout

    def missing() -> Path:
        raise EmbeddedUnavailable("There is none; set REDIS_URL.")

    monkeypatch.setattr("service.cli.check_config.find_binary", missing)
    ended = run("check-config")
    assert (ended.exit_code, ended.stderr) == (1, "There is none; set REDIS_URL.\n")


def test_openapi_goes_to_standard_output() -> None:
    ended = run("openapi")
    assert (ended.exit_code, ended.stderr) == (0, "")
    assert ended.stdout == as_yaml(all_operations())


def test_openapi_goes_to_a_file(tmp_path: Path) -> None:
    file = tmp_path / "contract.yaml"
    ended = run("openapi", str(file))
    assert ended.exit_code == 0
    assert ended.stderr == f"Wrote {len(all_operations())} operations to {file}.\n"
    assert yaml.safe_load(file.read_text())["openapi"] == "3.1.0"


def test_openapi_that_cannot_be_written_ends_with_1(tmp_path: Path) -> None:
    ended = run("openapi", str(tmp_path / "nowhere" / "contract.yaml"))
    assert ended.exit_code == 1
    assert "cannot be written (No such file or directory)" in ended.stderr


@dataclass
class Stored:
    """A finished game as Redis keeps it, to be spoilt behind the service's back."""

    url: str
    game_id: str
    redis: Redis

    @property
    def key(self) -> str:
        return f"okg:{{{self.game_id}}}"

    def rewrite_round(self, change: Callable[[dict[str, Any]], object]) -> None:
        kept = self.redis.hget(f"{self.key}:rounds", "1")
        record = msgspec.json.decode(kept)  # type: ignore[arg-type]
        change(record)
        self.redis.hset(f"{self.key}:rounds", "1", msgspec.json.encode(record))

    def rewrite_snapshot(self, change: Callable[[dict[str, Any]], object]) -> None:
        kept = msgspec.msgpack.decode(self.redis.hget(self.key, "snap"))  # type: ignore[arg-type]
        change(kept)
        self.redis.hset(self.key, "snap", msgspec.msgpack.encode(kept))

    def audit(self, *arguments: str, **environ: str) -> Result:
        return run("audit", *(arguments or (self.game_id,)), REDIS_URL=self.url, **environ)


def store_games(url: str, count: int = 1) -> list[str]:
    """Play games out and store them commit by commit, as the service does."""
    store = RedisGameStore(url, timeout_seconds=2, pool_size=1)
    ids = []
    for seed in range(count):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(playing, "CREATE_KEY", f"the creation key {seed:03}")
            table = playing.Table(seed, rules=choose_rules("oklahoma", {"target_score": 60}))
        table.play_out(Random(seed))
        for commit in table.store.commits:
            store.commit(commit)
        ids.append(table.game_id)
    store.check()
    store.close()
    return ids


@pytest.fixture
def stored(server: StoreServer) -> Iterator[Stored]:
    with client_of(server.url) as redis:
        redis.flushall()
        [game_id] = store_games(server.url)
        yield Stored(server.url, game_id, redis)


def everything(redis: Redis) -> dict[object, object]:
    return {key: redis.dump(key) for key in redis.keys("*")}


def test_a_sound_game_passes_and_is_left_as_it_was(stored: Stored) -> None:
    before = everything(stored.redis)
    ended = stored.audit()
    assert ended.exit_code == 0, ended.output
    assert re.fullmatch(
        r"Audited 1 game, \d+ finished rounds, \d+ moves: all as recorded\.\n", ended.stdout
    )
    assert everything(stored.redis) == before


def a_changed_card(stored: Stored) -> str:
    def change(record: dict[str, Any]) -> None:
        drawn = next(each for each in record["moves"] if each["event"]["type"] == "drew")
        drawn["event"]["card"] = (drawn["event"]["card"] + 1) % 52

    stored.rewrite_round(change)
    return "round 1, version "


def a_stacked_deck(stored: Stored) -> str:
    stored.rewrite_round(lambda record: record["deck"].reverse())
    return "round 1, deck: [0]: "


def a_missing_event(stored: Stored) -> str:
    stored.rewrite_round(lambda record: record["moves"].pop(5))
    return "round 1: version "


def a_missing_entry(stored: Stored) -> str:
    version = int(str(stored.redis.hget(stored.key, "rev"), "ascii").partition("-")[0])  # type: ignore[arg-type]
    stored.redis.xdel(f"{stored.key}:events", f"{version - 1}-0")
    return f"the log: version {version - 1} is missing"


def a_wrong_total(stored: Stored) -> str:
    stored.rewrite_snapshot(lambda snapshot: snapshot["totals"].reverse())
    return "the snapshot: totals[0]: "


def a_wrong_score_sheet(stored: Stored) -> str:
    kept = msgspec.json.decode(stored.redis.lindex(f"{stored.key}:results", 0))  # type: ignore[arg-type]
    kept["totals"][0] += 1
    stored.redis.lset(f"{stored.key}:results", 0, msgspec.json.encode(kept).decode())
    return "round 1, result on the score sheet: totals[0]: "


def a_newer_format(stored: Stored) -> str:
    stored.rewrite_snapshot(lambda snapshot: snapshot.update(schema=99))
    return "The snapshot has format 99"


FAULTS = (
    *(a_changed_card, a_stacked_deck, a_missing_event, a_missing_entry),
    *(a_wrong_total, a_wrong_score_sheet, a_newer_format),
)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
@pytest.mark.parametrize("every", [False, True])
def test_a_planted_fault_ends_the_audit_with_1(
    stored: Stored, fault: Callable[[Stored], str], every: bool, tally: Tally
) -> None:
    due = fault(stored)
    ended = stored.audit(*(["--all"] if every else []))
    assert ended.exit_code == 1
    [told] = ended.stdout.splitlines()
    assert told.startswith(f"{stored.game_id}: {due}")
    assert ": 1 not as recorded." in ended.stderr
    tally(faults_found=1)


def test_all_games_are_found_and_the_bar_is_for_a_terminal(stored: Stored) -> None:
    store_games(stored.url, 4)  # one of them is stored already
    quiet, shown = stored.audit("--all"), stored.audit("--all", TTY_COMPATIBLE="1")
    assert quiet.stdout.startswith("Audited 4 games, ")
    assert quiet.stdout == shown.stdout
    assert quiet.stderr == ""
    assert "Auditing" in shown.stderr


def test_a_game_that_is_not_there_ends_with_1(stored: Stored) -> None:
    ended = stored.audit("n" * 22)
    assert ended.exit_code == 1
    assert ended.stderr.startswith(f"There is no game {'n' * 22}. ")


@pytest.mark.parametrize("arguments", [(), ("a-game", "--all")])
def test_one_game_or_all_have_to_be_named(arguments: tuple[str, ...]) -> None:
    ended = run("audit", *arguments)
    assert ended.exit_code == 2
    assert "Name one game by its id, or pass --all" in ended.stderr


def test_a_redis_that_does_not_answer_stops_the_audit(tmp_path: Path) -> None:
    ended = run("audit", "--all", REDIS_URL=f"unix://{tmp_path}/nobody.sock")
    assert ended.exit_code == 1
    assert ended.stderr.startswith("The audit stopped after 0 games: ")


def test_the_games_of_a_private_valkey_are_audited_while_it_is_stopped(tmp_path: Path) -> None:
    directory = tmp_path / "games"
    with EmbeddedValkey.start(directory) as valkey:
        store_games(valkey.url)
        busy = run("audit", "--all")
        assert busy.exit_code == 1
        assert "Another service keeps its games in" in busy.stderr
    ended = run("audit", "--all")
    assert ended.exit_code == 0, ended.output
    assert ended.stdout.startswith("Audited 1 game, ")


def test_without_any_games_there_is_nothing_to_audit(tmp_path: Path) -> None:
    ended = run("audit", "--all")
    assert ended.exit_code == 1
    assert "REDIS_URL is not set and no games are kept in" in ended.stderr
    assert not (tmp_path / "games").exists(), "an audit writes nothing"
