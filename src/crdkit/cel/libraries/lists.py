"""Kubernetes' own functions on lists."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from itertools import pairwise
from typing import Final

from crdkit.cel.declarations import Code, Library
from crdkit.cel.errors import EvaluationError, no_such_overload
from crdkit.cel.libraries.elements import COMPARABLE, COMPARABLE_TYPES, each, order, same
from crdkit.cel.libraries.searching import SEARCHING
from crdkit.cel.standard.arithmetic import add
from crdkit.cel.types import BOOL, INT, list_of, parameter
from crdkit.cel.values import Duration, Uint, Value

LIBRARY: Final = Library("kubernetes.lists")

_A: Final = parameter("A")
_ZEROS: Final = {"int": 0, "uint": Uint(0), "double": 0.0, "duration": Duration(0)}


def _comparable(values: Value) -> list[Value]:
    elements = list(values)
    if not all(element.__class__ in COMPARABLE for element in elements):
        raise no_such_overload()
    return elements


def _is_sorted(values: Value) -> bool:
    elements = _comparable(values)
    return all(order(one, other) <= 0 for one, other in pairwise(elements))


def _summing(zero: Value) -> Code:
    def code(values: Value) -> Value:
        return reduce(add, values, zero)

    return code


def _choosing(name: str, better: Callable[[int], bool]) -> Code:
    """The element that none is better than; what has no order with it is passed over."""

    def code(values: Value) -> Value:
        elements = _comparable(values)
        if not elements:
            msg = f"{name} called on empty list"
            raise EvaluationError(msg)
        return reduce(lambda best, element: element if better(order(element, best)) else best, elements)

    return code


def _declare() -> None:
    """One signature per type of elements: a list's first element tells which is meant."""
    least, greatest = _choosing("min", lambda compared: compared < 0), _choosing("max", lambda compared: compared > 0)
    for name, type_ in COMPARABLE_TYPES.items():
        values = (list_of(type_),)
        LIBRARY.member("isSorted", values, BOOL, id=f"list_{name}_is_sorted_bool", cost=SEARCHING)(_is_sorted)
        LIBRARY.member("min", values, type_, id=f"list_{name}_min_{name}", cost=SEARCHING)(least)
        LIBRARY.member("max", values, type_, id=f"list_{name}_max_{name}", cost=SEARCHING)(greatest)
        if name in _ZEROS:
            LIBRARY.member("sum", values, type_, id=f"list_{name}_sum_{name}", cost=SEARCHING)(_summing(_ZEROS[name]))


_declare()


@LIBRARY.member("indexOf", (list_of(_A), _A), INT, id="list_a_index_of_int", cost=SEARCHING)
def index_of(values: Value, wanted: Value) -> int:
    """Where an element is found first, or -1: ``[1, 2, 2].indexOf(2) == 1``."""
    return next((index for index, value in enumerate(each(values)) if same(value, wanted)), -1)


@LIBRARY.member("lastIndexOf", (list_of(_A), _A), INT, id="list_a_last_index_of_int", cost=SEARCHING)
def last_index_of(values: Value, wanted: Value) -> int:
    """Where an element is found last, or -1: ``[1, 2, 2].lastIndexOf(2) == 2``."""
    elements = list(each(values))
    return next((index for index in range(len(elements) - 1, -1, -1) if same(elements[index], wanted)), -1)
