"""``crdkit lint``: what a server would refuse in definitions, and what of them would surprise."""

from __future__ import annotations

import click

from crdkit.cli import options
from crdkit.meta.version import KubeVersion


@click.command(short_help="Check definitions, and tell what may surprise.")
@options.inputs
@click.option("--without", multiple=True, metavar="RULE", help="Leave a rule out. May be given several times.")
@click.option("--errors-only", is_flag=True, help="Tell only what a server would refuse.")
@click.option("--list-rules", is_flag=True, help="Print the rules, with the reason for each and what to do, and end.")
@options.kube_version
@options.output
def lint(
    *,
    paths: tuple[str, ...],
    filenames: tuple[str, ...],
    without: tuple[str, ...],
    errors_only: bool,
    list_rules: bool,
    kube_version: KubeVersion,
    output: str,
) -> None:
    """Check definitions: what a server would refuse, in its words, and what it would take although it may surprise.

    PATHs are YAML or JSON files, folders, patterns, or - for standard input; what is no definition is skipped.

    Exits with 0 if there is nothing to tell, 1 if there is, 2 if it could not be checked.
    """
    from crdkit.cli import reporting  # noqa: PLC0415 (--help loads no schemas)
    from crdkit.offline import lint as linting  # noqa: PLC0415
    from crdkit.offline.checking import Settings  # noqa: PLC0415

    known = {rule.id: rule for rule in linting.RULES}
    if list_rules:
        click.echo("\n".join(f"{rule.id}\n    why: {rule.why}\n    fix: {rule.fix}" for rule in known.values()))
        return
    if not (paths or filenames):
        reporting.fail("no files given")
    if wrong := [name for name in without if name not in known]:
        reporting.fail(f"no rule is called {wrong[0]}; --list-rules shows them")
    with reporting.progress() as shown:
        inputs = reporting.read([*paths, *filenames], shown)
        shown.begin("Checking", len(inputs))
        report = linting.lint(inputs, Settings(kube_version), without=without, errors_only=errors_only, advance=shown.advance)
    reporting.finish(report, output, failed=bool(report.findings))
