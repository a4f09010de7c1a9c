"""Whether a value is of a type: a quick yes or no, and for those that are not, all that is wrong in a real server's words.

Nulls are of every type; formats, bounds and required fields are none of this room's business.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from crdkit.meta import golang
from crdkit.meta.types import Json
from crdkit.ownership import elements, items
from crdkit.ownership.items import Unnameable
from crdkit.ownership.types import ListType, MapType, Scalar, Type

Conforms = Callable[[Json], bool]


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
    if duplicates and conforms(type_, value):
        return
    if mismatches := list(explain(type_, value, duplicates=duplicates)):
        raise NotOfType(mismatches)


def conforms(type_: Type, value: Json) -> bool:
    """Whether a value is of a type, duplicates aside."""
    check = type_.conforms
    if check is None:
        check = type_.conforms = _compile(type_)
    return check(value)


def _compile(type_: Type) -> Conforms:
    checks = [_compile_facet(facet) for facet in (type_.map, type_.list, type_.scalar) if facet is not None]
    if len(checks) == 1:
        return checks[0]

    def check_facet(value: Json) -> bool:
        facet = type_.facet(value)
        return _check_of(facet)(value)

    by_facet: dict[object, Conforms] = {}

    def _check_of(facet: MapType | ListType | Scalar) -> Conforms:
        found = by_facet.get(facet)
        if found is None:
            found = by_facet[facet] = _compile_facet(facet)
        return found

    return check_facet


def _compile_facet(facet: MapType | ListType | Scalar) -> Conforms:
    if isinstance(facet, MapType):
        return _compile_map(facet)
    return _compile_list(facet) if isinstance(facet, ListType) else _SCALARS[facet]


def _compile_map(map_: MapType) -> Conforms:
    fields, values = map_.fields, map_.values

    def check_map(value: Json) -> bool:
        if value.__class__ is not dict:
            return value is None
        for name, child in value.items():
            type_ = fields.get(name, values)
            if type_ is None or not (type_.conforms or _ready(type_))(child):
                return False
        return True

    return check_map


def _ready(type_: Type) -> Conforms:
    check = type_.conforms = _compile(type_)
    return check


def _compile_list(list_: ListType) -> Conforms:
    def check_list(value: Json) -> bool:
        if value.__class__ is not list:
            return value is None
        check = list_.items.conforms or _ready(list_.items)
        if not list_.atomic and not all(_is_nameable(list_, item) for item in value):
            return False
        return all(map(check, value))

    return check_list


def _is_nameable(list_: ListType, item: Json) -> bool:
    if not list_.keys:
        return item is not None and item.__class__ is not dict and item.__class__ is not list
    if item.__class__ is not dict:
        return False
    if all(key in item for key in list_.keys):
        return True
    try:
        items.keys_of(list_, item)
    except Unnameable:
        return False
    return True


_SCALARS: Final[dict[Scalar, Conforms]] = {
    Scalar.NUMERIC: lambda value: value.__class__ is int or value.__class__ is float or value is None,
    Scalar.STRING: lambda value: value.__class__ is str or value is None,
    Scalar.BOOLEAN: lambda value: value.__class__ is bool or value is None,
    Scalar.UNTYPED: lambda value: value.__class__ is not dict and value.__class__ is not list,
}


def explain(type_: Type, value: Json, *, duplicates: bool) -> Iterator[Mismatch]:
    """All that is wrong with a value."""
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
    Scalar.STRING: lambda value: f"expected string, got &value.valueUnstructured{{Value:{golang.go_syntax(value)}}}",
    Scalar.BOOLEAN: lambda value: f"expected boolean, got {_boxed(value)}",
    Scalar.UNTYPED: lambda value: f"expected any scalar, got {_boxed(value)}",
}


def _go_type(value: Json) -> str:
    names = {str: "string", bool: "bool", dict: "map[string]interface {}", list: "[]interface {}"}
    return names[value.__class__]


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
