"""Definitions as a resource: the rules of the `definitions` room, at the verbs of this one."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Awaitable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, Protocol

from crdkit.builtin.kinds import DEFINITION
from crdkit.definitions import decoding, defaulting, preparing, status, warnings
from crdkit.definitions.decoding import DecodeError
from crdkit.definitions.schemas import nodes, schemas_of
from crdkit.meta import json, time
from crdkit.meta.copying import copied
from crdkit.meta.errors import FieldError
from crdkit.meta.offload import is_long, offload_if
from crdkit.meta.status import GroupResource, conflict
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.ownership import kinds
from crdkit.ownership.manager import FieldManager
from crdkit.ownership.types import Type
from crdkit.registry import bodies, fieldvalidation
from crdkit.registry.builtinresource import builtin_type
from crdkit.registry.deleteoptions import DeleteOptions
from crdkit.registry.endpoint import Endpoint, Undecodable
from crdkit.registry.options import IGNORE, STRICT, WriteOptions
from crdkit.registry.patchtypes import APPLY_PATCH, JSON_PATCH, MERGE_PATCH, STRATEGIC_PATCH
from crdkit.registry.rendering import Parts
from crdkit.registry.request import Request
from crdkit.registry.resource import Resource
from crdkit.registry.tables import CREATED_DESCRIPTION, NAME, Column, Table
from crdkit.storage.types import Entry, Guard, Revision

if TYPE_CHECKING:
    from crdkit.storage.cache import Cache

_CREATED: Final = Column("Created At", "date", "", CREATED_DESCRIPTION)
_TABLE: Final = Table((NAME, _CREATED), lambda obj: [obj["metadata"].get("name", ""), obj["metadata"].get("creationTimestamp")])
_SCHEME: Final = "k8s.io/apiextensions-apiserver/pkg/apiserver/apiserver.go:55"
_KEPT: Final = 8
"""Definitions as read last: each is read by several when it is written."""
_HOLE: Final = b"\0"
"""Stands for what is in no JSON text."""
_FEW_NODES: Final = 200
"""Nodes of schemas that are checked within some 10 ms, and written within two."""


class Keeper(Protocol):
    """Stores new definitions."""

    async def store_new(self, key: str, value: bytes, guards: Sequence[Guard]) -> Revision:
        """Store one, and what becomes of it at once. Raises `Conflict`."""
        ...


class DefinitionResource(Resource):
    """CustomResourceDefinitions."""

    typed = True
    go_package = "apiextensions"
    patch_types = (JSON_PATCH, MERGE_PATCH, STRATEGIC_PATCH, APPLY_PATCH)
    has_status = True

    def __init__(self, kube: KubeVersion) -> None:
        super().__init__(
            kube=kube,
            group=DEFINITION.group,
            version=DEFINITION.version,
            plural=DEFINITION.plural,
            singular=DEFINITION.singular,
            kind=DEFINITION.kind,
            list_kind=DEFINITION.list_kind,
            namespaced=False,
            prefix=DEFINITION.prefix,
            short_names=DEFINITION.short_names,
            categories=DEFINITION.categories,
            verbs=DEFINITION.verbs,
        )
        self.main = DefinitionEndpoint(self)
        self.status = DefinitionStatusEndpoint(self)
        self.keeper: Keeper | None = None
        """Who stores new definitions, if they are looked after here."""

    def endpoint(self, subresource: str) -> Endpoint | None:
        return {"": self.main, "status": self.status}.get(subresource)

    def unsupported_field(self, field: str) -> str:
        return f'"{field}" is not a known field selector: only "metadata.name", "metadata.namespace"'

    async def load(self, value: bytes) -> JsonObject:
        return await offload_if(is_long(value), self._load, value)

    def _load(self, value: bytes) -> JsonObject:
        return decoding.written(read_stored(value, self.kube), kube=self.kube)

    async def read(self, entry: Entry, revision: int | None = None) -> JsonObject:
        return await offload_if(is_long(entry.value), self.read_plain, entry, revision)

    def read_plain(self, entry: Entry, revision: int | None = None) -> JsonObject:
        """A definition in the form in which it is checked: with what is empty in it."""
        definition: JsonObject = copied(read_stored(entry.value, self.kube))
        definition["metadata"]["resourceVersion"] = str(entry.revision if revision is None else revision)
        return definition

    async def dump(self, obj: JsonObject) -> Parts:
        return await offload_if(_has_many_nodes(obj), self._dump, obj)

    def _dump(self, obj: JsonObject) -> Parts:
        written = decoding.written(obj, kube=self.kube)
        parts = self.style.parts(written)
        self._keep_read(parts, written)
        return parts

    def _keep_read(self, parts: Parts, written: JsonObject) -> None:
        """Remember what is read where these parts are stored, so that nobody who follows definitions has to read it.

        What is decoded and written is decoded into itself, but defaults come back.
        """
        defaulting.default(written)
        _stored_definitions.keep(self.stored_head + parts.text(), self.kube, written)

    def dump_around(self, spec: bytes, obj: JsonObject) -> Parts:
        """The same for an object whose spec was stored with that text, and read: it is neither written nor read anew."""
        written = decoding.written({**obj, "spec": {}}, kube=self.kube)
        parts = self.style.parts_around(spec, written)
        self._keep_read(parts, {**written, "spec": obj["spec"]})
        return parts

    def spec_text(self, stored: bytes, raw: JsonObject) -> bytes:
        """The text of the spec of a stored definition, which is read as ``raw``: between what is known, or else as it is written."""
        around = self.style.parts_around(_HOLE, decoding.written({**raw, "spec": {}}, kube=self.kube))
        before, _, after = (self.stored_head + around.text()).partition(_HOLE)
        if stored.startswith(before) and stored.endswith(after):
            return stored[len(before) : -len(after)]
        return json.encode(json.decode(stored)["spec"])

    def store_new(self, cache: Cache, key: str, value: bytes, guards: Sequence[Guard]) -> Awaitable[Revision]:
        if self.keeper is None:
            return super().store_new(cache, key, value, guards)
        return self.keeper.store_new(key, value, guards)

    def prepare_create(self, obj: JsonObject) -> None:
        preparing.prepare_create(obj)

    def check_create(self, obj: JsonObject) -> list[FieldError]:
        from crdkit.definitions import validation  # noqa: PLC0415 (not needed before a definition is written)

        return validation.validate_create(obj, kube=self.kube)

    def takes_long(self, obj: JsonObject) -> bool:
        """Rules are compiled to be checked, and there may be many nodes."""
        return any("x-kubernetes-validations" in node or count > _FEW_NODES for count, node in enumerate(_nodes(obj)))

    def policy_finalizers(self, finalizers: list[str], options: DeleteOptions) -> list[str]:
        del options
        return finalizers

    def begin_deletion(self, obj: JsonObject, options: DeleteOptions) -> JsonObject | None:
        del options
        if obj["metadata"].get("deletionTimestamp"):
            return None
        return status.mark_for_deletion(obj, time.now())

    def check_preconditions(self, metadata: JsonObject, options: DeleteOptions) -> None:
        check_plain_preconditions(self.about, metadata, options)


def _nodes(definition: JsonObject) -> Iterator[JsonObject]:
    return (node for schema in schemas_of(definition) for node in nodes(schema))


def _has_many_nodes(definition: JsonObject) -> bool:
    return next(itertools.islice(_nodes(definition), _FEW_NODES, None), None) is not None


def check_plain_preconditions(about: GroupResource, metadata: JsonObject, options: DeleteOptions) -> None:
    """Only the object meant is deleted: in the words of kinds that look at this themselves. Raises a `Refusal` (409)."""
    asked = (("UID", options.uid, metadata.get("uid", "")), ("ResourceVersion", options.resource_version, metadata["resourceVersion"]))
    for what, wanted, found in asked:
        if wanted is not None and wanted != found:
            raise conflict(
                about, metadata["name"], f"Precondition failed: {what} in precondition: {wanted}, {what} in object meta: {found}"
            )


def read_definition(raw: JsonObject, kube: KubeVersion) -> JsonObject:
    """A stored definition in the form in which it is checked and changed."""
    definition: JsonObject = decoding.decode(raw, kube=kube).value
    defaulting.default(definition)
    return definition


class _StoredDefinitions:
    """The definitions that were written or read last: each is read by several when it is written."""

    def __init__(self) -> None:
        self._read: dict[tuple[bytes, KubeVersion], JsonObject] = {}
        self._keeping: Final = threading.Lock()
        """Workers read definitions, too."""

    def find(self, value: bytes, kube: KubeVersion) -> JsonObject:
        found = self._read.get((value, kube))
        if found is None:
            found = read_definition(json.decode(value), kube)
            self.keep(value, kube, found)
        return found

    def keep(self, value: bytes, kube: KubeVersion, definition: JsonObject) -> None:
        """Remember what a text is read as."""
        with self._keeping:
            self._read.pop((value, kube), None)
            self._read[value, kube] = definition
            while len(self._read) > _KEPT:
                del self._read[next(iter(self._read))]


_stored_definitions: Final = _StoredDefinitions()


def read_stored(value: bytes, kube: KubeVersion) -> JsonObject:
    """The same from the stored text, for several who read one state. Nobody may change it."""
    return _stored_definitions.find(value, kube)


def no_kind(kind: str, api_version: str) -> str:
    return f'no kind "{kind}" is registered for version "{api_version}" in scheme "{_SCHEME}"'


class DefinitionEndpoint(Endpoint):
    """Definitions themselves. Their status is kept apart."""

    kind = DEFINITION.kind
    api_version = DEFINITION.api_version
    table = _TABLE

    def decode(self, request: Request, options: WriteOptions) -> JsonObject:
        kube = self.resource.kube
        strict = bodies.is_strict(request, options.field_validation)
        body = bodies.read(request, self.kind, strict=strict)
        group, _, version = (body.api_version or self.api_version).rpartition("/")
        kind = body.kind or self.kind
        if group != self.resource.group or kind != self.kind:
            raise bodies.unhandled(kind, version, self.kind, no_kind(kind, body.api_version or self.api_version))
        try:
            decoded = decoding.decode(bodies.as_object(body), kube=kube, duplicates=body.duplicates)
        except DecodeError as error:
            raise bodies.unhandled(kind, version, self.kind, str(error)) from error
        if decoded.problems and strict:
            if options.field_validation == STRICT:
                raise bodies.unhandled(kind, version, self.kind, fieldvalidation.strict_text(decoded.problems))
            request.warnings += fieldvalidation.warnings_of(decoded.problems)
        if version != self.resource.version:
            raise bodies.wrong_version(f"{group}/{version}", self.api_version)
        definition: JsonObject = decoded.value
        definition["apiVersion"], definition["kind"] = self.api_version, self.kind
        defaulting.default(definition)
        return definition

    def redecode(self, patched: JsonObject, options: WriteOptions, *, converted: bool = False) -> list[str]:
        kind, api_version = patched.get("kind") or self.kind, patched.get("apiVersion") or self.api_version
        if (kind, api_version) != (self.kind, self.api_version):
            raise Undecodable(no_kind(kind, api_version))
        try:
            decoded = decoding.decode(patched, kube=self.resource.kube)
        except DecodeError as error:
            raise Undecodable(str(error)) from error
        definition = decoded.value
        defaulting.default(definition)
        patched.clear()
        patched.update(definition)
        problems = decoded.restoring if converted else decoded.problems
        return problems if options.field_validation != IGNORE else []

    def view(self, obj: JsonObject) -> JsonObject:
        return decoding.written(obj, kube=self.resource.kube)

    def completed(self, patched: JsonObject) -> JsonObject:
        return self.view(super().completed(patched))

    def taken(self, view: JsonObject) -> JsonObject:
        return super().completed(view)

    def type_in(self, api_version: str) -> Type | None:
        return builtin_type(DEFINITION, self.resource.kube)

    def field_manager(self) -> FieldManager:
        kube = self.resource.kube
        return kinds.builtin(DEFINITION, kube, subresource=self.subresource, empty=self.view(decoding.decode({}, kube=kube).value))

    def prepare(self, new: JsonObject, old: JsonObject) -> None:
        preparing.prepare_update(new, old, kube=self.resource.kube)

    def check(self, new: JsonObject, old: JsonObject) -> list[FieldError]:
        from crdkit.definitions import validation  # noqa: PLC0415 (likewise)

        kube = self.resource.kube
        return self.resource.check_common_metadata(new, old) + validation.validate_update(new, old, kube=kube)

    def warnings(self, new: JsonObject, old: JsonObject | None) -> list[str]:
        kube = self.resource.kube
        return warnings.create_warnings(new, kube=kube) if old is None else warnings.update_warnings(new, old, kube=kube)

    def is_plain(self, made: JsonObject) -> bool:
        del made
        return False


class DefinitionStatusEndpoint(DefinitionEndpoint):
    """The status of definitions."""

    subresource = "status"

    def prepare(self, new: JsonObject, old: JsonObject) -> None:
        preparing.prepare_status_update(new, old)

    def check(self, new: JsonObject, old: JsonObject) -> list[FieldError]:
        from crdkit.definitions import validation  # noqa: PLC0415 (likewise)

        kube = self.resource.kube
        return self.resource.check_common_metadata(new, old) + validation.validate_status_update(new, old, kube=kube)

    def warnings(self, new: JsonObject, old: JsonObject | None) -> list[str]:
        del new, old
        return []
