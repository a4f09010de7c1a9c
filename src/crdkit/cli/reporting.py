"""What `validate` and `lint` have in common: reading files, showing progress, printing a report."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, NoReturn

import click

from crdkit.offline import documents, reports
from crdkit.offline.checking import Input
from crdkit.offline.findings import Report

PATIENCE: Final = 1.0
"""Seconds of silence before a progress bar is shown."""
COULD_NOT_RUN: Final = 2


def fail(why: str) -> NoReturn:
    """End the program as one that could not do what it was asked."""
    click.echo(f"crdkit: {why}", err=True)
    sys.exit(COULD_NOT_RUN)


def read(paths: Sequence[str]) -> list[Input]:
    """All that is in files, folders and patterns; ends the program where one cannot be read.

    The many nodes that documents are made of live as long as this program does: looking for garbage among them would take half of its time.
    """
    gc.disable()
    try:
        return [
            Input("<stdin>" if file == documents.STDIN else file, found)
            for file in documents.files(paths)
            for found in documents.scan(file)
        ]
    except documents.NoInput as error:
        fail(str(error))
    except OSError as error:
        fail(f"cannot read {error.filename}: {error.strerror}")


@contextmanager
def progress(total: int) -> Iterator[Callable[[], None]]:
    """Gives what is to be called after each step. Shows a bar on a terminal, once it has taken a while."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    bar = _Bar(total)
    try:
        yield bar.advance
    finally:
        bar.close()


class _Bar:
    def __init__(self, total: int) -> None:
        self._total = total
        self._done = 0
        self._begun = time.monotonic()
        self._move: Callable[[int], None] | None = None
        self._stop: Callable[[], None] = lambda: None

    def advance(self) -> None:
        self._done += 1
        if self._move is not None:
            self._move(self._done)
        elif time.monotonic() - self._begun > PATIENCE:
            self._show()

    def _show(self) -> None:
        from rich.console import Console  # noqa: PLC0415 (most runs show no bar)
        from rich.progress import Progress  # noqa: PLC0415

        shown = Progress(console=Console(stderr=True), transient=True)
        task = shown.add_task("Checking", total=self._total, completed=self._done)
        shown.start()
        self._move = lambda done: shown.update(task, completed=done)
        self._stop = shown.stop

    def close(self) -> None:
        self._stop()


def finish(report: Report, output: str, *, failed: bool) -> NoReturn:
    """Print the report and end the program with 1 if it failed, else 0."""
    if told := reports.render(report, reports.Output(output)):
        click.echo(told)
    if output == "text":
        click.echo(reports.summary(report), err=True)
    sys.exit(1 if failed else 0)
