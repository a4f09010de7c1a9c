"""From schemas to the types of this room: of definitions, structural ones; of built-in kinds, OpenAPI with references."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from crdkit.meta.types import Json, JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.ownership.types import DEDUCED, UNTYPED_ATOMIC, ListType, MapType, Scalar, Type
from crdkit.schema.structural import Structural

ONE_KEY_IS_ENOUGH: Final = KubeVersion(1, 34)
"""From here on an item of a map list may lack some of its keys."""

_NUMERIC: Final = frozenset(("integer", "number"))
_PLAIN_FORMATS: Final = frozenset(("", "byte"))
_PREFIX: Final = "#/components/schemas/"
_OBJECT_META: Final = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"
_QUANTITY: Final = "io.k8s.apimachinery.pkg.api.resource.Quantity"
_RAW_EXTENSION: Final = "io.k8s.apimachinery.pkg.runtime.RawExtension"


def of_structural(schema: Structural, kube: KubeVersion) -> Type:
    """The type of a definition's objects. Metadata, kind and apiVersion are known whatever the schema says of them."""
    build = _StructuralBuilder(kube)
    return build.type_of(schema, keep=False, resource=True)


def of_builtin(name: str, kube: KubeVersion) -> Type:
    """The type of a built-in kind, by its full name (``io.k8s.api.core.v1.ConfigMap``)."""
    return _builtin_types(kube).named(name)


@cache
def _builtin_types(kube: KubeVersion) -> _OpenApiBuilder:
    from crdkit.builtin.schemas import tables  # noqa: PLC0415 (large, and not needed before the first write)

    return _OpenApiBuilder(tables.types(kube), kube)


def _scalar(kind: str, form: str) -> Type:
    if kind in _NUMERIC:
        return Type(scalar=Scalar.NUMERIC)
    if kind == "boolean":
        return Type(scalar=Scalar.BOOLEAN)
    return Type(scalar=Scalar.STRING if kind == "string" and form in _PLAIN_FORMATS else Scalar.UNTYPED)


class _StructuralBuilder:
    """Walks structural schemas. ``keep``: a node above preserves unknown fields, which goes for all below it."""

    def __init__(self, kube: KubeVersion) -> None:
        self._kube = kube

    def type_of(self, schema: Structural, *, keep: bool, resource: bool = False) -> Type:
        keep = keep or schema.preserve_unknown_fields
        if schema.type == "object":
            return Type(map=self._map(schema, keep=keep, resource=resource or schema.embedded_resource))
        if schema.type == "array":
            return Type(list=self._list(schema, keep=keep))
        if schema.type:
            return _scalar(schema.type, schema.format)
        map_ = self._map(schema, keep=keep, resource=resource or schema.embedded_resource)
        return Type(scalar=Scalar.UNTYPED, list=self._list(schema, keep=keep), map=map_)

    def _map(self, schema: Structural, *, keep: bool, resource: bool) -> MapType:
        fields = {name: self.type_of(child, keep=keep) for name, child in schema.properties.items()}
        if resource:
            fields["apiVersion"] = fields["kind"] = Type(scalar=Scalar.STRING)
            fields["metadata"] = of_builtin(_OBJECT_META, self._kube)
        defaults = {name: child.default for name, child in schema.properties.items() if child.has_default}
        return MapType(fields, defaults, self._values(schema, known=bool(fields), keep=keep), schema.map_type == "atomic")

    def _values(self, schema: Structural, *, known: bool, keep: bool) -> Type | None:
        values = schema.additional_properties
        if values is None:
            return DEDUCED if keep or not known else None
        if isinstance(values, Structural):
            return self.type_of(values, keep=keep)
        return DEDUCED if values else None

    def _list(self, schema: Structural, *, keep: bool) -> ListType:
        items = self.type_of(schema.items, keep=keep) if schema.items is not None else UNTYPED_ATOMIC
        return _list_type(items, schema.list_type, schema.list_map_keys, self._kube)


def _list_type(items: Type, list_type: str | None, keys: tuple[str, ...], kube: KubeVersion) -> ListType:
    if list_type == "set":
        return ListType(items, atomic=False)
    if list_type == "map":
        return ListType(items, keys, atomic=False, needs_all_keys=kube < ONE_KEY_IS_ENOUGH)
    return ListType(items)


class _OpenApiBuilder:
    """Walks OpenAPI types, which may refer to each other and to themselves."""

    def __init__(self, schemas: Mapping[str, JsonObject], kube: KubeVersion) -> None:
        self._schemas = schemas
        self._kube = kube
        self._named: dict[str, Type] = {_QUANTITY: Type(scalar=Scalar.UNTYPED), _RAW_EXTENSION: UNTYPED_ATOMIC}

    def named(self, name: str) -> Type:
        found = self._named.get(name)
        if found is None:
            found = self._named[name] = Type()  # known before it is complete: what it has may be of its own type
            self._fill(found, self._schemas[name])
        return found

    def _fill(self, type_: Type, schema: JsonObject) -> None:
        kind = schema.get("type", "")
        if kind in ("", "array"):
            type_.list = self._list(schema)
        if kind in ("", "object"):
            type_.map = self._map(schema)
        if kind not in ("array", "object"):
            type_.scalar = _scalar(kind, schema.get("format", "")).scalar

    def _type_of(self, schema: JsonObject) -> Type:
        name = _referred(schema)
        if not name:
            type_ = Type()
            self._fill(type_, schema)
            return type_
        type_ = self.named(name)
        relation = schema.get("x-kubernetes-map-type")
        if relation is None or type_.map is None:
            return type_
        return Type(map=MapType(type_.map.fields, type_.map.defaults, type_.map.values, relation == "atomic"))

    def _map(self, schema: JsonObject) -> MapType:
        properties = schema.get("properties") or {}
        fields = {name: self._type_of(child) for name, child in properties.items()}
        defaults = {name: child["default"] for name, child in properties.items() if "default" in child}
        return MapType(fields, defaults, self._values(schema), schema.get("x-kubernetes-map-type") == "atomic")

    def _values(self, schema: JsonObject) -> Type | None:
        values: Json = schema.get("additionalProperties")
        if isinstance(values, dict):
            return self._type_of(values)
        if values is None:
            return None if schema.get("properties") else DEDUCED
        return DEDUCED if values else None

    def _list(self, schema: JsonObject) -> ListType:
        items = self._type_of(schema["items"]) if "items" in schema else UNTYPED_ATOMIC
        list_type, keys = _relation(schema)
        return _list_type(items, list_type, keys, self._kube)


def _referred(schema: JsonObject) -> str:
    """The name of the type that a schema is a reference to, directly or as the only one of ``allOf``."""
    ref: str = schema.get("$ref", "")
    parts: list[JsonObject] = schema.get("allOf") or []
    if not ref and len(parts) == 1:
        ref = parts[0].get("$ref", "")
    return ref.removeprefix(_PREFIX)


def _relation(schema: JsonObject) -> tuple[str | None, tuple[str, ...]]:
    """How the items of a list belong together: by its list type, or where it has none by its patch strategy."""
    if list_type := schema.get("x-kubernetes-list-type"):
        return list_type, tuple(schema.get("x-kubernetes-list-map-keys") or ())
    if schema.get("x-kubernetes-patch-strategy") not in ("merge", "merge,retainKeys"):
        return None, ()
    key: str = schema.get("x-kubernetes-patch-merge-key", "")
    if key:
        return "map", (key,)
    return "set", ()
