"""What changed between two values of a type, as sets of fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, TypeAlias

from crdkit.meta.changes import REMOVED, Changes, Places
from crdkit.meta.types import Json, JsonObject
from crdkit.ownership import elements, fieldsets, items
from crdkit.ownership.conformity import conforms
from crdkit.ownership.elements import Element
from crdkit.ownership.fieldsets import LEAF, SELF, FieldSet
from crdkit.ownership.types import Facet, ListType, MapType, Scalar, Type, is_loose

_ABSENT: Final = object()
_NO_FIELDS: Final[Mapping[str, Json]] = {}
_NO_ITEMS: Final[list[Json]] = []
_SCALARS: Final = frozenset((str, int, float, bool))


class Comparison(NamedTuple):
    """The fields that were removed, changed their value, or are new. No field is in two of them."""

    removed: FieldSet
    modified: FieldSet
    added: FieldSet

    @property
    def is_same(self) -> bool:
        return not (self.removed or self.modified or self.added)

    @property
    def written(self) -> FieldSet:
        """What the later value has that the earlier had not."""
        return fieldsets.union(self.modified, self.added)


def compare(type_: Type, old: Json, new: Json) -> Comparison:
    """Compare two values that are of the type. Raises `Unnameable` if one is not, somewhere where they differ."""
    removed, modified, added = _compare(type_, old, new)
    return Comparison(removed or {}, modified or {}, added or {})


def compare_changes(type_: Type, old: JsonObject, new: JsonObject, changes: Changes, *, conforms: bool = False) -> Comparison:
    """The same for an object that is known to be equal, but for some of its fields, to one which is of the type.

    Unless it is known that it ``conforms`` itself, raises `Unnameable` if one of these fields is not of its type now.
    """
    removed, modified, added = _compare_fields(type_, old, new, changes, _take_for_granted if conforms else _check)
    return Comparison(removed or {}, modified or {}, added or {})


def same(one: Json, other: Json) -> bool:
    """Whether two values are equal: an integer may equal a float, but true is not 1."""
    if one is other:
        return True
    kind = one.__class__
    if kind is dict:
        return other.__class__ is dict and len(one) == len(other) and all(name in other and same(one[name], other[name]) for name in one)
    if kind is list:
        return other.__class__ is list and len(one) == len(other) and all(map(same, one, other))
    if kind is bool or other.__class__ is bool:
        return False if kind is not other.__class__ else bool(one == other)
    return bool(one == other)


Check: TypeAlias = Callable[[Type, Json], None]
"""Raises `Unnameable` for what is not of the type."""
_Nodes: TypeAlias = tuple[FieldSet | None, FieldSet | None, FieldSet | None]
"""What a comparison has to say of one element: its nodes of what was removed, modified and added; None where there is nothing."""
_NOTHING: Final[_Nodes] = (None, None, None)
_MODIFIED: Final[_Nodes] = (None, LEAF, None)


def _compare(type_: Type, old: Json, new: Json) -> _Nodes:
    before, after = type_.facet(old), type_.facet(new)
    if before is after:
        return _compare_facet(after, old, new)
    removed, modified, added = _compare_facet(before, old, new)
    also_removed, also_modified, also_added = _compare_facet(after, old, new)
    return _either(removed, also_removed), _either(modified, also_modified), _either(added, also_added)


def _either(one: FieldSet | None, other: FieldSet | None) -> FieldSet | None:
    """A value that changed its facet has lost all of one and gained all of another: no two nodes meet but equal ones."""
    return other if one is None else one


def _compare_facet(facet: Facet, old: Json, new: Json) -> _Nodes:
    """A value that has not this facet counts as an empty one that does."""
    if isinstance(facet, MapType):
        old_fields = old if old.__class__ is dict else _NO_FIELDS
        new_fields = new if new.__class__ is dict else _NO_FIELDS
        if not facet.atomic and (old_fields or new_fields):
            return _compare_maps(facet, old_fields, new_fields)
    elif isinstance(facet, ListType):
        old_items = old if old.__class__ is list else _NO_ITEMS
        new_items = new if new.__class__ is list else _NO_ITEMS
        if not facet.atomic and (old_items or new_items):
            return _compare_lists(facet, old_items, new_items)
    return _NOTHING if same(old, new) else _MODIFIED


def _compare_maps(map_: MapType, old: Mapping[str, Json], new: Mapping[str, Json]) -> _Nodes:
    removed: FieldSet = {}
    modified: FieldSet = {}
    added: FieldSet = {}
    fields, values = map_.fields, map_.values
    for name, value in new.items():
        before = old.get(name, _ABSENT)
        if before is value:
            continue
        type_ = fields.get(name, values)
        if type_ is None:
            raise items.Unnameable(f".{name}: field not declared in schema")
        if before is _ABSENT:
            added["f:" + name] = everything(type_, value)
        elif before != value or is_loose(type_):
            _note("f:" + name, _compare(type_, before, value), removed, modified, added)
    if len(new) - len(added) < len(old):
        for name, value in old.items():
            if name not in new:
                type_ = fields.get(name, values)
                if type_ is not None:
                    removed["f:" + name] = everything(type_, value)
    return removed or None, modified or None, added or None


def _compare_fields(type_: Type, old: Json, new: Json, changes: Changes, check: Check) -> _Nodes:
    """Two objects, where they may differ."""
    map_ = type_.map
    if map_ is None or map_.atomic:
        check(type_, new)
        return _compare(type_, old, new)
    removed: FieldSet = {}
    modified: FieldSet = {}
    added: FieldSet = {}
    fields, values = map_.fields, map_.values
    for name, below in changes.items():
        child = fields.get(name, values)
        if below is REMOVED:
            if child is not None and name in old and name not in new:
                removed["f:" + name] = everything(child, old[name])
            continue
        if child is None:
            raise items.Unnameable(f".{name}: field not declared in schema")
        value, before = new[name], old.get(name, _ABSENT)
        if isinstance(below, dict):
            _note("f:" + name, _compare_fields(child, before, value, below, check), removed, modified, added)
            continue
        if isinstance(below, Places) and child.list is not None and not child.list.atomic:
            _note("f:" + name, _compare_places(child.list, before, value, below, check), removed, modified, added)
            continue
        check(child, value)
        if before is _ABSENT:
            added["f:" + name] = everything(child, value)
        elif value.__class__ in _SCALARS and value.__class__ is before.__class__:
            if value != before:
                modified["f:" + name] = LEAF
        elif before != value or is_loose(child):
            _note("f:" + name, _compare(child, before, value), removed, modified, added)
    return removed or None, modified or None, added or None


def _compare_places(list_: ListType, old: list[Json], new: list[Json], places: Places, check: Check) -> _Nodes:
    """Two lists, where items may differ."""
    removed: FieldSet = {}
    modified: FieldSet = {}
    added: FieldSet = {}
    for place, below in places.changes.items():
        before, item = old[place], new[place]
        element = items.element_of(list_, item)
        if isinstance(below, dict):
            nodes = _compare_fields(list_.items, before, item, below, check)
        else:
            check(list_.items, item)
            nodes = _compare(list_.items, before, item)
        _note(element, nodes, removed, modified, added)
    return removed or None, modified or None, added or None


def _check(type_: Type, value: Json) -> None:
    if not conforms(type_, value):
        raise items.Unnameable("not of the type")


def _take_for_granted(_type: Type, _value: Json) -> None:
    """The value was looked at before."""


def _note(element: Element, nodes: _Nodes, removed: FieldSet, modified: FieldSet, added: FieldSet) -> None:
    gone, other, come = nodes
    if gone is not None:
        removed[element] = gone
    if other is not None:
        modified[element] = other
    if come is not None:
        added[element] = come


def _compare_lists(list_: ListType, old: list[Json], new: list[Json]) -> _Nodes:
    if old == new and not is_loose(list_.items):
        return _NOTHING
    before_names = items.elements_of(list_, old)
    if len(old) == len(new) == len(set(before_names)) and (found := _compare_in_place(list_, before_names, old, new)) is not None:
        return found
    after_names = items.elements_of(list_, new)
    before, after = dict(zip(before_names, old, strict=True)), dict(zip(after_names, new, strict=True))
    if len(before) == len(old) and len(after) == len(new):
        return _compare_named(list_.items, before, after)
    return _compare_grouped(list_.items, _by_element(before_names, old), _by_element(after_names, new))


def _compare_in_place(list_: ListType, names: list[Element], old: list[Json], new: list[Json]) -> _Nodes | None:
    """Items that have their names and places still, as most have when a few are changed; None where some have not."""
    removed: FieldSet = {}
    modified: FieldSet = {}
    added: FieldSet = {}
    for element, before, item in zip(names, old, new, strict=True):
        if before is not item:
            if items.element_of(list_, item) != element:
                return None
            _note(element, _compare(list_.items, before, item), removed, modified, added)
    return removed or None, modified or None, added or None


def _compare_named(type_: Type, old: dict[Element, Json], new: dict[Element, Json]) -> _Nodes:
    """Items each of which has a name of its own."""
    removed: FieldSet = {}
    modified: FieldSet = {}
    added: FieldSet = {}
    for element, item in new.items():
        before = old.get(element, _ABSENT)
        if before is _ABSENT:
            added[element] = everything(type_, item)
        elif before is not item:
            _note(element, _compare(type_, before, item), removed, modified, added)
    if len(new) - len(added) < len(old):
        for element, item in old.items():
            if element not in new:
                removed[element] = everything(type_, item)
    return removed or None, modified or None, added or None


def _compare_grouped(type_: Type, old: dict[Element, list[Json]], new: dict[Element, list[Json]]) -> _Nodes:
    removed: FieldSet = {}
    modified: FieldSet = {}
    added: FieldSet = {}
    for element in {**old, **new}:
        _note(element, _compare_items(type_, old.get(element, _NO_ITEMS), new.get(element, _NO_ITEMS)), removed, modified, added)
    return removed or None, modified or None, added or None


def _by_element(names: list[Element], values: list[Json]) -> dict[Element, list[Json]]:
    found: dict[Element, list[Json]] = {}
    for name, item in zip(names, values, strict=True):
        found.setdefault(name, []).append(item)
    return found


def _compare_items(type_: Type, old: list[Json], new: list[Json]) -> _Nodes:
    """Items of one name; if there are several, they count as one value."""
    if len(old) == len(new) == 1:
        return _NOTHING if old[0] is new[0] else _compare(type_, old[0], new[0])
    if len(old) > 1 and len(new) > 1:
        return _NOTHING if same(old, new) else _MODIFIED
    return _node_of_items(type_, old), None, _node_of_items(type_, new)


def _node_of_items(type_: Type, found: list[Json]) -> FieldSet | None:
    """All of the only item of a name; of several, no more than their name."""
    if len(found) == 1:
        return everything(type_, found[0])
    return LEAF if found else None


def everything(type_: Type, value: Json) -> FieldSet:
    """The node of a value that is wholly new, or wholly gone: itself and all in it. Raises `Unnameable`."""
    facet = type_.facet(value)
    if not value or isinstance(facet, Scalar) or facet.atomic:
        return LEAF
    node: FieldSet = {SELF: LEAF}
    if isinstance(facet, MapType):
        if value.__class__ is not dict:
            raise items.Unnameable("expected map")
        fields, values = facet.fields, facet.values
        for name, child in value.items():
            child_type = fields.get(name, values)
            if child_type is None:
                raise items.Unnameable(f".{name}: field not declared in schema")
            node[elements.field(name)] = everything(child_type, child)
        return node
    if value.__class__ is not list:
        raise items.Unnameable("expected list")
    for item in value:
        element = items.element_of(facet, item)
        node[element] = LEAF if element in node else everything(facet.items, item)
    return node
