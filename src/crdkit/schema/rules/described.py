"""What rules see of a schema: its nodes as plain JSON, the form that the expression language reads, and which are hidden from them."""

from __future__ import annotations

import dataclasses
from typing import Final

from crdkit.meta.types import JsonObject
from crdkit.schema.structural import Structural

_TEXT: Final = Structural(type="string")
_METADATA: Final = Structural(type="object", properties={"name": _TEXT, "generateName": _TEXT})
_SCALARS: Final = frozenset(("string", "boolean", "number", "integer"))


def describe(node: Structural) -> JsonObject:
    """A node, with all below it, as far as rules care. Keywords that are not for its type are there too: the type decides."""
    schema: JsonObject = {}
    if node.type:
        schema["type"] = node.type
    if node.properties:
        schema["properties"] = {name: describe(child) for name, child in node.properties.items()}
    if node.items is not None:
        schema["items"] = describe(node.items)
        _describe_list(node, schema)
    if node.values is not None:
        schema["additionalProperties"] = describe(node.values)
    if node.required:
        schema["required"] = node.required
    if node.has_default:
        schema["default"] = node.default
    _describe_bounds(node, schema)
    _describe_kind(node, schema)
    return schema


def _describe_list(node: Structural, schema: JsonObject) -> None:
    if node.list_type is not None:
        schema["x-kubernetes-list-type"] = node.list_type
        schema["x-kubernetes-list-map-keys"] = node.list_map_keys


def _describe_bounds(node: Structural, schema: JsonObject) -> None:
    if node.max_length is not None:
        schema["maxLength"] = node.max_length
    if node.max_items is not None:
        schema["maxItems"] = node.max_items
    if node.max_properties is not None:
        schema["maxProperties"] = node.max_properties
    if node.enum:
        schema["enum"] = node.enum


def _describe_kind(node: Structural, schema: JsonObject) -> None:
    if node.format:
        schema["format"] = node.format
    if node.nullable:
        schema["nullable"] = True
    if node.int_or_string:
        schema["x-kubernetes-int-or-string"] = True
    if node.preserve_unknown_fields:
        schema["x-kubernetes-preserve-unknown-fields"] = True
    if node.embedded_resource:
        schema["x-kubernetes-embedded-resource"] = True


def as_resource(node: Structural, *, is_root: bool = False) -> Structural:
    """A node with the fields that rules see in every resource, if it is one."""
    if not is_root and not node.embedded_resource:
        return node
    properties = node.properties
    metadata = properties.get("metadata")
    within = metadata.properties if metadata is not None and metadata.type == "object" else {}
    wanted = (properties.get("kind"), properties.get("apiVersion"), within.get("name"), within.get("generateName"))
    if all(field is not None and field.type == "string" for field in wanted):
        return node
    return dataclasses.replace(node, properties={**properties, "kind": _TEXT, "apiVersion": _TEXT, "metadata": _METADATA})


def is_visible(node: Structural) -> bool:
    """Whether values of a node have a type that rules know; other values are hidden from them."""
    if node.int_or_string:
        return True
    if node.type == "array":
        return node.items is not None and is_visible(node.items)
    if node.type == "object":
        return node.values is None or is_visible(node.values)
    return node.type in _SCALARS
