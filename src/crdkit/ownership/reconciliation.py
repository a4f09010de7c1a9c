"""Sets of fields that were written before a schema changed: what has become one value since is owned as one."""

from __future__ import annotations

from crdkit.ownership import elements
from crdkit.ownership.fieldsets import LEAF, FieldSet
from crdkit.ownership.types import DEDUCED, ListType, MapType, Type, Wholes


def reconcile(type_: Type, fields: FieldSet) -> FieldSet:
    """The set as it would be under the type as it is now; the set itself if nothing needs to change.

    A map or list that has become granular stays owned as a whole until its owner writes it again.
    """
    wholes = type_.wholes
    if wholes is None:
        wholes = type_.wholes = _find_wholes(type_)
    named, others = wholes
    changed: FieldSet = {}
    for element in named if others is None and len(named) < len(fields) else fields:
        node, child = fields.get(element), named.get(element, others)
        if node and child is not None:
            new = _node(child, node)
            if new is not node:
                changed[element] = new
    return {**fields, **changed} if changed else fields


def _node(type_: Type, node: FieldSet) -> FieldSet:
    """The node of a field that has something below it."""
    facet = _facet(type_)
    if facet is None:
        return node
    return LEAF if facet.atomic else reconcile(type_, node)


def _find_wholes(type_: Type) -> Wholes:
    """What of a value of the type is to be looked into: by its element where that is declared, and all other elements."""
    map_, list_ = type_.map, type_.list
    if map_ is None:
        return {}, list_.items if list_ is not None and _has_wholes(list_.items) else None
    others = map_.values if map_.values is not None and _has_wholes(map_.values) else None
    named = {elements.field(name): child if _has_wholes(child) else None for name, child in map_.fields.items()}
    return named if others is not None else {element: child for element, child in named.items() if child is not None}, others


def _facet(type_: Type) -> MapType | ListType | None:
    """The facet that sets are held against: a map before a list. Of what is deduced from values nothing is known."""
    if type_.map is not None:
        return None if type_.map.values is DEDUCED and not type_.map.fields else type_.map
    return type_.list if type_.scalar is None else None


def _has_wholes(type_: Type) -> bool:
    """Whether a value of the type is one, or has such a value somewhere below: others have nothing to reconcile."""
    if type_.has_wholes is None:
        type_.has_wholes = False  # while it is not known: a type within itself adds nothing to what is found beside it
        type_.has_wholes = _finds_wholes(type_)
    return type_.has_wholes


def _finds_wholes(type_: Type) -> bool:
    facet = _facet(type_)
    if facet is None:
        return False
    if facet.atomic:
        return True
    if isinstance(facet, ListType):
        return _has_wholes(facet.items)
    return any([_has_wholes(child) for child in (*facet.fields.values(), *([facet.values] if facet.values else []))])  # noqa: C419 (each is to be known)
