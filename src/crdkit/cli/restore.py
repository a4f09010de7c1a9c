"""``crdkit restore``: a backup's objects put into a store."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import click

from crdkit.cli import options
from crdkit.cli.etcd import etcd_options

if TYPE_CHECKING:
    from crdkit.meta.version import KubeVersion
    from crdkit.storage.etcd.settings import EtcdSettings


@click.command(short_help="Make a store hold what a backup holds.")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@options.data_dir
@etcd_options
@options.kube_version
@click.option("--replace", is_flag=True, help="Let the objects go that are there.")
def restore(*, file: Path, data_dir: Path | None, etcd: EtcdSettings | None, kube_version: KubeVersion, replace: bool) -> None:
    """Make a store hold exactly the objects of FILE, which `crdkit backup` wrote, from this or from another store.

    A data directory must not be in use; an etcd may be, and its servers tell their clients of every change. What clients know of
    earlier revisions is out of date afterwards: they list again.
    """
    from crdkit.storage.backup import NotEmpty, restore_directory  # noqa: PLC0415 (--help loads no store)
    from crdkit.storage.errors import StorageError  # noqa: PLC0415

    try:
        if etcd:
            count = asyncio.run(_restore_etcd(file, etcd, kube_version, replace=replace))
        else:
            count = restore_directory(file, options.store_directory(data_dir), replace=replace)
    except NotEmpty as error:
        msg = f"{error}: --replace lets them go"
        raise click.ClickException(msg) from error
    except StorageError as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"{count} objects are restored.")


async def _restore_etcd(file: Path, etcd: EtcdSettings, kube: KubeVersion, *, replace: bool) -> int:
    from crdkit.server.stores import visited  # noqa: PLC0415
    from crdkit.storage.backup import restore  # noqa: PLC0415

    async with visited(etcd, kube) as driver:
        return await restore(file, driver, replace=replace)
