"""Walking through the schemas of a definition."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from crdkit.meta.types import Json, JsonObject

_SINGLE: Final = ("items", "not", "additionalProperties", "additionalItems")
_LISTS: Final = ("items", "allOf", "anyOf", "oneOf")
_MAPS: Final = ("properties", "patternProperties", "definitions", "dependencies")


def schemas_of(definition: JsonObject) -> Iterator[JsonObject]:
    """The schema of each version that has one."""
    for version in definition["spec"]["versions"] or ():
        root = (version.get("schema") or {}).get("openAPIV3Schema")
        if root is not None:
            yield root


def nodes(schema: JsonObject) -> Iterator[JsonObject]:
    """The schema and all schemas within."""
    yield schema
    for inner in _below(schema):
        if isinstance(inner, dict):
            yield from nodes(inner)


def _below(schema: JsonObject) -> Iterator[Json]:
    yield from (schema.get(key) for key in _SINGLE)
    for key in _LISTS:
        if isinstance(found := schema.get(key), list):
            yield from found
    for key in _MAPS:
        yield from (schema.get(key) or {}).values()
