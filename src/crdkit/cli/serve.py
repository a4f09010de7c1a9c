"""``crdkit serve``: run the server until it is told to stop."""

from __future__ import annotations

import contextlib
import errno
import gc
import shlex
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from crdkit.cli import options, readyfile
from crdkit.cli.etcd import etcd_options
from crdkit.meta.version import KubeVersion

if TYPE_CHECKING:
    from crdkit.server.run import Address, Settings
    from crdkit.server.tls import Identity
    from crdkit.storage.etcd.settings import EtcdSettings


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=6443, show_default=True, type=click.IntRange(0, 65535), help="Port to listen on; 0 picks a free one.")
@click.option("--http", is_flag=True, help="Serve without TLS. kubectl and client-go send no token then, so they are anonymous.")
@options.data_dir
@click.option("--memory", is_flag=True, help="Keep objects in memory alone and forget them at the end.")
@etcd_options
@click.option(
    "--etcd-shared", is_flag=True, help="Others' API servers use this etcd: leave its history and, unless told, controllers to them."
)
@click.option(
    "--token-file", type=click.Path(exists=True, dir_okay=False, path_type=Path), help='More users: lines of token,user,uid,"group,group".'
)
@click.option(
    "--client-ca-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Take client certificates of these authorities: CN is the user, O the groups.",
)
@click.option(
    "--authorization-mode",
    default="RBAC",
    show_default=True,
    type=click.Choice(["RBAC", "AlwaysAllow"]),
    help="Let roles decide who may do what, or let everybody do everything.",
)
@options.kube_version
@click.option(
    "--controllers/--no-controllers",
    default=None,
    help="Finish namespaces, collect garbage and migrate; without, do what an API server does alone [default: on, but not with --etcd-shared].",
)
@options.services
@click.option(
    "--conversion-batch-size",
    default=1,
    show_default=True,
    type=click.IntRange(1, 10_000),
    help="Send a conversion webhook so many objects in one call; a real server sends one.",
)
@click.option("--access-log", is_flag=True, help="Write a line for each request to standard error.")
@click.option(
    "--audit-log-path",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write an audit event for each request, a line of JSON each, to this file; `crdkit versions` reads it.",
)
@click.option(
    "--runtime-config",
    "runtime_config",
    multiple=True,
    metavar="GROUP/VERSION=BOOL",
    help="Serve a built-in API that is not served by itself (storagemigration.k8s.io/v1beta1), or do not.",
)
@click.option("--ready-file", type=click.Path(dir_okay=False, path_type=Path), help="Write what --json prints here once it is ready.")
@click.option("--json", "as_json", is_flag=True, help="Print url, token and kubeconfig as one line of JSON.")
def serve(
    *,
    host: str,
    port: int,
    http: bool,
    data_dir: Path | None,
    memory: bool,
    token_file: Path | None,
    client_ca_file: Path | None,
    authorization_mode: str,
    kube_version: KubeVersion,
    etcd: EtcdSettings | None,
    etcd_shared: bool,
    controllers: bool | None,
    services: tuple[str, ...],
    conversion_batch_size: int,
    runtime_config: tuple[str, ...],
    access_log: bool,
    audit_log_path: Path | None,
    ready_file: Path | None,
    as_json: bool,
) -> None:
    """Serve the Kubernetes API for CustomResourceDefinitions."""
    gc.disable()  # what is loaded is no garbage; `run` has it collected again
    if memory and etcd:
        raise click.UsageError("objects are kept in memory or in etcd: --memory and --etcd-endpoints exclude each other")
    if etcd_shared and not etcd:
        raise click.UsageError("--etcd-shared needs --etcd-endpoints")
    click.get_current_context().with_resource(readyfile.cleared(ready_file))
    directory = (data_dir or _own_directory(in_memory=memory)).absolute()
    guest = bool(memory or etcd) and _is_guest(directory)
    identity = None if http else _begun_identity(directory, host)
    from crdkit.access.authentication import read_token_file  # noqa: PLC0415 (--help loads no server)
    from crdkit.builtin.runtimeconfig import RuntimeConfig  # noqa: PLC0415
    from crdkit.server.process import run  # noqa: PLC0415
    from crdkit.server.run import Settings  # noqa: PLC0415
    from crdkit.webhooks.services import ServiceResolver  # noqa: PLC0415

    with _troubles_told(host, port):
        settings = Settings(
            directory=directory,
            guest=guest,
            identity=identity,
            host=host,
            port=port,
            encrypted=not http,
            in_memory=memory,
            tokens=read_token_file(token_file) if token_file else {},
            client_authorities=client_ca_file,
            rbac=authorization_mode == "RBAC",
            kube=kube_version,
            controllers=not etcd_shared if controllers is None else controllers,
            etcd=replace(etcd, compacts=not etcd_shared) if etcd else None,
            services=options.parsed("--service-resolver", ServiceResolver.parse, services),
            conversion_batch_size=conversion_batch_size,
            apis=options.parsed("--runtime-config", RuntimeConfig.parse, runtime_config),
            access_log=access_log,
            audit_log=audit_log_path,
        )
        run(settings, lambda address: _announce(address, settings, ready_file, as_json=as_json))


