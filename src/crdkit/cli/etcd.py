"""The options that tell where an etcd is, for every command that has to do with one."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import click

from crdkit.storage.etcd.settings import ROOT, BadEndpoint, Endpoint, EtcdSettings

_FILE: Final = click.Path(exists=True, dir_okay=False, path_type=Path)
_OPTIONS: Final = (
    click.option(
        "--etcd-endpoints", metavar="URL,URL", help="The etcd that objects are kept in: https://host:2379, or several of its members."
    ),
    click.option("--etcd-prefix", default=ROOT, show_default=True, help="Where objects stand in etcd."),
    click.option("--etcd-cafile", type=_FILE, help="Certificates of the authorities that etcd's is of."),
    click.option("--etcd-certfile", type=_FILE, help="This server's certificate for etcd."),
    click.option("--etcd-keyfile", type=_FILE, help="The key of that certificate."),
    click.option("--etcd-username", default="", help="The user of etcd to be, if it asks for one."),
    click.option("--etcd-password-file", type=_FILE, help="A file with that user's password."),
)


def etcd_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options, and their outcome as ``etcd``: None where no etcd is named."""

    @functools.wraps(command)
    def wrapper(
        *,
        etcd_endpoints: str | None,
        etcd_prefix: str,
        etcd_cafile: Path | None,
        etcd_certfile: Path | None,
        etcd_keyfile: Path | None,
        etcd_username: str,
        etcd_password_file: Path | None,
        **more: Any,
    ) -> Any:
        etcd = None
        if etcd_endpoints:
            etcd = EtcdSettings(
                endpoints=_endpoints(etcd_endpoints),
                root=_root(etcd_prefix),
                authorities=etcd_cafile,
                certificate=etcd_certfile,
                key=etcd_keyfile,
                username=etcd_username,
                password=etcd_password_file.read_text().rstrip("\r\n") if etcd_password_file else "",
            )
        if (etcd_certfile is None) != (etcd_keyfile is None):
            raise click.UsageError("--etcd-certfile and --etcd-keyfile belong together")
        return command(etcd=etcd, **more)

    for option in reversed(_OPTIONS):
        wrapper = option(wrapper)
    return wrapper


def _endpoints(text: str) -> tuple[Endpoint, ...]:
    try:
        return tuple(Endpoint.parse(each.strip()) for each in text.split(",") if each.strip())
    except BadEndpoint as error:
        raise click.BadParameter(str(error), param_hint="--etcd-endpoints") from error


def _root(text: str) -> str:
    return "/" + text.strip("/") if text.strip("/") else ""
