"""``crdkit validate``: check definitions and objects in files, as a server would."""

from __future__ import annotations

from typing import Final

import click

from crdkit.cli import options
from crdkit.meta.version import KubeVersion

FIELD_VALIDATIONS: Final = {"strict": "Strict", "warn": "Warn", "ignore": "Ignore"}


@click.command(short_help="Check objects and definitions in files.")
@options.inputs
@click.option("--against", multiple=True, metavar="PATH", help="Older objects: those found here are checked as updates of these.")
@click.option(
    "--field-validation",
    type=click.Choice(tuple(FIELD_VALIDATIONS)),
    default="strict",
    show_default=True,
    help="Whether unknown and repeated fields are errors, warnings, or nothing.",
)
@click.option("--strict-kinds", is_flag=True, help="Objects of kinds without a definition are errors, not skipped.")
@options.kube_version
@options.output
def validate(
    *,
    paths: tuple[str, ...],
    filenames: tuple[str, ...],
    against: tuple[str, ...],
    field_validation: str,
    strict_kinds: bool,
    kube_version: KubeVersion,
    output: str,
) -> None:
    """Check custom objects by their definitions, and the definitions themselves, as a server would.

    PATHs are YAML or JSON files, folders, patterns, or - for standard input; definitions are found among them, in whatever order.

    Exits with 0 if all is well, 1 if a server would refuse something, 2 if it could not be checked.
    """
    from crdkit.cli import reporting  # noqa: PLC0415 (--help loads no schemas)
    from crdkit.offline import checking  # noqa: PLC0415
    from crdkit.offline.judging import FieldValidation  # noqa: PLC0415

    if not (paths or filenames):
        reporting.fail("no files given")
    settings = checking.Settings(kube_version, FieldValidation(FIELD_VALIDATIONS[field_validation]), strict_kinds)
    with reporting.progress() as shown:
        inputs = reporting.read([*paths, *filenames], shown)
        older = reporting.read(against, shown) if against else []
        shown.begin("Checking", len(inputs))
        report = checking.check(inputs, settings, against=older, advance=shown.advance)
    reporting.finish(report, output, failed=report.has_errors)
