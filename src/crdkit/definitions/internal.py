"""The form in which the real server checks a definition: what all versions have in common stands at the top of the spec.

Errors tell places of this form: ``spec.validation.openAPIV3Schema`` where all versions have one schema, which a single one always has.
"""

from __future__ import annotations

from crdkit.definitions.decoding import written
from crdkit.meta.records import record
from crdkit.meta.types import Json, JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.schema.equality import same

SHARED = ("schema", "subresources", "additionalPrinterColumns", "selectableFields")


@record
class InternalSpec:
    """A decoded spec in that form. ``shared`` is what all versions have in common; ``versions`` lack it."""

    spec: JsonObject
    version: str
    versions: list[JsonObject] | None
    shared: JsonObject

    @classmethod
    def of(cls, definition: JsonObject, *, kube: KubeVersion) -> InternalSpec:
        spec = definition["spec"]
        versions = spec["versions"]
        if not versions:
            return cls(spec, "", versions, {})
        common = _common(definition, kube)
        shared = {key: versions[0].get(key) for key in common}
        return cls(spec, versions[0]["name"], [_without(version, common) for version in versions], shared)

    @property
    def schema(self) -> JsonObject | None:
        """The top-level ``validation``."""
        return self.shared.get("schema")

    @property
    def subresources(self) -> JsonObject | None:
        return self.shared.get("subresources")

    @property
    def columns(self) -> list[JsonObject]:
        return self.shared.get("additionalPrinterColumns") or []

    @property
    def selectable_fields(self) -> list[JsonObject]:
        return self.shared.get("selectableFields") or []

    def has_own(self, key: str) -> bool:
        """Whether a version has that part for itself."""
        return any(is_set(version.get(key)) for version in self.versions or ())

    def subresources_of(self, version: JsonObject) -> JsonObject | None:
        """The subresources that a version has, its own or the common ones."""
        own: JsonObject | None = version.get("subresources") if self.has_own("subresources") else self.subresources
        return own


def is_set(value: Json) -> bool:
    """Whether a part is there: an object that is empty is, a list is not."""
    return value is not None and value != []


def has_status(subresources: JsonObject | None) -> bool:
    return subresources is not None and subresources.get("status") is not None


def _common(definition: JsonObject, kube: KubeVersion) -> list[str]:
    """Which parts are the same in all versions; empty lists and maps count as missing ones do."""
    if len(definition["spec"]["versions"]) == 1:
        return list(SHARED)
    first, *others = written(definition, kube=kube)["spec"]["versions"]
    return [key for key in SHARED if all(same(version.get(key), first.get(key)) for version in others)]


def _without(version: JsonObject, keys: list[str]) -> JsonObject:
    return {key: value for key, value in version.items() if key not in keys}
