"""``oklahoma-gin-service``, and ``python -m service``: the commands of an operator."""

import os
import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Final

import click

from service.cli.told import settings_or_exit

# A command is loaded when it is asked for: what the others stand on would slow each start.
_LATER: Final[Mapping[str, str]] = {
    "audit": "service.cli.audit",
    "check-config": "service.cli.check_config",
    "openapi": "service.cli.openapi",
}


class _Commands(click.Group):
    """The commands here, and those that are loaded when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *_LATER})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _LATER:
            return super().get_command(ctx, cmd_name)
        command: click.Command = import_module(_LATER[cmd_name]).command
        return command


@click.group(
    cls=_Commands, invoke_without_command=True, context_settings={"max_content_width": 100}
)
@click.version_option(package_name="oklahoma-gin-service", message="%(version)s")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Referee Gin Rummy and Oklahoma Gin over HTTP.

    Settings are variables of the environment; `check-config` names each of them. Without a command,
    serve.
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(serve)


@main.command()
def serve() -> None:
    """Serve until told to stop."""
    # gunicorn reads WEB_CONCURRENCY before its configuration, and answers a wrong one with a trace.
    settings_or_exit()
    config = Path(__file__).parents[1] / "gunicorn.conf.py"
    command = [sys.executable, "-m", "gunicorn", "-c", str(config), "service.wsgi:app"]
    os.execv(sys.executable, command)  # noqa: S606
