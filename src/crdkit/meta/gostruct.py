"""Decoding JSON into Go's structs: what a real server keeps of a built-in kind's object, and the texts where it does not fit.

A table of struct types is data (`StructTable`): struct name -> JSON field name -> type, in Go's notation:

- ``string``, ``bool``, ``int32``, ``int64``, ``float64``, ``[]byte``; ``Time``, ``MicroTime``; ``any`` (any JSON value);
- ``[]T``, ``map[string]T``, ``*T`` of them; names of the table's own structs, aliases and special types;
- a ``?`` behind it is ``omitempty``, a ``!`` is ``omitzero``: without either a field is written even where it is empty.

The order of the fields is the order in which Go writes them.
"""

from __future__ import annotations

import base64
import copy
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Final, NamedTuple, TypeAlias

from crdkit.meta import golang, gotime
from crdkit.meta.copying import copied
from crdkit.meta.gobase64 import CorruptInput
from crdkit.meta.gobase64 import decode as decode_base64
from crdkit.meta.types import Json, JsonObject
from crdkit.meta.version import DEFAULT, KubeVersion

NESTED_FIELDS: Final = KubeVersion(1, 34)
"""From here on the field told in an error goes on below a type that decodes itself (a schema's ``items``)."""
_EXACT: Final = 1 << 53
"""Below this every whole number is a float of its own."""
_MOST_PROBLEMS: Final = 100
"""A real server remembers no more unknown and duplicate fields (sigs.k8s.io/json)."""


class DecodeError(ValueError):
    """The value does not fit; ``str()`` is Go's text."""


class TypeMismatch(DecodeError):
    """A JSON value of the wrong sort. ``where`` is the JSON fields below ``struct``, without indexes and map keys."""

    def __init__(self, found: str, wanted: str, struct: str, where: tuple[str, ...]) -> None:
        into = f"struct field {struct}.{'.'.join(where)}" if struct else "value"
        super().__init__(f"json: cannot unmarshal {found} into Go {into} of type {wanted}")
        self.found, self.wanted, self.struct, self.where = found, wanted, struct, where


class Decoded(NamedTuple):
    """A decoded value in the form in which Go would write it."""

    value: Json
    problems: list[str]
    """What strict decoding refuses, in the order of the document: ``unknown field "spec.a"``, ``duplicate field "spec.b"``."""
    paths: list[str]
    """The paths of these, as they are."""


class FieldStep(NamedTuple):
    """A step into a field, ``struct`` is what Go calls the struct."""

    struct: str
    name: str


Step: TypeAlias = FieldStep | str | int
"""A step to what is within a value: into a field, a key or an index."""


class Decoding:
    """One run of the decoder: where it is, and what it found so far.

    As in Go, the first mismatch is told at the end, but a type that decodes itself ends the run by raising.
    """

    def __init__(self, kube: KubeVersion, duplicates: Iterable[str] = (), *, keep_empty: bool = False) -> None:
        self.kube = kube
        self.keep_empty = keep_empty
        self.problems: dict[str, str] = {}
        """What strict decoding refuses, and the path of each."""
        self.mismatch: DecodeError | None = None
        self.place: list[Step] = []
        """Where the run is. Whoever decodes what is within a value enters here where it stands, and leaves."""
        self._duplicates = frozenset(duplicates)

    def wrong(self, found: str, wanted: str) -> None:
        """Note that a value of the sort ``found`` stands where Go wants the type ``wanted``."""
        if self.mismatch is None:
            fields = self._fields
            self.mismatch = TypeMismatch(found, wanted, fields[-1].struct if fields else "", tuple(step.name for step in fields))

    def failed(self, error: DecodeError) -> None:
        if self.mismatch is None:
            self.mismatch = error

    def unknown(self, name: str) -> None:
        self._note(self._text("unknown", name), self._below(name))

    @property
    def _fields(self) -> list[FieldStep]:
        return [step for step in self.place if step.__class__ is FieldStep]

    def note_duplicates(self, keys: Iterable[str]) -> None:
        """Note which of an object's keys the document gave twice."""
        if self._duplicates:
            for key in keys:
                if (problem := self._text("duplicate", key)) in self._duplicates:
                    self._note(problem, self._below(key))

    def nested(self, kind: Kind, value: Json) -> Json:
        """Decode as a type does that decodes itself: by a decoder of its own, which is not strict. Raises `DecodeError`."""
        inner = Decoding(self.kube, keep_empty=self.keep_empty)
        try:
            decoded = kind.decode(value, inner)
            if inner.mismatch is not None:
                raise inner.mismatch
        except TypeMismatch as error:
            below = error.where if self.kube >= NESTED_FIELDS else ()
            fields = self._fields
            struct = fields[-1].struct if fields else error.struct
            raise TypeMismatch(error.found, error.wanted, struct, (*(step.name for step in fields), *below)) from error
        return decoded

    def _below(self, name: str) -> str:
        return "".join((*map(_step_text, self.place), f".{name}")).removeprefix(".")

    def _text(self, sort: str, name: str) -> str:
        return f"{sort} field {golang.quote(self._below(name))}"

    def _note(self, problem: str, path: str) -> None:
        if len(self.problems) < _MOST_PROBLEMS:
            self.problems[problem] = path


