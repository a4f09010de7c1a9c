"""``format`` of cel-go's string extension, and the check of its literals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from crdkit.cel.ast import Call, ListLiteral, Literal, MapLiteral, Node
from crdkit.cel.costs import traversal
from crdkit.cel.declarations import Library
from crdkit.cel.formatting import REFUSED, Clause, FormatError, format_values, interpolate
from crdkit.cel.types import DYN, STRING, Kind, Type, list_of
from crdkit.cel.values import Value

LIBRARY: Final = Library("cel.lib.ext.strings: format")
LIBRARY.named("format").mixed_literals = True
LIBRARY.named("format").stops = True

_INTEGERS: Final = frozenset({Kind.INT, Kind.UINT})
_FLOATS: Final = frozenset({Kind.DOUBLE, Kind.STRING})
_ACCEPTED: Final = {
    "s": _INTEGERS | _FLOATS | {Kind.LIST, Kind.MAP, Kind.BOOL, Kind.TIMESTAMP, Kind.BYTES, Kind.DURATION, Kind.TYPE, Kind.NULL},
    "d": _INTEGERS,
    "f": _FLOATS,
    "e": _FLOATS,
    "b": _INTEGERS | {Kind.BOOL},
    "x": _INTEGERS | {Kind.STRING, Kind.BYTES},
    "X": _INTEGERS | {Kind.STRING, Kind.BYTES},
    "o": _INTEGERS,
}
"""The kinds that may be right for a clause; doubles may also be written as ``'NaN'`` or ``'Infinity'``."""


@LIBRARY.member("format", (STRING, list_of(DYN)), STRING, id="string_format", cost=traversal(0))
def format_text(text: str, values: Value) -> str:
    """``'%s has %d'.format(['a', 2]) == 'a has 2'``."""
    return format_values(text, values)


class _WrongValue(FormatError):
    """A value that its clause cannot be used on."""

    def __init__(self, node: Node, message: str) -> None:
        super().__init__(message)
        self.node = node


@LIBRARY.literal_check("format")
def check_format(call: Call, types: Mapping[int, Type]) -> Iterator[tuple[Node, str]]:
    """Check a literal text with a literal list of values."""
    if not isinstance(call.target, Literal) or call.target.value.__class__ is not str or len(call.arguments) != 1:
        return
    values = call.arguments[0]
    if not isinstance(values, ListLiteral):
        return
    elements = values.elements

    def render(clause: Clause, index: int) -> str:
        if (wrong := _wrong(elements[index], clause.verb, types)) is not None:
            message = f"error during formatting: {REFUSED[clause.verb]}, was given {types[wrong.id].name}"
            raise _WrongValue(wrong, message)
        return ""

    try:
        _, clauses = interpolate(call.target.value, len(elements), render, evaluating=False)
    except _WrongValue as error:
        yield error.node, str(error)
    except FormatError as error:
        yield call, str(error)
    else:
        if len(elements) > clauses:
            yield call, f"too many arguments supplied to string.format (expected {clauses}, got {len(elements)})"


def _wrong(node: Node, verb: str, types: Mapping[int, Type]) -> Node | None:
    """The node whose type the clause cannot be used on: this one, or for ``%s`` one within its literal."""
    type_ = types[node.id]
    if type_.kind is not Kind.DYN and type_.kind not in _ACCEPTED[verb]:
        return node
    if verb != "s":
        return None
    within: list[Node] = []
    if isinstance(node, ListLiteral):
        within = node.elements
    elif isinstance(node, MapLiteral):
        within = [part for entry in node.entries for part in (entry.key, entry.value)]
    return next((wrong for part in within if (wrong := _wrong(part, verb, types)) is not None), None)
