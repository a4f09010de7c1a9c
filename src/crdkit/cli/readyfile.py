"""The file that tells whoever waits for a server that it is ready, and how to reach it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import click


@contextlib.contextmanager
def cleared(file: Path | None) -> Iterator[None]:
    """No such file before, nor after: what an earlier run wrote, or this one, would lead to nobody. Raises `click.BadParameter`."""
    if file is not None:
        _clear(file)
    try:
        yield
    finally:
        if file is not None:
            with contextlib.suppress(OSError):
                file.unlink()


def _clear(file: Path) -> None:
    if not file.parent.is_dir():
        raise click.BadParameter(f"{file}: there is no directory {file.parent}", param_hint="--ready-file")
    try:
        file.unlink(missing_ok=True)
    except OSError as error:
        raise click.BadParameter(f"{file}: {error.strerror}", param_hint="--ready-file") from error


def write(file: Path, line: str) -> None:
    """Have the file appear whole. It holds a token, and is its owner's alone."""
    unfinished = file.with_name(f".{file.name}.unfinished")
    unfinished.unlink(missing_ok=True)
    with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as opened:
        opened.write(f"{line}\n")
    unfinished.replace(file)
