"""Lists taken for sets: cel-go's extension."""

from __future__ import annotations

from typing import Final

from crdkit.cel.costs import Cost, by_sizes
from crdkit.cel.declarations import Library
from crdkit.cel.libraries.elements import contains, each
from crdkit.cel.types import BOOL, list_of, parameter
from crdkit.cel.values import Value

LIBRARY: Final = Library("cel.lib.ext.sets")

_LIST: Final = list_of(parameter("T"))
_ONCE: Final[Cost] = by_sizes(lambda one, other: one * other + 1)
_TWICE: Final[Cost] = by_sizes(lambda one, other: 2 * one * other + 1)


@LIBRARY.function("sets.contains", (_LIST, _LIST), BOOL, id="list_sets_contains_list", cost=_ONCE)
def contains_all(one: Value, other: Value) -> bool:
    """Whether all of the second is in the first: ``sets.contains([1, 2], [2])``."""
    return all(contains(one, element) for element in each(other))


@LIBRARY.function("sets.equivalent", (_LIST, _LIST), BOOL, id="list_sets_equivalent_list", cost=_TWICE)
def equivalent(one: Value, other: Value) -> bool:
    """Whether each has all of the other: ``sets.equivalent([1], [1, 1])``."""
    return contains_all(one, other) and contains_all(other, one)


@LIBRARY.function("sets.intersects", (_LIST, _LIST), BOOL, id="list_sets_intersects_list", cost=_ONCE)
def intersects(one: Value, other: Value) -> bool:
    """Whether they have something in common: ``sets.intersects([1, 2], [2, 3])``."""
    return any(contains(other, element) for element in each(one))
