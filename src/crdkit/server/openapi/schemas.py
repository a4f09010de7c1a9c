"""What becomes of a definition's schema when it is published: in OpenAPI v3 nearly all of it, in v2 with that language's losses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from crdkit.builtin.schemas.notation import API_VERSION, KIND, LIST_METADATA, META, OBJECT_METADATA, one, ref, string
from crdkit.definitions.definition import DefinitionVersion
from crdkit.meta.types import Json, JsonObject
from crdkit.meta.version import V1_33, KubeVersion

_KEPT: Final = frozenset(
    {
        "type",
        "format",
        "title",
        "description",
        "pattern",
        "maximum",
        "minimum",
        "multipleOf",
        "maxLength",
        "minLength",
        "maxItems",
        "minItems",
        "maxProperties",
        "minProperties",
        "enum",
        "required",
        "x-kubernetes-list-type",
        "x-kubernetes-list-map-keys",
        "x-kubernetes-map-type",
        "x-kubernetes-validations",
    }
)
_SWITCHES: Final = frozenset(
    {
        "nullable",
        "exclusiveMaximum",
        "exclusiveMinimum",
        "uniqueItems",
        "x-kubernetes-preserve-unknown-fields",
        "x-kubernetes-embedded-resource",
        "x-kubernetes-int-or-string",
    }
)
_JUNCTORS: Final = ("allOf", "anyOf", "oneOf")
_EXAMPLES: Final = frozenset({"example", "externalDocs"})
_INTEGER_OR_STRING: Final = [{"type": "integer"}, {"type": "string"}]

_EMBEDDED_API_VERSION: Final = (
    "apiVersion defines the versioned schema of this representation of an object. More info:"
    " https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources"
)
_EMBEDDED_KIND: Final = (
    "kind is a string value representing the type of this object. In CamelCase. More info:"
    " https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds"
)


def model_name(group: str, version: str, kind: str) -> str:
    """The full name of a kind's type: ``com.example.v1.Kite``."""
    return ".".join([*reversed(group.split(".")), version, kind])


def kind_v3(version: DefinitionVersion) -> JsonObject:
    """The type of a definition's objects for OpenAPI v3."""
    publish = _Publisher(version.definition.kube, v2=False)
    return _with_kind(version, _as_kind(publish(version.schema)))


def kind_v2(version: DefinitionVersion) -> JsonObject:
    """The type of a definition's objects for OpenAPI v2, written as v3 still.

    Clients of that document take a type with properties for a closed one, so a schema that keeps unknown fields names none.
    """
    schema = version.schema
    if schema.get("x-kubernetes-preserve-unknown-fields") or version.definition.spec.get("preserveUnknownFields"):
        return _with_kind(version, {"type": "object"})
    publish = _Publisher(version.definition.kube, v2=True)
    return _with_kind(version, _as_kind(publish(_with_losses(schema))))


def list_type(version: DefinitionVersion) -> JsonObject:
    """The type of lists, for OpenAPI v3."""
    definition = version.definition
    names = definition.spec_names
    more = "More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md"
    properties = {
        "apiVersion": string(API_VERSION),
        "items": {
            "type": "array",
            "description": f"List of {names.plural}. {more}",
            "items": ref(model_name(definition.group, version.name, names.kind)),
        },
        "kind": string(KIND),
        "metadata": one(META + "ListMeta", LIST_METADATA, optional=True),
    }
    schema: JsonObject = {
        "type": "object",
        "description": f"{names.list_kind} is a list of {names.kind}",
        "required": ["items"],
        "properties": properties,
    }
    return _with_kind(version, schema, names.list_kind)


def _with_kind(version: DefinitionVersion, schema: JsonObject, kind: str = "") -> JsonObject:
    definition = version.definition
    told = {"group": definition.group, "version": version.name, "kind": kind or definition.spec_names.kind}
    schema["x-kubernetes-group-version-kind"] = [told]
    if version.selectable_fields:
        schema["x-kubernetes-selectable-fields"] = [{"fieldPath": path.removeprefix(".")} for path in version.selectable_fields]
    return schema


def _metadata() -> JsonObject:
    return one(META + "ObjectMeta", OBJECT_METADATA, optional=True)


