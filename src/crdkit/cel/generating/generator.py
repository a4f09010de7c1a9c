"""From checked nodes to Python source."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, Protocol, cast, runtime_checkable

from crdkit.cel.ast import Call, Fold, Ident, ListLiteral, Literal, Node, Select, free_names
from crdkit.cel.checking.checker import Checked
from crdkit.cel.costs import Cost
from crdkit.cel.declarations import Function, Overload
from crdkit.cel.errors import CelError, EvaluationError
from crdkit.cel.generating.atoms import LITERALS, SCALARS, SIZED, Atom, ensure
from crdkit.cel.generating.folding import write_fold
from crdkit.cel.generating.source import Source, Unfit
from crdkit.cel.planning import calls
from crdkit.cel.planning.planner import plan
from crdkit.cel.planning.plans import UNSET, Frame
from crdkit.cel.types import BOOL, INT, STRING, Kind, Type, TypeProvider
from crdkit.cel.values import Value

Evaluate = Callable[[Mapping[str, Value], int], tuple[Value, int]]
"""Evaluates an expression, or raises `Leave` or another error where that is not straightforward, or costs much more than a limit."""

_INT_RANGE: Final = "-9223372036854775808 <= {0} <= 9223372036854775807"
_INDEXES: Final = frozenset({"index_list", "index_map"})


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


def layout_of(provider: TypeProvider | None) -> Layout | None:
    """The provider as a `Layout`, if it is one; that is asked of its class, for which it is remembered."""
    return cast("Layout", provider) if issubclass(type(provider), Layout) else None


def generate(checked: Checked, functions: Mapping[str, Function], layout: Layout) -> Evaluate | None:
    """The function that evaluates an expression the straight way; None if there is none."""
    try:
        return Generator(checked, functions, layout).run()
    except Unfit:
        return None


class Generator:
    """Writes the function of one expression, or a part of a function of several."""

    bindings = "bindings"
    """The name of what has the values of variables."""

    def __init__(self, checked: Checked, functions: Mapping[str, Function], layout: Layout, source: Source | None = None) -> None:
        self.source = source or Source()
        self._checked = checked
        self._functions = functions
        self._layout = layout
        self._locals: dict[str, list[Atom]] = {}
        self.globals: dict[str, Atom] = {}
        """What variables hold, by their names."""
        self.embeds = False
        """Whether some part is left to closures, which need ``bindings``."""

    def run(self) -> Evaluate:
        """Raises `Unfit`."""
        root = self._checked.root
        json_of = self.source.constant(self._layout.json_of)
        for ident in free_names(root):
            if self.type(ident).kind is not Kind.TYPE and ident.name not in self.globals:
                fetched = self.source.let(f"{json_of}(bindings[{self.source.constant(ident.name)}])")
                self.globals[ident.name] = ensure(self.source, Atom(fetched, self.type(ident), raw=True))
        result = self._written(root)
        if not result.is_value:
            raise Unfit
        evaluate: Evaluate = self.source.function(f"{result.name}, cost", "bindings, limit")
        return evaluate

    def type(self, node: Node) -> Type:
        """The checked type of a node."""
        return self._checked.type(node)

    @contextmanager
    def naming(self, variable: str, atom: Atom) -> Iterator[None]:
        """Let the variable of a fold stand for what a name holds."""
        self._locals.setdefault(variable, []).append(atom)
        yield
        self._locals[variable].pop()

    def condition(self, node: Node) -> Atom:
        """A node that is certain to be a boolean."""
        atom = self.node(node)
        if atom.type != BOOL:
            raise Unfit
        return atom

    def node(self, node: Node) -> Atom:
        """Write a node; one that there is no way for is left to closures of its own, if it needs no variable of a fold."""
        mark, names = self.source.mark(), {name: len(atoms) for name, atoms in self._locals.items()}
        try:
            return self._written(node)
        except Unfit:
            self.source.back_to(mark)
            for name, atoms in self._locals.items():
                del atoms[names.get(name, 0) :]
            return self._embedded(node)

    def _written(self, node: Node) -> Atom:
        match node:
            case Literal():
                return self._literal(node.value)
            case ListLiteral():
                return self._list(node)
            case Fold():
                return write_fold(self, node)
            case Ident() | Select():
                return self._chain(node)
            case Call():
                return self._chain(node) if self._is_index(node) else self._call(node)
            case _:
                raise Unfit

    def _embedded(self, node: Node) -> Atom:
        type_ = self.type(node)
        if isinstance(node, Literal | Ident) or type_ not in SCALARS or any(self._locals.get(i.name) for i in free_names(node)):
            raise Unfit
        self.embeds = True
        evaluate = closures(Checked(node, self._checked.types, self._checked.overloads), self._functions)
        value, cost = self.source.name(), self.source.name()
        self.source.line(f"{value}, {cost} = {self.source.constant(evaluate)}({self.bindings}, limit)")
        self.source.line(f"cost += {cost}")
        return ensure(self.source, Atom(value, type_))

    def _literal(self, value: Value) -> Atom:
        type_ = LITERALS.get(value.__class__)
        if type_ is None:
            raise Unfit
        return Atom(self.source.constant(value), type_)

    def _list(self, node: ListLiteral) -> Atom:
        atoms = [self.node(element) for element in node.elements]
        if not atoms or node.optional or any(not atom.is_value or atom.type != atoms[0].type for atom in atoms):
            raise Unfit
        if all(atom.name in self.source.globals for atom in atoms):
            return Atom(self.source.constant([self.source.globals[atom.name] for atom in atoms]), self.type(node))
        self.source.charge(10)
        return Atom(self.source.let(f"[{', '.join(atom.name for atom in atoms)}]"), self.type(node))

    # Chains of selections.

    def _is_index(self, node: Node) -> bool:
        overloads = self._checked.overloads.get(node.id, ())
        return isinstance(node, Call) and len(overloads) == 1 and overloads[0].id in _INDEXES

    def _chain(self, node: Node) -> Atom:
        """A variable or value and selections from it, with the charge of a chain."""
        atom = self.resolve(node)
        if not (isinstance(node, Select) and node.test) and not self._selects_from_choice(node):
            self.source.charge(1)
        return atom

    def _selects_from_choice(self, node: Node) -> bool:
        """Whether a chain begins with ``(c ? a : b)``: it has no charge of its own."""
        while isinstance(node, Select) or (isinstance(node, Call) and self._is_index(node)):
            node = node.operand if isinstance(node, Select) else node.arguments[0]
        overloads = self._checked.overloads.get(node.id, ())
        return len(overloads) == 1 and overloads[0].id == "conditional"

    def resolve(self, node: Node) -> Atom:
        """Likewise without the chain's own charge, as in an arm of a choice or as an index."""
        if isinstance(node, Ident):
            stack = self._locals.get(node.name)
            found = stack[-1] if stack else self.globals.get(node.name)
            if found is None:
                raise Unfit
            return found
        if isinstance(node, Select):
            operand = self.resolve(node.operand)
            self.source.charge(1)
            return self._test(operand, node.field) if node.test else self._field(operand, node)
        if isinstance(node, Call) and self._is_index(node):
            operand, key = self.resolve(node.arguments[0]), self.resolve(node.arguments[1])
            self.source.charge(1)
            return self._element(operand, key, self.type(node))
        return self.node(node)

    def _key(self, operand: Atom, field: str) -> str:
        name: str | None = None
        if operand.raw and operand.type.kind is Kind.MAP:
            name = field
        elif operand.raw and operand.type.kind is Kind.OBJECT:
            name = self._layout.json_name(operand.type.name, field)
        if name is None:
            raise Unfit
        return self.source.constant(name)

    def _test(self, operand: Atom, field: str) -> Atom:
        source, is_map = self.source, operand.type.kind is Kind.MAP
        key = self._key(operand, field)
        below = operand.type.parameters[1] if is_map else self._layout.find_field(operand.type.name, field)
        if below is None:
            raise Unfit
        found = source.let(f"{operand.name}.get({key})")
        if is_map:
            source.leave_if(f"{found} is None and {key} in {operand.name}")
        present = source.let(f"{found} is not None")
        with source.block(f"if {present}:"):
            ensure(source, Atom(found, below, raw=True))
        return Atom(present, BOOL)

    def _field(self, operand: Atom, node: Select) -> Atom:
        key = self._key(operand, node.field)
        return ensure(self.source, Atom(self.source.let(f"{operand.name}.get({key})"), self.type(node), raw=True))

    def _element(self, operand: Atom, key: Atom, type_: Type) -> Atom:
        source = self.source
        if operand.type.kind is Kind.LIST and key.type == INT:
            source.leave_if(f"not 0 <= {key.name} < len({operand.name})")
            name = source.let(f"{operand.name}[{key.name}]")
        elif operand.type.kind is Kind.MAP and operand.raw and key.type == STRING:
            name = source.let(f"{operand.name}.get({key.name})")
        else:
            raise Unfit
        return ensure(source, Atom(name, type_, raw=operand.raw))

    # Calls.

    def _call(self, node: Call) -> Atom:
        function = self._functions[node.function]
        overloads = self._checked.overloads.get(node.id, [])
        if len(overloads) != 1:
            raise Unfit
        match overloads[0].id:
            case "logical_and":
                return self._logical(node, decides=False)
            case "logical_or":
                return self._logical(node, decides=True)
            case "conditional":
                return self._choice(node)
            case "in_list" | "in_map":
                return self._membership(*node.arguments)
        if function.form is not None:
            raise Unfit
        return self._plain(node, function, overloads[0])

    def _logical(self, node: Call, *, decides: bool) -> Atom:
        source = self.source
        first = self.condition(node.arguments[0])
        result = source.name()
        with source.block(f"if {'not ' if decides else ''}{first.name}:"):
            second = self.condition(node.arguments[1])
            source.line(f"{result} = {second.name}")
        with source.block("else:"):
            source.line(f"{result} = {decides}")
        return Atom(result, BOOL)

    def _choice(self, node: Call) -> Atom:
        source = self.source
        condition = self.condition(node.arguments[0])
        result, raws = source.name(), []
        for head, arm in zip((f"if {condition.name}:", "else:"), node.arguments[1:], strict=True):
            with source.block(head):
                atom = self.resolve(arm)
                raws.append(not atom.is_value)
                source.line(f"{result} = {atom.name}")
        if raws[0] is not raws[1]:
            raise Unfit
        return Atom(result, self.type(node), raw=raws[0])

    def _membership(self, element: Node, container: Node) -> Atom:
        """``x in y``; a list of constants costs nothing."""
        source, atom = self.source, self.node(element)
        if atom.type != STRING:
            raise Unfit
        if isinstance(container, ListLiteral):
            values = [literal.value for literal in container.elements if isinstance(literal, Literal)]
            if not values or len(values) != len(container.elements) or container.optional:
                raise Unfit
            return Atom(source.let(f"{atom.name} in {source.constant(frozenset(values))}"), BOOL)
        over = self.node(container)
        found = source.let(f"{atom.name} in {over.name}")
        if over.type.kind is Kind.LIST and over.type.parameters[0] == STRING:
            source.line(f"cost += len({over.name})")
            with source.block(f"if not {found}:"), source.block(f"for other in {over.name}:"):
                ensure(source, Atom("other", STRING))
        elif over.type.kind is Kind.MAP and over.raw:
            source.charge(1)
            with source.block(f"if {found}:"):
                held = source.let(f"{over.name}[{atom.name}]")
                ensure(source, Atom(held, over.type.parameters[1], raw=True))
        else:
            raise Unfit
        return Atom(found, BOOL)

    def _plain(self, node: Call, function: Function, overload: Overload) -> Atom:
        atoms = [self.node(operand) for operand in node.operands()]
        if any(atom.type.kind is Kind.PARAMETER for atom in atoms):
            raise Unfit
        if function.folds and len(atoms) == 1 and atoms[0].name in self.source.globals:
            return self._folded(node, function, overload, self.source.globals[atoms[0].name])
        if function.folds and next(free_names(node), None) is None:
            raise Unfit
        result = self._invoke(node, function, overload, atoms)
        plain = all(atom.type in SCALARS or atom.type.kind in SIZED for atom in atoms)
        self._charge(overload.cost if plain else calls.run_time_cost(function, [overload]), atoms, result)
        return result

    def _folded(self, node: Call, function: Function, overload: Overload, value: Value) -> Atom:
        """A conversion of a constant: the result is one, and costs nothing."""
        try:
            return Atom(self.source.constant(calls.guarded(function, [overload])(value)), self.type(node))
        except EvaluationError as error:
            raise Unfit from error

    def _invoke(self, node: Call, function: Function, overload: Overload, atoms: Sequence[Atom]) -> Atom:
        source, type_ = self.source, self.type(node)
        if overload.inline is not None and _fits(overload, atoms):
            name = source.let(overload.inline.format(*[atom.name for atom in atoms]))
            if overload.checked:
                source.leave_if(f"not {_INT_RANGE.format(name)}")
            return Atom(name, type_)
        if not all(atom.is_value for atom in atoms) or type_.kind in (Kind.DYN, Kind.PARAMETER):
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
                return self.source.constant(prepared), [*atoms[:position], *atoms[position + 1 :]]
        return self.source.constant(calls.guarded(function, [overload])), atoms

    def _charge(self, cost: Cost, atoms: Sequence[Atom], result: Atom) -> None:
        source = self.source
        if cost.fixed is not None:
            source.charge(cost.fixed)
            return
        sizes = [f"len({atom.name})" if atom.type.kind in SIZED else "1" for atom in atoms]
        if cost.inline is None:
            arguments = ", ".join(atom.name for atom in atoms)
            source.line(f"cost += {source.constant(cost.actual)}(({arguments},), {result.name})")
        elif all(size == "1" for size in sizes):
            source.charge(cost.actual([0] * len(sizes), None))
        else:
            source.line(f"cost += {cost.inline.format(*sizes)}")


def _fits(overload: Overload, atoms: Sequence[Atom]) -> bool:
    """Whether the source over exact kinds may stand for the code: open parameters only for plain values of one type."""
    for wanted, atom in zip(overload.arguments, atoms, strict=True):
        if wanted.kind is Kind.PARAMETER and (atom.type not in SCALARS or atom.type != atoms[0].type):
            return False
        if wanted.kind not in (Kind.PARAMETER, atom.type.kind):
            return False
    return True


def closures(checked: Checked, functions: Mapping[str, Function]) -> Evaluate:
    """A part of an expression as closures, which may cost as much as the limit. Raises `Unfit`."""
    try:
        planned = plan(checked, functions)
    except CelError as error:
        raise Unfit from error
    variables = tuple(planned.variables.items())

    def evaluate(bindings: Mapping[str, Value], limit: int) -> tuple[Value, int]:
        slots: list[Any] = [UNSET] * planned.slots
        for name, slot in variables:
            slots[slot] = bindings.get(name, UNSET)
        frame = Frame(slots, limit)
        return planned.run(frame), frame.cost

    return evaluate
