"""``crdkit versions``: who still asks for which version of a definition."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from crdkit.server.askers import Asker

HEAD: Final = ("VERSION", "REQUESTS", "LAST", "USER", "AGENT")


@click.command(short_help="Tell who still asks for which version.")
@click.argument("name", metavar="NAME")
@click.option(
    "--audit-log-path",
    "log",
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The log that `crdkit serve --audit-log-path` writes.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a list of JSON objects.")
def versions(*, name: str, log: Path, as_json: bool) -> None:
    """Tell who asked for which version of the definition NAME (crontabs.example.com), from an audit log.

    Exits with 2 if that is no audit log.
    """
    from crdkit.cli import reporting  # noqa: PLC0415
    from crdkit.meta import json  # noqa: PLC0415 (--help loads no server)
    from crdkit.server.askers import askers, lines_of  # noqa: PLC0415

    plural, dot, group = name.partition(".")
    if not dot:
        msg = f"{name} is no name of a definition: that is its plural and its group, as in crontabs.example.com"
        raise click.BadParameter(msg, param_hint="NAME")
    found, events, unread = askers(lines_of(log), group, plural)
    if not events:
        reporting.fail(f"{log} holds no audit events")
    if unread:
        click.echo(f"{log}: {unread} {'line' if unread == 1 else 'lines'} could not be read.", err=True)
    if as_json:
        click.echo(json.encode([asdict(one) for one in found]).decode())
    elif found:
        click.echo(_table(found))
    else:
        click.echo(f"{log} tells of nobody who asked for {name}.", err=True)


def _table(found: list[Asker]) -> str:
    rows = [HEAD, *((one.version, str(one.requests), one.last[:19], one.user or "-", one.agent or "-") for one in found)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEAD))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows)