def _step_text(step: Step) -> str:
    if isinstance(step, FieldStep):
        return f".{step.name}"
    return f".{step}" if isinstance(step, str) else f"[{step}]"


class Kind:
    """How values of one Go type are decoded. ``go`` is its name in errors."""

    plain: type | None = None
    """Values of this Python type, if there is one, are decoded into themselves."""

    def __init__(self, go: str) -> None:
        self.go = go

    def decode(self, value: Json, run: Decoding) -> Json:
        raise NotImplementedError

    def zero(self) -> Json:
        """What Go writes for the zero value."""
        return None

    def is_empty(self, value: Json) -> bool:
        """Whether ``omitempty`` leaves the value out."""
        return not value

    def is_zero(self, value: Json) -> bool:
        """Whether ``omitzero`` leaves the value out."""
        return bool(value == self.zero())


def sort_of(value: Json) -> str:
    """What encoding/json calls a value in a mismatch."""
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, str):
        return "string"
    if isinstance(value, int | float):
        return "number"
    return "array" if isinstance(value, list) else "object"


def _number_text(value: float) -> str:
    """The text of a number as it most likely stood in the document."""
    if isinstance(value, float) and value.is_integer() and "e" in repr(value):
        return str(int(value))
    return repr(value)


class _Scalar(Kind):
    def __init__(self, go: str, python: type, zero: Json) -> None:
        super().__init__(go)
        self.plain, self._zero = python, zero

    def decode(self, value: Json, run: Decoding) -> Json:
        if type(value) is self.plain:
            return value
        if value is not None:
            run.wrong(sort_of(value), self.go)
        return self._zero

    def zero(self) -> Json:
        return self._zero


class _Integer(Kind):
    def __init__(self, go: str, bits: int) -> None:
        super().__init__(go)
        self._limit = 1 << (bits - 1)

    def decode(self, value: Json, run: Decoding) -> Json:
        if type(value) is int and -self._limit <= value < self._limit:
            return value
        if isinstance(value, int | float) and not isinstance(value, bool):
            run.wrong(f"number {_number_text(value)}", self.go)
        elif value is not None:
            run.wrong(sort_of(value), self.go)
        return 0

    def zero(self) -> Json:
        return 0


class _Float(Kind):
    def decode(self, value: Json, run: Decoding) -> Json:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return whole(float(value))
        if value is not None:
            run.wrong(sort_of(value), self.go)
        return 0

    def zero(self) -> Json:
        return 0


class _Bytes(Kind):
    def decode(self, value: Json, run: Decoding) -> Json:
        if isinstance(value, str):
            try:
                return base64.b64encode(decode_base64(value)).decode("ascii")
            except CorruptInput as error:
                run.failed(DecodeError(str(error)))
        elif value is not None:
            run.wrong(sort_of(value), self.go)
        return None


class _Any(Kind):
    """``interface{}`` and raw JSON: everything is kept."""

    def decode(self, value: Json, run: Decoding) -> Json:
        return copied(value) if run.keep_empty else canonical(value)

    def is_empty(self, value: Json) -> bool:
        return value is None


