"""The fields that an applied configuration names: what its applier owns.

Unlike what an update is found to have added, an object with declared fields and a list are not themselves part of the set,
unless they are empty or null; fields that are not declared and items of lists are.
"""

from __future__ import annotations

from typing import Final

from crdkit.meta.types import Json
from crdkit.ownership import fieldsets, items
from crdkit.ownership.elements import Element
from crdkit.ownership.fieldsets import EMPTY, LEAF, FieldSet
from crdkit.ownership.types import Facet, ListType, MapType, Scalar, Type

_NAMELESS: Final[Element] = "k:{}"
"""A null in a list, which only removal leaves there, in place of an item that has lost all it had."""


def fields_of(type_: Type, value: Json) -> FieldSet:
    """The set of fields of a value that is of the type."""
    return _of_facet(type_.facet(value), value)


def _of_facet(facet: Facet, value: Json) -> FieldSet:
    if not value or isinstance(facet, Scalar) or facet.atomic:
        return EMPTY
    return _of_map(facet, value) if isinstance(facet, MapType) else _of_list(facet, value)


def _of_map(map_: MapType, value: Json) -> FieldSet:
    found: FieldSet = {}
    fields, values = map_.fields, map_.values
    for name, child in value.items():
        kind = child.__class__
        if (kind is not dict and kind is not list) or child == {}:
            found["f:" + name] = LEAF
            continue
        declared = fields.get(name)
        type_ = declared or values
        if type_ is not None:
            facet = type_.facet(child)
            member = declared is None or isinstance(facet, Scalar) or facet.atomic
            node = fieldsets.node_of(_of_facet(facet, child), member=member)
            if node is not None:
                found["f:" + name] = node
    return found


def _of_list(list_: ListType, value: list[Json]) -> FieldSet:
    """Of items with one name, which only a live object has, none is looked into."""
    found: FieldSet = {}
    for item in value:
        element = items.element_of(list_, item) if item is not None else _NAMELESS
        if element in found:
            found[element] = LEAF
        else:
            found[element] = fieldsets.node_of(fields_of(list_.items, item), member=True) or LEAF
    return found
