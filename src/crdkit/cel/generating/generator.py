"""From checked nodes to Python source."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, runtime_checkable

from crdkit.cel.ast import ACCUMULATOR, Call, Fold, Ident, ListLiteral, Literal, Node, Select, children
from crdkit.cel.checking.checker import Checked
from crdkit.cel.declarations import Function, Overload
from crdkit.cel.errors import EvaluationError
from crdkit.cel.generating.source import Source, Unfit
from crdkit.cel.planning import calls
from crdkit.cel.types import BOOL, BYTES, DOUBLE, INT, STRING, Kind, Type
from crdkit.cel.values import Value

Evaluate = Callable[[Mapping[str, Value]], tuple[Value, int]]
"""Evaluates an expression, or raises `Leave` or another error where that is not straightforward."""


@runtime_checkable
class Layout(Protocol):
    """A type provider that knows how the values of its object types lie in JSON."""

    def find_field(self, type_name: str, field: str) -> Type | None:
        """The type of a field of an object type."""
        ...

    def json_name(self, type_name: str, field: str) -> str | None:
        """The property of an object that holds a field; None if such values are not JSON."""
        ...

    def json_of(self, value: Value) -> Any:
        """The JSON behind the value of a variable; the value itself if there is none."""
        ...


_CLASSES: Final = {STRING: "str", INT: "int", BOOL: "bool"}
_SCALARS: Final = frozenset({STRING, INT, BOOL, DOUBLE})
_SIZED: Final = frozenset({Kind.STRING, Kind.BYTES, Kind.LIST, Kind.MAP})
_LITERALS: Final = {str: STRING, int: INT, bool: BOOL, float: DOUBLE, bytes: BYTES}
_INT_RANGE: Final = "-9223372036854775808 <= {0} <= 9223372036854775807"


@dataclass(frozen=True, slots=True)
class Atom:
    """A Python name and what it holds: a value, or the JSON of one (``raw``)."""

    name: str
    type: Type
    raw: bool = False


def generate(checked: Checked, functions: Mapping[str, Function], layout: Layout) -> Evaluate | None:
    """The function that evaluates an expression the straight way; None if there is none."""
    generator = _Generator(checked, functions, layout)
    try:
        return generator.run()
    except Unfit:
        return None


class _Generator:
    def __init__(self, checked: Checked, functions: Mapping[str, Function], layout: Layout) -> None:
        self._checked = checked
        self._functions = functions
        self._layout = layout
        self._source = Source()
        self._locals: dict[str, list[Atom]] = {}
        self._globals: dict[str, Atom] = {}

    def run(self) -> Evaluate:
        root = self._checked.root
        self._bind(root)
        result = self._value(self._node(root))
        evaluate: Evaluate = self._source.function(result.name)
        return evaluate

    def _bind(self, node: Node) -> None:
        """Fetch every variable once, at the start."""
        source = self._source
        json_of = source.constant(self._layout.json_of)
        for name, type_ in _variables(node, self._checked).items():
            fetched = source.let(f"{json_of}(bindings[{name!r}])")
            atom = Atom(fetched, type_, raw=True)
            self._check(atom)
            self._globals[name] = atom

    def _value(self, atom: Atom) -> Atom:
        if atom.raw and atom.type not in _SCALARS:
            raise Unfit
        return atom

    # Nodes.

    def _node(self, node: Node) -> Atom:
        match node:
            case Literal():
                return self._literal(node.value)
            case Ident() | Select():
                return self._chain(node)
            case Call():
                return self._call(node)
            case Fold():
                return self._fold(node)
            case _:
                raise Unfit

    def _literal(self, value: Value) -> Atom:
        type_ = _LITERALS.get(value.__class__)
        if type_ is None:
            raise Unfit
        return Atom(self._source.constant(value), type_)

    def _chain(self, node: Ident | Select) -> Atom:
        """A variable and selections from it, with the charge of a chain."""
        atom = self._resolve(node)
        if not (isinstance(node, Select) and node.test):
            self._source.charge(1)
        return atom

    def _resolve(self, node: Node) -> Atom:
        """Likewise without the chain's own charge."""
        if isinstance(node, Ident):
            return self._ident(node)
        if isinstance(node, Select):
            operand = self._resolve(node.operand) if isinstance(node.operand, Ident | Select) else None
            if operand is None:
                raise Unfit
            self._source.charge(1)
            return self._test(operand, node.field) if node.test else self._field(operand, node)
        return self._node(node)

    def _ident(self, node: Ident) -> Atom:
        stack = self._locals.get(node.name)
        if stack:
            return stack[-1]
        found = self._globals.get(node.name)
        if found is None:
            raise Unfit
        return found

    def _key(self, operand: Atom, field: str) -> str:
        if not operand.raw:
            raise Unfit
        if operand.type.kind is Kind.MAP:
            return field
        name = self._layout.json_name(operand.type.name, field) if operand.type.kind is Kind.OBJECT else None
        if name is None:
            raise Unfit
        return name

    def _test(self, operand: Atom, field: str) -> Atom:
        source = self._source
        key = source.constant(self._key(operand, field))
        below = self._field_type(operand, field)
        name = source.let(f"{operand.name}.get({key})")
        if operand.type.kind is Kind.MAP:
            source.leave_if(f"{name} is None and {key} in {operand.name}")
        present = source.let(f"{name} is not None")
        with source.block(f"if {present}:"):
            self._check(Atom(name, below, raw=True))
        return Atom(present, BOOL)

    def _field_type(self, operand: Atom, field: str) -> Type:
        if operand.type.kind is Kind.MAP:
            return operand.type.parameters[1]
        found = self._layout.find_field(operand.type.name, field)
        if found is None:
            raise Unfit
        return found

    def _field(self, operand: Atom, node: Select) -> Atom:
        key = self._source.constant(self._key(operand, node.field))
        atom = Atom(self._source.let(f"{operand.name}.get({key})"), self._checked.type(node), raw=True)
        return self._check(atom)

    def _check(self, atom: Atom) -> Atom:
        """Leave unless the JSON is of the declared kind."""
        source, name = self._source, atom.name
        if (kind := _CLASSES.get(atom.type)) is not None:
            source.leave_if(f"{name}.__class__ is not {kind}")
        elif atom.type is DOUBLE:
            source.leave_if(f"{name}.__class__ is not float")
        elif atom.type.kind in (Kind.OBJECT, Kind.MAP):
            source.leave_if(f"{name}.__class__ is not dict")
        elif atom.type.kind is Kind.LIST:
            source.leave_if(f"{name}.__class__ is not list")
        else:
            raise Unfit
        return atom

    # Calls.

    def _call(self, node: Call) -> Atom:
        function = self._functions[node.function]
        overloads = self._checked.overloads.get(node.id, [])
        if len(overloads) != 1:
            raise Unfit
        overload = overloads[0]
        match overload.id:
            case "logical_and":
                return self._logical(node, decides=False)
            case "logical_or":
                return self._logical(node, decides=True)
            case "conditional":
                return self._choice(node)
            case "in_list" if isinstance(node.arguments[1], ListLiteral):
                return self._member(node.arguments[0], node.arguments[1])
        if function.form is not None:
            raise Unfit
        return self._plain(node, function, overload)

    def _condition(self, node: Node) -> Atom:
        """A node that is certain to be a boolean."""
        atom = self._node(node)
        if atom.type != BOOL:
            raise Unfit
        return atom

    def _logical(self, node: Call, *, decides: bool) -> Atom:
        source = self._source
        first = self._condition(node.arguments[0])
        result = source.name()
        with source.block(f"if {'not ' if decides else ''}{first.name}:"):
            second = self._condition(node.arguments[1])
            source.line(f"{result} = {second.name}")
        with source.block("else:"):
            source.line(f"{result} = {decides}")
        return Atom(result, BOOL)

    def _choice(self, node: Call) -> Atom:
        source = self._source
        condition = self._condition(node.arguments[0])
        result, raws = source.name(), []
        for head, arm in zip((f"if {condition.name}:", "else:"), node.arguments[1:], strict=True):
            with source.block(head):
                atom = self._resolve(arm) if isinstance(arm, Ident | Select) else self._node(arm)
                raws.append(atom.raw and atom.type not in _SCALARS)
                source.line(f"{result} = {atom.name}")
        if raws[0] is not raws[1]:
            raise Unfit
        return Atom(result, self._checked.type(node), raw=raws[0])

    def _member(self, element: Node, constants: ListLiteral) -> Atom:
        """``x in ['a', 'b']``."""
        values = [literal.value for literal in constants.elements if isinstance(literal, Literal)]
        atom = self._node(element)
        if not values or len(values) != len(constants.elements) or atom.type is not STRING or constants.optional:
            raise Unfit
        if not all(value.__class__ is str for value in values):
            raise Unfit
        return Atom(self._source.let(f"{atom.name} in {self._source.constant(frozenset(values))}"), BOOL)

    def _plain(self, node: Call, function: Function, overload: Overload) -> Atom:
        operands = node.operands()
        atoms = [self._node(operand) for operand in operands]
        if any(atom.type.kind is Kind.PARAMETER for atom in atoms):
            raise Unfit
        if function.folds and len(atoms) == 1 and atoms[0].name in self._source.globals:
            return self._folded(node, function, overload, self._source.globals[atoms[0].name])
        result = self._invoke(node, function, overload, atoms)
        self._charge(overload, atoms, result)
        return result

    def _folded(self, node: Call, function: Function, overload: Overload, value: Value) -> Atom:
        """A conversion of a constant: the result is one, and costs nothing."""
        try:
            return Atom(self._source.constant(calls.guarded(function, [overload])(value)), self._checked.type(node))
        except EvaluationError as error:
            raise Unfit from error

    def _invoke(self, node: Call, function: Function, overload: Overload, atoms: Sequence[Atom]) -> Atom:
        source, type_ = self._source, self._checked.type(node)
        if overload.inline is not None and self._inlines(overload, atoms):
            name = source.let(overload.inline.format(*[atom.name for atom in atoms]))
            if overload.checked:
                source.leave_if(f"not {_INT_RANGE.format(name)}")
            return Atom(name, type_)
        if any(atom.raw and atom.type not in _SCALARS for atom in atoms) or type_.kind in (Kind.DYN, Kind.PARAMETER):
            raise Unfit
        code, used = self._code(node, function, overload, atoms)
        return Atom(source.let(f"{code}({', '.join(atom.name for atom in used)})"), type_)

    def _code(self, node: Call, function: Function, overload: Overload, atoms: Sequence[Atom]) -> tuple[str, Sequence[Atom]]:
        """What is called, and with which of the arguments."""
        if function.prepared is not None:
            position, prepare = function.prepared
            literal = node.operands()[position] if position < len(atoms) else None
            if isinstance(literal, Literal) and literal.value.__class__ is str:
                try:
                    prepared = prepare(literal.value)
                except EvaluationError as error:
                    raise Unfit from error
                return self._source.constant(prepared), [*atoms[:position], *atoms[position + 1 :]]
        return self._source.constant(calls.guarded(function, [overload])), atoms

    def _inlines(self, overload: Overload, atoms: Sequence[Atom]) -> bool:
        """Whether the source over exact kinds may stand for the code: equality and membership only of plain values."""
        for wanted, atom in zip(overload.arguments, atoms, strict=True):
            if wanted.kind is Kind.PARAMETER and (atom.type not in _SCALARS or atom.type != atoms[0].type):
                return False
            if wanted.kind not in (Kind.PARAMETER, atom.type.kind):
                return False
        return True

    def _charge(self, overload: Overload, atoms: Sequence[Atom], result: Atom) -> None:
        cost, source = overload.cost, self._source
        if cost.fixed is not None:
            source.charge(cost.fixed)
        elif cost.inline is not None:
            sizes = [f"len({atom.name})" if atom.type.kind in _SIZED else "1" for atom in atoms]
            if all(size == "1" for size in sizes):
                source.charge(cost.actual([0] * len(sizes), None))
            else:
                source.line(f"cost += {cost.inline.format(*sizes)}")
        else:
            arguments = ", ".join(atom.name for atom in atoms)
            source.line(f"cost += {source.constant(cost.actual)}(({arguments},), {result.name})")

    # Folds.

    def _fold(self, node: Fold) -> Atom:
        if node.second or node.accumulator != ACCUMULATOR or not isinstance(node.init, Literal):
            raise Unfit
        over = self._node(node.range)
        if not over.raw or over.type.kind not in (Kind.LIST, Kind.MAP):
            raise Unfit
        quantifier = _Quantifier.of(node)
        if quantifier is None:
            raise Unfit
        return self._quantify(node, quantifier, over)

    def _quantify(self, node: Fold, quantifier: _Quantifier, over: Atom) -> Atom:
        source = self._source
        result, element = source.name(), source.name()
        source.settle()
        source.line(f"{result} = {not quantifier.decides}")
        decided = source.name()
        source.line(f"{decided} = False")
        with source.block(f"for {element} in {over.name}:"):
            source.charge(quantifier.condition)
            source.settle()
            with source.block(f"if {decided}:"):
                source.line("break")
            atom = Atom(element, over.type.parameters[0], raw=True)
            self._check(atom)
            self._locals.setdefault(node.variable, []).append(atom)
            source.charge(1)
            predicate = self._condition(quantifier.predicate)
            self._locals[node.variable].pop()
            with source.block(f"if {'' if quantifier.decides else 'not '}{predicate.name}:"):
                source.line(f"{result} = {quantifier.decides}")
                source.line(f"{decided} = True")
        source.charge(1)
        return Atom(result, BOOL)


