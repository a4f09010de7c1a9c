"""The command ``crdkit``: which commands there are. A command's own module is loaded when it is called."""

from __future__ import annotations

import importlib
from typing import Final

import click

COMMANDS: Final = {
    "backup": "crdkit.cli.backup",
    "cel": "crdkit.cli.cel",
    "convert": "crdkit.cli.convert",
    "cost": "crdkit.cli.cost",
    "lint": "crdkit.cli.lint",
    "migrate": "crdkit.cli.migrate",
    "restore": "crdkit.cli.restore",
    "serve": "crdkit.cli.serve",
    "upgrade": "crdkit.cli.upgrade",
    "validate": "crdkit.cli.validate",
    "versions": "crdkit.cli.versions",
}


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        module = COMMANDS.get(cmd_name)
        if module is None:
            return None
        command: click.Command = getattr(importlib.import_module(module), cmd_name)
        return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="crdkit")
def main() -> None:
    """The Kubernetes API server for CustomResourceDefinitions."""
