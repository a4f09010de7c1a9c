"""Whether a value is of a type: a quick yes or no, and for those that are not, all that is wrong in a real server's words.

Nulls are of every type; formats, bounds and required fields are none of this room's business.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from crdkit.meta import golang
from crdkit.meta.types import Json
from crdkit.ownership import elements, items
from crdkit.ownership.foreign import Foreign
from crdkit.ownership.items import Unnameable
from crdkit.ownership.types import Facet, ListType, MapType, Scalar, Type

Conforms = Callable[[Json], bool]

_ABSENT: Final[Any] = object()
"""Is no value: a null differs from a field that is not there."""


class Mismatch(NamedTuple):
    """What is wrong with a value, and where (``.spec.ports[name="a"]``)."""

    path: str
    message: str

    def under(self, prefix: str) -> Mismatch:
        return Mismatch(prefix + self.path, self.message)

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message


class NotOfType(ValueError):
    """A value that is not of the type it should be of."""

    def __init__(self, mismatches: list[Mismatch]) -> None:
        texts = [str(mismatch) for mismatch in mismatches]
        super().__init__(texts[0] if len(texts) == 1 else "\n  ".join(["errors:", *texts]))


def require(type_: Type, value: Json, *, duplicates: bool) -> None:
    """A value is of a type; ``duplicates`` in sets and map lists are allowed or not. Raises `NotOfType`."""
    if not conforms(type_, value, duplicates=duplicates):
        raise NotOfType(list(explain(type_, value, duplicates=duplicates)))


def conforms(type_: Type, value: Json, *, duplicates: bool = True) -> bool:
    """Whether a value is of a type."""
    check = (type_.conforms if duplicates else type_.conforms_strictly) or _ready(type_, duplicates=duplicates)
    return check(value)


def require_beside(type_: Type, value: Json, known: Json) -> None:
    """The same, duplicates allowed, for a value that shares much with one which is known to be of the type. Raises `NotOfType`."""
    if not _conforms_beside(type_, value, known):
        raise NotOfType(list(explain(type_, value, duplicates=True)))


def _conforms_beside(type_: Type, value: Json, known: Json) -> bool:
    if value is known:
        return True
    map_ = type_.map
    if map_ is None or value.__class__ is not dict or known.__class__ is not dict:
        return conforms(type_, value)
    for name, child in value.items():
        other = known.get(name, _ABSENT)
        if child is other:
            continue
        child_type = map_.fields.get(name, map_.values)
        if child_type is None or not _conforms_beside(child_type, child, other):
            return False
    return True


def _ready(type_: Type, *, duplicates: bool) -> Conforms:
    """The check of a type, made on first use: types may be recursive, and most parts of a large one are never met."""
    if duplicates:
        check = type_.conforms = _compile(type_, duplicates=True)
    else:
        check = type_.conforms_strictly = _compile(type_, duplicates=False)
    return check


def _compile(type_: Type, *, duplicates: bool) -> Conforms:
    checks = {facet: _compile_facet(facet, duplicates=duplicates) for facet in (type_.map, type_.list, type_.scalar) if facet is not None}
    if len(checks) == 1:
        return next(iter(checks.values()))
    if type_.scalar is not Scalar.UNTYPED:
        return lambda value: checks[type_.facet(value)](value)
    return lambda value: (value.__class__ is not dict and value.__class__ is not list) or checks[type_.facet(value)](value)


def _compile_facet(facet: Facet, *, duplicates: bool) -> Conforms:
    if isinstance(facet, MapType):
        return _compile_map(facet, duplicates=duplicates)
    return _compile_list(facet, duplicates=duplicates) if isinstance(facet, ListType) else _SCALARS[facet]


def _compile_map(map_: MapType, *, duplicates: bool) -> Conforms:
    fields, values = map_.fields, map_.values
    classes = {name: _class_of(type_) for name, type_ in fields.items()}
    class_of_others = _class_of(values)

    def check_map(value: Json) -> bool:
        if value.__class__ is not dict:
            return value is None
        for name, child in value.items():
            if child.__class__ is not classes.get(name, class_of_others):
                type_ = fields.get(name, values)
                if type_ is None:
                    return False
                check = (type_.conforms if duplicates else type_.conforms_strictly) or _ready(type_, duplicates=duplicates)
                if not check(child):
                    return False
        return True

    return check_map


def _class_of(type_: Type | None) -> type | None:
    """The class of most values of a scalar type: of these nothing more needs to be asked."""
    return _CLASSES.get(type_.scalar) if type_ is not None and type_.scalar is not None else None


_CLASSES: Final[dict[Scalar, type]] = {Scalar.STRING: str, Scalar.NUMERIC: int, Scalar.BOOLEAN: bool, Scalar.UNTYPED: str}


def _compile_list(list_: ListType, *, duplicates: bool) -> Conforms:
    def check_list(value: Json) -> bool:
        if value.__class__ is not list:
            return value is None
        if not list_.atomic and not (duplicates and _are_nameable(list_, value)) and not _are_named(list_, value, duplicates=duplicates):
            return False
        check = (list_.items.conforms if duplicates else list_.items.conforms_strictly) or _ready(list_.items, duplicates=duplicates)
        return all(map(check, value))

    return check_list


def _are_nameable(list_: ListType, value: list[Json]) -> bool:
    """Whether all items surely have names. False is no answer: they may have them by default."""
    if not list_.keys:
        return all(item.__class__ is str for item in value)
    first = list_.keys[0]
    return all(item.__class__ is dict and first in item for item in value) and (len(list_.keys) == 1 or not list_.needs_all_keys)


def _are_named(list_: ListType, value: list[Json], *, duplicates: bool) -> bool:
    try:
        names = {items.element_of(list_, item) for item in value}
    except Unnameable:
        return False
    return duplicates or len(names) == len(value)


_SCALARS: Final[dict[Scalar, Conforms]] = {
    Scalar.NUMERIC: lambda value: value.__class__ is int or value.__class__ is float or value is None,
    Scalar.STRING: lambda value: value.__class__ is str or value is None,
    Scalar.BOOLEAN: lambda value: value.__class__ is bool or value is None,
    Scalar.UNTYPED: lambda value: value.__class__ is not dict and value.__class__ is not list,
}


def explain(type_: Type, value: Json, *, duplicates: bool) -> Iterator[Mismatch]:
    """All that is wrong with a value."""
    if isinstance(value, Foreign):
        yield Mismatch("", _foreign(type_.facet(None), value))
        return
    facet = type_.facet(value)
    if isinstance(facet, Scalar):
        if not _SCALARS[facet](value):
            yield Mismatch("", _WRONG_SCALAR[facet](value))
    elif value is None:
        return
    elif isinstance(facet, MapType):
        yield from _explain_map(facet, value, duplicates=duplicates)
    else:
        yield from _explain_list(facet, value, duplicates=duplicates)


_WRONG_SCALAR: Final[dict[Scalar, Callable[[Json], str]]] = {
    Scalar.NUMERIC: lambda value: f"expected numeric (int or float), got {_go_type(value)}",
    Scalar.STRING: lambda value: f"expected string, got &value.valueUnstructured{{Value:{_syntax(value)}}}",
    Scalar.BOOLEAN: lambda value: f"expected boolean, got {_boxed(value)}",
    Scalar.UNTYPED: lambda value: f"expected any scalar, got {_boxed(value)}",
}


def _foreign(facet: Facet, value: Foreign) -> str:
    """What is wrong with a value that fits no type."""
    if isinstance(facet, MapType):
        return f"expected map, got {_boxed(value)}"
    return f"expected list, got {_boxed(value)}" if isinstance(facet, ListType) else _WRONG_SCALAR[facet](value)


def _go_type(value: Json) -> str:
    if isinstance(value, Foreign):
        return value.go_type
    names = {str: "string", bool: "bool", dict: "map[string]interface {}", list: "[]interface {}"}
    return names[value.__class__]


def _syntax(value: Json) -> str:
    return value.syntax if isinstance(value, Foreign) else golang.go_syntax(value)


def _boxed(value: Json) -> str:
    """fmt's ``%v`` of a pointer to the struct that holds the value."""
    return f"&{{{golang.to_text(value)}}}"


