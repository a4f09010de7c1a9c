"""Lists and maps: indexing, membership, sizes, and what the macros over two variables insert with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from crdkit.cel import macros
from crdkit.cel.access import shown
from crdkit.cel.comparing import equal
from crdkit.cel.costs import Cost, Interval, Site
from crdkit.cel.declarations import Library, Overload
from crdkit.cel.errors import EvaluationError, Panicked, no_such_overload
from crdkit.cel.growing import GrowingMap
from crdkit.cel.planning import forms
from crdkit.cel.types import BOOL, BYTES, INT, STRING, list_of, map_of, parameter
from crdkit.cel.values import LISTS, MAPS, MISSING, ListValue, Value, find, make_map, size_of, unknown_operator

LIBRARY: Final = Library("containers")
TWO_VARIABLES: Final = Library("two-variable comprehensions")
TWO_VARIABLES.macros += macros.TWO_VARIABLES

_A: Final = parameter("A")
_B: Final = parameter("B")
_LIST: Final = list_of(_A)
_MAP: Final = map_of(_A, _B)
_SIZED: Final = (str, bytes, *LISTS, *MAPS)


def _list_size(site: Site) -> Interval:
    return site[1].size


def _actual_list_size(arguments: Sequence[Value], _result: Value) -> int:
    return size_of(arguments[1])


@LIBRARY.operator(
    "@in",
    Overload("in_list", (_A, _LIST), BOOL, member=False, cost=Cost(_list_size, _actual_list_size, by_name=False)),
    Overload("in_map", (_A, _MAP), BOOL, member=False),
)
def contained(element: Value, container: Value) -> bool:
    """Whether a list has an equal element, or a map the key."""
    if isinstance(container, ListValue) and (own := container.contains(element)) is not None:
        return own
    if isinstance(container, LISTS):
        return any(_same(element, other) for other in container)
    if isinstance(container, MAPS):
        if element.__class__ is bytes:
            msg = "runtime error: hash of unhashable type types.Bytes"
            raise Panicked(msg)
        return find(container, element) is not MISSING
    raise no_such_overload()


def _same(one: Value, other: Value) -> bool:
    try:
        return equal(one, other)
    except EvaluationError:
        return False


LIBRARY.named("_[_]").overloads += (
    Overload("index_list", (_LIST, INT), _A, member=False),
    Overload("index_map", (_MAP, _A), _B, member=False),
)
LIBRARY.form("_[_]")(forms.index)


@LIBRARY.operator(
    "size",
    Overload("size_bytes", (BYTES,), INT, member=False),
    Overload("bytes_size", (BYTES,), INT, member=True),
    Overload("size_list", (_LIST,), INT, member=False, inline="len({0})"),
    Overload("list_size", (_LIST,), INT, member=True, inline="len({0})"),
    Overload("size_map", (_MAP,), INT, member=False, inline="len({0})"),
    Overload("map_size", (_MAP,), INT, member=True, inline="len({0})"),
    Overload("size_string", (STRING,), INT, member=False, inline="len({0})"),
    Overload("string_size", (STRING,), INT, member=True, inline="len({0})"),
)
def size(value: Value) -> int:
    """The number of characters, bytes, elements or entries."""
    if isinstance(value, _SIZED):
        return len(value)
    raise unknown_operator("size", value)


@TWO_VARIABLES.function("cel.@mapInsert", (_MAP, _A, _B), _MAP, id="@mapInsert_map_key_value")
def insert(target: Value, key: Value, value: Value) -> Value:
    """The map with one more entry."""
    return _inserted(target, [(key, value)])


@TWO_VARIABLES.function("cel.@mapInsert", (_MAP, _MAP), _MAP, id="@mapInsert_map_map")
def insert_all(target: Value, entries: Value) -> Value:
    """The map with all entries of another."""
    return _inserted(target, [(key, find(entries, key)) for key in entries])


def _inserted(target: Value, entries: Sequence[tuple[Value, Value]]) -> Value:
    for key, _ in entries:
        if find(target, key) is not MISSING:
            msg = f"insert failed: key {shown(key)} already exists"
            raise EvaluationError(msg)
    if target.__class__ is GrowingMap and all(key.__class__ is str for key, _ in entries):
        target.update(entries)
        return target
    return make_map([*((key, find(target, key)) for key in target), *entries])
