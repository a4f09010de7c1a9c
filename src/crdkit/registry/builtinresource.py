"""Built-in kinds as resources: objects of Go types, decoded by their tables of fields."""

from __future__ import annotations

from typing import Final

from crdkit.builtin.kinds import BuiltinKind
from crdkit.builtin.merge_keys import merge_keys
from crdkit.builtin.registered import REGISTERED
from crdkit.meta import json
from crdkit.meta.godecoding import DecodeError
from crdkit.meta.gostruct import Decoded, StructTable
from crdkit.meta.types import Json, JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.ownership import kinds as owned_kinds
from crdkit.ownership.manager import FieldManager
from crdkit.ownership.types import Type
from crdkit.registry import bodies, fieldvalidation
from crdkit.registry.endpoint import Endpoint, Undecodable
from crdkit.registry.options import IGNORE, STRICT, WriteOptions
from crdkit.registry.patches.strategicpatch import MergeKeys
from crdkit.registry.patchtypes import APPLY_PATCH, JSON_PATCH, MERGE_PATCH, STRATEGIC_PATCH
from crdkit.registry.request import Request
from crdkit.registry.resource import Resource

_SCHEME: Final = "k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30"


def internal_package(group: str) -> str:
    """The Go package that holds a group's types as the real server has them in memory."""
    return "core" if group in ("", "events.k8s.io") else group.partition(".")[0]


class BuiltinResource(Resource):
    """A built-in kind that is stored as it is served. ``fields`` holds its Go types, the kind's own under its name."""

    typed = True
    unconditional_update = True
    patch_types = (JSON_PATCH, MERGE_PATCH, STRATEGIC_PATCH, APPLY_PATCH)

    def __init__(self, kind: BuiltinKind, fields: StructTable, kube: KubeVersion) -> None:
        super().__init__(
            kube=kube,
            group=kind.group,
            version=kind.version,
            plural=kind.plural,
            singular=kind.singular,
            kind=kind.kind,
            list_kind=kind.list_kind,
            namespaced=kind.namespaced,
            prefix=kind.prefix,
            short_names=kind.short_names,
            categories=kind.categories,
            verbs=kind.verbs,
        )
        self._fields = fields
        self.builtin_kind = kind
        self.go_package = internal_package(kind.group)

    @property
    def merge_keys(self) -> MergeKeys:
        return merge_keys(self.builtin_kind, self.kube)

    def decode(self, value: Json, duplicates: list[str]) -> Decoded:
        """A JSON value as an object of this kind. Raises `DecodeError`."""
        decoded = self._fields.decode(self.kind, value, kube=self.kube, duplicates=duplicates)
        if value is not None and (value.get("metadata") or {}).get("managedFields") == []:
            decoded.value["metadata"]["managedFields"] = []  # asks to forget who owns what
        return decoded

    def empty(self) -> JsonObject:
        """What Go writes of an object of this kind in which nothing is set."""
        empty: JsonObject = self._fields.decode(self.kind, {}, kube=self.kube).value
        return empty

    async def load(self, value: bytes) -> JsonObject:
        obj: JsonObject = json.decode(value)
        return obj


def builtin_type(kind: BuiltinKind, kube: KubeVersion) -> Type:
    """How objects of a kind are merged."""
    from crdkit.builtin.schemas.tables import type_name  # noqa: PLC0415 (likewise)
    from crdkit.ownership import typebuilding  # noqa: PLC0415 (most servers merge no objects of built-in kinds)

    return typebuilding.of_builtin(type_name(kind), kube)


class BuiltinEndpoint(Endpoint):
    """Decodes bodies as Go's typed serializers do."""

    resource: BuiltinResource

    def __init__(self, resource: BuiltinResource) -> None:
        super().__init__(resource)
        self.kind, self.api_version = resource.kind, resource.api_version

    def type_in(self, api_version: str) -> Type | None:
        return builtin_type(self.resource.builtin_kind, self.resource.kube)

    def field_manager(self) -> FieldManager:
        resource = self.resource
        return owned_kinds.builtin(resource.builtin_kind, resource.kube, subresource=self.subresource, empty=resource.empty())

    def decode(self, request: Request, options: WriteOptions) -> JsonObject:
        resource, strict = self.resource, bodies.is_strict(request, options.field_validation)
        body = bodies.read(request, self.kind, strict=strict)
        kind, api_version = body.kind or self.kind, body.api_version or self.api_version
        version = api_version.rpartition("/")[2]
        if (kind, api_version) != (self.kind, self.api_version):
            if kind == self.kind and (api_version, kind) in REGISTERED:  # an Event of the other API, which is read as one of this
                raise bodies.wrong_version(api_version, self.api_version)
            raise bodies.unhandled(kind, version, self.kind, self._another(kind, api_version))
        try:
            decoded = resource.decode(bodies.as_object(body), body.duplicates)
        except DecodeError as error:
            raise bodies.unhandled(kind, version, self.kind, str(error)) from error
        if decoded.problems and strict:
            if options.field_validation == STRICT:
                raise bodies.unhandled(kind, version, self.kind, fieldvalidation.strict_text(decoded.problems))
            request.warnings += fieldvalidation.warnings_of(decoded.problems)
        obj: JsonObject = decoded.value
        obj["apiVersion"], obj["kind"] = self.api_version, self.kind
        return obj

    def _another(self, kind: str, api_version: str) -> str:
        """Why an object of another kind, known or not, is none of this."""
        if (api_version, kind) not in REGISTERED:
            return f'no kind "{kind}" is registered for version "{api_version}" in scheme "{_SCHEME}"'
        version = api_version.rpartition("/")[2]
        return f"converting ({version}.{kind}) to ({internal_package(self.resource.group)}.{self.kind}): unknown conversion"

    def redecode(self, patched: JsonObject, options: WriteOptions, *, converted: bool = False) -> list[str]:
        try:
            decoded = self.resource.decode(patched, [])
        except DecodeError as error:
            raise Undecodable(str(error)) from error
        patched.clear()
        patched.update(decoded.value)
        problems = decoded.restoring if converted else decoded.problems
        return problems if options.field_validation != IGNORE else []
