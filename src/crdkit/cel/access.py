"""Selecting and indexing: what stands under a key of a map or at a place of a list."""

from __future__ import annotations

from typing import Final

from crdkit.cel.errors import EvaluationError
from crdkit.cel.types import Type
from crdkit.cel.values import LISTS, MISSING, Duration, ListValue, MapValue, Optional, Timestamp, Uint, Value, type_of
from crdkit.meta.golang import format_float

_KEYS: Final = (str, int, Uint, bool, float)
_GO_NAMES: Final = {
    EvaluationError: "*types.Err", Optional: "*types.Optional",
    bytes: "types.Bytes", type(None): "types.Null", Timestamp: "types.Timestamp", Duration: "types.Duration",
    list: "*types.baseList", dict: "*types.baseMap", Type: "*types.Type",
}  # fmt: skip
_MAX_INT: Final = 2**63 - 1


def select(container: Value, key: Value) -> Value:
    """``container[key]``. Raises `EvaluationError` if it is not there."""
    if isinstance(container, dict):
        found = container.get(key, MISSING) if key.__class__ is str else MISSING
    elif isinstance(container, LISTS):
        index = list_index(key)
        if not 0 <= index < len(container):
            msg = f"index out of bounds: {shown(key)}"
            raise EvaluationError(msg)
        return element(container, index, key)
    elif isinstance(container, MapValue):
        found = container.find(key)
    else:
        found = MISSING
    if found is MISSING:
        msg = f"no such key: {shown(key)}"
        raise EvaluationError(msg)
    return found


def select_present(container: Value, key: Value) -> Value:
    """``container[key]``, or `MISSING`."""
    if isinstance(container, dict):
        return container.get(key, MISSING) if key.__class__ is str else MISSING
    if isinstance(container, LISTS):
        index = list_index(key)
        return element(container, index, key) if 0 <= index < len(container) else MISSING
    return container.find(key) if isinstance(container, MapValue) else MISSING


def element(values: Value, index: int, key: Value) -> Value:
    """The element at a place that ``key`` means; lists that are not plain take no other numbers than ints for it."""
    if key.__class__ is not int and isinstance(values, ListValue):
        msg = f"unsupported index: {shown(key)}"
        raise EvaluationError(msg)
    return values[index]


def list_index(key: Value) -> int:
    """The place in a list that a value means."""
    kind = key.__class__
    if kind is int:
        return int(key)
    if kind is Uint and key <= _MAX_INT:
        return int(key)
    if kind is float and key.is_integer() and abs(key) < _MAX_INT:
        return int(key)
    if kind in (float, Uint):
        msg = f"unsupported index value {shown(key)} in list"
    else:
        msg = f"unsupported index type '{type_of(key).name}' in list"
    raise EvaluationError(msg)


def check_key(key: Value) -> None:
    """Raise `EvaluationError` for a value of a kind that nothing can be looked up under."""
    if not isinstance(key, _KEYS):
        msg = f"invalid qualifier type: {go_name(key)}"
        raise EvaluationError(msg)


def go_name(value: Value) -> str:
    """The name of the Go type that a real server holds such a value in."""
    if (name := _GO_NAMES.get(value.__class__)) is not None:
        return name
    if isinstance(value, LISTS):
        return _GO_NAMES[list]
    if isinstance(value, MapValue):
        return _GO_NAMES[dict]
    name = type_of(value).name
    return f"cel.{name.rpartition('.')[2]}" if "." in name else f"types.{name.title()}"


def shown(key: Value) -> str:
    """A key as errors print it."""
    if key.__class__ is bool:
        return "true" if key else "false"
    return format_float(key, high=6) if key.__class__ is float else str(key)
