"""``crdkit migrate``: write objects anew on a server that runs, so that they stand in their storage version."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from crdkit.meta.types import JsonObject
    from crdkit.remote.client import Client


@click.command(short_help="Store objects of a server in one version alone.")
@click.argument("names", nargs=-1, metavar="[DEFINITION...]")
@click.option("--kubeconfig", type=click.Path(dir_okay=False, path_type=Path), help="How to reach the server [default: as kubectl does].")
@click.option("--context", help="The kubeconfig's context to use.")
@click.option("--dry-run", is_flag=True, help="Only tell which definitions have objects to migrate.")
def migrate(*, names: tuple[str, ...], kubeconfig: Path | None, context: str | None, dry_run: bool) -> None:
    """Write custom objects anew, so that they are stored in the storage version of their definition alone.

    DEFINITIONs are named in full (crontabs.stable.example.com); by default all are looked after whose objects may be stored in several
    versions. After that a version can be taken out of the definition. Works on any Kubernetes server.

    Exits with 0 if all is done, 1 while something is still to be written, 2 if the server could not be asked.
    """
    from crdkit.cli import reporting  # noqa: PLC0415 (--help loads nothing)
    from crdkit.remote import migration  # noqa: PLC0415
    from crdkit.remote.client import Client, Refused, Unreachable  # noqa: PLC0415
    from crdkit.remote.kubeconfig import NoAccess, access, default_paths  # noqa: PLC0415

    try:
        with contextlib.closing(Client(access([kubeconfig] if kubeconfig else default_paths(), context))) as client:
            found = migration.definitions(client, names)
            if not found:
                click.echo("nothing to migrate")
            failed = [definition for definition in found if not _migrate(client, definition, dry_run=dry_run)]
    except (NoAccess, Refused, Unreachable) as error:
        reporting.fail(str(error))
    sys.exit(1 if failed else 0)


def _migrate(client: Client, definition: JsonObject, *, dry_run: bool) -> bool:
    """Migrate the objects of a definition, or tell that this is to be done; whether nothing is left to do."""
    from crdkit.cli import reporting  # noqa: PLC0415
    from crdkit.offline.reports import counted  # noqa: PLC0415
    from crdkit.remote import migration  # noqa: PLC0415
    from crdkit.remote.client import Refused  # noqa: PLC0415

    name = definition["metadata"]["name"]
    with reporting.progress() as shown:
        shown.begin(f"Looking for {name}")
        try:
            objects = migration.scan(client, definition, shown.advance)
        except Refused as refused:
            click.echo(f"{name}: {refused}", err=True)
            return False
        if dry_run:
            stored = ", ".join(definition["status"]["storedVersions"])
            wanted = migration.storage_version(definition)
            click.echo(f"{name}: {counted(len(objects), 'object')}, stored as {stored}, to be stored as {wanted}")
            return not (objects and migration.needs_migration(definition))
        shown.begin(f"Migrating {name}", len(objects))
        outcome = migration.migrate(client, definition, objects, shown.advance)
    for failure in outcome.failures:
        click.echo(f"{name}: {failure}", err=True)
    meanwhile = f", {outcome.changed_meanwhile} changed meanwhile" if outcome.changed_meanwhile else ""
    stored = f"; stored as {outcome.stored} alone" if outcome.stored else ""
    click.echo(f"{name}: {counted(outcome.written, 'object')} written{meanwhile}{stored}")
    return not outcome.failures
