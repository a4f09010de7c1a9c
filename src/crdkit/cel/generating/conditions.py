"""Several conditions on the same JSON as one function, which tells at the least expense those that do not hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from crdkit.cel.ast import free_names
from crdkit.cel.checking.checker import Checked
from crdkit.cel.declarations import Function
from crdkit.cel.generating.atoms import Atom, ensure
from crdkit.cel.generating.generator import Generator, Layout, closures
from crdkit.cel.generating.source import Leave, Source, Unfit
from crdkit.cel.values import Value
from crdkit.meta.records import record
from crdkit.meta.types import Json

Judge: TypeAlias = Callable[[Json, Json, list[Any]], int]
"""Judges some JSON and its older state: what that costs. The names of conditions that do not hold are added to a list.

Raises `Leave`, or any error, where it is not plain whether one does.
"""
Bind: TypeAlias = Callable[[Json, Json], Mapping[str, Value]]


@record
class Condition:
    """A boolean expression, and what it is named by. ``is_transition``: it is asked only where there is an older state."""

    name: object
    checked: Checked
    functions: Mapping[str, Function]
    layout: Layout
    is_transition: bool = False
    is_optional: bool = False
    """Whether its variable for the older state is an optional."""


@record
class Variables:
    """The names of the JSON and of its older state in expressions, and what makes values of both where JSON does not do."""

    new: str
    old: str
    bind: Bind
    bind_optional: Bind


def generate_conditions(conditions: Sequence[Condition], variables: Variables, *, limit: int) -> Judge:
    """The function for all conditions; it leaves the straight way where they cost much more than ``limit``."""
    return _Writer(variables).write(conditions, limit)


def _note(broken: list[Any], result: object, name: object) -> None:
    """A condition does not hold."""
    if result is not False:
        raise Leave
    broken.append(name)


class _Writer:
    def __init__(self, variables: Variables) -> None:
        self._source = Source()
        self._variables = variables
        self._used: dict[str, Bind] = {}
        self._noting = self._source.constant(_note)

    def write(self, conditions: Sequence[Condition], limit: int) -> Judge:
        source = self._source
        for condition in conditions:
            if condition.is_transition:
                with source.block("if old is not None:"):
                    self._condition(condition)
            else:
                self._condition(condition)
        source.settle()
        source.lines[:0] = [f" {name} = {source.constant(bind)}(new, old)" for name, bind in self._used.items()]
        function: Judge = source.function("cost", f"new, old, broken, limit={limit:d}")
        return function

    def _condition(self, condition: Condition) -> None:
        source = self._source
        mark = source.mark()
        generator = Generator(condition.checked, condition.functions, condition.layout, source)
        generator.bindings = "optional" if condition.is_optional else "bindings"
        try:
            self._name_variables(generator, condition)
            result = generator.condition(condition.checked.root).name
        except Unfit:
            source.back_to(mark)
            generator.embeds = True
            result = self._embedded(condition, generator.bindings)
        if generator.embeds:
            self._used[generator.bindings] = self._variables.bind_optional if condition.is_optional else self._variables.bind
        source.line(f"if {result} is not True: {self._noting}(broken, {result}, {source.constant(condition.name)})")

    def _name_variables(self, generator: Generator, condition: Condition) -> None:
        for ident in free_names(condition.checked.root):
            name = {self._variables.new: "new", self._variables.old: "old"}.get(ident.name)
            if name is not None and ident.name not in generator.globals and not (condition.is_optional and name == "old"):
                generator.globals[ident.name] = ensure(self._source, Atom(name, generator.type(ident), raw=True))

    def _embedded(self, condition: Condition, bindings: str) -> str:
        evaluate: Any = closures(condition.checked, condition.functions)
        source = self._source
        result, cost = source.name(), source.name()
        source.line(f"{result}, {cost} = {source.constant(evaluate)}({bindings}, limit)")
        source.line(f"cost += {cost}")
        return result
