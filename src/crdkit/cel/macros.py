"""Macros: calls that become other expressions while parsing.

An expansion may share the nodes it is given; what it makes itself stands where the macro was called.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from crdkit.cel.ast import (
    ACCUMULATOR,
    Call,
    Entry,
    FieldValue,
    Fold,
    Ident,
    Ids,
    ListLiteral,
    Literal,
    MapLiteral,
    Node,
    ObjectLiteral,
    Select,
)
from crdkit.cel.values import Value
from crdkit.meta.records import record

_UNUSED: Final = "#unused"
_OLD_ACCUMULATOR: Final = "__result__"


Names = tuple[str, str]
"""The variables of a fold; the second is nothing for a fold over one."""


class MacroError(Exception):
    """A macro's arguments are not what it takes."""

    def __init__(self, node: Node, message: str) -> None:
        super().__init__(message)
        self.node = node


@record
class Maker:
    """Makes the nodes of an expansion."""

    ids: Ids
    at: int

    def literal(self, value: Value) -> Literal:
        """A constant."""
        return Literal(self.ids.next(), self.at, value)

    def ident(self, name: str) -> Ident:
        """A name."""
        return Ident(self.ids.next(), self.at, name)

    def accumulator(self) -> Ident:
        """The name of what is gathered."""
        return self.ident(ACCUMULATOR)

    def list(self, *elements: Node) -> ListLiteral:
        """A list."""
        return ListLiteral(self.ids.next(), self.at, [*elements])

    def map(self) -> MapLiteral:
        """An empty map."""
        return MapLiteral(self.ids.next(), self.at, [])

    def call(self, function: str, *arguments: Node) -> Call:
        """A call of a global function."""
        return Call(self.ids.next(), self.at, function, None, [*arguments])

    def member(self, function: str, target: Node, *arguments: Node) -> Call:
        """A call of a member function."""
        return Call(self.ids.next(), self.at, function, target, [*arguments])

    def test(self, operand: Node, field: str) -> Select:
        """Whether a field is there."""
        return Select(self.ids.next(), self.at, operand, field, test=True)

    def fold(self, over: Node, names: Names, *, init: Node, condition: Node, step: Node, result: Node) -> Fold:
        """A fold that gathers in the accumulator."""
        return Fold(self.ids.next(), self.at, over, names[0], names[1], ACCUMULATOR, init, condition, step, result)

    def bind(self, name: str, value: Node, result: Node) -> Fold:
        """``result`` with a name for ``value``."""
        return Fold(self.ids.next(), self.at, self.list(), _UNUSED, "", name, value, self.literal(False), self.ident(name), result)

    def copy(self, node: Node) -> Node:
        """The same expression with nodes of its own."""
        fresh = self.ids.next()
        match node:
            case Select():
                return replace(node, id=fresh, operand=self.copy(node.operand))
            case Call():
                target = None if node.target is None else self.copy(node.target)
                return replace(node, id=fresh, target=target, arguments=[self.copy(argument) for argument in node.arguments])
            case ListLiteral():
                return replace(node, id=fresh, elements=[self.copy(element) for element in node.elements])
            case MapLiteral():
                return replace(node, id=fresh, entries=[self._copy_entry(entry) for entry in node.entries])
            case ObjectLiteral():
                return replace(node, id=fresh, fields=[self._copy_field(field) for field in node.fields])
            case Fold():
                return Fold(
                    fresh, node.at, self.copy(node.range), node.variable, node.second, node.accumulator,
                    self.copy(node.init), self.copy(node.condition), self.copy(node.step), self.copy(node.result),
                )  # fmt: skip
            case _:
                return replace(node, id=fresh)

    def _copy_entry(self, entry: Entry) -> Entry:
        return replace(entry, id=self.ids.next(), key=self.copy(entry.key), value=self.copy(entry.value))

    def _copy_field(self, field: FieldValue) -> FieldValue:
        return replace(field, id=self.ids.next(), value=self.copy(field.value))


Expand = Callable[[Maker, Node, Sequence[Node]], Node | None]
"""Makes an expansion of the target (for a global macro: of nothing that may be used) and the arguments; None: a plain call."""


@record
class Macro:
    """A macro is known by its name, the number of its arguments, and whether it has a target."""

    name: str
    arguments: int
    member: bool
    expand: Expand

    @property
    def key(self) -> tuple[str, int, bool]:
        """What a call is looked up under."""
        return self.name, self.arguments, self.member


def _simple_name(argument: Node, otherwise: str) -> str:
    if not isinstance(argument, Ident):
        raise MacroError(argument, otherwise)
    return argument.name


def _variable(argument: Node, otherwise: str) -> str:
    name = _simple_name(argument, otherwise)
    _check_accumulator(argument, name)
    return name


def _check_accumulator(argument: Node, name: str) -> None:
    if name in (ACCUMULATOR, _OLD_ACCUMULATOR):
        raise MacroError(argument, "iteration variable overwrites accumulator variable")


def _one(arguments: Sequence[Node]) -> tuple[Names, Sequence[Node]]:
    return (_variable(arguments[0], "argument must be a simple name"), ""), arguments[1:]


def _one_transformed(arguments: Sequence[Node]) -> tuple[Names, Sequence[Node]]:
    return (_variable(arguments[0], "argument is not an identifier"), ""), arguments[1:]


def _two(arguments: Sequence[Node]) -> tuple[Names, Sequence[Node]]:
    first = _simple_name(arguments[0], "argument must be a simple name")
    second = _simple_name(arguments[1], "argument must be a simple name")
    if first == second:
        raise MacroError(arguments[1], f"duplicate variable name: {first}")
    _check_accumulator(arguments[0], first)
    _check_accumulator(arguments[1], second)
    return (first, second), arguments[2:]