def _explain_map(map_: MapType, value: Json, *, duplicates: bool) -> Iterator[Mismatch]:
    if not isinstance(value, dict):
        yield Mismatch("", f"expected map, got {_boxed(value)}")
        return
    for name, child in value.items():
        type_ = map_.fields.get(name, map_.values)
        if type_ is None:
            yield Mismatch(f".{name}", "field not declared in schema")
            return
        for mismatch in explain(type_, child, duplicates=duplicates):
            yield mismatch.under(f".{name}")


def _explain_list(list_: ListType, value: Json, *, duplicates: bool) -> Iterator[Mismatch]:
    if not isinstance(value, list):
        yield Mismatch("", f"expected list, got {_boxed(value)}")
        return
    seen = set()
    for index, item in enumerate(value):
        at = f"[{index}]"
        if not list_.atomic:
            try:
                element = items.element_of(list_, item)
            except Unnameable as error:
                yield Mismatch("", f"element {index}: {error}")
                return
            at = _shown(list_, item)
            if element in seen and not duplicates:
                yield Mismatch("", f"duplicate entries for key {at}")
            seen.add(element)
        for mismatch in explain(list_.items, item, duplicates=duplicates):
            yield mismatch.under(at)


def _shown(list_: ListType, item: Json) -> str:
    if not list_.keys:
        return f"[={elements.shown_value(item)}]"
    return elements.shown_keys(items.keys_of(list_, item))
