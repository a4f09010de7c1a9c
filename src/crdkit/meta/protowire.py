"""The wire format of protocol buffers, read with bounds: keys, numbers, pieces, what is passed over, and Go's words for what is broken."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

VARINT: Final = 0
FIXED_64: Final = 1
LENGTH: Final = 2
GROUP_START: Final = 3
GROUP_END: Final = 4
FIXED_32: Final = 5

Payload = Any
"""An ``int`` for a varint, a ``memoryview`` for everything else: whoever reads it has looked at the wire type."""

_BITS: Final = (1 << 64) - 1
_MOST: Final = (1 << 63) - 1


class ProtobufError(ValueError):
    """The bytes are no such message; ``str()`` is Go's text."""


def pieces(data: memoryview, message: str) -> Iterator[tuple[int, int, Payload]]:
    """The fields of a message of that name, one after the other: number, wire type, payload. Raises `ProtobufError`.

    Groups, which nobody sends, are passed over.
    """
    at, end = 0, len(data)
    while at < end:
        start = at
        key, at = _varint(data, at)
        number, wire = key >> 3 if key < 1 << 34 else int32(key >> 3), key & 7
        if wire == GROUP_END:
            raise ProtobufError(f"proto: {message}: wiretype end group for non-group")
        if number <= 0:
            raise ProtobufError(f"proto: {message}: illegal tag {number} (wire type {key})")
        if wire == VARINT:
            value, at = _varint(data, at)
            yield number, wire, value
        elif wire == LENGTH:
            at, stop = _span(data, at)
            yield number, wire, data[at:stop]
            at = stop
        elif wire == FIXED_64:
            if at + 8 > end:
                raise _too_short()
            yield number, wire, data[at : at + 8]
            at += 8
        else:
            at = _skip(data, start)


def _too_short() -> ProtobufError:
    return ProtobufError("unexpected EOF")


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    """A number and where it ends."""
    end = len(data)
    if at < end and (first := data[at]) < 0x80:
        return first, at + 1
    value = 0
    for shift in range(0, 64, 7):
        if at >= end:
            raise _too_short()
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & _BITS, at
    raise ProtobufError("proto: integer overflow")


def _span(data: memoryview, at: int) -> tuple[int, int]:
    """Where a piece with its length before it begins and ends."""
    size, at = _varint(data, at)
    if size > _MOST - at:
        raise ProtobufError("proto: negative length found during unmarshaling")
    if at + size > len(data):
        raise _too_short()
    return at, at + size


def _skip(data: memoryview, at: int) -> int:
    """The end of a field whose content is of no interest; a group ends with itself."""
    depth = 0
    while at < len(data):
        key, at = _varint(data, at)
        wire = key & 7
        if wire == VARINT:
            _, at = _varint(data, at)
        elif wire == LENGTH:
            _, at = _span(data, at)
        elif wire in (FIXED_64, FIXED_32):
            at += 8 if wire == FIXED_64 else 4
        elif wire == GROUP_START:
            depth += 1
        elif wire == GROUP_END:
            if not depth:
                raise ProtobufError("proto: unexpected end of group")
            depth -= 1
        else:
            raise ProtobufError(f"proto: illegal wireType {wire}")
        if not depth:
            break
    if depth or at > len(data):
        raise _too_short()
    return at


def signed(number: int) -> int:
    """A number of 64 bits with its sign."""
    return number - (1 << 64) if number >> 63 else number


def int32(number: int) -> int:
    """The lowest 32 bits of a number, with their sign."""
    low = number & 0xFFFFFFFF
    return low - (1 << 32) if low >> 31 else low
