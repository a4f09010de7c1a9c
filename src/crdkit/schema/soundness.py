"""Changes of sound objects: only what differs is looked at again.

An object is sound where its schema has nothing to drop, to fill in or to refuse. In one that is made of it by a change, all that does not
differ is sound still.
"""

from __future__ import annotations

from functools import cached_property
from typing import Final, TypeAlias

from crdkit.meta.changes import REMOVED, WRITTEN, Changes, Places, Whole
from crdkit.meta.types import Json, JsonObject
from crdkit.schema.cleanness import IsClean, compile_cleanness, is_scalar
from crdkit.schema.completion import Complete, compile_completion
from crdkit.schema.defaulting import Default, compile_defaulting
from crdkit.schema.structural import Structural
from crdkit.schema.validation.predicate import IsValid, compile_validation
from crdkit.schema.validation.reading import Reading

_CONTAINERS: Final = (dict, list)
_METADATA: Final = "metadata"


class Node:
    """A node of the schema, of which each part is compiled on first use: most are never changed on their own."""

    def __init__(self, schema: Structural, reading: Reading) -> None:
        self._schema = schema
        self._reading = reading
        self.children: Final[dict[str, Node]] = {}
        """Those that were asked for before."""
        self.is_open: Final = _is_open(schema)
        """Whether the fields of an object are judged by themselves, so that those that stay the same need no look."""
        self.lasting: Final = frozenset((*schema.required, *(name for name, child in schema.properties.items() if child.has_default)))
        """The fields that an object does not lose by itself."""

    def child(self, name: str) -> Node | None:
        """The node of a field; None if there is none."""
        node = self.children.get(name)
        if node is None and (schema := self._schema.properties.get(name)) is not None:
            node = self.children[name] = Node(schema, self._reading)
        return node

    def moves_fields(self, value: Json, below: Changes | Places | Whole) -> bool:
        """Whether to complete a value as a whole would bring fields back that were removed, or drop some that were written.

        What differs would be told wrongly then. A yes may be wrong.
        """
        return _moves_fields(self._schema, value, below)

    @cached_property
    def open_items(self) -> Node | None:
        """The node of the items of a list; None unless they are judged by themselves, but for their number and their names."""
        schema = self._schema
        judged = schema.enum or schema.all_of or schema.any_of or schema.one_of or schema.not_ is not None
        return None if schema.type != "array" or schema.items is None or judged else Node(schema.items, self._reading)

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


_Difference: TypeAlias = tuple[Node, Json]
"""A part of an object that differs, and what it is judged by."""


class Soundness:
    """What keeps the objects of a schema sound. None of it has an embedded resource."""

    def __init__(self, schema: Structural, reading: Reading) -> None:
        self._root = Node(schema, reading)
        self._judges_metadata = _METADATA in schema.properties

    def complete(self, obj: JsonObject, changes: Changes) -> bool:
        """Drop nulls and fill defaults in, in place, where an object differs from a sound one that it was made of.

        False if it may have unknown fields or needs more than that; nothing was done then.
        """
        found = self._clean_differences(obj, changes)
        if found is None:
            return False
        for node, value in found:
            node.complete(value)
        return True

    def fill(self, obj: JsonObject, changes: Changes) -> bool:
        """The same, but for the nulls, which stay."""
        found = self._clean_differences(obj, changes)
        if found is None:
            return False
        for node, value in found:
            node.fill(value)
        return True

    def is_valid(self, obj: JsonObject, changes: Changes) -> bool:
        """Whether a change leaves an object valid. A no may be wrong."""
        found = self._differences(obj, changes)
        if found is None:
            return False
        for node, value in found:
            if not node.is_valid(value):
                return False
        return not self._judges_metadata or self._is_metadata_valid(obj)

    def settle(self, obj: JsonObject, changes: Changes, *, keep_nulls: bool) -> bool:
        """Do what `complete` does, or `fill` where nulls are to be kept, and tell whether the object is valid then. A no may be wrong.

        After a no, the object is of no use any more.
        """
        found = self._differences(obj, changes)
        if found is None:
            return False
        for node, value in found:
            if not node.is_scalar or value.__class__ in _CONTAINERS:
                if not node.is_clean(value):
                    return False
                if keep_nulls:
                    node.fill(value)
                else:
                    node.complete(value)
            if not node.is_valid(value):
                return False
        return not self._judges_metadata or self._is_metadata_valid(obj)

    def _is_metadata_valid(self, obj: JsonObject) -> bool:
        node = self._root.child(_METADATA)
        return node is not None and node.is_valid(obj[_METADATA])

    def _clean_differences(self, obj: JsonObject, changes: Changes) -> list[_Difference] | None:
        """What can have changed for the worse: objects and lists, which have no unknown fields."""
        found = self._differences(obj, changes)
        if found is None:
            return None
        deep = [difference for difference in found if not difference[0].is_scalar or difference[1].__class__ in _CONTAINERS]
        for node, value in deep:
            if not node.is_clean(value):
                return None
        return deep

    def _differences(self, obj: JsonObject, changes: Changes) -> list[_Difference] | None:
        """The smallest parts that differ; None where an object as a whole has to be looked at."""
        if not self._root.is_open or "apiVersion" in changes or "kind" in changes:
            return None
        content = changes.copy()
        content.pop(_METADATA, None)
        found: list[_Difference] = []
        return found if _collect(self._root, obj, content, found) else None


def _collect(node: Node, obj: JsonObject, changes: Changes, found: list[_Difference]) -> bool:
    """Collect what differs in an object. False if the object itself has to be looked at."""
    for name, below in changes.items():
        if below is REMOVED:
            if name in node.lasting:
                return False
            continue
        child, value = node.children.get(name) or node.child(name), obj[name]
        if child is None or value is None:
            return False
        if isinstance(below, dict) and child.is_open:
            if not _collect(child, value, below, found):
                return False
        elif isinstance(below, Places) and child.open_items is not None:
            if not _collect_items(child.open_items, value, below, found):
                return False
        elif below is not WRITTEN and child.moves_fields(value, below):
            return False
        else:
            found.append((child, value))
    return True


def _collect_items(node: Node, items: list[Json], places: Places, found: list[_Difference]) -> bool:
    """The same for the items of a list, of which each has the name that it had."""
    for place, below in places.changes.items():
        item = items[place]
        if isinstance(below, dict) and node.is_open:
            if not _collect(node, item, below, found):
                return False
        elif below is not WRITTEN and node.moves_fields(item, below):
            return False
        else:
            found.append((node, item))
    return True


def _moves_fields(schema: Structural, value: Json, below: Changes | Places | Whole) -> bool:
    if isinstance(below, Places):
        items = schema.items
        return items is not None and any(_moves_fields(items, value[place], change) for place, change in below.changes.items())
    if isinstance(below, dict):
        for name, change in below.items():
            child = schema.properties.get(name, schema.values)
            if child is not None and _moves_fields(child, value.get(name), change):
                return True
        return False
    return schema.has_default if below is REMOVED else value is None


def _is_open(schema: Structural) -> bool:
    """Whether an object is judged by its fields alone, all of which are named."""
    whole = schema.additional_properties is not None or schema.items is not None or schema.preserve_unknown_fields
    bounds = schema.min_properties is not None or schema.max_properties is not None or schema.enum
    junctors = schema.all_of or schema.any_of or schema.one_of or schema.not_ is not None
    return schema.type == "object" and bool(schema.properties) and not (whole or schema.embedded_resource or bounds or junctors)


def _do_nothing(_: Json) -> None:
    """No defaults are below."""
