"""cel-go's own functions on lists, as of version 3 of its extension."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cmp_to_key
from typing import Final

from crdkit.cel.access import go_name
from crdkit.cel.ast import Node
from crdkit.cel.costs import MAX, Cost, Interval, Site
from crdkit.cel.declarations import Library, Overload
from crdkit.cel.errors import CostLimitExceeded, EvaluationError, Panicked
from crdkit.cel.libraries.elements import COMPARABLE, COMPARABLE_TYPES, order, same
from crdkit.cel.macros import Macro, Maker, map_over
from crdkit.cel.types import BYTES, DYN, INT, STRING, Type, list_of, parameter
from crdkit.cel.values import LISTS, Value, size_of, type_of

LIBRARY: Final = Library("cel.lib.ext.lists")

_T: Final = list_of(parameter("T"))
_CALL: Final = 11
"""Calling a function that makes a list."""
_LONGEST_RANGE: Final = 1_000_000
"""To make a longer one costs more than an evaluation may."""
_HASHED: Final = frozenset({str, bytes, bool, int})


def _making(factor: float, size: Interval) -> Interval:
    return size.scaled(factor).plus(Interval(_CALL, _CALL))


def _whole(literal: Value, otherwise: int) -> int:
    """The literal as a size; a negative one is none."""
    return max(int(literal), 0) if literal.__class__ is int else otherwise


def _result_size(_arguments: Sequence[Value], result: Value) -> int:
    return size_of(result) + _CALL


def _slice_size(site: Site) -> Interval:
    """The real server's subtraction wraps around."""
    size = (_whole(site[2].literal, site[0].size.high) - _whole(site[1].literal, 0)) & MAX
    return Interval(size, size)


@LIBRARY.member(
    "slice", (_T, INT, INT), _T, id="list_slice", cost=Cost(lambda site: _making(1, _slice_size(site)), _result_size), size=_slice_size
)
def slice_list(values: Value, start: int, end: int) -> list[Value]:
    """The elements from an index up to another: ``[1, 2, 3].slice(0, 2) == [1, 2]``."""
    why = ""
    if start < 0 or end < 0:
        why = "negative indexes not supported"
    elif start > end:
        why = "start index must be less than or equal to end index"
    elif len(values) < end:
        why = f"list is length {len(values)}"
    if why:
        msg = f"cannot slice({start}, {end}), {why}"
        raise EvaluationError(msg)
    return [values[index] for index in range(start, end)]


def _flattened(site: Site) -> Interval:
    depth = _whole(site[1].literal, MAX) if len(site) > 1 else 1
    return _making(float(depth), site[0].size)


def _flattening(arguments: Sequence[Value], _result: Value) -> int:
    depth = arguments[1] if len(arguments) > 1 else 1
    if depth.__class__ is not int:
        raise _panic(f"ref.Val is {go_name(depth)}, not types.Int")
    cost = int(float(size_of(arguments[0])) * float(depth))
    return (cost if cost >= 0 else 2**63) + _CALL


def _panic(text: str) -> Panicked:
    """The real server's panic where it charges for a call whose argument failed."""
    return Panicked(f"interface conversion: {text}")


_FLATTENING: Final = Cost(_flattened, _flattening)


@LIBRARY.operator(
    "flatten",
    Overload("list_flatten", (list_of(_T),), _T, member=True, cost=_FLATTENING, size=lambda site: site[0].size),
    Overload("list_flatten_int", (list_of(DYN), INT), list_of(DYN), member=True, cost=_FLATTENING, size=lambda site: site[0].size),
)
def flatten(values: Value, depth: Value = 1, *more: Value) -> list[Value]:
    """The elements of lists within the list, down to a depth: ``[[1], [2]].flatten() == [1, 2]``."""
    if not isinstance(values, LISTS) or depth.__class__ is not int or more:
        msg = f"no such overload: {type_of(values).name}.flatten()"
        raise EvaluationError(msg)
    if depth < 0:
        msg = "level must be non-negative"
        raise EvaluationError(msg)
    flat: list[Value] = []
    for value in values:
        if depth and isinstance(value, LISTS):
            flat += flatten(value, depth - 1)
        else:
            flat.append(value)
    return flat


def _range_size(site: Site) -> Interval:
    size = _whole(site[0].literal, MAX)
    return Interval(size, size)


@LIBRARY.function(
    "lists.range",
    (INT,),
    list_of(INT),
    id="lists_range",
    cost=Cost(lambda site: _making(1, _range_size(site)), _result_size),
    size=_range_size,
)
def make_range(size: int) -> list[int]:
    """The numbers from 0 up: ``lists.range(3) == [0, 1, 2]``."""
    if size > _LONGEST_RANGE:
        raise CostLimitExceeded
    return list(range(size))


