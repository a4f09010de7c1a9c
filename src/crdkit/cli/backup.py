"""``crdkit backup``: all objects in one file, while they are served."""

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


@click.command(short_help="Write all objects to a file, while they are served.")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@options.data_dir
@etcd_options
@options.kube_version
def backup(*, file: Path, data_dir: Path | None, etcd: EtcdSettings | None, kube_version: KubeVersion) -> None:
    """Write all objects to FILE, in the state of one moment; the server goes on meanwhile.

    The store is the one in the data directory, or an etcd. Tokens and certificates are not part of it.
    """
    from crdkit.storage.backup import back_up_directory  # noqa: PLC0415 (--help loads no store)
    from crdkit.storage.errors import StorageError  # noqa: PLC0415

    try:
        count = asyncio.run(_back_up_etcd(etcd, file, kube_version)) if etcd else back_up_directory(options.store_directory(data_dir), file)
    except StorageError as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"{count} objects are in {file}.")


async def _back_up_etcd(etcd: EtcdSettings, file: Path, kube: KubeVersion) -> int:
    from crdkit.server.stores import visited  # noqa: PLC0415
    from crdkit.storage.backup import back_up  # noqa: PLC0415

    async with visited(etcd, kube) as driver:
        return await back_up(driver, file)