Split = Callable[[Sequence[Node]], tuple[Names, Sequence[Node]]]


def _all(split: Split) -> Expand:
    def expand(make: Maker, target: Node, arguments: Sequence[Node]) -> Node:
        names, (predicate,) = split(arguments)
        init = make.literal(True)
        condition = make.call("@not_strictly_false", make.accumulator())
        step = make.call("_&&_", make.accumulator(), predicate)
        return make.fold(target, names, init=init, condition=condition, step=step, result=make.accumulator())

    return expand


def _exists(split: Split) -> Expand:
    def expand(make: Maker, target: Node, arguments: Sequence[Node]) -> Node:
        names, (predicate,) = split(arguments)
        init = make.literal(False)
        condition = make.call("@not_strictly_false", make.call("!_", make.accumulator()))
        step = make.call("_||_", make.accumulator(), predicate)
        return make.fold(target, names, init=init, condition=condition, step=step, result=make.accumulator())

    return expand


def _exists_one(split: Split) -> Expand:
    def expand(make: Maker, target: Node, arguments: Sequence[Node]) -> Node:
        names, (predicate,) = split(arguments)
        more = make.call("_+_", make.accumulator(), make.literal(1))
        step = make.call("_?_:_", predicate, more, make.accumulator())
        result = make.call("_==_", make.accumulator(), make.literal(1))
        return make.fold(target, names, init=make.literal(0), condition=make.literal(True), step=step, result=result)

    return expand


def _gathered(make: Maker, target: Node, names: Names, *, init: Node, filters: Sequence[Node], step: Node) -> Node:
    for predicate in filters:
        step = make.call("_?_:_", predicate, step, make.accumulator())
    return make.fold(target, names, init=init, condition=make.literal(True), step=step, result=make.accumulator())


def _map(split: Split) -> Expand:
    def expand(make: Maker, target: Node, arguments: Sequence[Node]) -> Node:
        names, (*filters, transform) = split(arguments)
        step = make.call("_+_", make.accumulator(), make.list(transform))
        return _gathered(make, target, names, init=make.list(), filters=filters, step=step)

    return expand


def _filter(make: Maker, target: Node, arguments: Sequence[Node]) -> Node:
    names, filters = _one_transformed(arguments)
    step = make.call("_+_", make.accumulator(), make.list(arguments[0]))
    return _gathered(make, target, names, init=make.list(), filters=filters, step=step)


def _transform_map(make: Maker, target: Node, arguments: Sequence[Node]) -> Node:
    names, (*filters, transform) = _two(arguments)
    step = make.call("cel.@mapInsert", make.accumulator(), make.ident(names[0]), transform)
    return _gathered(make, target, names, init=make.map(), filters=filters, step=step)


def _transform_entries(make: Maker, target: Node, arguments: Sequence[Node]) -> Node:
    names, (*filters, transform) = _two(arguments)
    step = make.call("cel.@mapInsert", make.accumulator(), transform)
    return _gathered(make, target, names, init=make.map(), filters=filters, step=step)


def _has(make: Maker, _target: Node, arguments: Sequence[Node]) -> Node:
    tested = arguments[0]
    if not isinstance(tested, Select) or tested.test:
        raise MacroError(tested, "invalid argument to has() macro")
    return make.test(tested.operand, tested.field)


def _opt_map(make: Maker, target: Node, arguments: Sequence[Node]) -> Node:
    name = _simple_name(arguments[0], "optMap() variable name must be a simple identifier")
    bound = make.bind(name, make.member("value", make.copy(target)), arguments[1])
    there = make.member("hasValue", target)
    return make.call("_?_:_", there, make.call("optional.of", bound), make.call("optional.none"))


def _opt_flat_map(make: Maker, target: Node, arguments: Sequence[Node]) -> Node:
    name = _simple_name(arguments[0], "optFlatMap() variable name must be a simple identifier")
    bound = make.bind(name, make.member("value", make.copy(target)), arguments[1])
    there = make.member("hasValue", target)
    return make.call("_?_:_", there, bound, make.call("optional.none"))


def map_over(make: Maker, target: Node, arguments: Sequence[Node]) -> Node:
    """What the ``map`` macro makes; other macros are made of it."""
    expanded = _map(_one_transformed)(make, target, arguments)
    assert expanded is not None
    return expanded


STANDARD: Final = (
    Macro("has", 1, False, _has),
    Macro("all", 2, True, _all(_one)),
    Macro("exists", 2, True, _exists(_one)),
    Macro("exists_one", 2, True, _exists_one(_one)),
    Macro("map", 2, True, _map(_one_transformed)),
    Macro("map", 3, True, _map(_one_transformed)),
    Macro("filter", 2, True, _filter),
)
OPTIONAL: Final = (
    Macro("optMap", 2, True, _opt_map),
    Macro("optFlatMap", 2, True, _opt_flat_map),
)
TWO_VARIABLES: Final = (
    Macro("all", 3, True, _all(_two)),
    Macro("exists", 3, True, _exists(_two)),
    Macro("existsOne", 3, True, _exists_one(_two)),
    Macro("exists_one", 3, True, _exists_one(_two)),
    Macro("transformList", 3, True, _map(_two)),
    Macro("transformList", 4, True, _map(_two)),
    Macro("transformMap", 3, True, _transform_map),
    Macro("transformMap", 4, True, _transform_map),
    Macro("transformMapEntry", 3, True, _transform_entries),
    Macro("transformMapEntry", 4, True, _transform_entries),
)
