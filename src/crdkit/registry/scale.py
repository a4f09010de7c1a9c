"""The scale subresource: a custom object's counts of replicas seen as an autoscaling/v1 Scale."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

from crdkit.admission.attributes import Kind, Variant
from crdkit.builtin.schemas.autoscaling import V1 as AUTOSCALING
from crdkit.definitions.definition import AGE, Scale
from crdkit.definitions.definition import Column as PrinterColumn
from crdkit.meta import json
from crdkit.meta.errors import FieldError
from crdkit.meta.godecoding import DecodeError
from crdkit.meta.gostruct import StructTable
from crdkit.meta.objectmeta_fields import OBJECT_META
from crdkit.meta.status import Refusal, bad_request, internal_error, unknown
from crdkit.meta.types import JsonObject
from crdkit.meta.version import V1_33, V1_36, KubeVersion
from crdkit.ownership.scaling import ScaleFieldManager, ScaleOwners
from crdkit.ownership.types import Type
from crdkit.registry import bodies, fieldvalidation, scalefields
from crdkit.registry.columns import custom_table
from crdkit.registry.endpoint import Endpoint, Undecodable
from crdkit.registry.options import IGNORE, STRICT, WriteOptions
from crdkit.registry.owners import Owners, OwnersThroughScale
from crdkit.registry.request import Request
from crdkit.registry.scalefields import AccessError
from crdkit.storage.types import Entry

if TYPE_CHECKING:
    from crdkit.registry.customresource import CustomResource

_KIND: Final = Kind("autoscaling", "v1", "Scale")
_API_VERSION: Final = "autoscaling/v1"
_UNSET: Final = -(1 << 31)
"""The least int32 stands for a count that is not there."""

_LINES: Final = ((V1_36, 781), (V1_33, 725))
_SHOWN: Final = ("name", "namespace", "uid", "resourceVersion", "creationTimestamp")
_STRUCTS: Final = StructTable(
    package="v1",
    structs={
        "Scale": {
            "kind": "string?",
            "apiVersion": "string?",
            "metadata": "ObjectMeta",
            "spec": "ScaleSpec",
            "status": "ScaleStatus",
        },
        "ScaleSpec": {"replicas": "int32?"},
        "ScaleStatus": {"replicas": "int32", "selector": "string?"},
    },
    includes=(OBJECT_META,),
)
_TABLE: Final = custom_table(
    (
        PrinterColumn("Desired", "integer", ".spec.replicas", description="Number of desired replicas"),
        PrinterColumn("Available", "integer", ".status.replicas", description="Number of actual replicas"),
        AGE,
    )
)


class ScaleEndpoint(Endpoint):
    """Counts of replicas, wherever the definition says they are."""

    subresource = "scale"
    kind = "Scale"
    is_struct = True
    api_version = _API_VERSION
    table = _TABLE
    resource: CustomResource

    def __init__(self, resource: CustomResource, paths: Scale) -> None:
        super().__init__(resource)
        self._paths = paths

    def go_type(self) -> str:
        return "v1.Scale"

    def decode(self, request: Request, options: WriteOptions) -> JsonObject:
        kube = self.resource.kube
        strict = options.field_validation != IGNORE
        try:
            body = bodies.parse(request, strict=strict)
        except bodies.Unreadable as error:
            raise _no_kind(kube) from error
        if (body.api_version or body.kind) and (body.api_version or self.api_version, body.kind or self.kind) != (
            self.api_version,
            self.kind,
        ):
            raise _no_kind(kube)
        try:
            decoded = _STRUCTS.decode(self.kind, bodies.as_object(body), kube=kube, duplicates=body.duplicates)
        except DecodeError as error:
            raise _no_kind(kube) from error
        if decoded.problems and strict:
            if options.field_validation == STRICT:
                raise _no_kind(kube)
            request.warnings += fieldvalidation.warnings_of(decoded.problems)
        view: JsonObject = decoded.value
        return view

    def redecode(self, patched: JsonObject, options: WriteOptions, *, converted: bool = False) -> list[str]:
        del converted
        try:
            _check_type(patched)
            decoded = _STRUCTS.decode(self.kind, patched, kube=self.resource.kube)
        except (DecodeError, bodies.Unreadable) as error:
            raise Undecodable(str(error)) from error
        patched.clear()
        patched.update(decoded.value)
        return decoded.problems if options.field_validation != IGNORE else []

    def view(self, obj: JsonObject) -> JsonObject:
        try:
            return self._scale(obj)
        except AccessError as error:
            raise unknown(str(error)) from error

    def _scale(self, obj: JsonObject) -> JsonObject:
        found, wanted = scalefields.integer(obj, self._paths.spec_path)
        actual = scalefields.integer(obj, self._paths.status_path)[1]
        path = self._paths.label_selector_path
        selector = scalefields.text(obj, path) if path else ""
        metadata = obj["metadata"]
        count = wanted if found else _UNSET
        return {
            "kind": self.kind,
            "apiVersion": self.api_version,
            "metadata": {name: metadata[name] for name in _SHOWN if name in metadata},
            "spec": {"replicas": count} if count else {},
            "status": {"replicas": actual, "selector": selector} if selector else {"replicas": actual},
        }

    def merged(self, view: JsonObject, old: JsonObject) -> JsonObject:
        count = (view.get("spec") or {}).get("replicas") or 0
        if count == _UNSET:
            raise bad_request(f'the spec replicas field "{self._paths.spec_path}" cannot be empty')
        try:
            new = scalefields.put(old, self._paths.spec_path, count)
        except AccessError as error:
            raise unknown(str(error)) from error
        new["metadata"] = dict(old["metadata"])
        if version := view["metadata"].get("resourceVersion"):
            new["metadata"]["resourceVersion"] = version
        return new

    def variant(self) -> Variant:
        place = self.resource.main.variant().place
        return Variant(place, _KIND)

    def variants(self) -> Sequence[Variant]:
        served = self.resource.definition.served_versions
        place = self.resource.main.variant().place
        return [Variant(place._replace(version=version.name), _KIND) for version in served if version.scale is not None]

    def taken(self, view: JsonObject, obj: JsonObject) -> JsonObject:
        return self.merged(view, obj)

    def type_in(self, api_version: str) -> Type | None:
        from crdkit.ownership import typebuilding  # noqa: PLC0415 (Scales are hardly ever merged)

        return typebuilding.of_builtin(f"{AUTOSCALING}Scale", self.resource.kube)

    @cached_property
    def owners(self) -> Owners:
        return OwnersThroughScale(self, self.field_manager(), ScaleOwners(self.resource.served))

    def field_manager(self) -> ScaleFieldManager:
        return ScaleFieldManager(self.resource.kube)

    def prepare(self, new: JsonObject, old: JsonObject) -> None:
        self.resource.main.prepare(new, old)

    def check(self, new: JsonObject, old: JsonObject) -> list[FieldError]:
        return self.resource.main.check(new, old)

    def is_plain(self, made: JsonObject) -> bool:
        del made
        return False

    async def read(self, entry: Entry, revision: int | None = None) -> JsonObject:
        view = await super().read(entry, revision)
        if view["spec"].get("replicas") == _UNSET:
            raise internal_error(f'the spec replicas field "{self._paths.spec_path}" does not exist')
        return view

    async def render(self, entry: Entry) -> bytes:
        return json.encode(await self.read(entry))

    async def render_unstored(self, value: bytes, revision: int) -> bytes:
        obj: JsonObject = json.decode(await self.resource.render_unstored(value, revision))
        return json.encode(self.view(obj))


def _check_type(patched: JsonObject) -> None:
    """What a Scale has become is one still; where it does not tell, it is. Raises `Unreadable`."""
    kind, api_version = bodies.type_meta(patched)
    if (api_version or _API_VERSION, kind or _KIND.kind) != (_API_VERSION, _KIND.kind):
        msg = f'no kind "{kind or _KIND.kind}" is registered for version "{api_version or _API_VERSION}" in scheme "k8s.io/client-go/scale/util.go:146"'
        raise bodies.Unreadable(msg)


def _no_kind_text(kube: KubeVersion) -> str:
    line = next(line for first, line in _LINES if kube >= first)
    place = f"k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go:{line}"
    return f'no kind is registered for the type v1.Scale in scheme "{place}"'


def _no_kind(kube: KubeVersion) -> Refusal:
    """Whatever is wrong with the body of a Scale, this is told of it."""
    return bad_request(_no_kind_text(kube))
