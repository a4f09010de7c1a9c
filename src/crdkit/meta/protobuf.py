"""Writes protocol buffers from JSON by tables: as much of the encoding as the published documents need."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping

from crdkit.meta import json
from crdkit.meta.protowire import FIXED_64, LENGTH, VARINT
from crdkit.meta.types import Json, JsonObject

Encoder = Callable[[Json], bytes]
"""Gives the payload of one value, without its tag and, if it has one, its length."""


class Field:
    """A field of a message: its number, how its values are written, and whether a JSON list stands for several of them."""

    __slots__ = ("_encode", "_head", "_sized", "repeated")

    def __init__(self, number: int, encode: Encoder, wire: int = LENGTH, *, repeated: bool = False) -> None:
        self._head = varint(number << 3 | wire)
        self._encode = encode
        self._sized = wire == LENGTH
        self.repeated = repeated

    def write(self, value: Json) -> bytes:
        if self.repeated:
            return b"".join([self._one(each) for each in value])
        return self._one(value)

    def _one(self, value: Json) -> bytes:
        payload = self._encode(value)
        return self._head + varint(len(payload)) + payload if self._sized else self._head + payload


class Message:
    """A message whose fields are found under the keys of a JSON object; ``extensions`` takes the keys that begin with ``x-``."""

    def __init__(self, extensions: Field | None = None) -> None:
        self.fields: Mapping[str, Field] = {}
        self._extensions = extensions

    def __call__(self, value: JsonObject) -> bytes:
        out = []
        for key, child in value.items():
            field = self.fields.get(key)
            if field is not None:
                out.append(field.write(child))
            elif self._extensions is not None and key.startswith("x-"):
                out.append(self._extensions.write((key, child)))
        return b"".join(out)


def varint(number: int) -> bytes:
    """A number in groups of seven bits, the lowest first."""
    if number < 0x80:
        return bytes((number,))
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def text(number: int, *, repeated: bool = False) -> Field:
    return Field(number, _utf8, repeated=repeated)


def integer(number: int) -> Field:
    return Field(number, _int64, VARINT)


def boolean(number: int) -> Field:
    return Field(number, _bool, VARINT)


def double(number: int) -> Field:
    return Field(number, _double, FIXED_64)


def entries(number: int, value: Encoder) -> Encoder:
    """A JSON object written as a message that repeats one field: pairs of ``name`` and ``value``."""
    pair = named(value)
    field = Field(number, pair, repeated=True)
    return lambda mapping: field.write(mapping.items())


def named(value: Encoder) -> Encoder:
    """A pair of a name and a value."""
    name, content = text(1), Field(2, value)
    return lambda pair: name.write(pair[0]) + content.write(pair[1])


def wrapped(number: int, encode: Encoder, *, repeated: bool = False) -> Encoder:
    """A message with one field."""
    return Field(number, encode, repeated=repeated).write


def json_text(number: int) -> Encoder:
    """A message with any value, as JSON text."""
    return wrapped(number, lambda value: json.encode(value) + b"\n")


def _utf8(value: str) -> bytes:
    return value.encode("utf-8", "surrogatepass")


def _int64(value: int) -> bytes:
    return varint(value % (1 << 64))


def _bool(value: bool) -> bytes:
    return b"\x01" if value else b"\x00"


def _double(value: float) -> bytes:
    return struct.pack("<d", value)
