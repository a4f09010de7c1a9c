"""What ``indexOf`` and its like cost: the libraries of strings and of lists declare them under the same names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from crdkit.cel.costs import ONE, Cost, Interval, Site
from crdkit.cel.errors import EvaluationError
from crdkit.cel.libraries.elements import each
from crdkit.cel.types import Kind
from crdkit.cel.values import LISTS, MAPS, Value, find


def _estimate(site: Site) -> Interval:
    """Each element costs 1, strings and bytes their size as well; a target without elements is taken for a string."""
    target = site[0]
    if not target.type.parameters:
        return target.size.scaled(0.1)
    each = ONE
    if target.type.parameters[0].kind in (Kind.STRING, Kind.BYTES) and target.element is not None:
        each = each.plus(target.element.scaled(0.1))
    return target.size.times(each)


def _actual(arguments: Sequence[Value], _result: Value) -> int:
    return _traversed(arguments[0])


def _traversed(value: Value) -> int:
    """The cost of looking at everything in a value. The real server measures strings in bytes here, and rounds down."""
    if value.__class__ is str:
        return int(len(value.encode("utf-8", "surrogatepass")) * 0.1)
    if value.__class__ is bytes:
        return int(len(value) * 0.1)
    if isinstance(value, LISTS):
        return sum(map(_traversed, each(value)))
    if isinstance(value, MAPS):
        return sum(_traversed(key) + _traversed_entry(value, key) for key in value)
    return 1


def _traversed_entry(container: Value, key: Value) -> int:
    try:
        return _traversed(find(container, key))
    except EvaluationError:
        return 1


SEARCHING: Final = Cost(_estimate, _actual)
