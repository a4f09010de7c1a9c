"""The types of the language: what the checker reasons about and what ``type(x)`` gives.

A type is a kind, a name and parameters; two types are the same if all three are. The parameters of types met while
evaluating are left out: ``type([1])`` is `LIST`, whatever its elements.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto
from typing import Any, Final, Protocol, runtime_checkable

from crdkit.meta.records import record


class Kind(Enum):
    """What sort of thing a type is."""

    __hash__ = object.__hash__  # that of enumerations is Python code, and kinds are looked up in sets all the time

    BOOL = auto()
    INT = auto()
    UINT = auto()
    DOUBLE = auto()
    STRING = auto()
    BYTES = auto()
    NULL = auto()
    TIMESTAMP = auto()
    DURATION = auto()
    LIST = auto()
    MAP = auto()
    TYPE = auto()
    OBJECT = auto()
    OPAQUE = auto()
    DYN = auto()
    ANY = auto()
    WRAPPER = auto()
    PARAMETER = auto()
    ERROR = auto()


@record
class Type:
    """One type. ``name`` is how it is known while evaluating; ``str`` is how messages print it."""

    kind: Kind
    name: str
    parameters: tuple[Type, ...] = ()

    def __str__(self) -> str:
        if text := _PRINTED.get(self.kind):
            return text
        if not self.parameters:
            return self.name
        return f"{self.name}({', '.join(map(str, self.parameters))})"


_PRINTED: Final = {
    Kind.NULL: "null",
    Kind.TIMESTAMP: "timestamp",
    Kind.DURATION: "duration",
    Kind.ERROR: "!error!",
    Kind.ANY: "any",
}

BOOL: Final = Type(Kind.BOOL, "bool")
INT: Final = Type(Kind.INT, "int")
UINT: Final = Type(Kind.UINT, "uint")
DOUBLE: Final = Type(Kind.DOUBLE, "double")
STRING: Final = Type(Kind.STRING, "string")
BYTES: Final = Type(Kind.BYTES, "bytes")
NULL: Final = Type(Kind.NULL, "null_type")
TIMESTAMP: Final = Type(Kind.TIMESTAMP, "google.protobuf.Timestamp")
DURATION: Final = Type(Kind.DURATION, "google.protobuf.Duration")
DYN: Final = Type(Kind.DYN, "dyn")
ERROR: Final = Type(Kind.ERROR, "!error!")
LIST: Final = Type(Kind.LIST, "list")
MAP: Final = Type(Kind.MAP, "map")
TYPE: Final = Type(Kind.TYPE, "type")
OPTIONAL: Final = Type(Kind.OPAQUE, "optional_type")


def list_of(element: Type) -> Type:
    """``list(element)``."""
    return Type(Kind.LIST, "list", (element,))


def map_of(key: Type, value: Type) -> Type:
    """``map(key, value)``."""
    return Type(Kind.MAP, "map", (key, value))


def type_of_type(type_: Type) -> Type:
    """``type(type_)``: the type of an identifier that names a type."""
    return Type(Kind.TYPE, "type", (type_,))


def optional_of(type_: Type) -> Type:
    """``optional_type(type_)``."""
    return Type(Kind.OPAQUE, "optional_type", (type_,))


def opaque(name: str, *parameters: Type) -> Type:
    """A type of a library's own whose values only its functions understand (``net.IP``)."""
    return Type(Kind.OPAQUE, name, parameters)


def object_type(name: str) -> Type:
    """A type with fields; a `TypeProvider` tells which."""
    return Type(Kind.OBJECT, name)


def wrapper_of(type_: Type) -> Type:
    """A primitive or null."""
    return Type(Kind.WRAPPER, "wrapper", (type_,))


def parameter(name: str) -> Type:
    """A type that a signature leaves open: the ``A`` of ``list(A)``."""
    return Type(Kind.PARAMETER, name)


def is_optional(type_: Type) -> bool:
    """Whether the values of the type are optionals."""
    return type_.kind is Kind.OPAQUE and type_.name == OPTIONAL.name


class TypeProvider(Protocol):
    """Who knows the object types of an expression; the room itself knows none."""

    def find_type(self, name: str) -> Type | None:
        """The type of that name, as it may be written in an expression."""
        ...

    def find_field(self, type_name: str, field: str) -> Type | None:
        """The type of a field of an object type."""
        ...


@runtime_checkable
class MessageProvider(TypeProvider, Protocol):
    """A provider whose types are also written as messages: ``Object{spec: …}``."""

    def make(self, type_name: str, fields: Mapping[str, Any]) -> Any:
        """The value of a message with these fields. Raises `EvaluationError`."""
        ...


class NoTypes:
    """The provider of an environment without object types."""

    def find_type(self, name: str) -> Type | None:
        """No name is known."""
        return None

    def find_field(self, type_name: str, field: str) -> Type | None:
        """No type has fields."""
        return None
