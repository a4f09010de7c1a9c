"""Field managers for the kinds there are: those of definitions, and those that are built in."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Final, TypeAlias

from crdkit.builtin.kinds import BuiltinKind
from crdkit.definitions.definition import Definition, DefinitionVersion
from crdkit.meta import golang
from crdkit.meta.types import JsonObject
from crdkit.meta.version import V1_33, V1_36, KubeVersion
from crdkit.ownership import fieldsets, typebuilding
from crdkit.ownership.fieldsets import FieldSet
from crdkit.ownership.manager import FieldManager
from crdkit.ownership.types import Type
from crdkit.ownership.versions import ConversionFailed, UnknownVersion

Convert: TypeAlias = Callable[[JsonObject, str], Awaitable[JsonObject]]
"""Converts an object to an apiVersion. Raises `ConversionFailed`."""

_STATUS: Final = fieldsets.of(("f:status",))
_SPEC: Final = fieldsets.of(("f:spec",))
_SPEC_AND_METADATA: Final = fieldsets.of(("f:spec",), ("f:metadata",))
_BESIDE_STATUS: Final = ((V1_36, _SPEC_AND_METADATA), (V1_33, _SPEC))
"""What cannot be set through the status of a custom object."""
_STATUS_OF_ALL_VERSIONS: Final = KubeVersion(1, 35)
"""From here on that holds for owners in words of other versions, too."""


_STATUS_WITH_METADATA: Final = {("", "Namespace"): V1_33, ("apiextensions.k8s.io", "CustomResourceDefinition"): V1_36}
"""Built-in kinds whose status endpoint follows changes of metadata, and since when."""


async def relabel(obj: JsonObject, api_version: str) -> JsonObject:
    """The conversion of definitions that have none of their own: only the version that an object names changes."""
    return {**obj, "apiVersion": api_version}


class CustomVersions:
    """The versions of a definition, served or not. Between two of them an object is converted by way of a third, ``hub``."""

    def __init__(self, definition: Definition, convert: Convert, hub: str) -> None:
        self._definition = definition
        self._convert = convert
        self._hub = hub
        self._types: dict[str, Type] = {}

    def type_in(self, api_version: str) -> Type:
        found = self._types.get(api_version)
        if found is None:
            schema = self._version(api_version).compiled.structural
            found = self._types[api_version] = typebuilding.of_structural(schema, self._definition.kube)
        return found

    async def convert(self, obj: JsonObject, api_version: str) -> JsonObject:
        if api_version.rpartition("/")[0] != self._definition.group:
            raise ConversionFailed(_OTHER_GROUP.format(obj["apiVersion"], obj["kind"], golang.quote(api_version)))
        self._version(api_version)
        if self._hub not in (obj["apiVersion"], api_version):
            obj = await self._convert(obj, self._hub)
        return await self._convert(obj, api_version)

    def _version(self, api_version: str) -> DefinitionVersion:
        group, _, name = api_version.rpartition("/")
        version = self._definition.version(name) if group == self._definition.group else None
        if version is None:
            raise ConversionFailed(INVALID_VERSION.format(api_version))
        return version


_OTHER_GROUP: Final = "{}, Kind={} is unstructured and is not suitable for converting to {}"
INVALID_VERSION: Final = "request to convert CR to an invalid group/version: {}"


class BuiltinVersions:
    """A built-in kind has one version."""

    def __init__(self, api_version: str, name: str, kube: KubeVersion) -> None:
        self._api_version = api_version
        self._name = name
        self._kube = kube

    def type_in(self, api_version: str) -> Type:
        if api_version != self._api_version:
            raise UnknownVersion(api_version)
        return typebuilding.of_builtin(self._name, self._kube)

    async def convert(self, obj: JsonObject, api_version: str) -> JsonObject:
        del obj
        raise UnknownVersion(api_version)


def custom(version: DefinitionVersion, convert: Convert = relabel, *, subresource: str = "") -> FieldManager:
    """The manager of a definition's version: of its objects (``""``), or of their ``status``. For their scale see `scaling`."""
    definition = version.definition
    return FieldManager(
        api_version=version.api_version,
        kind=definition.names.kind,
        versions=CustomVersions(definition, convert, version.api_version),
        kube=definition.kube,
        subresource=subresource,
        reset=_reset_through_status(version) if subresource else _reset_in_main(version),
    )


def _reset_in_main(version: DefinitionVersion) -> Mapping[str, FieldSet]:
    return {version.api_version: _STATUS} if version.has_status else {}


def _reset_through_status(version: DefinitionVersion) -> Mapping[str, FieldSet]:
    """Owners in words of versions that are neither served nor stored lose what requests only seem to change."""
    definition = version.definition
    fields = next(fields for first, fields in _BESIDE_STATUS if definition.kube >= first)
    if definition.kube < _STATUS_OF_ALL_VERSIONS:
        return {version.api_version: fields}
    others = (other for other in definition.versions if other.served or other.storage)
    return {other.api_version: fields for other in others if other.has_status}


def builtin(kind: BuiltinKind, kube: KubeVersion, *, subresource: str = "", empty: JsonObject | None = None) -> FieldManager:
    """The manager of a built-in kind, or of a subresource. ``empty`` is what Go writes of an object in which nothing is set."""
    has_status = any(part.name == "status" for part in kind.subresources)
    fields = _beside_builtin_status(kind, kube) if subresource == "status" else _STATUS if has_status else fieldsets.EMPTY
    from crdkit.builtin.schemas.tables import type_name  # noqa: PLC0415 (large, and not needed before the first write)

    return FieldManager(
        api_version=kind.api_version,
        kind=kind.kind,
        versions=BuiltinVersions(kind.api_version, type_name(kind), kube),
        kube=kube,
        subresource=subresource,
        reset={kind.api_version: fields},
        empty=empty,
    )


def _beside_builtin_status(kind: BuiltinKind, kube: KubeVersion) -> FieldSet:
    """What cannot be set through the status of a built-in kind: mostly all else, but some real strategies leave metadata out."""
    since = _STATUS_WITH_METADATA.get((kind.group, kind.kind))
    return _SPEC if since is not None and kube >= since else _SPEC_AND_METADATA


def scale_versions(kube: KubeVersion) -> BuiltinVersions:
    return BuiltinVersions("autoscaling/v1", "io.k8s.api.autoscaling.v1.Scale", kube)
