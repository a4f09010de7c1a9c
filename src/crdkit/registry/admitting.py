"""Between the verbs and admission: what a request is, in admission's terms, and what becomes of the object that comes back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from crdkit.admission.attributes import CREATE, DELETE, UPDATE, Attributes, Kind, Target, Variant
from crdkit.meta.status import internal_error
from crdkit.meta.types import Json, JsonObject
from crdkit.ownership import entries
from crdkit.ownership.entries import InvalidManagers
from crdkit.ownership.types import Type
from crdkit.registry import metadata
from crdkit.registry.deleteoptions import DeleteOptions
from crdkit.registry.endpoint import Endpoint, Undecodable
from crdkit.registry.options import WriteOptions
from crdkit.registry.request import Request
from crdkit.registry.resource import Resource
from crdkit.registry.store import Store

_META_VERSION: Final = "meta.k8s.io/v1"
_TOLD_OPTIONS: Final = ("fieldManager", "fieldValidation")
_SPOILT: Final = (
    ".metadata.managedFields was in an invalid state after admission; "
    "this could be caused by an outdated mutating admission controller; please fix your requests: {}"
)
_NAMESPACES: Final = ("", "namespaces")
_ABSENT: Final = object()

Told: TypeAlias = dict[str, tuple[Json, Json]]
"""Fields of an object's metadata as admission has left them, and as they are taken."""


