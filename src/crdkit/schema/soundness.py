"""Changes of sound objects: only what differs is looked at again.

An object is sound where its schema has nothing to drop, to fill in or to refuse. One that is made of it by a patch shares with it what
the patch does not touch; a part that is shared, not just equal, is sound still.
"""

from __future__ import annotations

from functools import cached_property
from typing import Final, NamedTuple

from crdkit.meta.types import Json, JsonObject
from crdkit.schema.cleanness import IsClean, compile_cleanness, is_scalar
from crdkit.schema.completion import Complete, compile_completion
from crdkit.schema.defaulting import Default, compile_defaulting
from crdkit.schema.pruning import META_FIELDS
from crdkit.schema.structural import Structural
from crdkit.schema.validation.predicate import IsValid, compile_validation
from crdkit.schema.validation.reading import Reading

_ABSENT: Final = object()
_METADATA: Final = "metadata"


class Node:
    """A node of the schema, of which each part is compiled on first use: most are never changed on their own."""

    def __init__(self, schema: Structural, reading: Reading) -> None:
        self._schema = schema
        self._reading = reading
        self._children: dict[str, Node] = {}
        self.is_open: Final = _is_open(schema)
        """Whether the fields of an object are judged by themselves, so that those that stay the same need no look."""
        self.lasting: Final = frozenset((*schema.required, *(name for name, child in schema.properties.items() if child.has_default)))
        """The fields that an object does not lose by itself."""

    def child(self, name: str) -> Node | None:
        """The node of a field; None if there is none."""
        node = self._children.get(name)
        if node is None and (schema := self._schema.properties.get(name)) is not None:
            node = self._children[name] = Node(schema, self._reading)
        return node

    @cached_property
    def is_scalar(self) -> bool:
        return is_scalar(self._schema)

    @cached_property
    def is_clean(self) -> IsClean:
        return compile_cleanness(self._schema)

    @cached_property
    def complete(self) -> Complete:
        return compile_completion(self._schema)

    @cached_property
    def fill(self) -> Default:
        return compile_defaulting(self._schema) or _do_nothing

    @cached_property
    def is_valid(self) -> IsValid:
        return compile_validation(self._schema, self._reading)


class _Difference(NamedTuple):
    node: Node
    value: Json


class Soundness:
    """What keeps the objects of a schema sound. None of it has an embedded resource."""

    def __init__(self, schema: Structural, reading: Reading) -> None:
        self._root = Node(schema, reading)
        self._judges_metadata = _METADATA in schema.properties

    def complete(self, obj: JsonObject, old: JsonObject) -> bool:
        """Drop nulls and fill defaults in, in place, where an object differs from a sound one that it was made of.

        False if it may have unknown fields or needs more than that; nothing was done then.
        """
        found = self._clean_differences(obj, old)
        if found is None:
            return False
        for node, value in found:
            node.complete(value)
        return True

    def fill(self, obj: JsonObject, old: JsonObject) -> bool:
        """The same, but for the nulls, which stay."""
        found = self._clean_differences(obj, old)
        if found is None:
            return False
        for node, value in found:
            node.fill(value)
        return True

    def is_valid(self, obj: JsonObject, old: JsonObject) -> bool:
        """Whether a change leaves an object valid. A no may be wrong."""
        found = self._differences(obj, old)
        if found is None or not all(node.is_valid(value) for node, value in found):
            return False
        if not self._judges_metadata:
            return True
        node = self._root.child(_METADATA)
        return node is not None and node.is_valid(obj[_METADATA])

    def _clean_differences(self, obj: JsonObject, old: JsonObject) -> list[_Difference] | None:
        """What can have changed for the worse: objects and lists, which have no unknown fields."""
        found = self._differences(obj, old)
        if found is None:
            return None
        found = [difference for difference in found if not difference.node.is_scalar or difference.value.__class__ in (dict, list)]
        return found if all(node.is_clean(value) for node, value in found) else None

    def _differences(self, obj: JsonObject, old: JsonObject) -> list[_Difference] | None:
        """The smallest parts that differ; None where an object as a whole has to be looked at."""
        if not self._root.is_open or any(obj.get(name) != old.get(name) for name in ("apiVersion", "kind")):
            return None
        found: list[_Difference] = []
        return found if _collect(self._root, obj, old, found, META_FIELDS) else None


def _collect(node: Node, new: JsonObject, old: JsonObject, found: list[_Difference], but: frozenset[str] = frozenset()) -> bool:
    """Collect what differs in an object, apart from some fields. False if the object itself has to be looked at."""
    kept = 0
    for name, value in new.items():
        before = old.get(name, _ABSENT)
        kept += before is not _ABSENT
        if before is value or name in but:
            continue
        child = node.child(name)
        if child is None or value is None:
            return False
        if child.is_open and value.__class__ is dict and before.__class__ is dict:
            if not _collect(child, value, before, found):
                return False
        else:
            found.append(_Difference(child, value))
    return kept == len(old) or node.lasting <= new.keys()


def _is_open(schema: Structural) -> bool:
    """Whether an object is judged by its fields alone, all of which are named."""
    whole = schema.additional_properties is not None or schema.items is not None or schema.preserve_unknown_fields
    bounds = schema.min_properties is not None or schema.max_properties is not None or schema.enum
    junctors = schema.all_of or schema.any_of or schema.one_of or schema.not_ is not None
    return schema.type == "object" and bool(schema.properties) and not (whole or schema.embedded_resource or bounds or junctors)


def _do_nothing(_: Json) -> None:
    """No defaults are below."""
