"""What changed between two values of a type, as sets of fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from crdkit.meta.types import Json
from crdkit.ownership import elements, fieldsets, items
from crdkit.ownership.elements import Element
from crdkit.ownership.fieldsets import LEAF, SELF, FieldSet
from crdkit.ownership.types import Facet, ListType, MapType, Scalar, Type, is_loose

_ABSENT: Final = object()
_NO_FIELDS: Final[Mapping[str, Json]] = {}
_NO_ITEMS: Final[list[Json]] = []


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

    def without(self, fields: FieldSet) -> Comparison:
        """The same but for these fields and all below them."""
        if not fields:
            return self
        return Comparison(*(fieldsets.without_trees(part, fields) for part in self))


def compare(type_: Type, old: Json, new: Json) -> Comparison:
    """Compare two values that are of the type. Raises `Unnameable` if one is not, somewhere where they differ."""
    found = Comparison({}, {}, {})
    _compare(type_, "", old, new, found)
    return Comparison(*(part.get("", part) for part in found))


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


def _compare(type_: Type, at: Element, old: Json, new: Json, found: Comparison) -> None:
    before, after = type_.facet(old), type_.facet(new)
    if before is not after:
        _compare_facet(before, at, old, new, found)
    _compare_facet(after, at, old, new, found)


def _compare_facet(facet: Facet, at: Element, old: Json, new: Json, found: Comparison) -> None:
    """A value that has not this facet counts as an empty one that does."""
    if isinstance(facet, MapType):
        old_fields = old if old.__class__ is dict else _NO_FIELDS
        new_fields = new if new.__class__ is dict else _NO_FIELDS
        if not facet.atomic and (old_fields or new_fields):
            _attach(at, _compare_maps(facet, old_fields, new_fields), found)
            return
    elif isinstance(facet, ListType):
        old_items = old if old.__class__ is list else _NO_ITEMS
        new_items = new if new.__class__ is list else _NO_ITEMS
        if not facet.atomic and (old_items or new_items):
            _attach(at, _compare_lists(facet, old_items, new_items), found)
            return
    if not same(old, new):
        found.modified[at] = LEAF


def _attach(at: Element, below: Comparison, found: Comparison) -> None:
    for whole, part in zip(found, below, strict=True):
        if part:
            whole[at] = fieldsets.union(whole.get(at, part), part)


def _compare_maps(map_: MapType, old: Mapping[str, Json], new: Mapping[str, Json]) -> Comparison:
    found = Comparison({}, {}, {})
    fields, values = map_.fields, map_.values
    for name, value in new.items():
        before = old.get(name, _ABSENT)
        if before is value:
            continue
        type_ = fields.get(name, values)
        if type_ is None:
            raise items.Unnameable(f".{name}: field not declared in schema")
        if before is _ABSENT:
            found.added["f:" + name] = everything(type_, value)
        elif before != value or is_loose(type_):
            _compare(type_, "f:" + name, before, value, found)
    for name, value in old.items():
        if name not in new:
            type_ = fields.get(name, values)
            if type_ is not None:
                found.removed["f:" + name] = everything(type_, value)
    return found


def _compare_lists(list_: ListType, old: list[Json], new: list[Json]) -> Comparison:
    found = Comparison({}, {}, {})
    if old == new and not is_loose(list_.items):
        return found
    before, after = _by_element(list_, old), _by_element(list_, new)
    for element in {**before, **after}:
        _compare_items(list_.items, element, before.get(element, _NO_ITEMS), after.get(element, _NO_ITEMS), found)
    return found


def _by_element(list_: ListType, values: list[Json]) -> dict[Element, list[Json]]:
    found: dict[Element, list[Json]] = {}
    for item in values:
        found.setdefault(items.element_of(list_, item), []).append(item)
    return found


def _compare_items(type_: Type, element: Element, old: list[Json], new: list[Json], found: Comparison) -> None:
    """Items of one name; if there are several, they count as one value."""
    if len(old) <= 1 and len(new) <= 1:
        if not old:
            found.added[element] = everything(type_, new[0])
        elif not new:
            found.removed[element] = everything(type_, old[0])
        elif old[0] is not new[0]:
            _compare(type_, element, old[0], new[0], found)
    elif len(old) > 1 and len(new) > 1:
        if not same(old, new):
            found.modified[element] = LEAF
    elif len(old) > 1:
        if new:
            found.added[element] = everything(type_, new[0])
        found.removed[element] = LEAF
    else:
        if old:
            found.removed[element] = everything(type_, old[0])
        found.added[element] = LEAF


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