class _RawObject(Kind):
    """Raw JSON that is left out where it is null (``metav1.FieldsV1``)."""

    def decode(self, value: Json, run: Decoding) -> Json:
        return value

    def is_empty(self, value: Json) -> bool:
        return value is None


class _Time(Kind):
    """metav1.Time and MicroTime: types that decode themselves, and are written in UTC."""

    def __init__(self, go: str, layout: str) -> None:
        super().__init__(go)
        self._layout = layout

    def decode(self, value: Json, run: Decoding) -> Json:
        if value is None:
            return None
        text = run.nested(STRING, value)
        try:
            return gotime.canonical(text, self._layout)
        except gotime.TimeError as error:
            raise DecodeError(str(error)) from error

    def is_empty(self, value: Json) -> bool:
        return False


class _List(Kind):
    def __init__(self, go: str, item: Kind) -> None:
        super().__init__(go)
        self.item = item

    def decode(self, value: Json, run: Decoding) -> Json:
        if type(value) is list:
            return self._items(value, run)
        if value is not None:
            run.wrong(sort_of(value), self.go)
        return None

    def _items(self, values: list[Json], run: Decoding) -> list[Json]:
        place, item, plain = run.place, self.item, self.item.plain
        result: list[Json] = []
        for index, value in enumerate(values):
            if value.__class__ is plain:
                result.append(value)
                continue
            place.append(index)
            result.append(item.decode(value, run))
            place.pop()
        return result


class _Map(Kind):
    def __init__(self, go: str, item: Kind) -> None:
        super().__init__(go)
        self.item = item

    def decode(self, value: Json, run: Decoding) -> Json:
        if type(value) is not dict:
            if value is not None:
                run.wrong(sort_of(value), self.go)
            return None
        run.note_duplicates(value)
        place, decode, plain = run.place, self.item.decode, self.item.plain
        result: JsonObject = {}
        for key, item in value.items():
            if item.__class__ is plain:
                result[key] = item
                continue
            place.append(key)
            result[key] = decode(item, run)
            place.pop()
        return result


class _Pointer(Kind):
    def __init__(self, item: Kind) -> None:
        super().__init__(item.go)
        self.item = item
        self.plain = item.plain

    def decode(self, value: Json, run: Decoding) -> Json:
        return None if value is None else self.item.decode(value, run)

    def is_empty(self, value: Json) -> bool:
        return value is None


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
                run.wrong(sort_of(value), self.go)
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


STRING: Final = _Scalar("string", str, "")
_BUILT_IN: Final[Mapping[str, Kind]] = {
    "string": STRING,
    "bool": _Scalar("bool", bool, False),
    "int32": _Integer("int32", 32),
    "int64": _Integer("int64", 64),
    "float64": _Float("float64"),
    "[]byte": _Bytes("[]uint8"),
    "any": _Any("interface {}"),
    "FieldsV1": _RawObject("v1.FieldsV1"),
    "Time": _Time("v1.Time", gotime.LAYOUT),
    "MicroTime": _Time("v1.MicroTime", gotime.MICRO_LAYOUT),
}


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
        return Decoded(decoded, list(run.problems), list(run.problems.values()))

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
        known = _BUILT_IN.get(expression) or self.find(expression)
        if known is not None:
            return known
        if expression.startswith("*"):
            return _Pointer(self.kind(expression[1:]))
        if expression.startswith("[]"):
            item = self.kind(expression[2:])
            return _List(f"[]{item.go}", item)
        if expression.startswith("map[string]"):
            item = self.kind(expression[len("map[string]") :])
            return _Map(f"map[string]{item.go}", item)
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


def whole(value: float) -> Json:
    """A number as Go writes and reads it again: one without a fraction, within 64 bits, is an integer.

    Go writes no more digits than tell a number from its neighbours: of 9223372036854774784 it leaves 9223372036854775000.
    """
    if not value.is_integer() or not -(1 << 63) <= value < 1 << 63:
        return value
    return int(value) if abs(value) < _EXACT else int(Decimal(repr(value)))


def canonical(value: Json) -> Json:
    """A free JSON value as it is after Go has decoded and written it: floats without a fraction become integers."""
    if type(value) is float:
        return whole(value)
    if type(value) is list:
        return [canonical(item) for item in value]
    if type(value) is dict:
        return {key: canonical(item) for key, item in value.items()}
    return value
