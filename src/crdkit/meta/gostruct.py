"""Decoding JSON into Go's structs: what a real server keeps of a built-in kind's object, and the texts where it does not fit.

A table of struct types is data (`StructTable`): struct name -> JSON field name -> type, in Go's notation:

- ``string``, ``bool``, ``int32``, ``int64``, ``float64``, ``[]byte``; ``Time``, ``MicroTime``; ``any`` (any JSON value);
- ``[]T``, ``map[string]T``, ``*T`` of them; names of the table's own structs, aliases and special types;
- a ``?`` behind it is ``omitempty``, a ``!`` is ``omitzero``: without either a field is written even where it is empty.

The order of the fields is the order in which Go writes them.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from crdkit.meta.godecoding import Decoding, FieldStep, Kind
from crdkit.meta.gokinds import BUILT_IN, ListOf, MapOf, PointerTo
from crdkit.meta.types import Json, JsonObject
from crdkit.meta.version import DEFAULT, KubeVersion


class Decoded(NamedTuple):
    """A decoded value in the form in which Go would write it."""

    value: Json
    problems: list[str]
    """What strict decoding refuses, in the order of the document: ``unknown field "spec.a"``, ``duplicate field "spec.b"``."""
    paths: list[str]
    """The paths of these, as they are."""
    restoring: list[str]
    """What apimachinery's converter from maps tells instead."""


def _never(_: Json) -> bool:
    return False


class _Field(NamedTuple):
    kind: Kind
    omits: Callable[[Json], bool]
    keeps_true: bool
    """Whether it is written at least where it holds what is true to Python."""


class _Struct(Kind):
    def __init__(self, go: str, table: StructTable, fields: Mapping[str, str]) -> None:
        super().__init__(go)
        self._name = go.rpartition(".")[2]
        self._table, self._written = table, fields

    @cached_property
    def _fields(self) -> dict[str, _Field]:
        return {name: self._table.field(expression) for name, expression in self._written.items()}

    @cached_property
    def _ways(self) -> dict[str, tuple[type | None, FieldStep, Callable[[Json, Decoding], Json]]]:
        """By field: what need not be decoded, the step into it, and how the rest is decoded."""
        return {name: (known.kind.plain, FieldStep(self._name, name), known.kind.decode) for name, known in self._fields.items()}

    def decode(self, value: Json, run: Decoding) -> Json:
        if type(value) is not dict:
            if value is not None:
                run.wrong(value, self)
            return self.zero()
        ways, place = self._ways, run.place
        run.note_duplicates(name for name in value if name in ways)
        found: JsonObject = {}
        for name, item in value.items():
            way = ways.get(name)
            if way is None:
                run.unknown(name)
                continue
            plain, step, decode = way
            if item.__class__ is plain:
                found[name] = item
                continue
            place.append(step)
            found[name] = decode(item, run)
            place.pop()
        return self._in_order(found, keep_empty=run.keep_empty)

    @cached_property
    def _written_always(self) -> list[str]:
        """The fields that are written even where they are not given."""
        return [name for name, known in self._fields.items() if not known.omits(known.kind.zero())]

    @cached_property
    def _position(self) -> dict[str, int]:
        return {name: position for position, name in enumerate(self._fields)}

    def _in_order(self, found: JsonObject, *, keep_empty: bool = False) -> JsonObject:
        fields = self._fields
        for name in self._written_always:
            if name not in found:
                found[name] = fields[name].kind.zero()
        result: JsonObject = {}
        for name in sorted(found, key=self._position.__getitem__):
            value = found[name]
            _, omits, keeps_true = fields[name]
            if (value and keeps_true) or not omits(value) or (keep_empty and value in ([], {})):
                result[name] = value
        return result

    def zero(self) -> Json:
        return self._in_order({})

    def is_empty(self, value: Json) -> bool:
        return False


Special = Callable[["StructTable", Json, Decoding], Json]
"""Decodes a type that has its own way: gets the table, the value (never null) and the run."""


class _SpecialKind(Kind):
    def __init__(self, go: str, table: StructTable, special: Special) -> None:
        super().__init__(go)
        self._table, self._special = table, special

    def decode(self, value: Json, run: Decoding) -> Json:
        return self._special(self._table, value, run)

    def is_empty(self, value: Json) -> bool:
        return value is None


@dataclass(frozen=True)
class StructTable:
    """Struct types that belong together. Names are printed with the package, unless they bring one (``types.UID``)."""

    package: str
    structs: Mapping[str, Mapping[str, str]]
    aliases: Mapping[str, str] = field(default_factory=dict)
    """Names of types that are no structs: ``{"ResourceScope": "string"}``."""
    special: Mapping[str, Special] = field(default_factory=dict)
    includes: tuple[StructTable, ...] = ()
    """Tables whose types may be named too."""
    _kinds: dict[str, Kind] = field(default_factory=dict, init=False, repr=False, compare=False)

    def decode(
        self, name: str, value: Json, *, kube: KubeVersion = DEFAULT, duplicates: Iterable[str] = (), keep_empty: bool = False
    ) -> Decoded:
        """Decode a value into the type of that name. Raises `DecodeError`.

        ``duplicates`` are the texts that tell which fields the document gave twice; those that a real server would notice are among the
        problems. With ``keep_empty`` given lists and maps that are empty stay, and so do floats without a fraction, as they do in Go's
        memory until they are written.
        """
        run = Decoding(kube, duplicates, keep_empty=keep_empty)
        decoded = self.kind(name).decode(value, run)
        if run.mismatch is not None:
            raise run.mismatch
        return Decoded(decoded, list(run.problems), list(run.problems.values()), sorted(run.restoring))

    def kind(self, expression: str) -> Kind:
        """The decoder of a type, made once."""
        found = self._kinds.get(expression)
        if found is None:
            found = self._kinds[expression] = self._make(expression)
        return found

    def field(self, expression: str) -> _Field:
        kind = self.kind(expression.rstrip("?!"))
        if expression.endswith("!"):
            return _Field(kind, kind.is_zero, keeps_true=False)
        return _Field(kind, kind.is_empty if expression.endswith("?") else _never, keeps_true=True)

    def _make(self, expression: str) -> Kind:
        known = BUILT_IN.get(expression) or self.find(expression)
        if known is not None:
            return known
        if expression.startswith("*"):
            return PointerTo(self.kind(expression[1:]))
        if expression.startswith("[]"):
            item = self.kind(expression[2:])
            return ListOf(f"[]{item.go}", item)
        if expression.startswith("map[string]"):
            item = self.kind(expression[len("map[string]") :])
            return MapOf(f"map[string]{item.go}", item)
        msg = f"no Go type {expression!r} in the table"
        raise KeyError(msg)

    def find(self, name: str) -> Kind | None:
        """The type of that name, of this table or of an included one."""
        go = name if "." in name else f"{self.package}.{name}"
        if name in self.structs:
            return _Struct(go, self, self.structs[name])
        if name in self.special:
            return _SpecialKind(go, self, self.special[name])
        if name in self.aliases:
            return _renamed(self._make(self.aliases[name]), go)
        return next((kind for table in self.includes if (kind := table.find(name)) is not None), None)


def _renamed(kind: Kind, go: str) -> Kind:
    """A type of its own with the shape of another."""
    renamed = copy.copy(kind)
    renamed.go = go
    return renamed
