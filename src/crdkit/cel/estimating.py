"""What evaluating an expression may cost at least and at most, before there are values.

Costs are summed over the nodes. What a call costs depends on the sizes of its operands, and the size of a node is, in
this order: what was worked out for it, what a literal has, what its *path* promises (``self.list.@items.name``; whoever
knows the schema knows how long that can get), 1 if its type has no size, what was known of the variable, else anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any, Final, Protocol

from crdkit.cel.ast import ACCUMULATOR, Call, Fold, Ident, ListLiteral, Literal, MapLiteral, Node, ObjectLiteral, Select
from crdkit.cel.checking.checker import Checked
from crdkit.cel.costs import MAX, ONE, UNKNOWN, ZERO, Interval
from crdkit.cel.declarations import Function, Overload
from crdkit.cel.types import Kind, Type, is_optional
from crdkit.cel.values import Duration, Timestamp, Uint
from crdkit.meta.records import record

_LIST_COST: Final = Interval(10, 10)
_MAP_COST: Final = Interval(30, 30)
_OBJECT_COST: Final = Interval(40, 40)
_SCALARS: Final = frozenset({Kind.BOOL, Kind.INT, Kind.UINT, Kind.DOUBLE, Kind.DURATION, Kind.TIMESTAMP})
_SELECTED: Final = frozenset({Kind.MAP, Kind.OBJECT, Kind.PARAMETER})
_EMPTY: Final = Interval(MAX, 0)

Path = tuple[str, ...]


class SizeHints(Protocol):
    """Who knows how large the values under a path can be."""

    def size_of(self, path: Path) -> Interval | None:
        """The bounds of a path, whose first part is a variable; None if nothing is known."""
        ...


class UnknownSizes:
    """Hints of one who knows nothing."""

    def size_of(self, path: Path) -> Interval | None:
        """Nothing is known."""
        return None


def estimate(checked: Checked, functions: Mapping[str, Function], hints: SizeHints) -> Interval:
    """The bounds of what evaluating an expression costs."""
    return _Estimator(checked, functions, hints).cost(checked.root)


@record
class _Entries:
    """The sizes of the keys and values of a container."""

    kind: Kind
    key: Interval
    value: Interval

    def union(self, other: _Entries) -> _Entries:
        return _Entries(self.kind, self.key.union(other.key), self.value.union(other.value))


@record
class _Local:
    """What is known of the variable of a fold."""

    path: Path
    size: Interval | None
    entries: _Entries | None = None


@record
class _Argument:
    """An operand of a call: what cost rules may ask about."""

    estimator: _Estimator
    node: Node
    computed: Interval | None
    type: Type
    path: Path

    @property
    def size(self) -> Interval:
        return UNKNOWN if self.computed is None else self.computed

    @property
    def literal(self) -> Any:
        return self.node.value if isinstance(self.node, Literal) else None

    @property
    def element(self) -> Interval | None:
        if not self.type.parameters:
            return None
        return self.estimator.element_size(self.path)


@record(frozen=False)
class _Estimator:
    checked: Checked
    functions: Mapping[str, Function]
    hints: SizeHints
    paths: dict[int, Path] = field(default_factory=dict)
    sizes: dict[int, Interval] = field(default_factory=dict)
    entries: dict[int, _Entries] = field(default_factory=dict)
    locals: dict[str, list[_Local]] = field(default_factory=dict)

    # Costs.

    def cost(self, node: Node) -> Interval:
        match node:
            case Literal():
                return ZERO
            case Ident():
                local = self.local(node.name)
                self.paths[node.id] = (node.name,) if local is None else local.path
                return ONE
            case Select():
                return self.select(node)
            case Call():
                return self.call(node)
            case ListLiteral():
                return self.list(node)
            case MapLiteral():
                return self.map(node)
            case ObjectLiteral():
                return _total(self.cost(initial.value) for initial in node.fields).plus(_OBJECT_COST)
            case Fold():
                return self.bind(node) if node.binds() else self.fold(node)
            case _:
                return ZERO

    def select(self, node: Select) -> Interval:
        cost = self.cost(node.operand)
        if node.test:
            return cost
        if self.checked.type(node.operand).kind in _SELECTED:
            cost = cost.plus(ONE)
        self.paths[node.id] = (*self.path(node.operand), node.field)
        return cost

    def call(self, node: Call) -> Interval:
        if node.function == "dyn":
            argument = node.arguments[0]
            cost = self.cost(argument).plus(ONE)
            self.copy_sizes(node, argument)
            return cost
        costs = [self.cost(argument) for argument in node.arguments]
        arguments = [self.argument(argument) for argument in node.arguments]
        overloads = self.checked.overloads.get(node.id)
        if not overloads:
            return ZERO
        target = ZERO
        if node.target is not None:
            target = self.cost(node.target)
            arguments.insert(0, self.argument(node.target))
        return target.plus(self.overloads(node, overloads, arguments, costs))

    def overloads(self, node: Call, overloads: Sequence[Overload], arguments: list[_Argument], costs: list[Interval]) -> Interval:
        total, size = _EMPTY, None
        for overload in overloads:
            cost, result = self.overload(node, overload, arguments, costs)
            total = total.union(cost)
            if result is not None:
                size = result if size is None else size.union(result)
            size = self.indexed(node, overload, size)
            if size is None:
                size = self.known_size(node)
        if size is not None:
            self.sizes[node.id] = size
        return total

    def indexed(self, node: Call, overload: Overload, size: Interval | None) -> Interval | None:
        """The size of what an index gives; notes its path."""
        below = _INDEXED.get(overload.id)
        if below is None:
            return size
        entries = self.known_entries(node.arguments[0])
        self.paths[node.id] = (*self.path(node.arguments[0]), below)
        return None if entries is None else entries.value

    def overload(
        self, node: Call, overload: Overload, arguments: list[_Argument], costs: list[Interval]
    ) -> tuple[Interval, Interval | None]:
        """The cost with that of the arguments (but not of a target), and the size of the result."""
        if overload.id in ("logical_and", "logical_or"):
            return Interval(costs[0].low, costs[0].plus(costs[1]).high), None
        if overload.id == "conditional":
            return self.choice(node, arguments, costs)
        rule = overload.cost
        if (types := self.functions[node.function].type_costs) and arguments[0].type == arguments[1].type:
            rule = types.get(arguments[0].type.name, rule)
        if overload.id in _CONCATENATIONS:
            self.concatenated(node)
        size = None if overload.size is None else overload.size(arguments)
        return rule.estimate(arguments).plus(_total(costs)), size

    def choice(self, node: Call, arguments: list[_Argument], costs: list[Interval]) -> tuple[Interval, Interval | None]:
        _, yes, no = arguments
        one, other = self.known_entries(yes.node), self.known_entries(no.node)
        if one is not None and other is not None:
            self.entries[node.id] = one.union(other)
        return costs[0].plus(costs[1].union(costs[2])), yes.size.union(no.size)

    def concatenated(self, node: Call) -> None:
        one, other = (self.known_entries(argument) for argument in node.arguments)
        if one is not None and other is not None:
            self.entries[node.id] = one.union(other)

    def list(self, node: ListLiteral) -> Interval:
        cost, size = _LIST_COST, _EMPTY if node.elements else ZERO
        for element in node.elements:
            cost = cost.plus(self.cost(element))
            size = size.union(self.size(element))
        self.entries[node.id] = _Entries(Kind.LIST, ONE, size)
        return cost

    def map(self, node: MapLiteral) -> Interval:
        cost = _MAP_COST
        key = value = _EMPTY if node.entries else ZERO
        for entry in node.entries:
            cost = cost.plus(self.cost(entry.key)).plus(self.cost(entry.value))
            key = key.union(self.size(entry.key))
            value = value.union(self.size(entry.value))
        self.entries[node.id] = _Entries(Kind.MAP, key, value)
        return cost

    def fold(self, node: Fold) -> Interval:
        cost = self.cost(node.range).plus(self.cost(node.init))
        self.push(node.accumulator, self.bound(node.init))
        for name, local in self.variables(node).items():
            self.push(name, local)
        each = self.cost(node.condition).plus(self.cost(node.step))
        self.pop(node.variable)
        if node.second:
            self.pop(node.second)
        cost = cost.plus(self.cost(node.result))
        self.pop(node.accumulator)
        rounds = self.size(node.range)
        self.gathered(node, rounds)
        return cost.plus(rounds.times(each))

    def gathered(self, node: Fold, rounds: Interval) -> None:
        """Note how large the result of a fold is."""
        if isinstance(node.init, Literal):
            size = self.known_size(node.init)
            if size is not None:
                self.sizes[node.id] = size
        elif isinstance(node.init, ListLiteral | MapLiteral):
            self.sizes[node.id] = rounds
            entries = self.known_entries(node.step)
            if entries is not None:
                self.entries[node.id] = entries

    def variables(self, node: Fold) -> dict[str, _Local]:
        """What is known of the variables of a fold."""
        entries, path = self.known_entries(node.range), self.path(node.range)
        is_list = (self.checked.type(node.range).kind if entries is None else entries.kind) is Kind.LIST
        keys = _Local((*path, "@indices" if is_list else "@keys"), None if entries is None else entries.key)
        values = _Local((*path, "@items" if is_list else "@values"), None if entries is None else entries.value)
        if node.second:
            return {node.variable: keys, node.second: values}
        return {node.variable: values if is_list else keys}

    def bind(self, node: Fold) -> Interval:
        cost = self.cost(node.range).plus(self.cost(node.init))
        self.push(node.accumulator, self.bound(node.init))
        cost = cost.plus(self.cost(node.result))
        self.pop(node.accumulator)
        self.copy_sizes(node, node.result)
        return cost

    # Sizes.

    def size(self, node: Node) -> Interval:
        size = self.known_size(node)
        return UNKNOWN if size is None else size

    def known_size(self, node: Node) -> Interval | None:
        if (size := self.sizes.get(node.id)) is not None:
            return size
        if (size := _literal_size(node)) is not None:
            return size
        if (size := self.hints.size_of(self.path(node))) is not None:
            self.sizes[node.id] = size
            return size
        if _is_scalar(self.checked.type(node)):
            return ONE
        local = self.local(node.name) if isinstance(node, Ident) else None
        return None if local is None else local.size

    def known_entries(self, node: Node) -> _Entries | None:
        if (entries := self.entries.get(node.id)) is not None:
            return entries
        local = self.local(node.name) if isinstance(node, Ident) else None
        return None if local is None else local.entries

    def element_size(self, path: Path) -> Interval:
        size = self.hints.size_of((*path, "@items")) if path else self.hints.size_of(())
        return UNKNOWN if size is None else size

    def copy_sizes(self, to: Node, of: Node) -> None:
        if (size := self.known_size(of)) is not None:
            self.sizes[to.id] = size
        if (entries := self.known_entries(of)) is not None:
            self.entries[to.id] = entries

    # Paths and variables.

    def path(self, node: Node) -> Path:
        if isinstance(node, Ident) and (local := self.local(node.name)) is not None:
            return local.path
        return self.paths.get(node.id, ())

    def argument(self, node: Node) -> _Argument:
        path = self.path(node)
        if path and path[0] == ACCUMULATOR:
            path = ()
        return _Argument(self, node, self.known_size(node), self.checked.type(node), path)

    def bound(self, node: Node) -> _Local:
        return _Local(self.path(node), self.known_size(node), self.known_entries(node))

    def local(self, name: str) -> _Local | None:
        stack = self.locals.get(name)
        return stack[-1] if stack else None

    def push(self, name: str, local: _Local) -> None:
        self.locals.setdefault(name, []).append(local)

    def pop(self, name: str) -> None:
        self.locals[name].pop()


_INDEXED: Final = {"index_list": "@items", "index_map": "@values"}
_CONCATENATIONS: Final = frozenset({"add_list", "add_string", "add_bytes"})


def _total(costs: Any) -> Interval:
    total = ZERO
    for cost in costs:
        total = total.plus(cost)
    return total


def _literal_size(node: Node) -> Interval | None:
    if isinstance(node, ListLiteral):
        return Interval(len(node.elements), len(node.elements))
    if isinstance(node, MapLiteral):
        return Interval(len(node.entries), len(node.entries))
    if not isinstance(node, Literal):
        return None
    value = node.value
    if isinstance(value, str | bytes):
        return Interval(len(value), len(value))
    return ONE if value is None or isinstance(value, bool | int | Uint | float | Timestamp | Duration) else None


def _is_scalar(type_: Type) -> bool:
    if type_.kind in _SCALARS:
        return True
    return is_optional(type_) and bool(type_.parameters) and _is_scalar(type_.parameters[0])
