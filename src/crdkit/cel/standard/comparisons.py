"""``== != < <= > >=``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from crdkit.cel.comparing import compare, equal
from crdkit.cel.costs import CONSTANT, Cost, Interval, Site, tenths
from crdkit.cel.declarations import Library, Overload
from crdkit.cel.errors import EvaluationError
from crdkit.cel.types import BOOL, BYTES, DOUBLE, DURATION, INT, STRING, TIMESTAMP, UINT, Type, parameter
from crdkit.cel.values import Duration, Timestamp, Uint, Value, size_of

LIBRARY: Final = Library("comparisons")
_A: Final = parameter("A")
_ORDERED: Final = frozenset({bool, int, Uint, float, str, bytes, Timestamp, Duration})


def _estimate(site: Site) -> Interval:
    smaller = min(site[0].size.high, site[1].size.high)
    return Interval(1 if smaller else 0, smaller).scaled(0.1)


def _actual(arguments: Sequence[Value], _result: Value) -> int:
    return tenths(min(size_of(arguments[0]), size_of(arguments[1])))


_BY_SIZE: Final = Cost(_estimate, _actual, by_name=False, inline="TENTHS[min({0}, {1})]")


@LIBRARY.operator("_==_", Overload("equals", (_A, _A), BOOL, member=False, cost=_BY_SIZE, inline="{0} == {1}"))
def equals(one: Value, other: Value) -> bool:
    """Whether both are equal."""
    return equal(one, other)


@LIBRARY.operator("_!=_", Overload("not_equals", (_A, _A), BOOL, member=False, cost=_BY_SIZE, inline="{0} != {1}"))
def not_equals(one: Value, other: Value) -> bool:
    """Whether they are not; values that cannot be compared are not equal."""
    try:
        return not equal(one, other)
    except EvaluationError:
        return True


def _orders(name: str, symbol: str) -> list[Overload]:
    """The overloads of an order: of each kind by itself, and of the numbers among each other."""
    same = {"bool": BOOL, "int64": INT, "uint64": UINT, "double": DOUBLE, "string": STRING, "bytes": BYTES,
            "timestamp": TIMESTAMP, "duration": DURATION}  # fmt: skip
    numbers = {"int64": INT, "uint64": UINT, "double": DOUBLE}
    overloads = [_order(f"{name}_{id}", type_, type_, symbol) for id, type_ in same.items()]
    overloads += [
        _order(f"{name}_{id}_{other_id}", type_, other, symbol)
        for id, type_ in numbers.items()
        for other_id, other in numbers.items()
        if id != other_id
    ]
    return overloads


def _order(id: str, one: Type, other: Type, symbol: str) -> Overload:
    cost = _BY_SIZE if one in (STRING, BYTES) else CONSTANT
    inline = f"{{0}} {symbol} {{1}}" if one is other and one in (INT, STRING) else None
    return Overload(id, (one, other), BOOL, member=False, cost=cost, inline=inline)


def _ordering(function: str, name: str, holds: Callable[[int], bool]) -> None:
    @LIBRARY.operator(function, *_orders(name, function.strip("_")))
    def ordered(one: Value, other: Value) -> bool:
        if one.__class__ not in _ORDERED:
            msg = f"no such overload: {function}"
            raise EvaluationError(msg)
        return holds(compare(one, other))


_ordering("_<_", "less", lambda order: order < 0)
_ordering("_<=_", "less_equals", lambda order: order <= 0)
_ordering("_>_", "greater", lambda order: order > 0)
_ordering("_>=_", "greater_equals", lambda order: order >= 0)
