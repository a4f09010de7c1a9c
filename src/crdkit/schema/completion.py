"""Nulls and defaults in one pass: what `nulls` and `defaulting` do, by Python source made from the schema.

Where an object has a null the two do their work; all others, nearly all, take the quick way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from crdkit.meta.types import Json
from crdkit.schema.defaulting import compile_defaulting, copy_json
from crdkit.schema.nulls import compile_null_dropping
from crdkit.schema.source import Source
from crdkit.schema.structural import Structural

Complete: TypeAlias = Callable[[Json], None]


def compile_completion(schema: Structural) -> Complete:
    """Build the function that drops the nulls that are not allowed and have no default, and fills defaults in, all in place."""
    source = _Completion()
    with source.function() as name:
        source.node(schema, "v")
        source.line("return None")
    return source.load(name)


class _Completion(Source):
    """Statements that complete the value of a variable."""

    def node(self, schema: Structural, var: str) -> None:
        if not self.takes(schema):
            self.line(f"{self.part(lambda: compile_completion(schema))}({var})")
            return
        if schema.properties or schema.values is not None:
            with self.block(f"if {var}.__class__ is dict"):
                self.fields(schema, var)
        if schema.items is not None:
            with self.block(f"if {var}.__class__ is list"):
                self.items(schema.items, var)

    def fields(self, schema: Structural, var: str) -> None:
        with self.block(f"if None in {var}.values()"):
            self.line(f"{self.bind(slow_completion(schema))}({var})")
        with self.block("else"):
            for name, child in schema.properties.items():
                self.field(name, child, var)
            if schema.values is not None:
                self.map_values(schema, schema.values, var)

    def field(self, name: str, child: Structural, var: str) -> None:
        key = self.bind(name)
        if child.has_default:
            with self.block(f"if {key} not in {var}"):
                self.line(f"{var}[{key}] = {self.default(child.default)}")
        item = self.variable()
        with self.block(f"if {key} in {var}"):
            self.line(f"{item} = {var}[{key}]")
            self.node(child, item)

    def default(self, default: Json) -> str:
        """An expression; each object gets a list or an object of its own."""
        name = self.bind(default)
        return f"{self.bind(copy_json)}({name})" if isinstance(default, dict | list) else name

    def map_values(self, schema: Structural, values: Structural, var: str) -> None:
        key, item = self.variable(), self.variable()
        if not schema.properties:
            with self.block(f"for {item} in {var}.values()"):
                self.node(values, item)
            return
        named = self.bind(frozenset(schema.properties))
        with self.block(f"for {key}, {item} in {var}.items()"), self.block(f"if {key} not in {named}"):
            self.node(values, item)

    def items(self, items: Structural, var: str) -> None:
        if items.has_default and not items.nullable:
            with self.block(f"if None in {var}"):
                self.line(f"{self.bind(slow_completion(Structural(items=items)))}({var})")
        item = self.variable()
        with self.block(f"for {item} in {var}"):
            self.node(items, item)


def slow_completion(schema: Structural) -> Complete:
    """The same for any value, one step after the other; compiled when it is first needed."""
    steps: list[Complete] = []

    def complete(value: Json) -> None:
        if not steps:
            steps.extend(completion_steps(schema))
        for step in steps:
            step(value)

    return complete


def completion_steps(schema: Structural) -> list[Complete]:
    """What to do one after the other."""
    return [step for step in (compile_null_dropping(schema), compile_defaulting(schema)) if step is not None]
