"""Values as vectors write them: ``{"t": type, "v": value}``."""

from __future__ import annotations

import base64
import json
import math
from typing import Any

from crdkit.cel.errors import EvaluationError
from crdkit.cel.openapi.data import DataObject
from crdkit.cel.openapi.raw import Preserved
from crdkit.cel.standard.timestamps import parse_timestamp, print_timestamp
from crdkit.cel.types import (
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    NULL,
    OPTIONAL,
    STRING,
    TIMESTAMP,
    TYPE,
    UINT,
    Type,
    list_of,
    map_of,
    optional_of,
    wrapper_of,
)  # fmt: skip
from crdkit.cel.values import LISTS, MAPS, NONE, Duration, Optional, Timestamp, Uint, Value, find, make_map, type_of
from crdkit.meta.golang import format_float

Tagged = dict[str, Any]
_NAMED = {
    type_.name: type_ for type_ in (BOOL, BYTES, DOUBLE, DURATION, DYN, INT, NULL, OPTIONAL, STRING, TIMESTAMP, TYPE, UINT)
} | {"null": NULL, "timestamp": TIMESTAMP, "duration": DURATION}  # fmt: skip


def tag(value: Value) -> Tagged:
    """A value of ours as a vector writes it."""
    if value is None:
        return {"t": "null"}
    if isinstance(value, bool | str) or (isinstance(value, int) and not isinstance(value, Uint)):
        return {"t": type_of(value).name, "v": value}
    if isinstance(value, Uint):
        return {"t": "uint", "v": int(value)}
    if isinstance(value, float):
        return {"t": "double", "v": _double(value)}
    if isinstance(value, bytes):
        return {"t": "bytes", "v": base64.b64encode(value).decode()}
    if isinstance(value, LISTS):
        return {"t": "list", "v": [tag(element) for element in _elements(value)]}
    if isinstance(value, MAPS):
        absent = isinstance(value, DataObject)
        entries = [[{"t": "nil"}, {"t": "nil"}] if absent and key is None else [tag(key), _attempt(value, key)] for key in value]
        return {"t": "map", "v": sorted(entries, key=lambda entry: json.dumps(entry[0], sort_keys=True))}
    return _tag_other(value)


def _elements(value: Value) -> Any:
    return value if isinstance(value, list) else value.each()


def _attempt(container: Value, key: Value) -> Tagged:
    try:
        return tag(find(container, key))
    except EvaluationError as error:
        return {"t": "error", "v": str(error)}


def _tag_other(value: Value) -> Tagged:
    if isinstance(value, Timestamp):
        return {"t": "timestamp", "v": print_timestamp(Timestamp(value.nanos))}
    if isinstance(value, Duration):
        return {"t": "duration", "v": value.nanos}
    if isinstance(value, Type):
        return {"t": "type", "v": value.name}
    if isinstance(value, Optional):
        return {"t": "optional", "v": None if value is NONE else tag(value.value)}
    if isinstance(value, EvaluationError):
        return {"t": "error", "v": str(value)}
    if isinstance(value, Preserved):
        return {"t": "unknown", "v": value.raw}
    return {"t": type_of(value).name, "v": str(value)}


def _double(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    return format_float(value, high=6)


def untag(tagged: Tagged) -> Value:
    """A value of a vector as one of ours."""
    content = tagged.get("v")
    match tagged["t"]:
        case "null":
            return None
        case "uint":
            return Uint(content)
        case "double":
            return float(content)
        case "bytes":
            return base64.b64decode(content)
        case "list":
            return [untag(element) for element in content]
        case "map":
            return make_map([(untag(key), untag(value)) for key, value in content])
        case "timestamp":
            return parse_timestamp(content)
        case "duration":
            return Duration(content)
        case "type":
            return _NAMED[content]
        case "optional":
            return NONE if content is None else Optional(untag(content))
        case _:
            return content


def parse_type(text: str) -> Type:
    """A type as vectors write it: ``map(string, list(int))``."""
    name, _, rest = text.partition("(")
    if not rest:
        return _NAMED[name]
    parameters = [parse_type(part) for part in _split(rest[:-1])]
    match name:
        case "list":
            return list_of(*parameters)
        case "map":
            return map_of(*parameters)
        case "optional_type":
            return optional_of(*parameters)
        case _:
            return wrapper_of(*parameters)


def _split(text: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for index, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if char == "," and not depth:
            parts.append(text[start:index].strip())
            start = index + 1
    return [*parts, text[start:].strip()]
