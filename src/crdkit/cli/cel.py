"""``crdkit cel``: evaluate an expression."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

import click

from crdkit.cli import options
from crdkit.meta.types import Json, JsonObject
from crdkit.meta.version import KubeVersion

if TYPE_CHECKING:
    from crdkit.offline.expressions import Place

_UNGIVEN: Final = {
    "no such attribute(s): self": " (--self names a file with its value)",
    "no such attribute(s): oldSelf": " (--old names a file with its value)",
}


@click.command(short_help="Evaluate an expression as a rule of a schema.")
@click.argument("expression", metavar="EXPR")
@click.option("--self", "self_file", metavar="FILE", help="What self is: a YAML or JSON file; - is standard input.")
@click.option("--old", "old_file", metavar="FILE", help="What oldSelf is.")
@click.option("--schema", nargs=2, metavar="FILE PATH", help="The definition, and the field (spec.jobs[*]), that the types are taken from.")
@click.option("--version", help="The version of the definition; by default the one that is stored.")
@options.kube_version
@click.option("-o", "--output", type=click.Choice(("text", "json")), default="text", show_default=True, help="The form of the answer.")
def cel(
    *,
    expression: str,
    self_file: str | None,
    old_file: str | None,
    schema: tuple[str, str] | None,
    version: str | None,
    kube_version: KubeVersion,
    output: str,
) -> None:
    """Evaluate EXPR as a rule of a schema is evaluated: its value, its type, and what it costs.

    With --schema the files of --self and --old may also hold whole objects of the definition. Without it self is of any type, and nothing can
    be estimated.

    Exits with 0 if there is a value, 1 if the expression is wrong or fails, 2 if it could not be tried.
    """
    from crdkit.cel.errors import CelError  # noqa: PLC0415 (--help loads no language)
    from crdkit.cli import reporting  # noqa: PLC0415
    from crdkit.meta import json  # noqa: PLC0415
    from crdkit.offline import expressions  # noqa: PLC0415

    place, kind = (None, "") if schema is None else _place(schema, version)
    new, old = _value(self_file, place, kind), _value(old_file, place, kind)
    given = expressions.Given(new, old, has_new=self_file is not None, has_old=old_file is not None, place=place)
    try:
        asked = expressions.Asked(expression, given, kube_version)
        value, cost = asked.evaluate()
    except expressions.NoSuchPlace as error:
        reporting.fail(str(error))
    except CelError as error:
        click.echo(f"{error}{_UNGIVEN.get(str(error), '')}", err=True)
        sys.exit(1)
    told = {"value": expressions.printed(value), "type": asked.type, "cost": cost, "estimate": asked.estimate}
    if output == "json":
        click.echo(json.encode(told))
        return
    most = "" if asked.estimate is None else f" (at most {asked.estimate:,})"
    click.echo(f"value: {told['value']}\ntype:  {told['type']}\ncost:  {cost:,}{most}")


def _place(schema: tuple[str, str], version: str | None) -> tuple[Place, str]:
    """The node that --schema names, and the kind of the definition."""
    from crdkit.cli import reporting  # noqa: PLC0415
    from crdkit.offline import documents, expressions  # noqa: PLC0415
    from crdkit.offline.definition import is_definition  # noqa: PLC0415

    file, path = schema
    try:
        found = [document.value for document in documents.read_file(file) if is_definition(document.value)]
    except OSError as error:
        reporting.fail(f"cannot read {file}: {error.strerror}")
    except documents.Unreadable as error:
        reporting.fail(str(error))
    if len(found) != 1:
        reporting.fail(f"{file} holds {len(found)} definitions, not one")
    try:
        return expressions.place_in(found[0], path, version), found[0]["spec"]["names"]["kind"]
    except expressions.NoSuchPlace as error:
        reporting.fail(f"{file}: {error}")


def _value(file: str | None, place: Place | None, kind: str) -> Json:
    """The value in a file; of a whole object, the part that is meant."""
    from crdkit.cli import reporting  # noqa: PLC0415
    from crdkit.meta import yaml  # noqa: PLC0415
    from crdkit.offline import documents  # noqa: PLC0415
    from crdkit.offline.expressions import NoSuchPlace, part_of  # noqa: PLC0415

    if file is None:
        return None
    try:
        value: Json = yaml.decode(documents.read_bytes(file))[0]
    except OSError as error:
        reporting.fail(f"cannot read {file}: {error.strerror}")
    except yaml.YamlError as error:
        reporting.fail(f"cannot read {file}: {error}")
    if place is None or not _is_object(value, kind):
        return value
    try:
        return part_of(value, place)
    except NoSuchPlace as error:
        reporting.fail(f"{file}: {error}")


def _is_object(value: Json, kind: str) -> bool:
    found: JsonObject = value if isinstance(value, dict) else {}
    return "apiVersion" in found and found.get("kind") == kind
