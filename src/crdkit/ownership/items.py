"""What an item of a list is named by in a set of fields: its value, or its keys."""

from __future__ import annotations

import functools
import operator
from typing import Final

from crdkit.meta import golang
from crdkit.meta.types import Json
from crdkit.ownership import elements
from crdkit.ownership.elements import Element
from crdkit.ownership.types import ListType


class Unnameable(ValueError):
    """An item that nothing names; the text says why."""


_ABSENT: Final = object()
_TEXTS: Final = frozenset((str,))
_ONE_MISSING: Final = "associative list with keys has an element that omits key field {} (and doesn't have default value)"
_ALL_MISSING: Final = (
    "associative list with keys has an element that omits all key fields [{}] (and doesn't have default values for any key fields)"
)


def element_of(list_: ListType, item: Json) -> Element:
    """The element that names an item of a set or map list. Raises `Unnameable`."""
    keys = list_.keys
    if not keys:
        check_set_item(item)
        return elements.value(item)
    if len(keys) == 1 and item.__class__ is dict and (key := item.get(keys[0])).__class__ is str:
        return elements.named(keys[0], key)
    return elements.keyed(keys_of(list_, item))


def elements_of(list_: ListType, values: list[Json]) -> list[Element]:
    """Those of all items of a list. Raises `Unnameable`."""
    if len(list_.keys) == 1:
        (name,) = list_.keys
        try:
            keys = list(map(operator.itemgetter(name), values))
        except (KeyError, TypeError):
            keys = [None]
        if set(map(type, keys)) <= _TEXTS:
            return list(map(functools.partial(elements.named, name), keys))
    return [element_of(list_, item) for item in values]


def check_set_item(item: Json) -> None:
    """A set has scalars. Raises `Unnameable`."""
    if isinstance(item, dict):
        raise Unnameable("associative list without keys has an element that's a map type")
    if isinstance(item, list):
        raise Unnameable("not supported: associative list with lists as elements")
    if item is None:
        raise Unnameable("associative list without keys has an element that's an explicit null")


def keys_of(list_: ListType, item: Json) -> list[tuple[str, Json]]:
    """The keys of an item and their values, in the order of their names; what is missing has its default. Raises `Unnameable`."""
    if item is None:
        raise Unnameable("associative list with keys may not have a null element")
    if not isinstance(item, dict):
        raise Unnameable("associative list with keys may not have non-map elements")
    map_ = list_.items.map
    defaults = map_.defaults if map_ is not None else {}
    found = []
    for name in list_.keys:
        key = item.get(name, _ABSENT)
        if key is _ABSENT:
            key = defaults.get(name)
            if key is None:
                if list_.needs_all_keys:
                    raise Unnameable(_ONE_MISSING.format(golang.quote(name)))
                continue
        found.append((name, key))
    if not found:
        raise Unnameable(_ALL_MISSING.format(" ".join(golang.quote(name) for name in list_.keys)))
    return found if len(found) == 1 else sorted(found, key=_name)


def _name(pair: tuple[str, Json]) -> str:
    return pair[0]
