"""Whether lists and maps hold unknown fields at all: a quick look, by Python source made from the schema, before pruning walks them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from crdkit.meta.types import Json
from crdkit.schema.source import Source
from crdkit.schema.structural import Structural

IsClean: TypeAlias = Callable[[Json], bool]


def compile_cleanness(schema: Structural) -> IsClean:
    """Build the function that tells whether pruning would find nothing in a value. A no may be wrong: it costs a walk, no more."""
    source = Cleanness()
    return source.load(source.check(schema))


class Cleanness(Source):
    """Functions that return False where an unknown field is, or may be."""

    def check(self, schema: Structural) -> str:
        """Write the function for a value; returns its name."""
        with self.function() as name:
            self.node(schema, "v")
            self.line("return True")
        return name

    def node(self, schema: Structural, var: str) -> None:
        if not self.takes(schema):
            self.line(f"if not {self.part(lambda: compile_cleanness(schema))}({var}): return False")
            return
        if keeps_everything(schema):
            return
        if schema.preserve_unknown_fields or schema.embedded_resource:
            self.line(f"if {var}.__class__ is dict or {var}.__class__ is list: return False")
            return
        with self.block(f"if {var}.__class__ is dict"):
            self.fields(schema, var)
        with self.block(f"if {var}.__class__ is list"):
            self.items(schema.items, var)

    def fields(self, schema: Structural, var: str) -> None:
        if schema.additional_properties is None:
            self.line(f"if not {self.bind(frozenset(schema.properties).issuperset)}({var}): return False")
        elif schema.properties or schema.values is None:
            self.line("return False")  # named fields beside others, or values without a schema: too rare to be quick about
            return
        if schema.values is not None:
            self.each(f"{var}.values()", schema.values)
        elif schema.properties:
            self.named(schema, var)

    def each(self, values: str, schema: Structural) -> None:
        item = self.variable()
        with self.block(f"for {item} in {values}"):
            self.node(schema, item)

    def named(self, schema: Structural, var: str) -> None:
        """Fields of scalar types hold no objects or lists; the others are looked into."""
        deep = {name: child for name, child in schema.properties.items() if not is_scalar(child)}
        item, key = self.variable(), self.variable()
        if len(deep) < len(schema.properties):
            holds = f"if {item}.__class__ is dict or {item}.__class__ is list"
            if not deep:
                with self.block(f"for {item} in {var}.values()"):
                    self.line(f"{holds}: return False")
            else:
                with self.block(f"for {key}, {item} in {var}.items()"), self.block(holds):
                    self.line(f"if {key} not in {self.bind(frozenset(deep))}: return False")
        for name, child in deep.items():
            below, constant = self.variable(), self.bind(name)
            with self.block(f"if {constant} in {var}"):
                self.line(f"{below} = {var}[{constant}]")
                self.node(child, below)

    def items(self, schema: Structural | None, var: str) -> None:
        if schema is not None:
            self.each(var, schema)
            return
        item = self.variable()
        with self.block(f"for {item} in {var}"):
            self.line(f"if {item}.__class__ is dict or {item}.__class__ is list: return False")


def keeps_everything(schema: Structural) -> bool:
    """Whether no field below can be unknown: nothing is named, and what is not stays."""
    items = schema.items
    return (
        schema.preserve_unknown_fields
        and not schema.embedded_resource
        and not schema.properties
        and schema.additional_properties is None
        and (items is None or keeps_everything(items))
    )


def is_scalar(schema: Structural) -> bool:
    """Whether a value of the schema has no fields or items that the schema knows."""
    known = schema.properties or schema.additional_properties is not None or schema.items is not None
    return not known and not schema.preserve_unknown_fields and not schema.embedded_resource