class EndpointTarget(Target):
    """An endpoint as admission knows it."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self.variant: Variant = endpoint.variant()
        self.equivalents: Sequence[Variant] = endpoint.variants()
        self.loses_type = endpoint.is_part
        self._types: dict[Kind, Type | None] = {}

    @classmethod
    def of(cls, endpoint: Endpoint) -> Target:
        """That of an endpoint, made once."""
        if endpoint.target is None:
            endpoint.target = cls(endpoint)
        return endpoint.target

    async def convert(self, obj: JsonObject, wanted: Kind) -> JsonObject:
        return await self._endpoint.resource.in_version(obj, wanted.api_version)

    async def restore(self, obj: JsonObject) -> JsonObject:
        endpoint = self._endpoint
        if endpoint.is_part:
            return endpoint.restored(obj)
        return await self.convert(obj, self.variant.kind) if obj.get("apiVersion") != self.variant.kind.api_version else obj

    def complete(self, obj: JsonObject) -> JsonObject:
        try:
            return self._endpoint.completed(obj)
        except Undecodable as error:
            raise internal_error(str(error)) from error

    def type_of(self, kind: Kind) -> Type | None:
        if kind not in self._types:
            self._types[kind] = self._endpoint.type_in(kind.api_version)
        return self._types[kind]


class Admitted:
    """One request on one object, as those that have a say in it are asked about it: before it is prepared, and after."""

    def __init__(self, store: Store, endpoint: Endpoint, attributes: Attributes, old: JsonObject | None = None) -> None:
        self._admission = store.admission
        self._endpoint = endpoint
        self._attributes = attributes
        self._old = old
        self._mutated = False
        self._told: Told = {}

    @classmethod
    def creation(cls, store: Store, resource: Resource, request: Request, options: WriteOptions, obj: JsonObject) -> Admitted:
        """The creation of an object, which may have no name yet."""
        name = obj["metadata"].get("name") or ""
        about = _attributes(resource.main, request, CREATE, name, dry_run=options.dry_run)
        about.options = _write_options("CreateOptions", request)
        return cls(store, resource.main, about)

    @classmethod
    def change(cls, store: Store, endpoint: Endpoint, request: Request, options: WriteOptions, old: JsonObject) -> Admitted:
        about = _attributes(endpoint, request, UPDATE, request.name, dry_run=options.dry_run)
        about.options = _write_options("UpdateOptions", request)
        about.old = endpoint.starting(old)
        return cls(store, endpoint, about, old)

    async def mutate(self, obj: JsonObject) -> JsonObject:
        """The object, or the view that stands for it, as webhooks and policies change it; it may be changed in place. Raises a `Refusal`."""
        about, endpoint = self._attributes, self._endpoint
        view = endpoint.told(obj)
        about.obj = view
        await self._admission.mutate(about)
        if about.obj is view or about.obj is None:
            return obj
        self._mutated = True
        told = about.obj.get("metadata", {})
        if about.operation == CREATE and type(told) is not dict:
            raise internal_error("system metadata was not initialized")
        new = endpoint.taken(about.obj)
        meta = new["metadata"] = dict(metadata.metadata_of(new))
        if not endpoint.subresource and type(told) is dict:
            self._told = {name: (value, meta.get(name)) for name, value in told.items() if meta.get(name, _ABSENT) != value}
        namespace = about.namespace if endpoint.resource.namespaced else ""
        if not endpoint.is_part:
            metadata.ensure_namespace(meta, namespace)
        _restore_managers(meta, obj["metadata"].get("managedFields"), about.warnings)
        metadata.drop_repeated_owners(meta, about.warnings, admitted=True)
        return new

    async def validate(self, obj: JsonObject) -> None:
        """Let webhooks and policies judge the prepared object; what they set that it cannot have is dropped then. Raises a `Refusal`."""
        view = self._endpoint.view(obj)
        about = replace(self._attributes, obj=_with(view, self._told) if self._told else view)
        if self._endpoint.is_part and self._old is not None:
            about.old = self._endpoint.view(self._old)  # those who judge are shown the views as they are answered
        about.name = about.name or obj["metadata"].get("name") or ""
        await self._admission.validate(about)
        if self._mutated:
            self._endpoint.prune(obj)


def _with(view: JsonObject, told: Told) -> JsonObject:
    """The view with the metadata as admission has told it, where nobody has set it since: what cannot be read is dropped only to be stored."""
    meta = view["metadata"]
    return {**view, "metadata": meta | {name: value for name, (value, taken) in told.items() if meta.get(name) == taken}}


def _restore_managers(meta: JsonObject, before: Json, warnings: list[str]) -> None:
    """A list of field managers that admission has spoilt becomes again what it was."""
    after = meta.get("managedFields")
    if after is None or after == before:
        return
    try:
        entries.decode(after)
    except InvalidManagers as error:
        warnings.append(_SPOILT.format(error))
        meta.pop("managedFields")
        if before:
            meta["managedFields"] = before


async def admit_deletion(store: Store, resource: Resource, request: Request, options: DeleteOptions, obj: JsonObject) -> None:
    """Ask those that have a say in a deletion; one of a collection names no object. Raises a `Refusal`."""
    if store.admission.configurations.idle:
        return
    name = request.name if request.verb == "delete" else ""
    about = _attributes(resource.main, request, DELETE, name, dry_run=options.dry_run)
    about.options = {"kind": "DeleteOptions", "apiVersion": _META_VERSION, **options.told}
    about.old = resource.main.view(obj)
    await store.admission.mutate(about)
    await store.admission.validate(about)


def _attributes(endpoint: Endpoint, request: Request, operation: str, name: str, *, dry_run: bool) -> Attributes:
    resource = endpoint.resource
    namespace = name if (resource.group, resource.plural) == _NAMESPACES else request.namespace if resource.namespaced else ""
    return Attributes(
        EndpointTarget.of(endpoint),
        operation=operation,
        name=name,
        namespace=namespace,
        subresource=endpoint.subresource,
        obj=None,
        old=None,
        options={},
        dry_run=dry_run,
        user=request.user,
        warnings=request.warnings,
        annotations=request.annotations,
    )


def _write_options(kind: str, request: Request) -> JsonObject:
    """The options of a write as they were given; a patch is told as the create or update that it amounts to."""
    told: JsonObject = {"kind": kind, "apiVersion": _META_VERSION}
    if dry_run := request.query.all("dryRun"):
        told["dryRun"] = list(dry_run)
    for name in _TOLD_OPTIONS:
        if value := request.query.first(name):
            told[name] = value
    return told
