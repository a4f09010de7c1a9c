"""The shape of an object: all of it that decides which fields its creator owns, and nothing else.

Objects of one kind mostly have few shapes, so the set of fields is worked out once for each and then looked up.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Final, TypeAlias, TypeVar

from crdkit.meta.types import Json
from crdkit.ownership.fieldsets import FieldSet
from crdkit.ownership.types import ListType, MapType, Scalar, Type, is_loose

T = TypeVar("T")
Shape: TypeAlias = Callable[[Json], Hashable]

_MOST_SHAPES: Final = 512
_LARGEST: Final = 1000
"""How many fields of an object are kept for its shape; with the number of shapes, it bounds what they hold."""
_LEAF: Final = 0
_SAMPLES: Final[tuple[Json, ...]] = ({}, [], "")


def compile_shape(type_: Type) -> Shape:
    """Build the function that gives the shape of a value of the type.

    Of a value that is not of the type it gives some shape, or one that cannot be hashed, or raises `TypeError` or `AttributeError`.
    """
    shape = _Compiler().shape_of(type_)
    return shape if shape is not None else lambda _: _LEAF


class ByShape(dict[Hashable, T]):
    """What was found for the last shapes of objects."""

    def keep(self, shape: Hashable, fields: FieldSet, found: T) -> None:
        """Remember what was found for the fields of an object, unless they are many or it has no shape (None)."""
        if shape is None or _size(fields) > _LARGEST:
            return
        if len(self) >= _MOST_SHAPES:
            self.clear()
        self[shape] = found


def _size(fields: FieldSet) -> int:
    return sum(1 + _size(node) for node in fields.values())


class _Compiler:
    """Recursive types have shapes that refer to themselves."""

    def __init__(self) -> None:
        self._known: dict[int, Shape | None] = {}
        self.of_containers: set[Shape] = set()
        """Those for which all is a leaf that is neither an object nor a list."""

    def shape_of(self, type_: Type) -> Shape | None:
        """None if nothing below a value of the type has an owner of its own."""
        if id(type_) in self._known:
            return self._known[id(type_)]
        self._known[id(type_)] = lambda value: made(value) if made is not None else _LEAF
        made = self._compile(type_)
        self._known[id(type_)] = made
        return made

    def _compile(self, type_: Type) -> Shape | None:
        facets = [facet for facet in (type_.map, type_.list, type_.scalar) if facet is not None]
        shapes = [self._of_facet(facet) for facet in facets]
        if len(facets) == 1:
            return shapes[0]
        if not any(shapes):
            return None
        of_map, of_list, of_scalar = [shapes[facets.index(type_.facet(value))] for value in _SAMPLES]

        def of_either(value: Json) -> Hashable:
            kind = value.__class__
            shape = of_map if kind is dict else of_list if kind is list else of_scalar
            return _LEAF if shape is None else shape(value)

        if type_.scalar is not None:
            self.of_containers.add(of_either)
        return of_either

    def _of_facet(self, facet: MapType | ListType | Scalar) -> Shape | None:
        if isinstance(facet, Scalar) or facet.atomic:
            return None
        return self._of_map(facet) if isinstance(facet, MapType) else self._of_list(facet)

    def _of_map(self, map_: MapType) -> Shape:
        found = [(name, self.shape_of(child)) for name, child in map_.fields.items()]
        below = [(name, shape) for name, shape in found if shape is not None]
        values = self.shape_of(map_.values) if map_.values is not None else None
        if values is not None:
            if not found and values in self.of_containers:
                return _shape_of_free_entries(values)
            return _shape_of_entries(dict(found), values)

        def of_fields(value: Json) -> Hashable:
            if not value:
                return value is None
            return (*value, *[shape(value[name]) for name, shape in below if name in value])

        return of_fields if below else _of_names

    def _of_list(self, list_: ListType) -> Shape:
        if not list_.keys:
            if is_loose(list_.items):
                return lambda value: tuple([(item.__class__, item) for item in value]) if value else value is None
            return lambda value: tuple(value) if value else value is None
        shape = self.shape_of(list_.items) or (lambda _: _LEAF)
        keys = list_.keys
        if _has_loose_names(list_):
            return lambda value: (
                tuple([(*[(item.get(key).__class__, item.get(key)) for key in keys], shape(item)) for item in value])
                if value
                else value is None
            )
        if len(keys) == 1:
            (key,) = keys
            if shape is _of_names:  # most lists: no call for each item
                return lambda value: tuple([(item.get(key), *item) for item in value]) if value else value is None
            return lambda value: tuple([(item.get(key), shape(item)) for item in value]) if value else value is None
        return lambda value: tuple([(*[item.get(key) for key in keys], shape(item)) for item in value]) if value else value is None


def _has_loose_names(list_: ListType) -> bool:
    """Whether two items of a list may have different names though Python calls them equal (``True == 1``)."""
    map_ = list_.items.map
    if map_ is None:
        return True
    types = [map_.fields.get(key, map_.values) for key in list_.keys]
    return any(type_ is None or is_loose(type_) for type_ in types)


def _of_names(value: Json) -> Hashable:
    return tuple(value) if value else value is None


def _shape_of_entries(fields: dict[str, Shape | None], values: Shape) -> Shape:
    """Of a map whose other values have shapes too."""

    def of_entries(value: Json) -> Hashable:
        if not value:
            return value is None
        shapes = [(fields.get(name, values), child) for name, child in value.items()]
        return (*value, *[_LEAF if shape is None else shape(child) for shape, child in shapes])

    return of_entries


def _shape_of_free_entries(values: Shape) -> Shape:
    """The same, where no field is named and most values are leaves."""

    def of_entries(value: Json) -> Hashable:
        if not value:
            return value is None
        below = value.values()
        return (*value, *[values(child) if child.__class__ is dict or child.__class__ is list else _LEAF for child in below])

    return of_entries
