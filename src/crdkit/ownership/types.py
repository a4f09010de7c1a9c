"""What server-side apply needs to know of a type: which maps and lists are one value, what the items of the others are named by.

A type has up to three facets, of which a value has one: an untyped one may be a scalar, a list or a map.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from crdkit.meta.types import Json


class Scalar(enum.Enum):
    """What a scalar may be. Null is always one."""

    NUMERIC = "numeric"
    STRING = "string"
    BOOLEAN = "boolean"
    UNTYPED = "untyped"


@dataclass(slots=True, eq=False)
class MapType:
    """A map, or an object with declared fields. ``values`` is the type of the fields that are not declared; None allows no others."""

    fields: dict[str, Type] = field(default_factory=dict)
    defaults: dict[str, Json] = field(default_factory=dict)
    values: Type | None = None
    atomic: bool = False


@dataclass(slots=True, eq=False)
class ListType:
    """A list. One that is not atomic names its items by ``keys``; without keys it is a set of scalars.

    ``needs_all_keys`` tells whether an item must have every key, if not by default, or just one of them.
    """

    items: Type
    keys: tuple[str, ...] = ()
    atomic: bool = True
    needs_all_keys: bool = False


Facet: TypeAlias = MapType | ListType | Scalar
Wholes: TypeAlias = tuple[dict[str, "Type | None"], "Type | None"]
"""The types of the parts of a value that are one value, or have such a value in them: by their elements, and of all other parts."""


@dataclass(slots=True, eq=False)
class Type:
    """A type, by its facets. It may be recursive, and does not change once it is built; the last five are worked out on first use."""

    scalar: Scalar | None = None
    list: ListType | None = None
    map: MapType | None = None
    conforms: Callable[[Json], bool] | None = None
    conforms_strictly: Callable[[Json], bool] | None = None
    loose: bool | None = None
    has_wholes: bool | None = None
    wholes: Wholes | None = None

    def facet(self, value: Json) -> Facet:
        """The facet that a value has. One that fits none, and null, has the first of map, scalar, list."""
        kind = value.__class__
        if kind is dict:
            if self.map is not None:
                return self.map
        elif kind is list:
            if self.list is not None:
                return self.list
        elif value is not None and self.scalar is not None:
            return self.scalar
        found = self.map or self.scalar or self.list
        assert found is not None
        return found


def _untyped_atomic() -> Type:
    type_ = Type(scalar=Scalar.UNTYPED)
    type_.list = ListType(type_)
    type_.map = MapType(values=type_, atomic=True)
    return type_


def _deduced() -> Type:
    type_ = Type(scalar=Scalar.UNTYPED, list=ListType(UNTYPED_ATOMIC))
    type_.map = MapType(values=type_)
    return type_


UNTYPED_ATOMIC: Final = _untyped_atomic()
"""Anything, as one value."""
DEDUCED: Final = _deduced()
"""Anything: maps have owners for each field, lists are one value."""


def is_loose(type_: Type) -> bool:
    """Whether values of a type may differ though Python calls them equal (``True == 1``): somewhere within is an untyped scalar."""
    if type_.loose is None:
        type_.loose = True  # while it is not known: a recursive type that is not loose elsewhere costs no more than a look
        type_.loose = _is_loose(type_)
    return type_.loose


def _is_loose(type_: Type) -> bool:
    if type_.scalar is Scalar.UNTYPED or sum(facet is not None for facet in (type_.scalar, type_.list, type_.map)) > 1:
        return True
    if type_.list is not None:
        return is_loose(type_.list.items)
    if type_.map is None:
        return False
    below = [*type_.map.fields.values(), *([type_.map.values] if type_.map.values else [])]
    return any(is_loose(child) for child in below)
