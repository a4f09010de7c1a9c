"""The values of the language, as Python holds them while evaluating.

``int``, ``float``, ``str``, ``bytes``, ``bool`` and ``None`` stand for themselves. A list is a ``list`` or another
`ListValue`, a map a `dict` with string keys or another `MapValue`. The rest has classes here (`Uint`, `Timestamp`,
`Duration`, `Optional`) or, if a library brings its own type, a subclass of `Opaque` there. A type is its `Type`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from typing import Any, ClassVar, Final, TypeAlias

from crdkit.cel import types
from crdkit.cel.errors import EvaluationError, no_such_overload
from crdkit.cel.types import Type
from crdkit.meta.records import record

Value: TypeAlias = Any
"""Any value of the language; what an overload's code gets and returns is as its signature says."""


class Uint(int):
    """An unsigned integer; arithmetic on it gives plain integers, so results are wrapped again."""

    __slots__ = ()


@record
class Timestamp:
    """A moment: nanoseconds since 1970-01-01 UTC. ``offset`` (seconds) is that of the zone it was written in."""

    nanos: int
    offset: int = field(default=0, compare=False)


@record
class Duration:
    """A span of time in nanoseconds."""

    nanos: int


class Optional:
    """A value that may be there; `NONE` is the one that is not."""

    __slots__ = ("value",)

    def __init__(self, value: Value) -> None:
        self.value = value

    def held(self) -> Value:
        """The value. Raises the `EvaluationError` that is there in its place."""
        if self.value.__class__ is EvaluationError:
            raise self.value
        return self.value


NONE: Final = Optional(None)
"""``optional.none()``, known by identity: an optional of null is another object."""


class Opaque(ABC):
    """A value of a type that a library brings along."""

    __slots__ = ()
    cel_type: ClassVar[Type]

    @abstractmethod
    def equals(self, other: Value) -> bool:
        """Whether ``self == other``. Raises `no_such_overload` where the real type refuses another kind."""

    def size(self) -> int:
        """How large the value counts in costs."""
        return 1


class ListValue(ABC):
    """A list that is not a Python list: its elements become values when they are looked at.

    An element that cannot become a value raises `EvaluationError` there.
    """

    __slots__ = ()

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def __getitem__(self, index: int) -> Value: ...

    @abstractmethod
    def __iter__(self) -> Iterator[Value]: ...

    def each(self) -> Iterator[Value]:
        """The elements, with an `EvaluationError` in the place of one that cannot become a value."""
        for index in range(len(self)):
            try:
                yield self[index]
            except EvaluationError as error:
                yield error

    def equals(self, other: Value) -> bool | None:
        """Whether the list equals any other value by rules of its own; None: element by element."""
        return None

    def contains(self, element: Value) -> bool | None:
        """Whether an element is in the list by rules of its own; None: whether one equals it."""
        return None

    def plus(self, other: Value) -> Value | None:
        """``self + other`` by rules of its own; None: one after the other."""
        return None


class MapValue(ABC):
    """A map that is not a Python dict with string keys."""

    __slots__ = ()

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def __iter__(self) -> Iterator[Value]:
        """The keys."""

    @abstractmethod
    def find(self, key: Value) -> Value:
        """The value under a key, or `MISSING`. May raise `EvaluationError`."""

    def equals(self, other: Value) -> bool | None:
        """Whether the map equals any other value by rules of its own; None: entry by entry."""
        return None


class Joined(list[Value]):
    """A list that is one behind another: to what takes values out of an expression these are another kind of list."""

    __slots__ = ()


class Texts(list[Value]):
    """A list that a function made of a text."""

    __slots__ = ()


_WITH_MEMBERS: Final = (str, Timestamp, Duration)
LISTS: Final = (list, ListValue)
MAPS: Final = (dict, MapValue)


class Missing:
    """The class of `MISSING`."""

    __slots__ = ()


MISSING: Final = Missing()
"""What `MapValue.find` returns for a key that is not there; never a value of the language."""

_SAME_NUMBER: Final[dict[type, tuple[type, ...]]] = {int: (Uint,), Uint: (int,), float: (int, Uint)}
"""Under which other kinds a number is looked for that is no key itself."""


class LiteralMap(MapValue):
    """A map whose keys are not all strings: ``1``, ``1u`` and ``true`` are different keys, though ``1u`` finds ``1``."""

    __slots__ = ("_entries",)

    def __init__(self, entries: Iterable[tuple[Value, Value]]) -> None:
        self._entries: dict[tuple[type, Value], tuple[Value, Value]] = {_hashed(key): (key, value) for key, value in entries}

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[Value]:
        return iter([key for key, _ in self._entries.values()])

    def find(self, key: Value) -> Value:
        """As the key stands, else as the same number of another kind."""
        found = self._entries.get(_hashed(key))
        if found is None:
            for other in _SAME_NUMBER.get(key.__class__, ()):
                if (found := self._entries.get((other, key))) is not None:
                    break
        return MISSING if found is None else found[1]


def _hashed(key: Value) -> tuple[type, Value]:
    """What an entry is kept under: lists and maps are keys by identity."""
    return key.__class__, id(key) if isinstance(key, (*LISTS, *MAPS)) else key


_TYPES: Final[dict[type, Type]] = {
    bool: types.BOOL,
    int: types.INT,
    Uint: types.UINT,
    float: types.DOUBLE,
    str: types.STRING,
    bytes: types.BYTES,
    type(None): types.NULL,
    Timestamp: types.TIMESTAMP,
    Duration: types.DURATION,
    list: types.LIST,
    dict: types.MAP,
    Optional: types.OPTIONAL,
    Type: types.TYPE,
}


def type_of(value: Value) -> Type:
    """The type of a value while evaluating, without parameters."""
    if (known := _TYPES.get(value.__class__)) is not None:
        return known
    if isinstance(value, Opaque):
        return value.cel_type
    if isinstance(value, ListValue | list):
        return types.LIST
    if isinstance(value, MapValue | dict):
        return types.MAP
    msg = f"not a value: {value.__class__.__name__}"
    raise TypeError(msg)


def unknown_operator(name: str, operand: Value) -> EvaluationError:
    """The error of an operator that the first operand's kind does not know; kinds with member functions do not name it."""
    return no_such_overload() if isinstance(operand, _WITH_MEMBERS) else EvaluationError(f"no such overload: {name}")


def size_of(value: Value) -> int:
    """How large a value counts in costs: characters, bytes, elements, entries; 1 for what has no size."""
    if isinstance(value, str | bytes | list | dict | ListValue | MapValue):
        return len(value)
    if isinstance(value, Optional) and value is not NONE:
        return size_of(value.value)
    return value.size() if isinstance(value, Opaque) else 1


def find(container: Value, key: Value) -> Value:
    """The value under a key of any map, or `MISSING`."""
    if isinstance(container, dict):
        return container.get(key, MISSING) if key.__class__ is str else MISSING
    return container.find(key)


def make_map(entries: Sequence[tuple[Value, Value]]) -> Value:
    """A map of these entries, of which a later one wins."""
    if all(key.__class__ is str for key, _ in entries):
        return dict(entries)
    return LiteralMap(entries)
