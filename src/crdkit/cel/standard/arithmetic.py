"""``+ - * / %``: checked 64-bit integers, IEEE doubles, concatenation, and time."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from crdkit.cel.costs import Cost, added, by_sizes, tenths
from crdkit.cel.declarations import Library, Overload
from crdkit.cel.errors import EvaluationError, no_such_overload
from crdkit.cel.growing import Growing
from crdkit.cel.standard.clock import MAX_SECONDS, MIN_SECONDS, NANOS
from crdkit.cel.types import BYTES, DOUBLE, DURATION, INT, STRING, TIMESTAMP, UINT, Type, list_of, parameter
from crdkit.cel.values import LISTS, Duration, Joined, ListValue, Timestamp, Uint, Value, unknown_operator

LIBRARY: Final = Library("arithmetic")

MIN_INT: Final = -(2**63)
MAX_INT: Final = 2**63 - 1
MAX_UINT: Final = 2**64 - 1
_LIST_OF_A: Final = list_of(parameter("A"))


def _overload(id: str, one: Type, other: Type, result: Type, inline: str | None = None) -> Overload:
    return Overload(id, (one, other), result, member=False, inline=inline, checked=result is INT)


def integer(value: int) -> int:
    """The value, if it is an int."""
    if MIN_INT <= value <= MAX_INT:
        return value
    msg = "integer overflow"
    raise EvaluationError(msg)


def unsigned(value: int) -> Uint:
    """The value, if it is a uint."""
    if 0 <= value <= MAX_UINT:
        return Uint(value)
    msg = "unsigned integer overflow"
    raise EvaluationError(msg)


def moment(nanos: int, offset: int) -> Timestamp:
    """The timestamp, if there is one."""
    if MIN_SECONDS <= nanos // NANOS <= MAX_SECONDS:
        return Timestamp(nanos, offset)
    msg = "timestamp overflow"
    raise EvaluationError(msg)


_CONCATENATION: Final[Cost] = by_sizes(lambda one, other: tenths(added(one, other)), by_name=False, inline="TENTHS[{0} + {1}]")


@LIBRARY.operator(
    "_+_",
    Overload("add_bytes", (BYTES, BYTES), BYTES, member=False, cost=_CONCATENATION, size=lambda site: site[0].size.plus(site[1].size)),
    _overload("add_double", DOUBLE, DOUBLE, DOUBLE),
    _overload("add_duration_duration", DURATION, DURATION, DURATION),
    _overload("add_duration_timestamp", DURATION, TIMESTAMP, TIMESTAMP),
    _overload("add_timestamp_duration", TIMESTAMP, DURATION, TIMESTAMP),
    _overload("add_int64", INT, INT, INT, "{0} + {1}"),
    Overload("add_list", (_LIST_OF_A, _LIST_OF_A), _LIST_OF_A, member=False, size=lambda site: site[0].size.plus(site[1].size)),
    Overload(
        "add_string",
        (STRING, STRING),
        STRING,
        member=False,
        cost=_CONCATENATION,
        size=lambda site: site[0].size.plus(site[1].size),
        inline="{0} + {1}",
    ),
    _overload("add_uint64", UINT, UINT, UINT),
)
def add(one: Value, other: Value) -> Value:
    """The sum, or one behind the other."""
    kind = one.__class__
    if kind is int or kind is Uint:
        if other.__class__ is not kind:
            raise no_such_overload()
        return integer(one + other) if kind is int else unsigned(int(one) + int(other))
    if kind is str or kind is float or kind is bytes:
        if other.__class__ is not kind:
            raise no_such_overload()
        return one + other
    if isinstance(one, LISTS):
        return _add_lists(one, other)
    if kind is Timestamp or kind is Duration:
        return _add_times(one, other)
    raise unknown_operator("_+_", one)


def _add_lists(one: Value, other: Value) -> Value:
    if not isinstance(other, LISTS):
        raise no_such_overload()
    if one.__class__ is Growing:
        one.extend(other)
        return one
    if isinstance(one, ListValue) and len(other) and (own := one.plus(other)) is not None:
        return own
    if not len(one):
        return other
    return one if not len(other) else Joined([*one, *other])


def _add_times(one: Value, other: Value) -> Value:
    if one.__class__ is Duration:
        if other.__class__ is Duration:
            return Duration(integer(one.nanos + other.nanos))
        if other.__class__ is Timestamp:
            return moment(one.nanos + other.nanos, other.offset)
    elif other.__class__ is Duration:
        return moment(one.nanos + other.nanos, one.offset)
    raise no_such_overload()


@LIBRARY.operator(
    "_-_",
    _overload("subtract_double", DOUBLE, DOUBLE, DOUBLE),
    _overload("subtract_duration_duration", DURATION, DURATION, DURATION),
    _overload("subtract_int64", INT, INT, INT, "{0} - {1}"),
    _overload("subtract_timestamp_duration", TIMESTAMP, DURATION, TIMESTAMP),
    _overload("subtract_timestamp_timestamp", TIMESTAMP, TIMESTAMP, DURATION),
    _overload("subtract_uint64", UINT, UINT, UINT),
)
def subtract(one: Value, other: Value) -> Value:
    """The difference."""
    kind, same = one.__class__, one.__class__ is other.__class__
    if kind is int and same:
        return integer(one - other)
    if kind is float and same:
        return one - other
    if kind is Uint and same:
        return unsigned(int(one) - int(other))
    if kind in (Timestamp, Duration) and same:
        return Duration(integer(one.nanos - other.nanos))
    if kind is Timestamp and other.__class__ is Duration:
        return moment(one.nanos + integer(-other.nanos), one.offset)
    raise no_such_overload() if kind in _SUBTRACTING else unknown_operator("_-_", one)


_SUBTRACTING: Final = frozenset({int, Uint, float})
"""Kinds that know differences, products and quotients, if not with every other kind."""


def _numeric(function: str, of_ints: Callable[[int, int], int], one: Value, other: Value) -> Value:
    kind, same = one.__class__, one.__class__ is other.__class__
    if kind is int and same:
        return integer(of_ints(one, other))
    if kind is Uint and same:
        return unsigned(of_ints(int(one), int(other)))
    raise no_such_overload() if kind in _SUBTRACTING else unknown_operator(function, one)


@LIBRARY.operator(
    "_*_",
    _overload("multiply_double", DOUBLE, DOUBLE, DOUBLE),
    _overload("multiply_int64", INT, INT, INT, "{0} * {1}"),
    _overload("multiply_uint64", UINT, UINT, UINT),
)
def multiply(one: Value, other: Value) -> Value:
    """The product."""
    if one.__class__ is float and other.__class__ is float:
        return one * other
    return _numeric("_*_", lambda first, second: first * second, one, other)


@LIBRARY.operator(
    "_/_",
    _overload("divide_double", DOUBLE, DOUBLE, DOUBLE),
    _overload("divide_int64", INT, INT, INT),
    _overload("divide_uint64", UINT, UINT, UINT),
)
def divide(one: Value, other: Value) -> Value:
    """The quotient; that of integers is cut off towards zero."""
    if one.__class__ is float and other.__class__ is float:
        return _divide_doubles(one, other)
    return _numeric("_/_", _quotient, one, other)


def _divide_doubles(one: float, other: float) -> float:
    if other:
        return one / other
    if not one or math.isnan(one):
        return math.nan
    return math.copysign(math.inf, one) * math.copysign(1.0, other)


def _quotient(one: int, other: int) -> int:
    if not other:
        msg = "division by zero"
        raise EvaluationError(msg)
    quotient = abs(one) // abs(other)
    return quotient if (one < 0) is (other < 0) else -quotient


@LIBRARY.operator(
    "_%_",
    _overload("modulo_int64", INT, INT, INT),
    _overload("modulo_uint64", UINT, UINT, UINT),
)
def modulo(one: Value, other: Value) -> Value:
    """The remainder; it has the sign of the dividend."""
    if one.__class__ is float:
        raise unknown_operator("_%_", one)
    return _numeric("_%_", _remainder, one, other)


def _remainder(one: int, other: int) -> int:
    if not other:
        msg = "modulus by zero"
        raise EvaluationError(msg)
    if one == MIN_INT and other == -1:
        return MAX_INT + 1
    remainder = abs(one) % abs(other)
    return -remainder if one < 0 else remainder


@LIBRARY.operator(
    "-_",
    Overload("negate_double", (DOUBLE,), DOUBLE, member=False),
    Overload("negate_int64", (INT,), INT, member=False),
)
def negate(value: Value) -> Value:
    """The value with the other sign."""
    kind = value.__class__
    if kind is int:
        return integer(-value)
    if kind is float:
        return -value
    if kind is Duration:
        return Duration(integer(-value.nanos))
    raise no_such_overload() if kind is bool else unknown_operator("-_", value)
