"""Rules of printer columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from crdkit.meta import errors
from crdkit.meta.errors import FieldError
from crdkit.meta.paths import FieldPath
from crdkit.meta.types import JsonObject

_TYPES: Final = ("boolean", "date", "integer", "number", "string")
_FORMATS: Final = ("byte", "date", "date-time", "double", "float", "int32", "int64", "password")


def check_columns(columns: list[JsonObject] | None, at: FieldPath) -> Iterator[FieldError]:
    for position, column in enumerate(columns or ()):
        yield from _check_column(column, at.index(position))


def _check_column(column: JsonObject, at: FieldPath) -> Iterator[FieldError]:
    if not column["name"]:
        yield errors.required(at / "name")
    one_of = "must be one of " + ",".join(_TYPES)
    if not column["type"]:
        yield errors.required(at / "type", one_of)
    elif column["type"] not in _TYPES:
        yield errors.invalid(at / "type", column["type"], one_of)
    if (given := column.get("format")) and given not in _FORMATS:
        yield errors.invalid(at / "format", given, "must be one of " + ",".join(_FORMATS))
    if not column["jsonPath"]:
        yield errors.required(at / "JSONPath")
    elif not column["jsonPath"].startswith("."):
        yield errors.invalid(at / "JSONPath", column["jsonPath"], "must be a simple json path starting with .")
