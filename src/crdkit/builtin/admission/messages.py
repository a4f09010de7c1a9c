"""The values that mutations are written as: ``Object{spec: Object.spec{…}}`` and ``JSONPatch{op: …}``."""

from __future__ import annotations

import base64
import math
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import ClassVar, Final

from crdkit.cel.errors import EvaluationError, no_such_overload
from crdkit.cel.standard.durations import print_duration
from crdkit.cel.standard.timestamps import print_timestamp
from crdkit.cel.types import Type, object_type
from crdkit.cel.values import LISTS, MAPS, NONE, Duration, Opaque, Optional, Timestamp, Uint, Value, find
from crdkit.meta.records import record
from crdkit.meta.types import Json, JsonObject

OBJECT: Final = object_type("Object")
_GREATEST_EXACT: Final = 2**53 - 1
"""Greater integers are texts: not everybody who reads JSON can tell them apart."""
_LEAST_EXPONENT: Final = 1e19
"""From here on numbers without fractions are no integers to those who read them."""
JSON_PATCH: Final = object_type("JSONPatch")


class NotJson(ValueError):
    """A value has no counterpart in JSON; ``str()`` tells which."""


@record
class ObjectValue(Opaque):
    """An object as far as an expression says what it is to have; its type's name tells where it belongs."""

    cel_type: ClassVar[Type] = OBJECT
    type_name: str
    fields: Mapping[str, Value] = field(hash=False)

    def equals(self, other: Value) -> bool:
        return isinstance(other, ObjectValue) and self.type_name == other.type_name and self.fields == other.fields

    def json(self) -> JsonObject:
        """Raises `NotJson`."""
        return {name: to_json(value) for name, value in self.fields.items()}

    def misplaced(self) -> Iterator[str]:
        """What is said of objects that stand under other fields than their types' names tell; that of the whole names its place."""
        return _misplaced(self, self.type_name)


def _misplaced(value: Value, path: str) -> Iterator[str]:
    if isinstance(value, ObjectValue):
        if value.type_name != path:
            yield f'unexpected type name "{value.type_name}", expected "{path}", which matches field name path from root Object type'
        for name, below in value.fields.items():
            yield from _misplaced(below, f"{path}.{name}")
    elif isinstance(value, list):
        for element in value:
            yield from _misplaced(element, path)
    elif isinstance(value, dict):
        for below in value.values():
            yield from _misplaced(below, path)


@record
class Operation(Opaque):
    """One operation of a JSON patch. Without a field ``value`` it has none, which is not null."""

    cel_type: ClassVar[Type] = JSON_PATCH
    fields: Mapping[str, Value] = field(hash=False)

    def equals(self, other: Value) -> bool:
        if not isinstance(other, Operation):
            raise no_such_overload()
        return bool(self.fields == other.fields)

    def json(self) -> JsonObject:
        """Raises `NotJson`."""
        operation: JsonObject = {"op": self.fields.get("op", ""), "path": self.fields.get("path", "")}
        if source := self.fields.get("from", ""):
            operation["from"] = source
        if "value" in self.fields:
            operation["value"] = to_plain(self.fields["value"])
        return operation


def make(type_name: str, fields: Mapping[str, Value]) -> Value:
    """The value of a message that is written in a mutation. Raises `EvaluationError`."""
    if type_name == JSON_PATCH.name:
        for name in ("op", "path", "from"):
            if name in fields and not isinstance(fields[name], str):
                msg = f"unexpected type for JSONPatchType '{name}' field"
                raise EvaluationError(msg)
        return Operation(dict(fields))
    return ObjectValue(type_name, dict(fields))


def to_json(value: Value) -> Json:
    """A value of an expression as JSON. Raises `NotJson`."""
    if isinstance(value, ObjectValue):
        return value.json()
    if isinstance(value, LISTS):
        return [to_json(element) for element in value]
    if isinstance(value, MAPS):
        return {_key(key): to_json(find(value, key)) for key in value}
    if value is None or isinstance(value, bool | float | str):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, Optional | Timestamp | Duration | bytes | Opaque | Type):
        msg = f"{type(value).__name__.lower()} is no JSON"
        raise NotJson(msg)
    return value


def _key(key: Value) -> str:
    if not isinstance(key, str):
        msg = f"map key {key} is not a string"
        raise NotJson(msg)
    return key


def to_plain(value: Value) -> Json:
    """A value of a patch as JSON, as protocol buffers write it: what JSON has no form for is a text. Raises `NotJson`."""
    if isinstance(value, LISTS):
        return [to_plain(element) for element in value]
    if isinstance(value, MAPS):
        return {_plain_key(key): to_plain(find(value, key)) for key in value}
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            msg = f"json: error calling MarshalJSON for type *structpb.Value: {no_number(value)}"
            raise NotJson(msg)
        return int(value) if value.is_integer() and abs(value) < _LEAST_EXPONENT else value
    if isinstance(value, int):
        return int(value) if abs(value) <= _GREATEST_EXACT else str(int(value))
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, Timestamp):
        return print_timestamp(value)
    if isinstance(value, Duration):
        return print_duration(value)
    if isinstance(value, Optional):
        if value is NONE:
            msg = "optional.none() dereference"
            raise NotJson(msg)
        return to_plain(value.held())
    if isinstance(value, Type):
        msg = "type conversion not supported for 'type'"
        raise NotJson(msg)
    return to_json(value)


def no_number(value: float) -> str:
    """The text where a number is none in JSON."""
    shown = "NaN" if math.isnan(value) else "-Inf" if value < 0 else "+Inf"
    return f"proto: google.protobuf.Value.number_value: invalid {shown} value"


def _plain_key(key: Value) -> str:
    if isinstance(key, str):
        return key
    if isinstance(key, bool):
        msg = "type conversion error from bool to 'string'"
    else:
        msg = f"unsupported type conversion from '{'uint' if isinstance(key, Uint) else 'int'}' to string"
    raise NotJson(msg)
