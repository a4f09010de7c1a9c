"""Sets of fields that were written before a schema changed: what has become one value since is owned as one."""

from __future__ import annotations

from crdkit.ownership.elements import Element
from crdkit.ownership.fieldsets import LEAF, SELF, FieldSet
from crdkit.ownership.types import DEDUCED, MapType, Type


def reconcile(type_: Type, fields: FieldSet) -> FieldSet:
    """The set as it would be under the type as it is now; the set itself if nothing needs to change.

    A map or list that has become granular stays owned as a whole until its owner writes it again.
    """
    changed: FieldSet = {}
    for element, node in fields.items():
        if element == SELF or not node:
            continue
        child = _child(type_, element)
        if child is None:
            continue
        new = _node(child, node)
        if new is not node:
            changed[element] = new
    return {**fields, **changed} if changed else fields


def _node(type_: Type, node: FieldSet) -> FieldSet:
    """The node of a field that has something below it."""
    map_ = type_.map
    if map_ is not None:
        if _is_deduced(map_):
            return node
        return LEAF if map_.atomic else reconcile(type_, node)
    if type_.scalar is not None or type_.list is None:
        return node
    return LEAF if type_.list.atomic else reconcile(type_, node)


def _is_deduced(map_: MapType) -> bool:
    return map_.values is DEDUCED and not map_.fields


def _child(type_: Type, element: Element) -> Type | None:
    if type_.map is not None:
        if not element.startswith("f:"):
            return type_.map.values
        return type_.map.fields.get(element[2:], type_.map.values)
    return type_.list.items if type_.list is not None else None