def _as_kind(schema: JsonObject) -> JsonObject:
    """A published schema with the fields that every object has; what it says of them itself is lost. One that calls itself embedded has them."""
    if schema.get("x-kubernetes-embedded-resource"):
        return schema
    common = {"apiVersion": string(API_VERSION), "kind": string(KIND), "metadata": _metadata()}
    return {**schema, "properties": {**schema.get("properties", {}), **common}}


def _as_embedded(schema: JsonObject) -> JsonObject:
    common = {"apiVersion": string(_EMBEDDED_API_VERSION), "kind": string(_EMBEDDED_KIND), "metadata": _metadata()}
    required = list(schema.get("required", ()))
    required += [name for name in ("kind", "apiVersion") if name not in required]
    return {**schema, "properties": {**schema.get("properties", {}), **common}, "required": required}


class _Publisher:
    """Rewrites the nodes of a schema as the real server shows them."""

    def __init__(self, kube: KubeVersion, *, v2: bool) -> None:
        self._plain = _KEPT if kube <= V1_33 else _KEPT | _EXAMPLES
        self._v2 = v2

    def __call__(self, node: JsonObject) -> JsonObject:
        found = {key: value for key, value in node.items() if self._is_shown(key, value)}
        found.update(self._children(node))
        if node.get("x-kubernetes-int-or-string") and not self._v2:
            _unfold_int_or_string(found)
        if node.get("x-kubernetes-embedded-resource") and not (self._v2 and node.get("x-kubernetes-preserve-unknown-fields")):
            return _as_embedded(found)
        return found

    def _is_shown(self, key: str, value: Json) -> bool:
        """Whether a keyword that holds no other schema is shown: what is not set, or set to nothing, is not."""
        if key == "default":
            return value is not None and not self._v2
        if key in _SWITCHES:
            return value is True
        return key in self._plain and value is not None and value not in ("", []) and not (key == "example" and value == {})

    def _children(self, node: JsonObject) -> JsonObject:
        found: JsonObject = {}
        if properties := node.get("properties"):
            found["properties"] = {name: self(child) for name, child in properties.items()}
        for key in ("items", "additionalProperties", "not"):
            if (child := node.get(key)) is not None:
                found[key] = self(child) if isinstance(child, dict) else child
        for key in _JUNCTORS:
            if branches := node.get(key):
                found[key] = [self(branch) for branch in branches]
        return found


def _unfold_int_or_string(found: JsonObject) -> None:
    """Say in plain OpenAPI what ``x-kubernetes-int-or-string`` means, unless the schema says so already."""
    any_of, all_of = found.get("anyOf"), found.get("allOf", [])
    if _is_int_or_string(any_of) or (all_of and _is_int_or_string(all_of[0].get("anyOf"))):
        return
    if any_of is None:
        found["anyOf"] = [dict(each) for each in _INTEGER_OR_STRING]
    else:
        found["allOf"] = [{"anyOf": [dict(each) for each in _INTEGER_OR_STRING]}, *all_of]


def _is_int_or_string(any_of: Json) -> bool:
    return bool(any_of == _INTEGER_OR_STRING)


def _with_losses(node: JsonObject) -> JsonObject:
    """A schema without what OpenAPI v2, or kubectl when it reads v2, cannot cope with."""
    found = {key: value for key, value in node.items() if key not in (*_JUNCTORS, "not", "nullable")}
    keeps_unknown = node.get("x-kubernetes-preserve-unknown-fields")
    if node.get("nullable") or keeps_unknown:
        found.pop("items", None)
        found.pop("properties", None)
    if node.get("nullable") or (keeps_unknown and node.get("type") == "object") or (node.get("type") == "array" and "items" not in found):
        found.pop("type", None)
    _loosen_required(found)
    if "properties" in found:
        found["properties"] = {name: _with_losses(child) for name, child in found["properties"].items()}
    for key in ("items", "additionalProperties"):
        if isinstance(found.get(key), dict):
            found[key] = _with_losses(found[key])
    return found


def _loosen_required(found: JsonObject) -> None:
    """A nullable field is not required: null would be taken for a missing field."""
    values = found.get("additionalProperties")
    if isinstance(values, dict) and values.get("nullable"):
        found.pop("required", None)
    if required := found.get("required"):
        properties: Mapping[str, JsonObject] = found.get("properties") or {}
        found["required"] = [name for name in required if not properties.get(name, {}).get("nullable")]
