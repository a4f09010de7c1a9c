"""The type of a value: what JSON and Go call it, and whether a schema's type and format allow it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from crdkit.meta import errors, golang
from crdkit.meta.types import Json
from crdkit.schema.structural import Structural
from crdkit.schema.validation.faults import Fault
from crdkit.schema.validation.reading import Reading

JSON_TYPES: Final[dict[type, str]] = {
    bool: "boolean",
    str: "string",
    int: "integer",
    float: "number",
    list: "array",
    dict: "object",
    type(None): "null",
}
_GO_FORMATS: Final[dict[type, str]] = {int: "int64", float: "float64"}


def check_type(schema: Structural, value: Json, name: str, reading: Reading) -> Iterator[Fault]:
    """At most one fault: the value's type is not one that the schema allows.

    A declared format has odd effects: with one, any text or list passes for a type that is no number, other values are told by the
    format, and where no type is declared nothing is allowed.
    """
    types, declared = reading.types(schema), reading.format(schema)
    kind = type(value)
    json_type = JSON_TYPES[kind]
    if value is None:
        if types and not schema.nullable:
            yield _wrong_type(name, ",".join(types), json_type)
        return
    allowed = json_type in types or _is_number_allowed(types, value, reading)
    numeric = "integer" in types or "number" in types
    go_format = _GO_FORMATS.get(kind, "")
    if kind is str or kind is list:
        if declared and not numeric:
            return
    elif declared and not allowed and go_format != declared:
        yield _wrong_type(name, declared, go_format)
        return
    if not allowed and (types or declared):
        yield _wrong_type(name, ",".join(types), json_type)


def is_typed(schema: Structural, reading: Reading) -> bool:
    """Whether there is anything to check a value's type by."""
    return bool(reading.types(schema) or reading.format(schema))


def _is_number_allowed(types: tuple[str, ...], value: Json, reading: Reading) -> bool:
    if type(value) is int:
        return "number" in types
    return type(value) is float and "integer" in types and reading.differences.is_whole(value)


def _wrong_type(name: str, wanted: str, found: str) -> Fault:
    detail = f"{name} in body must be of type {wanted}: {golang.quote(found)}"
    return Fault(name, detail, errors.type_invalid("", found, detail))
