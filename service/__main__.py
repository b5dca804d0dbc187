"""``python -m service``: checks the settings, then becomes gunicorn."""

import os
import sys
from pathlib import Path
from typing import NoReturn

from service.settings import Settings, SettingsError


def main() -> NoReturn:
    """Serves until told to stop; a wrong setting ends it with a sentence and status 1."""
    # gunicorn reads WEB_CONCURRENCY before its configuration, and answers a wrong one with a trace.
    try:
        Settings.from_env()
    except SettingsError as wrong:
        sys.exit(str(wrong))
    config = Path(__file__).with_name("gunicorn.conf.py")
    command = [sys.executable, "-m", "gunicorn", "-c", str(config), "service.wsgi:app"]
    os.execv(sys.executable, command)  # noqa: S606


if __name__ == "__main__":
    main()