@LIBRARY.member(
    "reverse", (_T,), _T, id="list_reverse", cost=Cost(lambda site: _making(1, site[0].size), _result_size), size=lambda site: site[0].size
)
def reverse(values: Value) -> list[Value]:
    """The last element first: ``[1, 2].reverse() == [2, 1]``."""
    return list(values)[::-1]


def _squared(position: int) -> Callable[[Site], Interval]:
    return lambda site: site[position].size.times(site[position].size)


def _comparing(position: int, element: Type | None = None, *, by_name: bool = True) -> Cost:
    """Comparing each element of a list with each, twice."""
    size, factor = _squared(position), 2.1 if element in (STRING, BYTES) else 2.0

    def actual(arguments: Sequence[Value], _result: Value) -> int:
        values = arguments[position]
        if not isinstance(values, LISTS):
            raise _panic(f"{go_name(values)} is not traits.Lister: missing method Add")
        text = bool(len(values)) and values[0].__class__ in (str, bytes)
        return int(float(len(values) ** 2) * (2.1 if text else 2.0)) + _CALL

    return Cost(lambda site: _making(factor, size(site)), actual, by_name=by_name)


@LIBRARY.member("distinct", (_T,), _T, id="list_distinct", cost=_comparing(0), size=_squared(0))
def distinct(values: Value) -> Value:
    """Of equal elements only the first: ``[1, 2, 1].distinct() == [1, 2]``."""
    elements = list(values)
    kinds = {element.__class__ for element in elements}
    if len(kinds) == 1 and kinds <= _HASHED:
        return list(dict.fromkeys(elements))
    unique: list[Value] = []
    for element in elements:
        if not any(same(element, other) for other in unique):
            unique.append(element)
    return unique


_ordered: Final = cmp_to_key(order)


def _sorted_by(values: Value, keys: Value) -> Value:
    """The elements in the order of other elements."""
    if len(values) != len(keys):
        msg = (
            "@sortByAssociatedKeys() expected a list of the same size as the associated keys list, "
            f"but got {len(values)} and {len(keys)} elements respectively"
        )
        raise EvaluationError(msg)
    keyed = list(keys)
    if not keyed:
        return values
    kind = keyed[0].__class__
    if kind not in COMPARABLE:
        msg = "list elements must be comparable"
        raise EvaluationError(msg)
    if any(key.__class__ is not kind for key in keyed):
        msg = "list elements must have the same type"
        raise EvaluationError(msg)
    places = sorted(range(len(keyed)), key=lambda place: _ordered(keyed[place]))
    return [values[place] for place in places]


def _check_list(name: str, *arguments: Value) -> None:
    if not isinstance(arguments[0], LISTS):
        msg = f"no such overload: {name}({', '.join(type_of(argument).name for argument in arguments)})"
        raise EvaluationError(msg)


def _overload(name: str, arguments: tuple[Type, ...], position: int, element: Type) -> Overload:
    cost = _comparing(position, element, by_name=False)
    return Overload(name, arguments, arguments[0], member=True, cost=cost, size=_squared(position))


@LIBRARY.operator("sort", *(_overload(f"list_{name}_sort", (list_of(type_),), 0, type_) for name, type_ in COMPARABLE_TYPES.items()))
def sort(values: Value) -> Value:
    """In order: ``[2, 1].sort() == [1, 2]``. Elements must be of one kind that has an order."""
    _check_list("sort", values)
    return _sorted_by(values, values)


@LIBRARY.operator(
    "@sortByAssociatedKeys",
    *(_overload(f"list_{name}_sortByAssociatedKeys", (_T, list_of(type_)), 1, type_) for name, type_ in COMPARABLE_TYPES.items()),
)
def sort_by_keys(values: Value, keys: Value) -> Value:
    """What ``sortBy`` becomes."""
    _check_list("@sortByAssociatedKeys", values, keys)
    return _sorted_by(values, keys)


_INPUT: Final = "@__sortBy_input__"


def _sort_by(make: Maker, target: Node, arguments: Sequence[Node]) -> Node:
    """``l.sortBy(x, key)`` sorts by ``l.map(x, key)``, whereby ``l`` gets a name."""
    keys = map_over(make, make.ident(_INPUT), arguments)
    return make.bind(_INPUT, target, make.member("@sortByAssociatedKeys", make.ident(_INPUT), keys))


LIBRARY.macros.append(Macro("sortBy", 2, True, _sort_by))
