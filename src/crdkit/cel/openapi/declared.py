"""Schemas as declared types: what the checker knows of a value, and how large it can get in a request."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Any, Final

from crdkit.cel.costs import Interval
from crdkit.cel.openapi.data import with_resource_fields
from crdkit.cel.openapi.escaping import RESERVED, escape, unescape
from crdkit.cel.openapi.raw import plain
from crdkit.cel.types import BOOL, BYTES, DOUBLE, DURATION, DYN, INT, STRING, TIMESTAMP, Type, list_of, map_of, object_type
from crdkit.cel.values import Value
from crdkit.meta.records import record
from crdkit.meta.types import Json, JsonObject

MAX_REQUEST: Final = 3 * 1024 * 1024
"""The largest request in bytes that a real server takes."""
_LONGEST_STRING: Final = MAX_REQUEST - 2
_STRING_SIZE, _BOOL_SIZE, _NUMBER_SIZE, _CONTAINER_SIZE = 2, 4, 1, 2


@record
class Declared:
    """A schema's type. ``max_elements`` bounds its size in CEL's terms, ``min_size`` its JSON in bytes."""

    type: Type
    max_elements: int = 0
    min_size: int = 0
    fields: dict[str, Declared] = field(default_factory=dict)
    element: Declared | None = None

    def objects(self) -> Iterator[Declared]:
        """The object types in it, itself included."""
        if self.element is not None:
            yield from self.element.objects()
        elif self.type.name not in _SIMPLE:
            yield self
            for below in self.fields.values():
                yield from below.objects()

    def step(self, part: str) -> Declared | None:
        """What one part of a path leads to."""
        if part in ("@items", "@values"):
            return self.element
        if part == "@keys":
            return _KEY if self.type.name == "map" else None
        return self.fields.get(part)


_SIMPLE: Final = frozenset(type_.name for type_ in (BOOL, BYTES, DOUBLE, DURATION, DYN, INT, STRING, TIMESTAMP))
_KEY: Final = Declared(STRING, 0, _STRING_SIZE)


def declare(schema: JsonObject, name: str, *, resource: bool = False) -> Declared | None:
    """The type of a schema, whose object types are named from ``name`` on; None if rules cannot see such values."""
    if schema.get("x-kubernetes-int-or-string"):
        return Declared(DYN, _string_elements(schema), 1)
    if resource:
        schema = with_resource_fields(schema)
    match schema.get("type"):
        case "array":
            return _list(schema, name)
        case "object":
            return _object(schema, name)
        case "string":
            return _string(schema)
        case "boolean":
            return Declared(BOOL, 0, _BOOL_SIZE)
        case "number":
            return Declared(DOUBLE, 0, _NUMBER_SIZE)
        case "integer":
            return Declared(INT, 0, _NUMBER_SIZE)
        case _:
            return None


def _below(schema: JsonObject, name: str) -> Declared | None:
    return declare(schema, name, resource=bool(schema.get("x-kubernetes-embedded-resource")))


def _list(schema: JsonObject, name: str) -> Declared | None:
    items = schema.get("items")
    element = _below(items, f"{name}.@idx") if isinstance(items, dict) else None
    if element is None:
        return None
    limit = schema.get("maxItems")
    elements = _LONGEST_STRING // (element.min_size + 1) if limit is None else max(int(limit), 0)
    return Declared(list_of(element.type), elements, _CONTAINER_SIZE, element=element)


def _object(schema: JsonObject, name: str) -> Declared | None:
    values = schema.get("additionalProperties")
    if isinstance(values, dict):
        return _map(schema, values, name)
    fields: dict[str, Declared] = {}
    required = set(schema.get("required") or ())
    size = _CONTAINER_SIZE
    for property_, below in (schema.get("properties") or {}).items():
        identifier = escape(property_)
        declared = _below(below, f"{name}.{identifier}")
        if declared is None:
            continue
        if identifier is not None:
            fields[identifier] = declared
        if property_ in required and below.get("default") is None:
            size += len(property_.encode()) + declared.min_size + 4
    return Declared(object_type(name), 0, size, fields)


def _map(schema: JsonObject, values: JsonObject, name: str) -> Declared | None:
    element = _below(values, f"{name}.@elem")
    if element is None:
        return None
    limit = schema.get("maxProperties")
    elements = _LONGEST_STRING // (element.min_size + 6) if limit is None else max(int(limit), 0)
    return Declared(map_of(STRING, element.type), elements, _CONTAINER_SIZE, element=element)


def _string(schema: JsonObject) -> Declared:
    limit = schema.get("maxLength")
    match schema.get("format"):
        case "byte":
            return Declared(BYTES, _LONGEST_STRING if limit is None else max(int(limit), 0), _STRING_SIZE)
        case "duration":
            return Declared(DURATION, 32, 3)
        case "date":
            return Declared(TIMESTAMP, 12, 12)
        case "date-time":
            return Declared(TIMESTAMP, 32, 21)
        case _:
            return Declared(STRING, _string_elements(schema), _STRING_SIZE)


def _string_elements(schema: JsonObject) -> int:
    if (limit := schema.get("maxLength")) is not None:
        return max(int(limit), 0) * 4
    enum: list[Any] = schema.get("enum") or []
    if enum and not schema.get("x-kubernetes-int-or-string"):
        return max(len(value.encode()) if isinstance(value, str) else 0 for value in enum)
    return _LONGEST_STRING


_ALSO_NAMED: Final = {"timestamp": TIMESTAMP, "duration": DURATION}


class Declarations:
    """The object types of a declared type, as a provider of types and of sizes."""

    def __init__(self, root: Declared) -> None:
        self._root = root
        self._objects = {declared.type.name: declared for declared in root.objects()}

    def find_type(self, name: str) -> Type | None:
        """An object type of that name; two others have names here that nothing has while evaluating."""
        found = self._objects.get(name)
        return _ALSO_NAMED.get(name) if found is None else found.type

    def find_field(self, type_name: str, field: str) -> Type | None:
        """The type of a field; one named as a reserved word may be written plainly."""
        found = self._objects.get(type_name)
        if found is None:
            return None
        below = found.fields.get(field)
        if below is None and field in RESERVED:
            below = found.fields.get(f"__{field}__")
        return None if below is None else below.type

    def json_name(self, type_name: str, field: str) -> str | None:
        """The property that holds a field."""
        found = self._objects.get(type_name)
        if found is None:
            return None
        return unescape(field if field in found.fields else f"__{field}__")

    def json_of(self, value: Value) -> Json:
        """The JSON behind a value."""
        return plain(value)

    def size_of(self, path: tuple[str, ...]) -> Interval | None:
        """The size of what a path leads to; the real server takes its first part, whatever it is, for the root."""
        if not path:
            return None
        declared: Declared | None = self._root
        for part in path[1:]:
            declared = None if declared is None else declared.step(part)
        return None if declared is None else Interval(0, declared.max_elements)
