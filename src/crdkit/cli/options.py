"""Options that several commands have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from crdkit.meta.version import DEFAULT, SUPPORTED, KubeVersion

_Command = TypeVar("_Command", bound=Callable[..., Any])
_Parsed = TypeVar("_Parsed")
OUTPUTS: Final = ("text", "json", "junit", "github")


class _Version(click.ParamType[KubeVersion]):
    name = "version"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> KubeVersion:
        if isinstance(value, KubeVersion):
            return value
        try:
            return KubeVersion.parse(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)


def kube_version(command: _Command) -> _Command:
    """``--kube-version``."""
    told = f"Behave as {' or '.join(map(str, SUPPORTED))}."
    return click.option("--kube-version", type=_Version(), default=str(DEFAULT), show_default=True, help=told)(command)


def data_dir(command: _Command) -> _Command:
    """``--data-dir``."""
    told = "Where state is kept [default: the platform's place]."
    return click.option("--data-dir", type=click.Path(file_okay=False, path_type=Path), help=told)(command)


def store_directory(data_dir: Path | None) -> Path:
    """Where in a data directory the store is."""
    from crdkit.server.directories import STORE, default_data_directory  # noqa: PLC0415 (--help needs no platform's places)

    return (data_dir or default_data_directory()) / STORE


def services(command: _Command) -> _Command:
    """``--service-resolver``."""
    told = "Where a service really listens that a webhook is named by. May be given several times."
    return click.option("--service-resolver", "services", multiple=True, metavar="NAME.NAMESPACE=HOST:PORT", help=told)(command)


def parsed(option: str, parse: Callable[[Sequence[str]], _Parsed], texts: Sequence[str]) -> _Parsed:
    """What the texts of an option mean, where the room that knows is loaded by the command alone. Raises `click.BadParameter`."""
    try:
        return parse(texts)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint=option) from error


def output(command: _Command) -> _Command:
    """``--output``."""
    return click.option("-o", "--output", type=click.Choice(OUTPUTS), default="text", show_default=True, help="The form of the report.")(
        command
    )


def inputs(command: _Command) -> _Command:
    """Files, as arguments or, as kubectl has it, after ``-f``."""
    command = click.argument("paths", nargs=-1, metavar="PATH...")(command)
    told = "The same, as kubectl has it; - is standard input. May be given several times."
    return click.option("-f", "--filename", "filenames", multiple=True, metavar="PATH", help=told)(command)
