"""The planner: goes through checked nodes once, and makes the closure that evaluates them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from crdkit.cel.ast import Call, Fold, Ident, ListLiteral, Literal, MapLiteral, Node, ObjectLiteral, Select
from crdkit.cel.checking.checker import Checked
from crdkit.cel.declarations import Code, Function, Overload
from crdkit.cel.errors import CostLimitExceeded, EvaluationError, ProgramError
from crdkit.cel.planning import calls
from crdkit.cel.planning.chains import extended, finish, lazy_variable, variable
from crdkit.cel.planning.folds import FoldParts, fold, growing
from crdkit.cel.planning.membership import Membership
from crdkit.cel.planning.plans import Chain, Computed, Constant, Frame, Part, Run, Scope, Step
from crdkit.cel.standard.messages import MESSAGES
from crdkit.cel.types import Kind, Type
from crdkit.cel.values import MISSING, NONE, Optional, Value, make_map
from crdkit.meta.records import record

_LIST_COST, _MAP_COST, _OBJECT_COST = 10, 30, 40


@record
class Plan:
    """What evaluates an expression: the number of slots it needs, and which of them variables are given in."""

    run: Run
    slots: int
    variables: Mapping[str, int]


def plan(checked: Checked, functions: Mapping[str, Function]) -> Plan:
    """Raises `ProgramError` if a constant part fails."""
    planner = _Planner(checked, functions)
    run = planner.run(checked.root)
    return Plan(run, planner.scope.count, planner.variables)


def _named_type(name: str, type_: Type) -> Type:
    """The type that a name means. Raises `ProgramError` for one that the checker knows, but nobody else."""
    if type_.name != name or type_.kind is Kind.OBJECT:
        msg = f"reference to undefined type: {name}"
        raise ProgramError(msg)
    return Type(type_.kind, type_.name)


class _Planner:
    def __init__(self, checked: Checked, functions: Mapping[str, Function]) -> None:
        self._checked = checked
        self._functions = functions
        self.scope = Scope()
        self.variables: dict[str, int] = {}

    def run(self, node: Node) -> Run:
        return finish(self.part(node))

    def part(self, node: Node) -> Part:
        match node:
            case Literal():
                return Constant(node.value)
            case Ident():
                return self._ident(node)
            case Select():
                return extended(self.part(node.operand), Step(node.field, None, optional=False, test=node.test))
            case Call():
                return self._call(node)
            case ListLiteral():
                return self._list(node)
            case MapLiteral():
                return self._map(node)
            case Fold():
                return self._fold(node)
            case ObjectLiteral():
                return self._object(node)
            case _:
                msg = "unsupported expr"
                raise ProgramError(msg)

    def _ident(self, node: Ident) -> Part:
        name = node.name
        slot = self.scope.slot(name)
        if slot is not None:
            lazy = self.scope.lazy.get(slot)
            return Chain(variable(slot, name) if lazy is None else lazy_variable(slot, lazy))
        type_ = self._checked.type(node)
        name = name.removeprefix(".")
        if type_.kind is Kind.TYPE:
            return Constant(_named_type(name, type_.parameters[0]))
        given = self.variables.get(name)
        if given is None:
            given = self.variables[name] = self.scope.count
            self.scope.count += 1
        return Chain(variable(given, name))

    def _call(self, node: Call) -> Part:
        function = self._functions[node.function]
        if function.form is not None:
            return function.form(self, node)
        parts = [self.part(operand) for operand in node.operands()]
        overloads = self._checked.overloads[node.id]
        if function.folds and len(parts) == 1 and isinstance(parts[0], Constant):
            return self._folded(function, overloads, parts[0])
        if overloads[0].id == "in_list" and len(overloads) == 1 and isinstance(parts[1], Constant):
            membership = Membership.of(parts[1].value)
            if membership is not None:
                return membership.plan(finish(parts[0]))
        return self._plain_call(function, overloads, parts)

    def _folded(self, function: Function, overloads: Sequence[Overload], argument: Constant) -> Part:
        try:
            return Constant(self._code(function, overloads, 1)(argument.value))
        except EvaluationError as error:
            raise ProgramError(str(error)) from error

    def _code(self, function: Function, overloads: Sequence[Overload], count: int) -> Code:
        return calls.guarded(function, calls.candidates(function, overloads, count))

    def _plain_call(self, function: Function, overloads: Sequence[Overload], parts: Sequence[Part]) -> Part:
        runs = [finish(part) for part in parts]
        cost = calls.run_time_cost(function, overloads)
        if function.prepared is not None:
            position, prepare = function.prepared
            literal = parts[position] if position < len(parts) else None
            if isinstance(literal, Constant) and literal.value.__class__ is str:
                try:
                    code = prepare(literal.value)
                except EvaluationError as error:
                    raise ProgramError(str(error)) from error
                return Computed(calls.prepared_call(code, cost, runs, (position, literal.value)))
        return Computed(calls.call(self._code(function, overloads, len(parts)), cost, runs, stops=function.stops))

    def _list(self, node: ListLiteral) -> Part:
        parts = [self.part(element) for element in node.elements]
        run = _list_run([finish(part) for part in parts], node.optional)
        return _built(run, parts, _LIST_COST)

    def _map(self, node: MapLiteral) -> Part:
        keys = [self.part(entry.key) for entry in node.entries]
        values = [self.part(entry.value) for entry in node.entries]
        optional = [entry.optional for entry in node.entries]
        run = _map_run([finish(part) for part in keys], [finish(part) for part in values], optional)
        return _built(run, [*keys, *values], _MAP_COST)

    def _object(self, node: ObjectLiteral) -> Part:
        runs = [(field.field, self.run(field.value), field.optional) for field in node.fields]
        message, type_name, make = MESSAGES.get(node.type_name), node.type_name, self._checked.make

        def run(frame: Frame) -> Value:
            fields: dict[str, Value] = {}
            for name, initial, optional in runs:
                value = _present(name, initial(frame)) if optional else initial(frame)
                if value is not MISSING:
                    fields[name] = value
            if message is not None:
                return message.make(fields)
            if make is None:
                msg = f"unknown type '{type_name}'"
                raise EvaluationError(msg)
            return make(type_name, fields)

        return Computed(_charging(run, _OBJECT_COST))

    def _fold(self, node: Fold) -> Part:
        init = self.run(node.init)
        over = self.run(node.range)
        scope = self.scope
        accumulator = scope.bind(node.accumulator)
        scope.lazy[accumulator] = growing(init)
        first = scope.bind(node.variable)
        second = scope.bind(node.second) if node.second else None
        condition, step = self.run(node.condition), self.run(node.step)
        scope.release(node.variable, *([node.second] if node.second else []))
        result = self.run(node.result)
        scope.release(node.accumulator)
        return Computed(fold(FoldParts(over, condition, step, result, accumulator, first, second)))


def _built(run: Run, parts: Sequence[Part], cost: int) -> Part:
    """A literal: a constant if all in it is constant."""
    if not all(isinstance(part, Constant) for part in parts):
        return Computed(_charging(run, cost))
    try:
        return Constant(run(Frame([], 0)))
    except EvaluationError:
        return Computed(run)


def _charging(run: Run, cost: int) -> Run:
    def charging(frame: Frame) -> Value:
        try:
            value = run(frame)
        except EvaluationError:
            frame.charge(cost)
            raise
        frame.cost = total = frame.cost + cost
        if total > frame.limit:
            raise CostLimitExceeded
        return value

    return charging


def _list_run(elements: Sequence[Run], optional: frozenset[int]) -> Run:
    def plain(frame: Frame) -> Value:
        return [element(frame) for element in elements]

    def run(frame: Frame) -> Value:
        values: list[Value] = []
        for index, element in enumerate(elements):
            value = element(frame)
            if index in optional:
                if value.__class__ is not Optional:
                    msg = f"cannot initialize optional list element from non-optional value {value}"
                    raise EvaluationError(msg)
                if value is NONE:
                    continue
                value = value.value
            values.append(value)
        return values

    return run if optional else plain


def _present(key: Value, value: Value) -> Value:
    """What an optional entry is to hold, or `MISSING`."""
    if value.__class__ is not Optional:
        msg = f"cannot initialize optional entry '{key}' from non-optional value {value}"
        raise EvaluationError(msg)
    return MISSING if value is NONE else value.value


def _map_run(keys: Sequence[Run], values: Sequence[Run], optional: Sequence[bool]) -> Run:
    def run(frame: Frame) -> Value:
        entries: list[tuple[Value, Value]] = []
        for key_run, value_run, maybe in zip(keys, values, optional, strict=True):
            key, value = key_run(frame), value_run(frame)
            if maybe:
                value = _present(key, value)
                if value is MISSING:
                    entries = [entry for entry in entries if entry[0] != key]
                    continue
            entries.append((key, value))
        return make_map(entries)

    return run
