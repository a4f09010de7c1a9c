"""``crdkit cost``: what the rules of definitions may cost, and which limit would lower that most."""

from __future__ import annotations

import sys

import click

from crdkit.cli import options
from crdkit.meta.version import KubeVersion


@click.command(short_help="Estimate what the rules of definitions may cost.")
@options.inputs
@click.option("--all", "all_rules", is_flag=True, help="Show cheap rules too.")
@options.kube_version
@click.option("-o", "--output", type=click.Choice(("text", "json")), default="text", show_default=True, help="The form of the report.")
def cost(*, paths: tuple[str, ...], filenames: tuple[str, ...], all_rules: bool, kube_version: KubeVersion, output: str) -> None:
    """Estimate the costs of the rules (x-kubernetes-validations) of definitions, as a server does before it accepts one.

    PATHs are YAML or JSON files, folders, patterns, or - for standard input; what is no definition is skipped.

    Exits with 0 if all rules are within their budgets, 1 if a server would refuse some, 2 if it could not be checked.
    """
    from crdkit.cli import reporting  # noqa: PLC0415 (--help loads no schemas)
    from crdkit.offline import costs  # noqa: PLC0415

    if not (paths or filenames):
        reporting.fail("no files given")
    with reporting.progress() as shown:
        inputs = reporting.read([*paths, *filenames], shown)
        shown.begin("Estimating", len(inputs))
        found = costs.price(inputs, kube_version, advance=shown.advance)
    for told in found.unreadable:
        click.echo(f"crdkit: {told}", err=True)
    if not found.versions:
        reporting.fail("no definitions found")
    click.echo(costs.as_json(found) if output == "json" else costs.as_text(found, all_rules=all_rules))
    sys.exit(reporting.COULD_NOT_RUN if found.unreadable else 1 if found.is_refused else 0)
