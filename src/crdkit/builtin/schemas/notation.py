"""How the tables of this folder write a type: one short call per kind of field, giving OpenAPI v3 as a 1.36 server publishes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from crdkit.meta.types import Json, JsonObject

PREFIX: Final = "#/components/schemas/"
META: Final = "io.k8s.apimachinery.pkg.apis.meta.v1."

API_VERSION: Final = (
    "APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized schemas to the latest"
    " internal value, and may reject unrecognized values. More info:"
    " https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources"
)
KIND: Final = (
    "Kind is a string value representing the REST resource this object represents. Servers may infer this from the endpoint the client"
    " submits requests to. Cannot be updated. In CamelCase. More info:"
    " https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds"
)
OBJECT_METADATA: Final = (
    "Standard object's metadata. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata"
)
LIST_METADATA: Final = (
    "Standard list metadata. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds"
)


def _described(schema: JsonObject, description: str, default: Json) -> JsonObject:
    if description:
        schema["description"] = description
    if default is not None:
        schema["default"] = default
    return schema


def string(description: str = "", *, form: str = "", default: str | None = None, enum: Sequence[str] = ()) -> JsonObject:
    """A text. Fields that are always written have the default ``""``."""
    schema: JsonObject = {"type": "string"}
    if form:
        schema["format"] = form
    if enum:
        schema["enum"] = list(enum)
    return _described(schema, description, default)


def integer(description: str = "", *, bits: int = 32, default: int | None = None) -> JsonObject:
    return _described({"type": "integer", "format": f"int{bits}"}, description, default)


def number(description: str = "") -> JsonObject:
    return _described({"type": "number", "format": "double"}, description, None)


def boolean(description: str = "", *, default: bool | None = None) -> JsonObject:
    return _described({"type": "boolean"}, description, default)


def anything(description: str = "") -> JsonObject:
    """A value of any type."""
    return _described({}, description, None)


def ref(name: str) -> JsonObject:
    """A reference to another type, by its full name."""
    return {"$ref": PREFIX + name}


def one(name: str, description: str = "", *, optional: bool = False) -> JsonObject:
    """A field of another type. Unless it is optional (a pointer in Go) the real server names ``{}`` as its default."""
    return _described({"allOf": [ref(name)]}, description, None if optional else {})


def many(
    items: JsonObject,
    description: str = "",
    *,
    list_type: str = "",
    keys: Sequence[str] = (),
    merge_key: str = "",
    merge: bool = False,
) -> JsonObject:
    """A list. ``list_type`` and ``keys`` rule server-side apply, ``merge`` and ``merge_key`` strategic merge patches."""
    schema: JsonObject = {"type": "array", "items": items}
    if list_type:
        schema["x-kubernetes-list-type"] = list_type
    if keys:
        schema["x-kubernetes-list-map-keys"] = list(keys)
    if merge_key:
        schema["x-kubernetes-patch-merge-key"] = merge_key
    if merge or merge_key:
        schema["x-kubernetes-patch-strategy"] = "merge"
    return _described(schema, description, None)


def mapping(values: JsonObject, description: str = "") -> JsonObject:
    """An object with any keys."""
    return _described({"type": "object", "additionalProperties": values}, description, None)


def struct(
    description: str,
    properties: Mapping[str, JsonObject] | None = None,
    *,
    required: Sequence[str] = (),
    atomic: bool = False,
) -> JsonObject:
    """An object with named fields; an ``atomic`` one has a single owner for all of them."""
    schema: JsonObject = {"type": "object", "description": description}
    if properties:
        schema["properties"] = dict(properties)
    if required:
        schema["required"] = list(required)
    if atomic:
        schema["x-kubernetes-map-type"] = "atomic"
    return schema


def kind(
    description: str,
    properties: Mapping[str, JsonObject],
    *,
    required: Sequence[str] = (),
    metadata: str = OBJECT_METADATA,
) -> JsonObject:
    """A kind: what every object has, and its own fields."""
    common = {"apiVersion": string(API_VERSION), "kind": string(KIND), "metadata": one(META + "ObjectMeta", metadata)}
    return struct(description, {**common, **properties}, required=required)


def list_of(name: str, description: str, items: str) -> JsonObject:
    """The list of a kind, which has that full name."""
    properties = {
        "apiVersion": string(API_VERSION),
        "items": many(ref(name), items),
        "kind": string(KIND),
        "metadata": one(META + "ListMeta", LIST_METADATA),
    }
    return struct(description, properties, required=("items",))
