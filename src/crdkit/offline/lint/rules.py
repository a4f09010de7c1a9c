"""What a rule of `lint` is: a check with an id, the reason why it matters, and what to do about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from crdkit.definitions.definition import Definition, DefinitionVersion
from crdkit.meta.records import record
from crdkit.meta.types import JsonObject

Looked = TypeVar("Looked")


class Concern(NamedTuple):
    """Something that may surprise, and where: a path below what is looked at, as the server would print it."""

    at: str
    detail: str


@record
class Rule(Generic[Looked]):
    """One rule. ``check`` is given what the rule looks at: a node, a version, a definition, or all definitions."""

    id: str
    why: str
    fix: str
    check: Callable[[Looked], Iterator[Concern]]


def rule(name: str, *, why: str, fix: str) -> Callable[[Callable[[Looked], Iterator[Concern]]], Rule[Looked]]:
    """Make a rule of a check."""
    return lambda check: Rule(name, why, fix, check)


@record
class Node:
    """A node of a schema's structure. ``at`` is its path below the version; ``field`` is the path of the values it describes."""

    schema: JsonObject
    at: str
    field: str
    above: Node | None = None

    @property
    def is_root(self) -> bool:
        return self.above is None

    @property
    def rules(self) -> Sequence[JsonObject]:
        found: Sequence[JsonObject] = self.schema.get("x-kubernetes-validations") or ()
        return found

    def below(self) -> Iterator[Node]:
        """The nodes one step down: fields, items, values of a map."""
        for name, schema in (self.schema.get("properties") or {}).items():
            yield Node(schema or {}, f"{self.at}.properties[{name}]", f"{self.field}.{name}", self)
        items, values = self.schema.get("items"), self.schema.get("additionalProperties")
        if isinstance(items, dict):
            yield Node(items, f"{self.at}.items", f"{self.field}[]", self)
        if isinstance(values, dict):
            yield Node(values, f"{self.at}.additionalProperties", f"{self.field}.*", self)

    def all(self) -> Iterator[Node]:
        """The node and all below it."""
        yield self
        for node in self.below():
            yield from node.all()


def root(version: DefinitionVersion) -> Node:
    return Node(version.schema, "schema.openAPIV3Schema", "")


NodeRule: TypeAlias = Rule[Node]
VersionRule: TypeAlias = Rule[DefinitionVersion]
DefinitionRule: TypeAlias = Rule[Definition]
