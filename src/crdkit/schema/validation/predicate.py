"""The quick validation of a value: a yes or no, by Python source made from the schema. Most objects are valid and cost no more.

The answer is exact but for one thing: where 1, 1.0 and true meet as items or keys of a list, a no may be wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from crdkit.meta.types import Json
from crdkit.schema.source import size
from crdkit.schema.structural import Structural
from crdkit.schema.validation.conditions import NAMES, Conditions
from crdkit.schema.validation.examination import examine
from crdkit.schema.validation.reading import Reading

IsValid: TypeAlias = Callable[[Json], bool]

_LARGE_BRANCH: Final = 50


def compile_validation(schema: Structural, reading: Reading) -> IsValid:
    """Build the function that tells whether a value is valid, sets and map lists without duplicates included."""
    source = _Validation(reading)
    return source.load(source.validator(schema))


class _Validation(Conditions):
    """Functions that return False at the first fault."""

    def validator(self, schema: Structural) -> str:
        """Write a function that validates by a schema; returns its name."""
        with self.function() as name:
            self.node(schema, "v")
            self.line("return True")
        return name

    def refuse_if(self, condition: str) -> None:
        self.line(f"if {condition}: return False")

    def node(self, schema: Structural, var: str) -> None:
        """Write the checks of one value, here or, where that would grow too large or deep, as a call."""
        if not self.takes(schema):
            self.refuse_if(f"not {self.later(schema)}({var})")
            return
        types = self.reading.types(schema)
        if not schema.enum and (schema.nullable or not types):
            with self.block(f"if {var} is not None"):
                self.value(schema, var)
        else:
            if not types:
                self.refuse_if(f"{var} is None")
            self.value(schema, var)

    def branch(self, schema: Structural) -> str:
        return (self.later if size(schema, _LARGE_BRANCH) == _LARGE_BRANCH else self.validator)(schema)

    def later(self, schema: Structural) -> str:
        return self.part(lambda: compile_validation(schema, self.reading))

    def value(self, schema: Structural, var: str) -> None:
        """Write the checks of a value that is not null."""
        kinds = self.kinds(schema)
        # Which floats are integers is left to the slow validation: they are rare.
        doubtful = "float" not in kinds and "integer" in self.reading.types(schema)
        if len(kinds) < len(NAMES):
            self.types(schema, var, kinds, doubtful=doubtful)
        self.content(schema, var, kinds)
        self.junctors(schema, var)
        self.enum(schema, var, kinds)

    def types(self, schema: Structural, var: str, kinds: list[str], *, doubtful: bool) -> None:
        tests = [f"{var}.__class__ is not {kind}" for kind in kinds]
        if doubtful:
            reading = self.reading
            exact = self.bind(lambda value: not examine(schema, value, "", reading).faults)
            tests.append(f"({var}.__class__ is not float or not {exact}({var}))")
        self.refuse_if(" and ".join(tests) or "True")

    def content(self, schema: Structural, var: str, kinds: list[str]) -> None:
        writers = {"str": self.text, "int": self.integer, "float": self.number, "list": self.items, "dict": self.fields}
        for kind, write in writers.items():
            if kind not in kinds:
                continue
            if kinds == [kind] and kind != "int":
                write(schema, var)
            else:
                with self.block(f"if {var}.__class__ is {kind}"):
                    write(schema, var)

    def items(self, schema: Structural, var: str) -> None:
        if schema.min_items:
            self.refuse_if(f"len({var}) < {schema.min_items:d}")
        if schema.max_items is not None:
            self.refuse_if(f"len({var}) > {schema.max_items:d}")
        if schema.items is not None:
            item = self.variable()
            with self.block(f"for {item} in {var}"):
                self.node(schema.items, item)
        self.duplicates(schema, var)

    def fields(self, schema: Structural, var: str) -> None:
        if schema.min_properties:
            self.refuse_if(f"len({var}) < {schema.min_properties:d}")
        if schema.max_properties is not None:
            self.refuse_if(f"len({var}) > {schema.max_properties:d}")
        if schema.additional_properties is False:
            self.refuse_if(f"not {var}.keys() <= {self.bind(frozenset(schema.properties))}")
        for name in schema.required:
            if name not in schema.properties:
                self.refuse_if(f"{self.bind(name)} not in {var}")
        for name, child in schema.properties.items():
            self.field(schema, var, name, child)
        if schema.values is not None:
            self.map_values(schema, schema.values, var)

    def field(self, schema: Structural, var: str, name: str, child: Structural) -> None:
        key, item = self.bind(name), self.variable()
        if name in schema.required:
            self.refuse_if(f"{key} not in {var}")
            self.line(f"{item} = {var}[{key}]")
            self.node(child, item)
            return
        with self.block(f"if {key} in {var}"):
            self.line(f"{item} = {var}[{key}]")
            self.node(child, item)

    def map_values(self, schema: Structural, values: Structural, var: str) -> None:
        key, item = self.variable(), self.variable()
        if not schema.properties:
            with self.block(f"for {item} in {var}.values()"):
                self.node(values, item)
            return
        with (
            self.block(f"for {key}, {item} in {var}.items()"),
            self.block(f"if {key} not in {self.bind(frozenset(schema.properties))}"),
        ):
            self.node(values, item)
