"""``crdkit upgrade``: rewrite definitions of apiextensions.k8s.io/v1beta1 to v1."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from crdkit.cli import options
from crdkit.meta.version import KubeVersion

if TYPE_CHECKING:
    from crdkit.offline.upgrade.manifests import Upgraded


@click.command(short_help="Rewrite definitions of v1beta1 to v1.")
@options.inputs
@click.option("--in-place", is_flag=True, help="Write the files instead of printing them.")
@click.option("--check", "check_only", is_flag=True, help="Only tell which files hold definitions to rewrite; exit with 1 if any does.")
@click.option("--prune", is_flag=True, help="Let unknown fields be dropped where v1beta1 kept them.")
@options.kube_version
def upgrade(
    *, paths: tuple[str, ...], filenames: tuple[str, ...], in_place: bool, check_only: bool, prune: bool, kube_version: KubeVersion
) -> None:
    """Rewrite definitions of apiextensions.k8s.io/v1beta1, which is gone since Kubernetes 1.22, to v1.

    Comments and the order of fields are kept, and so is all else in the files. What was done beyond moving things, and what somebody must
    decide, is told on standard error.

    Exits with 0 if all is done, 1 if a server would still refuse something or a file holds what is no YAML (or with --check, if there is
    something to do), 2 if a file could not be read, rewritten or written.
    """
    from crdkit.cli import reporting  # noqa: PLC0415 (--help loads no schemas)
    from crdkit.offline import documents  # noqa: PLC0415
    from crdkit.offline.upgrade import manifests  # noqa: PLC0415

    if not (paths or filenames):
        reporting.fail("no files given")
    is_open, is_first = False, True
    try:
        for file in documents.files([*paths, *filenames]):
            data = documents.read_bytes(file)
            result = manifests.upgrade(data, kube=kube_version, prune=prune)
            is_open = _tell_what_is_malformed(file, result) or is_open
            if check_only:
                _tell_what_is_old(file, result)
                is_open = is_open or bool(result.rewritten)
                continue
            is_open = _tell(file, result) or is_open
            if not in_place or file == documents.STDIN:
                _print(result.data, is_first=is_first)
                is_first = False
            elif result.rewritten:
                Path(file).write_bytes(result.data)
    except documents.NoInput as error:
        reporting.fail(str(error))
    except manifests.NotUpgradable as error:
        reporting.fail(f"{file}: {error}")
    except OSError as error:
        reporting.fail(f"cannot read or write {error.filename}: {error.strerror}")
    sys.exit(1 if is_open else 0)


def _tell_what_is_malformed(file: str, result: Upgraded) -> bool:
    """Print where the file cannot be read; whether there is such a place."""
    for one in result.malformed:
        click.echo(f"{file}:{one.line}: error: {one}", err=True)
    return bool(result.malformed)


def _tell_what_is_old(file: str, result: Upgraded) -> None:
    for one in result.rewritten:
        click.echo(f"{file}:{one.line}: {one.name} is of apiextensions.k8s.io/v1beta1")


def _tell(file: str, result: Upgraded) -> bool:
    """Print the notes; whether some are open."""
    for one in result.rewritten:
        for note in one.notes:
            mark = "undecided" if note.is_open else "note"
            click.echo(f"{file}: {one.name}: {mark}: {note.text}", err=True)
    return any(note.is_open for one in result.rewritten for note in one.notes)


def _print(data: bytes, *, is_first: bool) -> None:
    if not is_first and not data.startswith(b"---"):
        sys.stdout.buffer.write(b"---\n")
    sys.stdout.buffer.write(data if data.endswith(b"\n") else data + b"\n")
    sys.stdout.buffer.flush()
