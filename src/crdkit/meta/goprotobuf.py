"""Go's protobuf messages as JSON objects, both ways, by tables: how typed clients and servers send built-in kinds.

A table of messages is data (`MessageTable`): message name -> JSON field name -> its number and its type in Go's notation:

- ``string``, ``bool``, ``int32``, ``int64``, ``float64``, ``[]byte``; ``Time``, ``MicroTime``; ``json`` (any value, as JSON text);
- ``[]T``, ``map[string]T``, ``*T`` of them; names of the table's own messages, and of types with a way of their own;
- ``inline T``: the fields of T stand in the JSON object itself.

A field that is no pointer is always written, be it empty; fields come in the order of their numbers, keys of maps in their own.
"""

from __future__ import annotations

import base64
import struct
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Final

from crdkit.meta import gotime, json
from crdkit.meta.json import JsonError
from crdkit.meta.protobuf import varint
from crdkit.meta.protowire import FIXED_64, LENGTH, VARINT, Payload, ProtobufError, int32, pieces, signed
from crdkit.meta.types import Json, JsonObject

DEEPEST: Final = 200
"""Messages nested deeper are refused: each takes a few frames of the interpreter's stack to read."""
_NOTHING: Final = memoryview(b"")
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_ACRONYMS: Final = {"apiVersion": "APIVersion", "uid": "UID", "url": "URL", "metadata": "ObjectMeta", "caBundle": "CABundle"}


class Codec(ABC):
    """How values of one type stand on the wire, without key and length."""

    wire: int = LENGTH
    zero: bytes | None = None
    """What stands for a value that is not there; None where nothing does."""

    @abstractmethod
    def write(self, value: Json) -> bytes: ...

    @abstractmethod
    def read(self, payload: Payload, old: Json, depth: int) -> Json:
        """The value; ``old`` is what the field held before, which only messages and lists go on from. Raises `ProtobufError`."""


class _Text(Codec):
    zero = b""

    def write(self, value: Json) -> bytes:
        return bytes(value.encode("utf-8", "surrogatepass"))

    def read(self, payload: Payload, old: Json, depth: int) -> Json:
        return str(payload, "utf-8", "crdkit.go")


class _Bytes(Codec):
    def write(self, value: Json) -> bytes:
        return base64.b64decode(value or "")

    def read(self, payload: Payload, old: Json, depth: int) -> Json:
        return base64.b64encode(payload).decode("ascii")


class _Integer(Codec):
    wire = VARINT
    zero = b"\x00"

    def __init__(self, bits: int) -> None:
        self._read = int32 if bits == 32 else signed

    def write(self, value: Json) -> bytes:
        return varint(value % (1 << 64))

    def read(self, payload: Payload, old: Json, depth: int) -> Json:
        return self._read(payload)


class _Bool(Codec):
    wire = VARINT
    zero = b"\x00"

    def write(self, value: Json) -> bytes:
        return b"\x01" if value else b"\x00"

    def read(self, payload: Payload, old: Json, depth: int) -> Json:
        return payload != 0


class _Float(Codec):
    wire = FIXED_64
    zero = bytes(8)

    def write(self, value: Json) -> bytes:
        return struct.pack("<d", value)

    def read(self, payload: Payload, old: Json, depth: int) -> Json:
        (value,) = struct.unpack("<d", payload)
        if value - value:  # not a number, or none that JSON has
            raise ProtobufError(f"json: unsupported value: {value}")
        return value


class _JsonText(Codec):
    """A message that holds JSON text in its first field."""

    def write(self, value: Json) -> bytes:
        text = json.encode(value)
        return b"" if value is None else b"\x0a" + varint(len(text)) + text

    def read(self, payload: Payload, old: Json, depth: int) -> Json:
        for number, wire, content in pieces(payload, "JSON"):
            if number == 1 and wire == LENGTH:
                try:
                    old = json.decode(bytes(content))
                except JsonError as error:
                    raise ProtobufError(str(error)) from error
        return old


