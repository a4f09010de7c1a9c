"""``crdkit convert``: objects of one version of their definition as those of another."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from crdkit.cli import options
from crdkit.meta.version import KubeVersion

if TYPE_CHECKING:
    from crdkit.conversion.function import Convert


@click.command(short_help="Convert objects in files to another version.")
@options.inputs
@click.option("--to", "version", required=True, metavar="VERSION", help="The version wanted, such as v1 or example.com/v1.")
@click.option("--using", metavar="MODULE:FUNCTION", help="A Python function in place of the webhook: it gets an object and an apiVersion.")
@options.services
@options.kube_version
def convert(
    *,
    paths: tuple[str, ...],
    filenames: tuple[str, ...],
    version: str,
    using: str | None,
    services: tuple[str, ...],
    kube_version: KubeVersion,
) -> None:
    """Convert custom objects to another version of their definition, and print them as a server would show them.

    PATHs are YAML or JSON files, folders, patterns, or - for standard input; the definitions must be among them, and are not printed. A
    definition's webhook is called, unless there is a function that does its work.

    Exits with 0 if all is done, 1 if an object could not be converted, 2 if something could not be read.
    """
    import asyncio  # noqa: PLC0415 (--help loads nothing)

    from crdkit.cli import reporting  # noqa: PLC0415
    from crdkit.meta import yamlwriter  # noqa: PLC0415
    from crdkit.offline.conversions import Unusable, convert_all  # noqa: PLC0415
    from crdkit.webhooks.services import ServiceResolver  # noqa: PLC0415

    resolver = options.parsed("--service-resolver", ServiceResolver.parse, services)
    if not (paths or filenames):
        reporting.fail("no files given")
    with reporting.progress() as shown:
        inputs = reporting.read([*paths, *filenames], shown)
    try:
        function = _function(using) if using else None
        results = asyncio.run(convert_all(inputs, version, kube=kube_version, function=function, services=resolver))
    except Unusable as error:
        reporting.fail(str(error))
    if not results:
        click.echo("crdkit: no objects found to convert", err=True)
    separator = ""
    for result in results:
        if isinstance(result, str):
            click.echo(result, err=True)
        else:
            click.echo(separator + yamlwriter.encode(result).decode(), nl=False)
            separator = "---\n"
    sys.exit(1 if any(isinstance(result, str) for result in results) else 0)


def _function(text: str) -> Convert:
    """The function that ``module:function`` names; the module may stand in the working directory."""
    import importlib  # noqa: PLC0415

    from crdkit.cli import reporting  # noqa: PLC0415
    from crdkit.conversion.function import told  # noqa: PLC0415

    module, _, name = text.partition(":")
    if not (module and name):
        reporting.fail(f"--using {text}: not of the form MODULE:FUNCTION")
    sys.path.insert(0, "")
    try:
        function: Convert = getattr(importlib.import_module(module), name)
    except (Exception, SystemExit) as error:  # noqa: BLE001 (a module may raise anything)
        reporting.fail(f"--using {text}: {told(error)}")
    if not callable(function):
        reporting.fail(f"--using {text}: not a function")
    return function