@contextlib.contextmanager
def _troubles_told(host: str, port: int) -> Iterator[None]:
    """What keeps a server from starting, or ends it, in a line."""
    from crdkit.access.authentication import TokenFileError  # noqa: PLC0415 (--help loads no server)
    from crdkit.storage.errors import DirectoryInUse, StorageError  # noqa: PLC0415

    try:
        yield
    except DirectoryInUse as error:
        msg = f"{error}; --data-dir takes another one"
        raise click.ClickException(msg) from error
    except (TokenFileError, StorageError) as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(_trouble(error, host, port)) from error


def _is_guest(directory: Path) -> bool:
    """Whether another server has a directory that this one means to use, too, and keeps its kubeconfig there.

    Where objects are in memory or in etcd servers may share a directory, with its token and certificates; the first holds it until it ends.
    """
    if sys.platform == "win32":
        return False
    from crdkit.storage.errors import DirectoryInUse  # noqa: PLC0415 (--help needs no store)
    from crdkit.storage.lock import DirectoryLock  # noqa: PLC0415 (Windows has none)

    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        DirectoryLock(directory)
    except DirectoryInUse:
        return True
    except OSError as error:
        msg = f"cannot serve: {error.filename or directory}: {error.strerror}"
        raise click.ClickException(msg) from error
    return False


def _begun_identity(directory: Path, host: str) -> Identity:
    """The server's identity, which another process makes while this one loads the server."""
    from crdkit.server.tls import own_identity  # noqa: PLC0415 (--help loads no server)

    identity = own_identity(directory, host)
    identity.begin()
    return identity


def _own_directory(*, in_memory: bool) -> Path:
    """A server in memory has a place of its own, so that it leaves the kubeconfig of one on disk alone."""
    from crdkit.server.directories import default_data_directory  # noqa: PLC0415 (--help needs no platform's places)

    directory = default_data_directory()
    return directory / "memory" if in_memory else directory


def _trouble(error: OSError, host: str, port: int) -> str:
    if error.filename:
        return f"cannot serve: {error.filename}: {error.strerror}"
    if error.errno == errno.EADDRINUSE:
        return f"cannot serve on {host}:{port}: the address is in use; --port takes another one, and with 0 any that is free"
    return f"cannot serve on {host}:{port}: {error.strerror or error}"


def _announce(address: Address, settings: Settings, ready_file: Path | None, *, as_json: bool) -> None:
    from crdkit.meta import json  # noqa: PLC0415 (loaded with the server)

    line = json.encode({"url": address.url, "token": address.token, "kubeconfig": str(address.kubeconfig)}).decode()
    click.echo(line if as_json else _greeting(address, settings))
    if ready_file is not None:
        readyfile.write(ready_file, line)


def _greeting(address: Address, settings: Settings) -> str:
    kept = "in memory" if settings.in_memory else f"in {settings.etcd or settings.directory}"
    return f"""Serving Kubernetes {settings.kube} on {address.url}, with objects kept {kept}.

Kubeconfig: {address.kubeconfig}

Try next, in another terminal:
{_next_steps(address, settings)}
Ctrl-C ends the server.
"""


def _next_steps(address: Address, settings: Settings) -> str:
    by_kubectl = f"""  export KUBECONFIG={shlex.quote(str(address.kubeconfig))}
  kubectl apply -f your-definition.yaml
  kubectl get crds
"""
    if settings.encrypted or not settings.rbac:
        return by_kubectl
    token = shlex.quote(str(settings.directory / "admin.token"))
    return f"""  curl -H "Authorization: Bearer $(cat {token})" {address.url}/apis
kubectl sends no token over plain HTTP: it is let in with --authorization-mode AlwaysAllow only.
"""