@dataclass(frozen=True, slots=True)
class _Quantifier:
    """``all`` or ``exists``: what decides it, what looking whether to go on costs, and what is asked of each element."""

    decides: bool
    condition: int
    predicate: Node

    @classmethod
    def of(cls, node: Fold) -> _Quantifier | None:
        """The quantifier that a fold is, as the macros make them."""
        step = node.step
        if not isinstance(step, Call) or not isinstance(node.result, Ident) or len(step.arguments) != 2:
            return None
        if not isinstance(step.arguments[0], Ident) or step.arguments[0].name != ACCUMULATOR:
            return None
        match step.function:
            case "_&&_":
                return cls(decides=False, condition=2, predicate=step.arguments[1])
            case "_||_":
                return cls(decides=True, condition=3, predicate=step.arguments[1])
            case _:
                return None


def _variables(node: Node, checked: Checked) -> dict[str, Type]:
    """The variables of an expression that are no variables of a fold in it."""
    found: dict[str, Type] = {}
    _collect(node, checked, frozenset(), found)
    return found


def _collect(node: Node, checked: Checked, bound: frozenset[str], found: dict[str, Type]) -> None:
    if isinstance(node, Ident):
        if node.name not in bound and checked.type(node).kind is not Kind.TYPE:
            found[node.name.removeprefix(".")] = checked.type(node)
        return
    if isinstance(node, Fold):
        _collect(node.range, checked, bound, found)
        _collect(node.init, checked, bound, found)
        bound |= {node.variable, node.second, node.accumulator}
        for part in (node.condition, node.step, node.result):
            _collect(part, checked, bound, found)
        return
    for child in children(node):
        _collect(child, checked, bound, found)
