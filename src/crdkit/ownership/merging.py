"""Merging an applied configuration into an object: what the configuration names is as it says, all else stays."""

from __future__ import annotations

import operator
from typing import Any, Final

from crdkit.meta.changes import WRITTEN, Changes, Places, Whole
from crdkit.meta.types import Json, JsonObject
from crdkit.ownership import items
from crdkit.ownership.elements import Element
from crdkit.ownership.types import ListType, MapType, Type

_ABSENT: Final[Any] = object()
_CONTAINERS: Final = (dict, list)


def merge(type_: Type, live: Json, applied: Json) -> Json:
    """Merge two values that are of the type. The outcome shares what it can with both.

    Null over a map or list that has something leaves that as it is: giving up its contents is another step.
    """
    facet = type_.facet(applied)
    if isinstance(facet, MapType):
        old = live if isinstance(live, dict) else {}
        new = applied if isinstance(applied, dict) else {}
        return applied if facet.atomic or not (old or new) else _merge_maps(facet, old, new)[0]
    if isinstance(facet, ListType):
        old_items = live if isinstance(live, list) else []
        new_items = applied if isinstance(applied, list) else []
        return applied if facet.atomic or not (old_items or new_items) else _merge_lists(facet, old_items, new_items)[0]
    return applied


def merge_object(type_: Type, live: JsonObject, applied: JsonObject) -> tuple[JsonObject, Changes]:
    """The same for two objects, and what differs then from the live one. That itself comes out if nothing does."""
    assert type_.map is not None
    return _merge_maps(type_.map, live, applied)


def _merge_maps(map_: MapType, live: JsonObject, applied: JsonObject) -> tuple[JsonObject, Changes]:
    changed: JsonObject = {}
    changes: Changes = {}
    for name, value in applied.items():
        old = live.get(name, _ABSENT)
        kind = value.__class__
        if old is _ABSENT or (kind is old.__class__ and kind not in _CONTAINERS):
            if old is _ABSENT or value != old:
                changed[name], changes[name] = value, WRITTEN
            continue
        type_ = map_.fields.get(name, map_.values)
        assert type_ is not None
        merged, below = _merge_containers(type_, old, value)
        if below:
            changed[name], changes[name] = merged, below
    return ({**live, **changed} if changed else live), changes


def _merge_containers(type_: Type, live: Json, applied: Json) -> tuple[Json, Changes | Places | Whole | None]:
    """The same for two values one of which is an object or a list, and how the outcome differs from the live one; if at all."""
    kind = applied.__class__
    if kind is live.__class__:
        if kind is dict and type_.map is not None and not type_.map.atomic:
            return _merge_maps(type_.map, live, applied)
        if kind is list and type_.list is not None and not type_.list.atomic:
            return _merge_lists(type_.list, live, applied)
    merged = merge(type_, live, applied)
    return merged, None if merged is live else WRITTEN


def _merge_lists(list_: ListType, live: list[Json], applied: list[Json]) -> tuple[list[Json], Places | Whole | None]:
    """Items that only one side has keep their place among their neighbours; those of both follow the applied order."""
    live_names = items.elements_of(list_, live)
    applied_names = items.elements_of(list_, applied)
    places = _places(live_names, applied_names)
    if places is not None:
        return _merge_in_place(list_.items, live, places, applied)
    merged = _ListMerge(list_, live, live_names, applied, applied_names).run()
    if len(merged) == len(live) and all(map(operator.is_, merged, live)):
        return live, None
    return merged, WRITTEN


def _places(live: list[Element], applied: list[Element]) -> list[int] | None:
    """Where in the live list the applied items are, if all are there, in the same order, and no two live ones have one name."""
    index_of = {name: index for index, name in enumerate(live)}
    places = [index_of.get(name, -1) for name in applied]
    is_in_order = all(map(operator.lt, [-1, *places], places))
    return places if is_in_order and len(index_of) == len(live) else None


def _merge_in_place(type_: Type, live: list[Json], places: list[int], applied: list[Json]) -> tuple[list[Json], Places | None]:
    merged = live
    changes: dict[int, Changes | Whole] = {}
    for place, item in zip(places, applied, strict=True):
        new, below = _merge_containers(type_, live[place], item)
        if below:
            if merged is live:
                merged = list(live)
            merged[place], changes[place] = new, WRITTEN if isinstance(below, Places) else below
    return merged, Places(changes) if changes else None


class _ListMerge:
    def __init__(
        self, list_: ListType, live: list[Json], live_names: list[Element], applied: list[Json], applied_names: list[Element]
    ) -> None:
        self._list = list_
        self._live = live
        self._live_names = live_names
        self._applied_names = applied_names
        self._applied = dict(zip(self._applied_names, applied, strict=True))
        self._singles: dict[Element, Json] = {}
        for name, item in zip(self._live_names, live, strict=True):
            self._singles[name] = None if name in self._singles else item
        self._shared = iter([name for name in self._applied_names if name in self._singles])
        self._merged: list[Json] = []
        self._taken: set[Element] = set()

    def run(self) -> list[Json]:
        """Walk both lists at once. An item of both is taken when both walks have come to it, or from the applied list."""
        left, right = 0, 0
        following = next(self._shared, None)
        while left < len(self._live_names) or right < len(self._applied_names):
            if left < len(self._live_names) and right < len(self._applied_names):
                name = self._live_names[left]
                if name == self._applied_names[right]:
                    self._take(name)
                    left, right = left + 1, right + 1
                    following = next(self._shared, None)
                    continue
                if name in self._applied and following is not None and name != following:
                    left += 1
                    continue
            if left < len(self._live_names):
                name = self._live_names[left]
                if name not in self._applied:
                    self._merged.append(self._live[left])
                    left += 1
                    continue
                if name in self._taken:
                    left += 1
            if right < len(self._applied_names):
                name = self._applied_names[right]
                self._take(name)
                right += 1
                if name == following:
                    following = next(self._shared, None)
        return self._merged

    def _take(self, name: Element) -> None:
        self._taken.add(name)
        live = self._singles.get(name, _ABSENT)
        applied = self._applied[name]
        self._merged.append(applied if live is _ABSENT else merge(self._list.items, live, applied))
