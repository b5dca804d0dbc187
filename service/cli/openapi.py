"""``openapi``: the contract of this release."""

from pathlib import Path

import click

from service.api.factory import all_operations
from service.api.spec import as_yaml
from service.cli.told import fail


@click.command("openapi")
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
def command(file: Path | None) -> None:
    """Write the contract as YAML.

    It is OpenAPI 3.1, and goes to FILE or, without one, to standard output.
    """
    operations = all_operations()
    text = as_yaml(operations)
    if file is None:
        click.echo(text, nl=False)
        return
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        fail(f"{file} cannot be written ({error.strerror}); name a file in a directory that can.")
    click.echo(f"Wrote {len(operations)} operations to {file}.", err=True)
