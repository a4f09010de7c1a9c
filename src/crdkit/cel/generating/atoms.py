"""What generated code holds in its variables, and how it makes sure of that."""

from __future__ import annotations

from typing import Final

from crdkit.cel.generating.source import Source, Unfit
from crdkit.cel.types import BOOL, BYTES, DOUBLE, INT, STRING, UINT, Kind, Type
from crdkit.cel.values import Uint
from crdkit.meta.records import record

SCALARS: Final = frozenset({STRING, INT, BOOL, DOUBLE})
"""Types whose JSON is the value itself."""
SIZED: Final = frozenset({Kind.STRING, Kind.BYTES, Kind.LIST, Kind.MAP})
LITERALS: Final = {str: STRING, int: INT, bool: BOOL, float: DOUBLE, bytes: BYTES, Uint: UINT}
_CLASSES: Final = {STRING: "str", INT: "int", BOOL: "bool", DOUBLE: "float"}


@record
class Atom:
    """A Python name and what it holds: a value, or JSON that would have to become one first (``raw``)."""

    name: str
    type: Type
    raw: bool = False

    @property
    def is_value(self) -> bool:
        """Whether it can be given to code that takes values."""
        return not self.raw or self.type in SCALARS


def ensure(source: Source, atom: Atom) -> Atom:
    """Leave unless the JSON is of the declared kind."""
    if (kind := _CLASSES.get(atom.type)) is None:
        if atom.type.kind in (Kind.OBJECT, Kind.MAP):
            kind = "dict"
        elif atom.type.kind is Kind.LIST:
            kind = "list"
        else:
            raise Unfit
    source.leave_if(f"{atom.name}.__class__ is not {kind}")
    return atom
