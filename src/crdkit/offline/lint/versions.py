"""Rules on the versions of a definition."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from crdkit.definitions.definition import DefinitionVersion
from crdkit.offline.lint import schemapaths
from crdkit.offline.lint.rules import Concern, VersionRule, root, rule
from crdkit.offline.lint.schemapaths import Outcome
from crdkit.schema.formats_known import is_known_format

_COLUMN_TYPES: Final = {"integer": ("integer",), "number": ("number", "integer"), "boolean": ("boolean",), "date": ("string",)}
"""Which types of fields a column of a type can show; a column of texts shows all."""


@rule(
    "status-without-subresource",
    why="Without the status subresource a status is written as part of the object: users may set it, writing it raises the generation, and"
    " controllers that write to /status get a 404.",
    fix="Add subresources: {status: {}} to the version.",
)
def status_without_subresource(version: DefinitionVersion) -> Iterator[Concern]:
    """A status that is not kept apart."""
    if "status" in (version.schema.get("properties") or {}) and not version.has_status:
        yield Concern("schema.openAPIV3Schema.properties[status]", "there is a status, but no status subresource")


@rule(
    "column-path",
    why="kubectl get shows an empty column where a path leads to nothing.",
    fix="Correct the column's jsonPath, or add the field to the schema.",
)
def column_path(version: DefinitionVersion) -> Iterator[Concern]:
    """Printer columns of fields that are not there."""
    for index, column in enumerate(version.raw.get("additionalPrinterColumns") or ()):
        if schemapaths.find(version.schema, column.get("jsonPath", "")) is Outcome.NOWHERE:
            detail = f"the column {column.get('name')}: {column.get('jsonPath')} {Outcome.NOWHERE.value}"
            yield Concern(f"additionalPrinterColumns[{index}].jsonPath", detail)


@rule(
    "column-type",
    why="A column is empty where the value is not of the column's type.",
    fix="Give the column the type of its field, or string, which shows all.",
)
def column_type(version: DefinitionVersion) -> Iterator[Concern]:
    """Printer columns of another type than their field."""
    for index, column in enumerate(version.raw.get("additionalPrinterColumns") or ()):
        node = schemapaths.find(version.schema, column.get("jsonPath", ""))
        wanted = _COLUMN_TYPES.get(column.get("type", ""))
        if isinstance(node, Outcome) or wanted is None or not node.get("type") or node["type"] in wanted:
            continue
        detail = f"the column {column.get('name')} is of type {column.get('type')}, its field of type {node['type']}"
        yield Concern(f"additionalPrinterColumns[{index}].type", detail)


@rule(
    "scale-path",
    why="kubectl scale and autoscalers read and write the replicas by these paths: a field that the schema does not have is pruned, and"
    " scaling does nothing.",
    fix="Correct the path, or add the field: replicas of type integer, the selector of type string.",
)
def scale_path(version: DefinitionVersion) -> Iterator[Concern]:
    """Paths of the scale subresource that lead to no field, or one of another type."""
    if version.scale is None:
        return
    paths = zip(
        ("specReplicasPath", "statusReplicasPath", "labelSelectorPath"), version.scale, ("integer", "integer", "string"), strict=True
    )
    for name, path, wanted in paths:
        node = schemapaths.find(version.schema, path) if path else Outcome.ANYTHING
        if node is Outcome.NOWHERE:
            yield Concern(f"subresources.scale.{name}", f"{path} {Outcome.NOWHERE.value}")
        elif isinstance(node, dict) and node.get("type") not in (wanted, None):
            yield Concern(f"subresources.scale.{name}", f"{path} leads to a field of type {node['type']}, not {wanted}")


@rule(
    "deprecated-without-replacement",
    why="Clients are warned on each request, but not told what to use instead.",
    fix="Serve a newer version that is not deprecated, or say in deprecationWarning what to do.",
)
def deprecated_without_replacement(version: DefinitionVersion) -> Iterator[Concern]:
    """A deprecated version with nothing to go to."""
    if (
        version.served
        and version.deprecated
        and "deprecationWarning" not in version.raw
        and "; use " not in (version.deprecation_warning or "")
    ):
        yield Concern("deprecated", f"{version.name} is deprecated, and nothing newer is served")


@rule(
    "no-description",
    why="kubectl explain and generated documentation have nothing to say.",
    fix="Add a description to the schema and its fields.",
)
def no_description(version: DefinitionVersion) -> Iterator[Concern]:
    """Fields that nobody explains: told once for a version."""
    known = (".apiVersion", ".kind", ".metadata")
    fields = [node for node in root(version).all() if not node.field.startswith(known) and not node.field.endswith(("[]", ".*"))]
    bare = [node for node in fields if not node.schema.get("description")]
    if bare:
        first = bare[0].field or "the root"
        yield Concern(bare[0].at, f"{len(bare)} of {len(fields)} nodes of {version.name} have no description, {first} among them")


@rule(
    "unknown-format",
    why="A format that a server does not know is not checked at all.",
    fix="Correct the format, or check the values by a pattern or a rule.",
)
def unknown_format(version: DefinitionVersion) -> Iterator[Concern]:
    """Formats that are only decoration."""
    for node in root(version).all():
        if node.schema.get("format") and not is_known_format(node.schema, version.definition.kube):
            yield Concern(f"{node.at}.format", f"the format {node.schema['format']!r} of {node.field} is not checked")


RULES: Final[tuple[VersionRule, ...]] = (
    status_without_subresource,
    column_path,
    column_type,
    scale_path,
    deprecated_without_replacement,
    no_description,
    unknown_format,
)
