"""Folds as loops: the macros ``all``, ``exists``, ``exists_one``, ``map`` and ``filter`` over one variable."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from crdkit.cel.ast import ACCUMULATOR, Call, Fold, Ident, ListLiteral, Literal, Node
from crdkit.cel.generating.atoms import SCALARS, Atom, ensure
from crdkit.cel.generating.source import Unfit
from crdkit.cel.types import BOOL, Kind
from crdkit.meta.records import record

if TYPE_CHECKING:
    from crdkit.cel.generating.generator import Generator


@record
class _Quantifier:
    """``all`` or ``exists``: what decides it, what looking whether to go on costs, and what is asked of each element."""

    decides: bool
    condition: int
    predicate: Node


def write_fold(generator: Generator, node: Fold) -> Atom:
    """The loop of a fold. Raises `Unfit` for one that no known macro made."""
    if node.second or node.accumulator != ACCUMULATOR:
        raise Unfit
    over = generator.node(node.range)
    if over.type.kind not in (Kind.LIST, Kind.MAP) or (over.type.kind is Kind.MAP and not over.raw):
        raise Unfit
    if isinstance(node.init, ListLiteral):
        return _Loop(generator, node, over).gather()
    if isinstance(node.init, Literal) and node.init.value.__class__ is int:
        return _Loop(generator, node, over).count()
    quantifier = _quantifier(node)
    if quantifier is None:
        raise Unfit
    return _Loop(generator, node, over).quantify(quantifier)


@record
class _Loop:
    generator: Generator
    node: Fold
    over: Atom

    def element(self) -> Atom:
        """The variable of the loop; what it holds is looked at first."""
        over = self.over
        atom = Atom(self.generator.source.name(), over.type.parameters[0], raw=over.raw)
        if not over.raw and atom.type not in SCALARS:
            raise Unfit
        return atom

    def ask(self, element: Atom, node: Node, then: Callable[[], None]) -> None:
        """Go on only for elements of which a predicate holds."""
        generator = self.generator
        predicate = generator.condition(node)
        with generator.source.block(f"if {predicate.name}:"):
            then()

    def each(self, element: Atom, body: Callable[[], None], *, cost: int = 0, until: str = "") -> None:
        """The loop: ``cost`` is charged for looking at each element, ahead of the test whether to go on."""
        source = self.generator.source
        with source.block(f"for {element.name} in {self.over.name}:"):
            source.charge(cost)
            if until:
                with source.block(f"if {until}:"):
                    source.line("break")
            if element.raw:
                ensure(source, element)
            with self.generator.naming(self.node.variable, element):
                body()
            source.watch_cost()

    def quantify(self, quantifier: _Quantifier) -> Atom:
        """``all`` and ``exists``: the next element is still looked at once all is decided."""
        source, generator = self.generator.source, self.generator
        result, element = source.let(str(not quantifier.decides)), self.element()
        decided = f"{'' if quantifier.decides else 'not '}{result}"

        def body() -> None:
            source.charge(1)
            predicate = generator.condition(quantifier.predicate)
            source.line(f"{result} = {predicate.name}")

        self.each(element, body, cost=quantifier.condition, until=decided)
        source.charge(1)
        return Atom(result, BOOL)

    def count(self) -> Atom:
        """``exists_one``."""
        step = self.node.step
        if not isinstance(step, Call) or step.function != "_?_:_":
            raise Unfit
        source = self.generator.source
        counted, element = source.let("0"), self.element()

        def more() -> None:
            source.charge(2)
            source.line(f"{counted} += 1")

        self.each(element, lambda: self.ask(element, step.arguments[0], more))
        source.charge(2)
        return Atom(source.let(f"{counted} == 1"), BOOL)

    def gather(self) -> Atom:
        """``map`` and ``filter``: a list."""
        source, element = self.generator.source, self.element()
        gathered = source.let("[]")
        step, predicate = self.node.step, None
        if isinstance(step, Call) and step.function == "_?_:_":
            predicate, step = step.arguments[0], step.arguments[1]
        transformed = _appended(step)
        raws: list[bool] = []

        def append() -> None:
            source.charge(2 if isinstance(transformed, Literal) else 12)
            atom = self.generator.node(transformed)
            raws.append(not atom.is_value)
            source.line(f"{gathered}.append({atom.name})")

        self.each(element, append if predicate is None else lambda: self.ask(element, predicate, append))
        source.charge(1)
        return Atom(gathered, self.generator.type(self.node), raw=raws[0])


def _appended(step: Node) -> Node:
    """The ``t`` of ``accumulator + [t]``."""
    if isinstance(step, Call) and step.function == "_+_" and isinstance(step.arguments[1], ListLiteral):
        elements = step.arguments[1]
        if len(elements.elements) == 1 and not elements.optional and _is_accumulator(step.arguments[0]):
            return elements.elements[0]
    raise Unfit


def _is_accumulator(node: Node) -> bool:
    return isinstance(node, Ident) and node.name == ACCUMULATOR


def _quantifier(node: Fold) -> _Quantifier | None:
    step = node.step
    if not isinstance(step, Call) or not isinstance(node.result, Ident) or not _is_accumulator(step.arguments[0]):
        return None
    match step.function:
        case "_&&_":
            return _Quantifier(decides=False, condition=2, predicate=step.arguments[1])
        case "_||_":
            return _Quantifier(decides=True, condition=3, predicate=step.arguments[1])
        case _:
            return None
