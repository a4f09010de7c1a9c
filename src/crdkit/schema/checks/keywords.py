"""The checks of single keywords, on every schema within a schema. They need no structural schema, so they always run."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Final

from crdkit.meta.errors import FieldError, forbidden, invalid, not_supported
from crdkit.meta.paths import FieldPath
from crdkit.meta.records import record
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.schema.checks.listtypes import check_list_and_map_types
from crdkit.schema.checks.places import Place, Step
from crdkit.schema.checks.ruletexts import check_rule_texts
from crdkit.schema.structural import Structural

TYPES: Final = ("array", "boolean", "integer", "number", "object", "string")
_UNSUPPORTED: Final = {
    "id": False,
    "patternProperties": False,
    "definitions": False,
    "additionalItems": True,
    "dependencies": True,
    "$ref": True,
}
"""Keywords without support, and whether they are refused even when empty."""

_OF_EVERY_OBJECT: Final = frozenset(("metadata", "kind", "apiVersion"))


@record
class _Surroundings:
    """What a node takes over from the nodes above it."""

    forbidden_defaults: str = ""
    inside_metadata: bool = False
    uncorrelatable: FieldPath | None = None

    def within_uncorrelatable(self, at: FieldPath) -> _Surroundings:
        return self if self.uncorrelatable else dataclasses.replace(self, uncorrelatable=at)


class KeywordChecks:
    """One walk over a schema: ``errors`` are what was found, ``places`` the nodes whose rules can be compiled, children first.

    A node's rules can be compiled where there is a structural schema, and no error at the node or below it.
    """

    def __init__(self, schema: JsonObject, at: FieldPath, *, structural: Structural | None, kube: KubeVersion) -> None:
        self.errors: list[FieldError] = []
        self.places: list[Place] = []
        self._kube = kube
        root = Place(structural, at, Step.ROOT, None, None) if structural else None
        self._visit(schema, at, _Surroundings(), root, is_root=True)

    def _visit(self, schema: JsonObject, at: FieldPath, around: _Surroundings, place: Place | None, *, is_root: bool = False) -> None:
        before = len(self.errors)
        self.errors += _check_plain(schema, at, around)
        self._visit_values(schema, at, around, place)
        self._visit_properties(schema, at, around, place, is_root=is_root)
        self._visit_items(schema, at, around, place)
        for child, child_at in _other_schemas(schema, at):
            self._visit(child, child_at, around, None)
        self.errors += check_list_and_map_types(schema, at)
        self.errors += check_rule_texts(schema, at, kube=self._kube)
        if place is not None and place.node.validations and len(self.errors) == before:
            self.places.append(place)

    def _visit_values(self, schema: JsonObject, at: FieldPath, around: _Surroundings, place: Place | None) -> None:
        values = schema.get("additionalProperties")
        if not isinstance(values, dict):
            return
        if around.inside_metadata:  # what pruning leaves of such a default would be anyone's guess
            around = dataclasses.replace(around, forbidden_defaults="inside additionalProperties applying to object metadata")
        below = at / "additionalProperties"
        node = place.node.values if place else None
        self._visit(values, below, around, _place(node, below, Step.VALUES, place, around))

    def _visit_properties(self, schema: JsonObject, at: FieldPath, around: _Surroundings, place: Place | None, *, is_root: bool) -> None:
        if schema.get("x-kubernetes-map-type") not in (None, "granular", "atomic"):
            around = around.within_uncorrelatable(at)
        for name, child in (schema.get("properties") or {}).items():
            inner = around
            if name in _OF_EVERY_OBJECT and (is_root or schema.get("x-kubernetes-embedded-resource")):
                reason = f"in top-level {name}" if is_root else around.forbidden_defaults
                inner = dataclasses.replace(around, inside_metadata=True, forbidden_defaults=reason)
            below = (at / "properties").key(name)
            node = place.node.properties.get(name) if place else None
            self._visit(child or {}, below, inner, _place(node, below, Step.PROPERTY, place, inner))

    def _visit_items(self, schema: JsonObject, at: FieldPath, around: _Surroundings, place: Place | None) -> None:
        items = schema.get("items")
        if items is None:
            return
        if schema.get("x-kubernetes-list-type") != "map":
            around = around.within_uncorrelatable(at)
        below = at / "items"
        if isinstance(items, dict):
            node = place.node.items if place else None
            self._visit(items, below, around, _place(node, below, Step.ITEMS, place, around))
        elif isinstance(items, list):
            for index, item in enumerate(items):
                self._visit(item or {}, below.index(index), around, None)


def _place(node: Structural | None, at: FieldPath, step: Step, above: Place | None, around: _Surroundings) -> Place | None:
    return None if node is None else Place(node, at, step, above, around.uncorrelatable)


def _other_schemas(schema: JsonObject, at: FieldPath) -> Iterator[tuple[JsonObject, FieldPath]]:
    """The schemas within a schema that are no part of its structure."""
    if isinstance(negated := schema.get("not"), dict):
        yield negated, at / "not"
    for junctor in ("allOf", "oneOf", "anyOf"):
        for index, branch in enumerate(schema.get(junctor) or ()):
            yield branch or {}, (at / junctor).index(index)
    for keyword in ("definitions", "dependencies"):
        for name, child in (schema.get(keyword) or {}).items():
            if isinstance(child, dict):
                yield child, (at / keyword).key(name)


def _check_plain(schema: JsonObject, at: FieldPath, around: _Surroundings) -> Iterator[FieldError]:
    found = schema.get("type", "")
    if found and found not in TYPES:
        yield not_supported(at / "type", found, TYPES)
    if found == "null":
        yield forbidden(at / "type", "type cannot be set to null, use nullable as an alternative")
    if around.forbidden_defaults and schema.get("default") is not None:
        yield forbidden(at / "default", f"must not be set {around.forbidden_defaults}")
    yield from _check_unsupported(schema, at)
    if isinstance(schema.get("items"), list) and schema["items"]:
        yield forbidden(at / "items", "items must be a schema object and not an array")
    if around.inside_metadata and schema.get("x-kubernetes-embedded-resource"):
        yield forbidden(at / "x-kubernetes-embedded-resource", "must not be used inside of resource meta")
    if schema.get("uniqueItems"):
        yield forbidden(at / "uniqueItems", "uniqueItems cannot be set to true since the runtime complexity becomes quadratic")
    if schema.get("properties") and schema.get("additionalProperties") not in (None, True):
        yield forbidden(at / "additionalProperties", "additionalProperties and properties are mutual exclusive")
    if schema.get("x-kubernetes-preserve-unknown-fields") is False:
        yield invalid(at / "x-kubernetes-preserve-unknown-fields", False, "must be true or undefined")


def _check_unsupported(schema: JsonObject, at: FieldPath) -> Iterator[FieldError]:
    if _UNSUPPORTED.keys().isdisjoint(schema):
        return
    for keyword, even_empty in _UNSUPPORTED.items():
        value = schema.get(keyword)
        if value or (even_empty and value is not None):
            yield forbidden(at / keyword, f"{keyword} is not supported")
