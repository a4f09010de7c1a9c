"""The scale subresource: a custom object's counts of replicas seen as an autoscaling/v1 Scale."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

from crdkit.admission.attributes import Kind, Variant
from crdkit.builtin.registered import REGISTERED
from crdkit.builtin.schemas.autoscaling import V1 as AUTOSCALING
from crdkit.conversion.converter import ConversionFailed
from crdkit.definitions.definition import AGE, Scale
from crdkit.definitions.definition import Column as PrinterColumn
from crdkit.meta import json
from crdkit.meta.errors import FieldError
from crdkit.meta.godecoding import DecodeError, converter_words
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
from crdkit.registry.owners import Owners, OwnersOfParts, set_owners
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
_SCHEME_LINES: Final = ((V1_36, 82), (V1_33, 84))
_SHOWN: Final = ("name", "namespace", "uid", "resourceVersion", "creationTimestamp")
_OWNER_FIELDS: Final = ("manager", "operation", "apiVersion", "time", "fieldsType", "fieldsV1", "subresource")
"""In the order of the struct, which refusals of patches tell."""
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
    is_part = True
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

    def starting(self, old: JsonObject) -> JsonObject:
        view = self.view(old)
        if not scalefields.integer(old, self._paths.spec_path)[0]:
            view["spec"]["replicas"] = _UNSET
        if owners := self._owners_between.of_scale(_owners_in(old)):
            view["metadata"]["managedFields"] = _in_order(owners)
        return view

    def _scale(self, obj: JsonObject) -> JsonObject:
        wanted = scalefields.integer(obj, self._paths.spec_path)[1]
        actual = scalefields.integer(obj, self._paths.status_path)[1]
        path = self._paths.label_selector_path
        selector = scalefields.text(obj, path) if path else ""
        metadata = obj["metadata"]
        return {
            "kind": self.kind,
            "apiVersion": self.api_version,
            "metadata": {name: metadata[name] for name in _SHOWN if name in metadata},
            "spec": {"replicas": wanted} if wanted else {},
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
        set_owners(new, self._owners_between.of_parent(_owners_in(old), _owners_in(view)))
        return new

    def variant(self) -> Variant:
        place = self.resource.main.variant().place
        return Variant(place, _KIND)

    def variants(self) -> Sequence[Variant]:
        served = self.resource.definition.served_versions
        place = self.resource.main.variant().place
        return [Variant(place._replace(version=version.name), _KIND) for version in served if version.scale is not None]

    def told(self, obj: JsonObject) -> JsonObject:
        told = self._as_struct({**obj, "kind": self.kind, "apiVersion": self.api_version})
        return told if obj.get("kind") and obj.get("apiVersion") else _untyped(told)

    def completed(self, patched: JsonObject) -> JsonObject:
        """A patched Scale may be anything that tells its kind until it is restored."""
        try:
            kind, _ = bodies.type_meta(patched)
        except bodies.Unreadable as error:
            raise Undecodable(str(error)) from error
        if not kind:
            raise Undecodable(bodies.missing_kind(json.encode(dict(sorted(patched.items())))))
        return _untyped(patched)

    def restored(self, view: JsonObject) -> JsonObject:
        _check_restorable(view, self.resource.kube)
        try:
            decoded: JsonObject = _STRUCTS.decode(self.kind, _narrowed(view), kube=self.resource.kube).value
        except DecodeError as error:
            msg = f"unable to convert unstructured object to {_API_VERSION}, Kind={self.kind}: {converter_words(error)}"
            raise ConversionFailed(msg) from error
        return self._as_struct(decoded)

    def _as_struct(self, view: JsonObject) -> JsonObject:
        """A Scale whose metadata is in the order of its fields, with a time even where there is none on servers that write it so."""
        meta = view["metadata"]
        if self.resource.kube <= V1_33 and "creationTimestamp" not in meta:
            meta = {**meta, "creationTimestamp": None}
        if owners := meta.get("managedFields"):
            meta = {**meta, "managedFields": _in_order(owners)}
        view["metadata"] = {name: meta[name] for name in OBJECT_META.structs["ObjectMeta"] if name in meta}
        return view

    def type_in(self, api_version: str) -> Type | None:
        from crdkit.ownership import typebuilding  # noqa: PLC0415 (Scales are hardly ever merged)

        return typebuilding.of_builtin(f"{AUTOSCALING}Scale", self.resource.kube)

    @cached_property
    def owners(self) -> Owners:
        return OwnersOfParts(self, self.field_manager())

    @cached_property
    def _owners_between(self) -> ScaleOwners:
        return ScaleOwners(self.resource.served)

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
        obj = await self.resource.read(entry, revision)
        view = self.view(obj)
        if not scalefields.integer(obj, self._paths.spec_path)[0]:
            raise internal_error(f'the spec replicas field "{self._paths.spec_path}" does not exist')
        return view

    async def render(self, entry: Entry) -> bytes:
        return json.encode(await self.read(entry))

    async def render_unstored(self, value: bytes, revision: int) -> bytes:
        obj: JsonObject = json.decode(await self.resource.render_unstored(value, revision))
        return json.encode(self.view(obj))


def _owners_in(obj: JsonObject) -> list[JsonObject]:
    return obj["metadata"].get("managedFields") or []


def _in_order(owners: list[JsonObject]) -> list[JsonObject]:
    return [{name: owner[name] for name in _OWNER_FIELDS if name in owner} for owner in owners]


def _untyped(view: JsonObject) -> JsonObject:
    """A Scale that is no struct any more: its fields have lost their order."""
    untyped: JsonObject = json.decode(json.encode(view, sort=True))
    return untyped


def _check_restorable(view: JsonObject, kube: KubeVersion) -> None:
    """Raises `ConversionFailed` for what admission has made an object of another kind."""
    kind, api_version = view["kind"], view.get("apiVersion") or ""
    if (api_version, kind) == (_API_VERSION, _KIND.kind):
        return
    if not api_version:
        msg = "Object 'apiVersion' is missing in 'unstructured object has no version'"
    elif (api_version, kind) in REGISTERED:
        msg = f"converting ({api_version.rpartition('/')[2]}.{kind}) to (v1.Scale): unknown conversion"
    else:
        line = next(line for first, line in _SCHEME_LINES if kube >= first)
        msg = (
            f'no kind "{kind}" is registered for version "{api_version}" in scheme "k8s.io/client-go/kubernetes/scheme/register.go:{line}"'
        )
    raise ConversionFailed(msg)


def _narrowed(view: JsonObject) -> JsonObject:
    """A Scale whose counts are such as the real server's converter makes of numbers: whole ones, of the lowest 32 bits."""
    return {**view, **{part: _counting(view[part]) for part in ("spec", "status") if isinstance(view.get(part), dict)}}


def _counting(part: JsonObject) -> JsonObject:
    count = part.get("replicas")
    if isinstance(count, float) and count.is_integer():
        count = int(count)
    if type(count) is not int:
        return part
    return {**part, "replicas": (count + (1 << 31)) % (1 << 32) - (1 << 31)}


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
