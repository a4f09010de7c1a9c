"""`pruning` by Python source made from the schema: one function for all the objects that a schema fixes, a look at lists and maps.

What the look finds, and what is too rare to have source of its own, is left to the functions of `pruning`.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import filterfalse
from typing import Final

from crdkit.meta.types import Json, JsonObject
from crdkit.schema.cleanness import Cleanness, is_scalar, keeps_everything
from crdkit.schema.pruning import META_FIELDS, Prune, compile_node, compile_pruning, prune_all_below
from crdkit.schema.structural import Structural

_IS_CONTAINER: Final = "{0}.__class__ is dict or {0}.__class__ is list"


def compile_quick_pruning(schema: Structural) -> Callable[[JsonObject], list[str]]:
    """Build the function that prunes a whole resource, as `compile_pruning` does."""
    if not is_fixed(schema):
        return compile_pruning(schema, is_resource=True)
    source = _QuickPruning()
    with source.function() as name:
        source.line("found = []")
        source.objects(schema, "v", "", is_resource=True)
        source.line("return found")
    return source.load(name)


class _QuickPruning(Cleanness):
    """Statements that prune the value of a variable and add the paths of what went to ``found``."""

    def objects(self, schema: Structural, var: str, path: str, *, is_resource: bool = False) -> None:
        """Prune an object; ``path`` is its place, with a dot behind."""
        meta = META_FIELDS if is_resource else frozenset[str]()
        known = meta | schema.properties.keys()
        self.line(f"if not {self.bind(known.issuperset)}({var}): found += {self.bind(dropping(known, path))}({var})")
        deep = {name: child for name, child in schema.properties.items() if name not in meta and not is_scalar(child)}
        if len(deep) + len(meta) < len(known):
            key, item = self.variable(), self.variable()
            others = self.bind(meta | deep.keys())
            with self.block(f"for {key}, {item} in {var}.items()"), self.block(f"if {_IS_CONTAINER.format(item)}"):
                self.line(f"if {key} not in {others}: found += {self.bind(_emptying(path))}({key}, {item})")
        for name, child in deep.items():
            below, constant = self.variable(), self.bind(name)
            with self.block(f"if {constant} in {var}"):
                self.line(f"{below} = {var}[{constant}]")
                self.child(child, below, path + name)

    def child(self, schema: Structural, var: str, path: str) -> None:
        if keeps_everything(schema):
            return
        slow = self.bind(pruning(schema, path))
        if is_fixed(schema) and self.takes(schema):
            with self.block(f"if {var}.__class__ is dict"):
                self.objects(schema, var, f"{path}.")
            self.line(f"elif {var}.__class__ is list: found += {slow}({var})")
        else:
            self.line(f"if ({_IS_CONTAINER.format(var)}) and not {self.check(schema)}({var}): found += {slow}({var})")


def is_fixed(schema: Structural) -> bool:
    """Whether a schema names all fields of an object, and is that of no list, map or embedded resource."""
    return (
        schema.additional_properties is None
        and schema.items is None
        and not schema.preserve_unknown_fields
        and not schema.embedded_resource
    )


def dropping(known: frozenset[str], path: str) -> Callable[[JsonObject], list[str]]:
    is_known = known.__contains__

    def drop(value: JsonObject) -> list[str]:
        unknown = list(filterfalse(is_known, value))
        for name in unknown:
            del value[name]
        return [path + name for name in unknown]

    return drop


def _emptying(path: str) -> Callable[[str, Json], list[str]]:
    def empty(name: str, value: Json) -> list[str]:
        return [f"{path}{name}{place}" for place in prune_all_below(value)]

    return empty


def pruning(schema: Structural, path: str) -> Callable[[Json], list[str]]:
    """What `pruning` does with a list or an object, compiled when it is first needed."""
    compiled: list[Prune] = []

    def prune(value: Json) -> list[str]:
        if not compiled:
            compiled.append(compile_node(schema, is_resource=schema.embedded_resource))
        return [path + place for place in compiled[0](value)]

    return prune
