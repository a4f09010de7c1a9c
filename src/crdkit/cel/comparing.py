"""When values are equal, and which comes first."""

from __future__ import annotations

from typing import Final

from crdkit.cel.errors import EvaluationError, no_such_overload
from crdkit.cel.types import Type
from crdkit.cel.values import LISTS, MAPS, MISSING, NONE, Duration, ListValue, MapValue, Opaque, Optional, Timestamp, Uint, Value, find

_NUMBERS: Final = frozenset({int, Uint, float})
_PLAIN: Final = frozenset({str, bytes, bool, Timestamp, Duration})


def equal(one: Value, other: Value) -> bool:
    """Whether two values of any kinds are equal. Raises `EvaluationError` where a library's type refuses the other kind."""
    kind, other_kind = one.__class__, other.__class__
    if kind in _PLAIN:
        return bool(kind is other_kind and one == other)
    if one is None or other is None:
        return one is other
    if kind in _NUMBERS:
        return other_kind in _NUMBERS and _numbers_equal(one, other)
    if isinstance(one, LISTS):
        return _lists_equal(one, other)
    if isinstance(one, MAPS):
        return _maps_equal(one, other)
    if kind is Optional:
        return other_kind is Optional and _optionals_equal(one, other)
    if kind is Type:
        return other_kind is Type and bool(one.name == other.name)
    return isinstance(one, Opaque) and one.equals(other)


def _numbers_equal(one: Value, other: Value) -> bool:
    if one.__class__ is float or other.__class__ is float:
        return float(one) == float(other)
    return bool(one == other)


def _maybe_equal(one: Value, other: Value) -> bool:
    """Whether two elements do not differ: elements that cannot be compared do not."""
    try:
        return equal(one, other)
    except EvaluationError:
        return True


def _lists_equal(one: Value, other: Value) -> bool:
    if isinstance(one, ListValue) and (own := one.equals(other)) is not None:
        return own
    if not isinstance(other, LISTS):
        return False
    return len(one) == len(other) and all(_maybe_equal(first, second) for first, second in zip(one, other, strict=True))


def _maps_equal(one: Value, other: Value) -> bool:
    if isinstance(one, MapValue) and (own := one.equals(other)) is not None:
        return own
    if not isinstance(other, MAPS) or len(one) != len(other):
        return False
    for key in one:
        found = find(other, key)
        if found is MISSING or not _maybe_equal(find(one, key), found):
            return False
    return True


def _optionals_equal(one: Optional, other: Optional) -> bool:
    if one is NONE or other is NONE:
        return one is other
    return equal(one.value, other.value)


def compare(one: Value, other: Value) -> int:
    """Less than, equal to or greater than zero, as ``one`` comes before, beside or behind ``other``.

    Raises `EvaluationError` for kinds that have no order with each other, and for NaN.
    """
    kind, other_kind = one.__class__, other.__class__
    if kind in _NUMBERS and other_kind in _NUMBERS:
        return _compare_numbers(one, other)
    if kind is not other_kind or kind not in _PLAIN:
        raise no_such_overload()
    if kind is Timestamp or kind is Duration:
        one, other = one.nanos, other.nanos
    return -1 if one < other else int(one != other)


def _compare_numbers(one: Value, other: Value) -> int:
    if one.__class__ is float or other.__class__ is float:
        one, other = float(one), float(other)
        if one != one or other != other:  # noqa: PLR0124 (NaN)
            msg = "NaN values cannot be ordered"
            raise EvaluationError(msg)
    return -1 if one < other else int(one > other)
