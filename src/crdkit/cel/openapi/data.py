"""JSON under a schema as values: each part becomes a value when it is looked at, and fails there if it does not fit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from crdkit.cel.comparing import equal
from crdkit.cel.errors import EvaluationError, no_such_overload
from crdkit.cel.openapi.arrays import DataList, MapList, Read, SetList
from crdkit.cel.openapi.escaping import escape, unescape
from crdkit.cel.openapi.formats import read_bytes, read_date, read_date_time, read_duration
from crdkit.cel.openapi.raw import Data, Preserved, same
from crdkit.cel.values import MAPS, MISSING, MapValue, Value, find
from crdkit.meta.types import Json, JsonObject
from crdkit.meta.version import KubeVersion

__all__ = ["DataMap", "DataObject", "Read", "Shape", "reader", "with_resource_fields"]

_FORMATS: Final = {"byte": read_bytes, "date": read_date, "date-time": read_date_time, "duration": read_duration}
_GO_TYPES: Final = {
    bool: "bool", int: "int64", float: "float64", str: "string", dict: "map[string]interface {}", list: "[]interface {}",
}  # fmt: skip
_STRING: Final[JsonObject] = {"type": "string"}
NULLS_DIFFER_UNTIL: Final = KubeVersion(1, 33)
"""Up to this version an object with a null property differs from every object, itself included."""


def with_resource_fields(schema: JsonObject) -> JsonObject:
    """The schema of a resource: with kind, apiVersion and what rules may see of metadata, unless all are declared."""
    properties = schema.get("properties") or {}
    metadata = (properties.get("metadata") or {}).get("properties") or {}
    wanted = [properties.get("kind"), properties.get("apiVersion"), metadata.get("name"), metadata.get("generateName")]
    if all(part and part.get("type") == "string" for part in wanted) and properties["metadata"].get("type") == "object":
        return schema
    plain = {"type": "object", "properties": {"name": _STRING, "generateName": _STRING}}
    return {**schema, "properties": {**properties, "kind": _STRING, "apiVersion": _STRING, "metadata": plain}}


def reader(schema: JsonObject, kube: KubeVersion) -> Read:
    """What makes values of the JSON that a schema describes, as a server of that version sees them."""
    read = _reader(schema, kube)
    nullable = bool(schema.get("nullable"))

    def read_or_null(raw: Json) -> Value:
        if raw is not None:
            return read(raw)
        if nullable:
            return None
        msg = "invalid data, got null for schema with nullable=false"
        raise EvaluationError(msg)

    return read_or_null


def _reader(schema: JsonObject, kube: KubeVersion) -> Read:
    if schema.get("x-kubernetes-int-or-string"):
        return _read_int_or_string
    match schema.get("type"):
        case "object":
            return _object_reader(schema, kube)
        case "array":
            return _array_reader(schema, kube)
        case "string":
            return _string_reader(schema.get("format"))
        case "number":
            return _read_number
        case "integer":
            return _read_integer
        case "boolean":
            return _read_boolean
        case _:
            return Preserved if schema.get("x-kubernetes-preserve-unknown-fields") else _untyped


def _untyped(_raw: Json) -> Value:
    msg = "invalid type, expected object, array, number, integer, boolean or string, or no type with "
    msg += "x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got "
    raise EvaluationError(msg)


def _go_type(raw: Json) -> str:
    return _GO_TYPES.get(raw.__class__, "<nil>")


def _read_int_or_string(raw: Json) -> Value:
    if raw.__class__ is str or raw.__class__ is int:
        return raw
    msg = "invalid data, expected XIntOrString value to be either a string or integer"
    raise EvaluationError(msg)


def _read_number(raw: Json) -> Value:
    if raw.__class__ is float:
        return raw
    if raw.__class__ is int:
        return float(raw)
    msg = f"invalid data, expected float, got {_go_type(raw)}"
    raise EvaluationError(msg)


def _read_integer(raw: Json) -> Value:
    if raw.__class__ is int:
        return raw
    msg = f"invalid data, expected int, got {_go_type(raw)}"
    raise EvaluationError(msg)


def _read_boolean(raw: Json) -> Value:
    if raw.__class__ is bool:
        return raw
    msg = f"invalid data, expected bool, got {_go_type(raw)}"
    raise EvaluationError(msg)


def _read_string(raw: Json) -> Value:
    if raw.__class__ is str:
        return raw
    msg = f"invalid data, expected string, got {_go_type(raw)}"
    raise EvaluationError(msg)


def _string_reader(name: Any) -> Read:
    convert = _FORMATS.get(name)
    if convert is None:
        return _read_string
    return lambda raw: convert(_read_string(raw))


def _array_reader(schema: JsonObject, kube: KubeVersion) -> Read:
    items = schema.get("items")
    if not isinstance(items, dict):
        return _without_items
    shape, read = schema.get("x-kubernetes-list-type"), reader(items, kube)
    if shape == "map":
        keys = [escape(key) or key for key in schema.get("x-kubernetes-list-map-keys") or ()]
        return lambda raw: MapList(_array(raw), read, keys)
    kind = SetList if shape == "set" else DataList
    return lambda raw: kind(_array(raw), read)


def _without_items(raw: Json) -> Value:
    _array(raw)
    msg = "invalid array type, expected Items with a non-empty Schema"
    raise EvaluationError(msg)


def _array(raw: Json) -> list[Json]:
    if raw.__class__ is list:
        return raw
    msg = "invalid data, expected an array for the provided schema with type=array"
    raise EvaluationError(msg)


def _mapping(raw: Json) -> JsonObject:
    if raw.__class__ is dict:
        return raw
    msg = "invalid data, expected a map for the provided schema with type=object"
    raise EvaluationError(msg)


def _object_reader(schema: JsonObject, kube: KubeVersion) -> Read:
    if schema.get("x-kubernetes-embedded-resource"):
        schema = with_resource_fields(schema)
    properties, values = schema.get("properties"), schema.get("additionalProperties")
    if properties or not isinstance(values, dict):
        shape = Shape(properties or {}, kube)
        return lambda raw: DataObject(_mapping(raw), shape)
    read = reader(values, kube)
    return lambda raw: DataMap(_mapping(raw), read)


class DataMap(MapValue, Data):
    """An object with additional properties."""

    __slots__ = ("read",)
    raw: JsonObject

    def __init__(self, raw: JsonObject, read: Read) -> None:
        self.raw = raw
        self.read = read

    def __len__(self) -> int:
        return len(self.raw)

    def __iter__(self) -> Iterator[Value]:
        return iter(self.raw)

    def find(self, key: Value) -> Value:
        """The value under a key, which must be a string."""
        if key.__class__ is not str:
            raise no_such_overload()
        raw = self.raw.get(key, MISSING)
        return MISSING if raw is MISSING else self.read(raw)

    def equals(self, other: Value) -> bool | None:
        """Entry by entry; what cannot be compared is an error."""
        if not isinstance(other, MAPS):
            raise no_such_overload()
        if len(self.raw) != len(other):
            return False
        for key, raw in self.raw.items():
            found = find(other, key)
            if found is MISSING or not equal(self.read(raw), found):
                return False
        return True


class Shape:
    """The properties of an object: by name how each is read, and by identifier which one it means."""

    __slots__ = ("_kube", "_schemas", "fields", "nulls_differ", "readers")

    def __init__(self, properties: JsonObject, kube: KubeVersion) -> None:
        self._kube = kube
        self._schemas = properties
        self.nulls_differ = kube <= NULLS_DIFFER_UNTIL
        self.fields: dict[str, tuple[str, Read]] = {}
        self.readers: dict[str, Read] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._schemas

    def __bool__(self) -> bool:
        return bool(self._schemas)

    def read(self, name: str) -> Read:
        """How a property is read."""
        read = self.readers.get(name)
        if read is None:
            read = self.readers[name] = reader(self._schemas[name], self._kube)
        return read

    def field(self, identifier: str) -> tuple[str, Read] | None:
        """The property that an identifier means, and how it is read."""
        found = self.fields.get(identifier)
        if found is None:
            name = unescape(identifier) if self._schemas else None
            if name is None or name not in self._schemas:
                return None
            found = self.fields[identifier] = (name, self.read(name))
        return found


class DataObject(MapValue, Data):
    """An object with properties. One that is null counts as absent."""

    __slots__ = ("shape",)
    raw: JsonObject

    def __init__(self, raw: JsonObject, shape: Shape) -> None:
        self.raw = raw
        self.shape = shape

    def __len__(self) -> int:
        return len(self.raw)

    def __iter__(self) -> Iterator[Value]:
        # The real server counts properties that the schema does not know, but leaves their keys empty.
        shape = self.shape
        known = [escape(name) or name for name in self.raw if name in shape]
        return iter([*known, *([None] * (len(self.raw) - len(known)))])

    def find(self, key: Value) -> Value:
        """The value of a property, named by its identifier."""
        if key.__class__ is not str:
            raise no_such_overload()
        field = self.shape.field(key)
        if field is None:
            return MISSING
        raw = self.raw.get(field[0])
        return MISSING if raw is None else field[1](raw)

    def property(self, name: str) -> Value:
        """The value of a property by the name that the schema has for it."""
        raw = self.raw.get(name)
        return MISSING if raw is None else self.shape.read(name)(raw)

    def equals(self, other: Value) -> bool | None:
        """Property by property of this object; what the schema does not know counts only where both have it."""
        if not isinstance(other, MAPS):
            raise no_such_overload()
        if len(self.raw) != len(other):
            return False
        for name, raw in self.raw.items():
            if name not in self.shape:
                if not isinstance(other, DataObject):
                    raise no_such_overload()
                if name in other.raw and not same(raw, other.raw[name]):
                    return False
            elif not self._same_property(name, other):
                return False
        return True

    def _same_property(self, name: str, other: Value) -> bool:
        # The real server looks properties up by their names here, where it takes identifiers: an escaped one is not found.
        mine, theirs = self.find(name), find(other, name)
        if mine is MISSING or theirs is MISSING:
            return mine is theirs and not self.shape.nulls_differ
        return equal(mine, theirs)
