"""The nodes of an expression, as parsed and as the checker leaves them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from crdkit.cel.values import Value
from crdkit.meta.records import record

ACCUMULATOR: Final = "@result"
"""What macros call the variable that a fold gathers its result in; no identifier can be written so."""


@dataclass(slots=True, eq=False)
class Literal:
    """A constant that is written in the text."""

    id: int
    at: int
    value: Value


@dataclass(slots=True, eq=False)
class Ident:
    """A name; a leading dot is part of it."""

    id: int
    at: int
    name: str


@dataclass(slots=True, eq=False)
class Select:
    """``operand.field``, or the test whether it is there."""

    id: int
    at: int
    operand: Node
    field: str
    test: bool = False


@dataclass(slots=True, eq=False)
class Call:
    """A call of a function, operator or member function (which has a target)."""

    id: int
    at: int
    function: str
    target: Node | None
    arguments: list[Node]

    def operands(self) -> list[Node]:
        """The target, if there is one, and the arguments."""
        return self.arguments if self.target is None else [self.target, *self.arguments]


@dataclass(slots=True, eq=False)
class ListLiteral:
    """``[a, ?b]``; ``optional`` holds the positions of elements after a question mark."""

    id: int
    at: int
    elements: list[Node]
    optional: frozenset[int] = frozenset()


@dataclass(slots=True, eq=False)
class Entry:
    """``key: value`` of a map."""

    id: int
    at: int
    key: Node
    value: Node
    optional: bool


@dataclass(slots=True, eq=False)
class MapLiteral:
    """``{a: b, ?c: d}``."""

    id: int
    at: int
    entries: list[Entry]


@dataclass(slots=True, eq=False)
class FieldValue:
    """``field: value`` of an object."""

    id: int
    at: int
    field: str
    value: Node
    optional: bool


@dataclass(slots=True, eq=False)
class ObjectLiteral:
    """``Name{field: value}``."""

    id: int
    at: int
    type_name: str
    fields: list[FieldValue]


@dataclass(slots=True, eq=False)
class Fold:
    """What macros over lists and maps become: ``step`` for each element while ``condition`` holds, then ``result``."""

    id: int
    at: int
    range: Node
    variable: str
    second: str
    """The other variable of a fold over two, or nothing."""
    accumulator: str
    init: Node
    condition: Node
    step: Node
    result: Node

    def binds(self) -> bool:
        """Whether the fold only gives its accumulator's value a name within its result."""
        return (
            isinstance(self.range, ListLiteral)
            and not self.range.elements
            and isinstance(self.condition, Literal)
            and self.condition.value is False
        )


@dataclass(slots=True, eq=False)
class Broken:
    """What stands where nothing could be parsed."""

    id: int
    at: int


Node: TypeAlias = Literal | Ident | Select | Call | ListLiteral | MapLiteral | ObjectLiteral | Fold | Broken


@record(frozen=False)
class Ids:
    """Gives every node a number of its own."""

    last: int = field(default=0)

    def next(self) -> int:
        """A number not given before."""
        self.last += 1
        return self.last


def children(node: Node) -> Iterator[Node]:
    """The nodes right below, in the order in which they are visited."""
    match node:
        case Select():
            yield node.operand
        case Call():
            yield from node.operands()
        case ListLiteral():
            yield from node.elements
        case MapLiteral():
            for entry in node.entries:
                yield entry.key
                yield entry.value
        case ObjectLiteral():
            for initial in node.fields:
                yield initial.value
        case Fold():
            yield from (node.range, node.init, node.condition, node.step, node.result)
        case _:
            return


def walk(node: Node) -> Iterator[Node]:
    """A node and all below it."""
    pending = [node]
    while pending:
        current = pending.pop()
        yield current
        pending.extend(reversed(list(children(current))))


def free_names(node: Node, bound: frozenset[str] = frozenset()) -> Iterator[Ident]:
    """The names in an expression that no fold in it gives a meaning."""
    if isinstance(node, Ident):
        if node.name not in bound:
            yield node
    elif isinstance(node, Fold):
        yield from free_names(node.range, bound)
        yield from free_names(node.init, bound)
        within = bound | {node.variable, node.second, node.accumulator}
        for part in (node.condition, node.step):
            yield from free_names(part, within)
        yield from free_names(node.result, bound | {node.accumulator})
    else:
        for child in children(node):
            yield from free_names(child, bound)
