"""Taking fields out of a value, as an applier does who no longer names what it named before."""

from __future__ import annotations

from typing import Final, NamedTuple

from crdkit.meta.types import Json
from crdkit.meta.version import V1_33, V1_36, KubeVersion
from crdkit.ownership import elements, items
from crdkit.ownership.elements import Element
from crdkit.ownership.fieldsets import EMPTY, SELF, FieldSet, is_member
from crdkit.ownership.types import ListType, MapType, Type

_KEEPS_EMPTY: Final = ((V1_36, True), (V1_33, False))
"""Whether an object or a list stays as an empty one when all in it is removed; it becomes null where not."""


def remove(type_: Type, value: Json, fields: FieldSet, kube: KubeVersion) -> Json:
    """The value without these fields; shares with it what it can. An object that has nothing left at all is null or empty."""
    return _Removal(next(keeps for first, keeps in _KEEPS_EMPTY if kube >= first)).run(type_, value, fields)


class _Removal(NamedTuple):
    keeps_empty: bool

    def run(self, type_: Type, value: Json, fields: FieldSet) -> Json:
        facet = type_.facet(value)
        if isinstance(facet, MapType):
            return self._from_map(facet, value, fields) if isinstance(value, dict) and value and not facet.atomic else None
        if isinstance(facet, ListType):
            return self._from_list(facet, value, fields) if isinstance(value, list) and value and not facet.atomic else None
        return value

    def _from_map(self, map_: MapType, value: dict[str, Json], fields: FieldSet) -> Json:
        rest: dict[str, Json] = {}
        emptied = False
        for name, child in value.items():
            node = fields.get(elements.field(name))
            if node is not None and is_member(node):
                continue
            type_ = map_.fields.get(name, map_.values)
            if node is not None and type_ is not None:
                emptied = True
                child = self._below(type_, child, node)  # noqa: PLW2901 (what is left of it)
            rest[name] = child
        return rest if rest or (emptied and self.keeps_empty) else None

    def _from_list(self, list_: ListType, value: list[Json], fields: FieldSet) -> Json:
        rest: list[Json] = []
        emptied = False
        for item in value:
            node = fields.get(items.element_of(list_, item))
            if node is not None and is_member(node):
                continue
            if node is not None:
                emptied = True
                item = self._below(list_.items, item, node)  # noqa: PLW2901 (what is left of it)
            rest.append(item)
        return rest if rest or (emptied and self.keeps_empty) else None

    def _below(self, type_: Type, value: Json, node: FieldSet) -> Json:
        left = self.run(type_, value, node)
        if left is None and self.keeps_empty:
            return {} if isinstance(value, dict) else [] if isinstance(value, list) else None
        return left


def with_named_fields(type_: Type | None, fields: FieldSet) -> FieldSet:
    """The set, and in it each declared field that has something of the set below it."""
    found: FieldSet = {}
    for element, node in fields.items():
        if not node or (len(node) == 1 and SELF in node):
            found[element] = node
            continue
        declared, child = _child(type_, element)
        named = with_named_fields(child, node)
        found[element] = {SELF: EMPTY, **named} if declared and SELF not in node else named
    return found


def _child(type_: Type | None, element: Element) -> tuple[bool, Type | None]:
    """Whether an element names a declared field, and the type of what it names, if that is known."""
    if type_ is None:
        return False, None
    if element.startswith("f:"):
        if type_.map is None:
            return False, None
        declared = type_.map.fields.get(element[2:])
        return declared is not None, declared or type_.map.values
    return False, type_.list.items if type_.list is not None and element.startswith("k:") else None
