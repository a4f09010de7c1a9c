"""Arrays: compared by place, as sets, or as maps of their elements."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from crdkit.cel.comparing import equal
from crdkit.cel.errors import EvaluationError, no_such_overload
from crdkit.cel.openapi.raw import Data, plain
from crdkit.cel.values import LISTS, MAPS, MISSING, ListValue, MapValue, Value, find
from crdkit.meta.types import Json

Read = Callable[[Any], Value]
"""Makes a value of JSON. Raises `EvaluationError`."""


class DataList(ListValue, Data):
    """An array whose elements are compared by place."""

    __slots__ = ("read",)
    raw: list[Json]

    def __init__(self, raw: list[Json], read: Read) -> None:
        self.raw = raw
        self.read = read

    def __len__(self) -> int:
        return len(self.raw)

    def __getitem__(self, index: int) -> Value:
        return self.read(self.raw[index])

    def __iter__(self) -> Iterator[Value]:
        return map(self.read, self.raw)

    def each(self) -> Iterator[Value]:
        """The elements, with an error in the place of one that does not fit."""
        read = self.read
        for raw in self.raw:
            try:
                yield read(raw)
            except EvaluationError as error:
                yield error

    def equals(self, other: Value) -> bool | None:
        """As the real server compares: what cannot be compared is an error here, not a difference."""
        if not isinstance(other, LISTS):
            raise no_such_overload()
        return len(self.raw) == len(other) and all(map(equal, self, other))

    def contains(self, element: Value) -> bool | None:
        """Likewise, but an equal element outweighs errors, of which the first counts."""
        first: EvaluationError | None = None
        for raw in self.raw:
            try:
                if equal(self.read(raw), element):
                    return True
            except EvaluationError as error:
                first = first or error
        if first is not None:
            raise first
        return False


class SetList(DataList):
    """An array that is a set: compared in any order, joined without duplicates."""

    __slots__ = ()

    def equals(self, other: Value) -> bool | None:
        """Whether the other is as long and has nothing that this has not."""
        if not isinstance(other, LISTS):
            raise no_such_overload()
        if len(self.raw) != len(other):
            return False
        own = {_kind_and(plain(value)) for value in self}
        return all(_kind_and(plain(value)) in own for value in other)

    def plus(self, other: Value) -> Value | None:
        """These, then those of the others that are not among them."""
        if not isinstance(other, LISTS):
            return None
        result = list(self)
        seen = {_kind_and(plain(value)) for value in result}
        for value in other:
            if (key := _kind_and(plain(value))) not in seen:
                seen.add(key)
                result.append(value)
        return PlainSet(result)


def _kind_and(value: Value) -> tuple[type, Value]:
    return value.__class__, repr(value) if isinstance(value, list | dict | ListValue | MapValue) else value


class PlainSet(SetList):
    """A set of values."""

    __slots__ = ()

    def __init__(self, values: list[Value]) -> None:
        super().__init__(values, lambda value: value)


class MapList(DataList):
    """An array that is a map: its elements are known by some of their properties."""

    __slots__ = ("keys",)

    def __init__(self, raw: list[Json], read: Read, keys: Sequence[str]) -> None:
        super().__init__(raw, read)
        self.keys = keys

    def _key(self, element: Json) -> Value:
        if not isinstance(element, dict):
            return None
        return tuple(_kind_and(element.get(key)) for key in self.keys)

    def equals(self, other: Value) -> bool | None:
        """Element by element, in any order."""
        if not isinstance(other, LISTS):
            raise no_such_overload()
        if len(self.raw) != len(other):
            return False
        own = {self._key(raw): raw for raw in self.raw}
        for value in other:
            raw = own.get(self._key(plain(value)), MISSING)
            if raw is MISSING or not equal(self.read(raw), value):
                return False
        return True

    def plus(self, other: Value) -> Value | None:
        """These, each replaced by what the other has under its key, then the rest of the other."""
        if not isinstance(other, LISTS):
            return None
        result = list(self)
        places = {self._key(raw): index for index, raw in enumerate(self.raw)}
        for value in other:
            key = self._value_key(value)
            if (index := places.get(key)) is not None:
                result[index] = value
            else:
                places[key] = len(result)
                result.append(value)
        return PlainMapList(result, self.keys)

    def _value_key(self, value: Value) -> Value:
        if isinstance(value, Data) and isinstance(value.raw, dict):
            return self._key(value.raw)
        if isinstance(value, MAPS):
            return tuple(_kind_and(None if (found := find(value, key)) is MISSING else found) for key in self.keys)
        return None


class PlainMapList(MapList):
    """A map list of values."""

    __slots__ = ()

    def __init__(self, values: list[Value], keys: Sequence[str]) -> None:
        super().__init__(values, lambda value: value, keys)

    def _key(self, element: Json) -> Value:
        return self._value_key(element)
