"""The messages of protobuf that every expression knows: ``google.protobuf.Int32Value{value: 1}`` is the int itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from crdkit.cel.standard.arithmetic import moment
from crdkit.cel.standard.clock import NANOS
from crdkit.cel.types import (
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    STRING,
    TIMESTAMP,
    UINT,
    Type,
    list_of,
    map_of,
    wrapper_of,
)
from crdkit.cel.values import Duration, Uint, Value
from crdkit.meta.records import record


@record
class Message:
    """What is written as a message, and the value it stands for."""

    type: Type
    fields: Mapping[str, Type]
    make: Callable[[Mapping[str, Value]], Value]


_LIST: Final = list_of(DYN)
_STRUCT: Final = map_of(STRING, DYN)
_TIME: Final = {"seconds": INT, "nanos": INT}
_ONE_OF: Final = {
    "null_value": INT,
    "number_value": DOUBLE,
    "string_value": STRING,
    "bool_value": BOOL,
    "struct_value": _STRUCT,
    "list_value": _LIST,
}


def _nanos(fields: Mapping[str, Any]) -> int:
    return int(fields.get("seconds", 0)) * NANOS + int(fields.get("nanos", 0))


def _wrapper(type_: Type, zero: Value) -> Message:
    return Message(wrapper_of(type_), {"value": type_}, lambda fields: fields.get("value", zero))


def _value(fields: Mapping[str, Value]) -> Value:
    return next((value for name, value in fields.items() if name != "null_value"), None)


MESSAGES: Final = {
    "google.protobuf.BoolValue": _wrapper(BOOL, False),
    "google.protobuf.BytesValue": _wrapper(BYTES, b""),
    "google.protobuf.DoubleValue": _wrapper(DOUBLE, 0.0),
    "google.protobuf.FloatValue": _wrapper(DOUBLE, 0.0),
    "google.protobuf.Int32Value": _wrapper(INT, 0),
    "google.protobuf.Int64Value": _wrapper(INT, 0),
    "google.protobuf.StringValue": _wrapper(STRING, ""),
    "google.protobuf.UInt32Value": _wrapper(UINT, Uint(0)),
    "google.protobuf.UInt64Value": _wrapper(UINT, Uint(0)),
    "google.protobuf.Timestamp": Message(TIMESTAMP, _TIME, lambda fields: moment(_nanos(fields), 0)),
    "google.protobuf.Duration": Message(DURATION, _TIME, lambda fields: Duration(_nanos(fields))),
    "google.protobuf.Value": Message(DYN, _ONE_OF, _value),
    "google.protobuf.ListValue": Message(_LIST, {"values": _LIST}, lambda fields: fields.get("values", [])),
    "google.protobuf.Struct": Message(_STRUCT, {"fields": _STRUCT}, lambda fields: fields.get("fields", {})),
}
