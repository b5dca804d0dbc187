"""What the commands have in common: the settings, and how they end when something is wrong."""

import sys
from typing import NoReturn

import click

from service.settings import Settings, SettingsError


def settings_or_exit(*, keeps_key: bool = True) -> Settings:
    """Return the settings; a wrong one ends the command with a sentence and status 1."""
    try:
        return Settings.from_env(keeps_key=keeps_key)
    except SettingsError as wrong:
        fail(str(wrong))


def fail(sentence: str) -> NoReturn:
    """End the command with a sentence and status 1."""
    click.echo(sentence, err=True)
    sys.exit(1)
