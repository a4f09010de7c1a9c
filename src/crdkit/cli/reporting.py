"""What `validate` and `lint` have in common: reading files, showing progress, printing a report."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, NoReturn

import click

from crdkit.offline import documents, reports
from crdkit.offline.checking import Input
from crdkit.offline.findings import Report

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

PATIENCE: Final = 1.0
"""Seconds of silence before a progress bar is shown."""
COULD_NOT_RUN: Final = 2


def fail(why: str) -> NoReturn:
    """End the program as one that could not do what it was asked."""
    click.echo(f"crdkit: {why}", err=True)
    sys.exit(COULD_NOT_RUN)


class Progress:
    """A bar on the terminal, once something has taken a while; none where nobody looks."""

    def __init__(self) -> None:
        self._is_seen = sys.stderr.isatty()
        self._begun = time.monotonic()
        self._what, self._done, self._total = "", 0, 0
        self._bar: Bar | None = None

    def begin(self, what: str, total: int = 0) -> None:
        """Begin a part of the work; without a total nobody knows its end."""
        self._what, self._done, self._total = what, 0, total

    def advance(self) -> None:
        """A step of the part is done."""
        self._done += 1
        if self._bar is not None:
            self._bar.update(self._task, description=self._what, completed=self._done, total=self._total or None)
        elif self._is_seen and time.monotonic() - self._begun > PATIENCE:
            self._show()

    def _show(self) -> None:
        from rich.console import Console  # noqa: PLC0415 (most runs show no bar)
        from rich.progress import Progress as Bar  # noqa: PLC0415

        self._bar = Bar(console=Console(stderr=True), transient=True)
        self._task = self._bar.add_task(self._what, total=self._total or None, completed=self._done)
        self._bar.start()

    def close(self) -> None:
        if self._bar is not None:
            self._bar.stop()


@contextmanager
def progress() -> Iterator[Progress]:
    """Progress that is shown while the context lasts."""
    shown = Progress()
    try:
        yield shown
    finally:
        shown.close()


def read(paths: Sequence[str], shown: Progress) -> list[Input]:
    """All that is in files, folders and patterns; ends the program where one cannot be read.

    The many nodes that documents are made of live as long as this program does: looking for garbage among them would take half of its time.
    """
    gc.disable()
    shown.begin("Reading")
    inputs = []
    try:
        for file in documents.files(paths):
            name = "<stdin>" if file == documents.STDIN else file
            for found in documents.scan(file):
                inputs.append(Input(name, found))
                shown.advance()
    except documents.NoInput as error:
        fail(str(error))
    except OSError as error:
        fail(f"cannot read {error.filename}: {error.strerror}")
    return inputs


def finish(report: Report, output: str, *, failed: bool) -> NoReturn:
    """Print the report and end the program with 1 if it failed, else 0."""
    if told := reports.render(report, reports.Output(output)):
        click.echo(told)
    if output == "text":
        click.echo(reports.summary(report), err=True)
    sys.exit(1 if failed else 0)
