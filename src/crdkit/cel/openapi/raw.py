"""Values that are JSON underneath."""

from __future__ import annotations

from crdkit.cel.types import opaque
from crdkit.cel.values import Opaque, Value
from crdkit.meta.types import Json


class Data:
    """A value that has JSON behind it."""

    __slots__ = ("raw",)
    raw: Json


class Preserved(Opaque, Data):
    """JSON that no schema describes: it can only be compared."""

    __slots__ = ()
    cel_type = opaque("unknown")

    def __init__(self, raw: Json) -> None:
        self.raw = raw

    def equals(self, other: Value) -> bool:
        """Whether the JSON is the same."""
        return same(self.raw, plain(other))


def plain(value: Value) -> Json:
    """The JSON behind a value, or the value itself."""
    if isinstance(value, Data):
        return value.raw
    return value


def same(one: Json, other: Json) -> bool:
    """Whether JSON is the same down to the kinds of its numbers."""
    if one.__class__ is not other.__class__:
        return False
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)