class _Time(Codec):
    """Seconds since 1970, and in a MicroTime what comes after; the zero time is an empty message."""

    zero = b""

    def __init__(self, layout: str) -> None:
        self._micro = layout == gotime.MICRO_LAYOUT
        self._layout = layout

    def write(self, value: Json) -> bytes:
        if value is None:
            return b""
        seconds, micros = divmod((datetime.fromisoformat(value) - _EPOCH) // timedelta(microseconds=1), 1_000_000)
        return b"\x08" + varint(seconds % (1 << 64)) + b"\x10" + varint(micros * 1000 if self._micro else 0)

    def read(self, payload: Payload, old: Json, depth: int) -> Json:
        if not len(payload):
            return None
        found = {1: 0, 2: 0}
        for number, wire, value in pieces(payload, "Timestamp"):
            if number in found:
                _check_wire(wire, VARINT, "seconds" if number == 1 else "nanos")
                found[number] = signed(value)
        micros = int(int32(found[2]) / 1000) if self._micro else 0
        try:
            moment = _EPOCH + timedelta(seconds=found[1], microseconds=micros)
        except OverflowError:
            raise ProtobufError(f"proto: {found[1]} seconds are beyond all years") from None
        digits = f".{moment.microsecond:06d}" if self._micro else ""
        return f"{moment.year:04d}-{moment:%m-%dT%H:%M:%S}{digits}Z"


def _check_wire(found: int, wanted: int, name: str) -> None:
    if found != wanted:
        raise ProtobufError(f"proto: wrong wireType = {found} for field {_go_name(name)}")


class _Field:
    """A field of a message. ``name`` is its JSON name."""

    def __init__(self, name: str, number: int, codec: Codec, *, pointer: bool) -> None:
        self.name, self.number, self.codec = name, number, codec
        self.key = varint(number << 3 | codec.wire)
        self._empty = b"" if pointer or codec.zero is None else self._framed(codec.zero)

    def write(self, obj: JsonObject) -> bytes:
        value = obj.get(self.name)
        return self._empty if value is None else self._framed(self.codec.write(value))

    def _framed(self, payload: bytes) -> bytes:
        return self.key + varint(len(payload)) + payload if self.codec.wire == LENGTH else self.key + payload

    def read(self, obj: JsonObject, payload: Payload, depth: int) -> None:
        obj[self.name] = self.codec.read(payload, obj.get(self.name), depth)


class _Inline(_Field):
    def write(self, obj: JsonObject) -> bytes:
        return self._framed(self.codec.write(obj))

    def read(self, obj: JsonObject, payload: Payload, depth: int) -> None:
        self.codec.read(payload, obj, depth)


class _Repeated(_Field):
    def write(self, obj: JsonObject) -> bytes:
        return b"".join([self._framed(self.codec.write(item)) for item in obj.get(self.name) or ()])

    def read(self, obj: JsonObject, payload: Payload, depth: int) -> None:
        obj.setdefault(self.name, []).append(self.codec.read(payload, None, depth))


class _Map(_Field):
    def write(self, obj: JsonObject) -> bytes:
        return b"".join([self._framed(self._entry(key, value)) for key, value in sorted((obj.get(self.name) or {}).items())])

    def _entry(self, key: str, value: Json) -> bytes:
        name, content = key.encode("utf-8", "surrogatepass"), self.codec.write(value)
        return b"\x0a" + varint(len(name)) + name + b"\x12" + varint(len(content)) + content

    def read(self, obj: JsonObject, payload: Payload, depth: int) -> None:
        key, value = "", _NOTHING
        for number, wire, content in pieces(payload, self.name):
            if number == 1:
                _check_wire(wire, LENGTH, self.name)
                key = str(content, "utf-8", "crdkit.go")
            elif number == 2:
                _check_wire(wire, LENGTH, self.name)
                value = content
        obj.setdefault(self.name, {})[key] = self.codec.read(value, None, depth)


class Message(Codec):
    """A message with named fields."""

    def __init__(self, name: str, table: MessageTable, written: Mapping[str, str]) -> None:
        self._name, self._table, self._written = name, table, written

    @cached_property
    def _fields(self) -> list[_Field]:
        return sorted((self._table.field(name, text) for name, text in self._written.items()), key=lambda one: one.number)

    @cached_property
    def _by_number(self) -> dict[int, _Field]:
        return {one.number: one for one in self._fields}

    @cached_property
    def zero(self) -> bytes:  # type: ignore[override]  # made on first use: messages may hold themselves
        return self.write({})

    def write(self, value: Json) -> bytes:
        return b"".join([one.write(value) for one in self._fields])

    def read(self, payload: Payload, old: Json, depth: int) -> Json:
        if depth > DEEPEST:
            raise ProtobufError(f"proto: {self._name}: more than {DEEPEST} messages within each other")
        found: JsonObject = {} if old is None else old
        known = self._by_number
        for number, wire, content in pieces(payload, self._name):
            one = known.get(number)
            if one is not None:
                _check_wire(wire, one.codec.wire, one.name)
                one.read(found, content, depth + 1)
        return found


def _go_name(name: str) -> str:
    """What the field is called in Go, as far as it matters in an error."""
    return _ACRONYMS.get(name) or name[:1].upper() + name[1:]


class Special(Codec):
    """A JSON value that can be of several sorts, each in a field of its own: ``to_message`` and ``to_json`` translate."""

    def __init__(self, message: Message, to_message: Callable[[Json], JsonObject], to_json: Callable[[JsonObject], Json]) -> None:
        self._message, self._to_message, self._to_json = message, to_message, to_json

    def write(self, value: Json) -> bytes:
        return self._message.write(self._to_message(value))

    def read(self, payload: Payload, old: Json, depth: int) -> Json:
        return self._to_json(self._message.read(payload, None, depth))


_BUILT_IN: Final[Mapping[str, Codec]] = {
    "string": _Text(),
    "bool": _Bool(),
    "int32": _Integer(32),
    "int64": _Integer(64),
    "float64": _Float(),
    "[]byte": _Bytes(),
    "json": _JsonText(),
    "Time": _Time(gotime.LAYOUT),
    "MicroTime": _Time(gotime.MICRO_LAYOUT),
}


@dataclass(frozen=True)
class MessageTable:
    """Messages that belong together."""

    messages: Mapping[str, Mapping[str, str]]
    includes: tuple[MessageTable, ...] = ()
    """Tables whose messages may be named too."""
    special: Mapping[str, tuple[Callable[[Json], JsonObject], Callable[[JsonObject], Json]]] = field(default_factory=dict)
    """Messages of this table that are no objects in JSON, and how they are made of what they are there, and the other way."""
    _codecs: dict[str, Codec] = field(default_factory=dict, init=False, repr=False, compare=False)

    def write(self, name: str, value: JsonObject) -> bytes:
        """A JSON object as the message of that name."""
        return self.codec(name).write(value)

    def read(self, name: str, data: bytes | memoryview) -> JsonObject:
        """The message of that name as a JSON object. Raises `ProtobufError`."""
        found: JsonObject = self.codec(name).read(memoryview(data), None, 0)
        return found

    def __contains__(self, name: str) -> bool:
        return name in self.messages

    def codec(self, name: str) -> Codec:
        """How a type stands on the wire, found out once."""
        found = self._codecs.get(name)
        if found is None:
            found = self._codecs[name] = self._make(name)
        return found

    def _make(self, name: str) -> Codec:
        if (known := _BUILT_IN.get(name)) is not None:
            return known
        if name in self.messages:
            message = Message(name, self, self.messages[name])
            return Special(message, *self.special[name]) if name in self.special else message
        for table in self.includes:
            if name in table:
                return table.codec(name)
        msg = f"no message {name!r} in the table"
        raise KeyError(msg)

    def field(self, name: str, text: str) -> _Field:
        """A field as it is written in a table."""
        number, _, kind = text.partition(" ")
        if kind.startswith("inline "):
            return _Inline(name, int(number), self.codec(kind[len("inline ") :]), pointer=False)
        if kind.startswith("map[string]"):
            return _Map(name, int(number), self.codec(kind[len("map[string]") :]), pointer=True)
        if kind.startswith("[]") and kind != "[]byte":
            return _Repeated(name, int(number), self.codec(kind[2:]), pointer=True)
        pointer = kind.startswith("*")
        return _Field(name, int(number), self.codec(kind[1:] if pointer else kind), pointer=pointer)
