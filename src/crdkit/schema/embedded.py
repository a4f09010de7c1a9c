"""Resources within objects (x-kubernetes-embedded-resource): their apiVersion, kind and metadata are held to what any resource's are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from crdkit.meta import errors, names, objectmeta
from crdkit.meta.errors import FieldError
from crdkit.meta.godecoding import DecodeError
from crdkit.meta.paths import FieldPath
from crdkit.meta.types import Json, JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.schema.differences import differences
from crdkit.schema.metadata import read_metadata
from crdkit.schema.structural import Structural

Faults: TypeAlias = Callable[[str], Iterator[str]]

_TYPE_FIELDS: Final = ("apiVersion", "kind")
_STAND_IN_NAME: Final = "fakename"
"""An embedded resource need not have a name."""


class CoercionError(ValueError):
    """A field that every resource has is of a wrong type. ``error`` tells where, the text is what a client is told."""

    def __init__(self, error: FieldError, kube: KubeVersion) -> None:
        super().__init__(error.text(kube))
        self.error = error


def has_embedded(schema: Structural) -> bool:
    """Whether there is an embedded resource at a node or below it."""
    if schema.embedded_resource:
        return True
    children = [*schema.properties.values(), schema.items, schema.values]
    return any(child is not None and has_embedded(child) for child in children)


def coerce(schema: Structural, value: Json, at: FieldPath, *, kube: KubeVersion, drop_invalid: bool = False) -> list[str]:
    """Rewrite, in place, the metadata of embedded resources at a value and below it; returns the paths of unknown fields in them.

    Raises `CoercionError` where apiVersion, kind or metadata are of a wrong type; with ``drop_invalid`` they are dropped instead,
    apart from metadata that is no object at all.
    """
    coercer = _Coercer(kube, drop_invalid=drop_invalid)
    coercer.coerce(schema, value, at)
    return coercer.unknown


class _Coercer:
    def __init__(self, kube: KubeVersion, *, drop_invalid: bool) -> None:
        self.kube = kube
        self.drop_invalid = drop_invalid
        self.unknown: list[str] = []

    def coerce(self, schema: Structural, value: Json, at: FieldPath) -> None:
        if isinstance(value, dict) and schema.embedded_resource:
            self._coerce_resource(value, at)
        for child, item, place in _children(schema, value, at):
            self.coerce(child, item, place)

    def _coerce_resource(self, resource: JsonObject, at: FieldPath) -> None:
        for field in _TYPE_FIELDS:
            if field in resource and not isinstance(resource[field], str):
                if not self.drop_invalid:
                    raise CoercionError(errors.invalid(at / field, resource[field], "must be a string"), self.kube)
                del resource[field]
        if "metadata" in resource:
            self._coerce_metadata(resource, at / "metadata")

    def _coerce_metadata(self, resource: JsonObject, at: FieldPath) -> None:
        try:
            metadata, unknown = read_metadata(resource["metadata"], self.kube, drop_invalid=self.drop_invalid)
        except DecodeError as error:
            if self.drop_invalid:
                return
            raise CoercionError(errors.invalid(at, resource["metadata"], str(error)), self.kube) from error
        resource["metadata"] = metadata
        self.unknown += [f"{at}.{path}" for path in unknown]


def check_embedded(schema: Structural, value: Json, at: FieldPath, kube: KubeVersion) -> Iterator[FieldError]:
    """What is wrong with the apiVersion, kind and metadata of embedded resources at a value and below it."""
    if isinstance(value, dict) and schema.embedded_resource:
        yield from _check_resource(value, at, kube)
    for child, item, place in _children(schema, value, at):
        yield from check_embedded(child, item, place, kube)


def _children(schema: Structural, value: Json, at: FieldPath) -> Iterator[tuple[Structural, Json, FieldPath]]:
    """The fields and items that have a schema: each with it, and its place."""
    if isinstance(value, dict):
        for name, item in value.items():
            if (child := schema.properties.get(name)) is not None:
                yield child, item, at / name
            elif schema.values is not None:
                yield schema.values, item, at.key(name)
    elif isinstance(value, list) and schema.items is not None:
        for index, item in enumerate(value):
            yield schema.items, item, at.index(index)


def _check_resource(resource: JsonObject, at: FieldPath, kube: KubeVersion) -> Iterator[FieldError]:
    missing = differences(kube).missing
    yield from (errors.required(at / field, missing) for field in _TYPE_FIELDS if field not in resource)
    if "apiVersion" in resource:
        yield from _check_text(resource["apiVersion"], at / "apiVersion", _group_version_faults)
    if "kind" in resource:
        yield from _check_text(resource["kind"], at / "kind", _kind_faults)
    if "metadata" in resource:
        yield from _check_metadata(resource["metadata"], at / "metadata", kube)


def _check_text(value: Json, at: FieldPath, faults: Faults) -> Iterator[FieldError]:
    if not isinstance(value, str):
        yield errors.invalid(at, value, "must be a string")
    elif not value:
        yield errors.invalid(at, value, "must not be empty")
    else:
        yield from (errors.invalid(at, value, fault) for fault in faults(value))


def _group_version_faults(text: str) -> Iterator[str]:
    if text != "/" and text.count("/") > 1:
        yield f"unexpected GroupVersion string: {text}"


def _kind_faults(text: str) -> Iterator[str]:
    if found := names.dns1035_label(text.lower()):
        yield f"may have mixed case, but should otherwise match: {','.join(found)}"


def _check_metadata(value: Json, at: FieldPath, kube: KubeVersion) -> Iterator[FieldError]:
    try:
        metadata = read_metadata(value, kube).value
    except DecodeError as error:
        yield errors.invalid(at, value, str(error))
        return
    named = metadata if metadata.get("name") else {**metadata, "name": _STAND_IN_NAME}
    namespaced = bool(metadata.get("namespace"))
    yield from objectmeta.check_create(named, at, namespaced=namespaced, name_check=names.path_segment, kube=kube)
