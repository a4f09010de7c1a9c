"""Rules of selectable fields: paths to plain fields of the schema."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from crdkit.meta import errors
from crdkit.meta.errors import FieldError
from crdkit.meta.paths import FieldPath
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.schema import fieldpaths, structural

_LIMIT: Final = 8
_TYPES: Final = ("string", "boolean", "integer")
_WRONG_TYPE: Final = "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed."


def check_selectable_fields(
    fields: list[JsonObject], schema: JsonObject, at: FieldPath, *, schema_at: FieldPath, kube: KubeVersion
) -> Iterator[FieldError]:
    """``schema_at`` is told where the schema is none that fields could be looked up in."""
    try:
        root = structural.build(schema)
    except structural.NotStructural as error:
        yield errors.invalid(schema_at, "", str(error))
        yield from (errors.required(at.index(position) / "jsonPath") for position, field in enumerate(fields) if not field["jsonPath"])
        return
    unique: set[str] = set()
    for position, field in enumerate(fields):
        place = at.index(position) / "jsonPath"
        path = field["jsonPath"]
        if not path:
            yield errors.required(place)
            continue
        try:
            found = fieldpaths.find(path, root, brackets=False)
        except fieldpaths.InvalidFieldPath as error:
            yield errors.invalid(place, path, f"is an invalid path: {error}")
            continue
        yield from _check_found(found, path, place)
        if str(found.path) in unique:
            yield errors.duplicate(place, path)
        unique.add(str(found.path))
    if len(unique) > _LIMIT:
        yield errors.too_many(at, len(unique), _LIMIT, kube)


def _check_found(found: fieldpaths.Found, path: str, at: FieldPath) -> Iterator[FieldError]:
    if found.names[0] == "metadata":
        yield errors.invalid(at, path, "must not point to fields in metadata")
    if found.node is None or found.node.type not in _TYPES:
        yield errors.invalid(at, path, _WRONG_TYPE)
