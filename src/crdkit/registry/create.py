"""Create: decode, admit, prepare, validate, commit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crdkit.access.actions import ResourceAction
from crdkit.access.authorization import require
from crdkit.meta import gonumbers, json
from crdkit.meta.copying import copied
from crdkit.meta.offload import aside, is_long, offload, offload_if
from crdkit.meta.records import record
from crdkit.meta.status import Refusal, already_exists, invalid
from crdkit.meta.types import JsonObject
from crdkit.registry import forms, metadata
from crdkit.registry.admitting import Admitted
from crdkit.registry.asapplied import AsApplied
from crdkit.registry.checking import check_new
from crdkit.registry.limits import check_size, is_too_large
from crdkit.registry.options import WriteOptions, write_options
from crdkit.registry.owners import owner_of
from crdkit.registry.quickcreate import make_quickly
from crdkit.registry.rendering import NULL, Parts
from crdkit.registry.request import Reply, Request
from crdkit.registry.resource import Resource, Stale
from crdkit.registry.store import Store
from crdkit.storage.types import ABSENT, Conflict, Entry, Guard, Revision

if TYPE_CHECKING:
    from crdkit.schema.survey import Survey

_NAME_ATTEMPTS: Final = 8
"""How often a taken generated name is followed by another."""
_KEPT_METADATA: Final = frozenset({"name", "namespace", "generateName", "labels", "annotations", "finalizers", "ownerReferences"})
"""What of its metadata a client may give that is judged and owned as given. Owners that are given count for nothing, and are not judged."""


async def create(store: Store, resource: Resource, request: Request) -> Reply:
    options = write_options(request, store.kube)
    take_in = resource.main.take_in
    obj, survey = await offload(take_in, request, options) if is_long(request.body) else take_in(request, options)
    meta = metadata.metadata_of(obj)
    metadata.wipe_system_fields(meta)
    made = make_quickly(store, resource, request, obj, options=options, survey=survey)
    if made is None:
        metadata.ensure_namespace(meta, request.namespace if resource.namespaced else "")
        metadata.drop_repeated_owners(meta, request.warnings)
        return await create_object(store, resource, request, options, obj, survey=survey)
    if options.dry_run:
        if (existing := store.cache.get(made.key)) is not None:
            raise _taken(resource, meta["name"], existing)
        return Reply(201, made.answer(ABSENT))
    revision = await _store(store, resource, made.key, made.before + made.after, made.guards, name=meta["name"])
    resource.renderings.keep_new(made.key, revision, len(made.before), sound=made.is_exact)
    return Reply(201, made.answer(revision))


async def create_object(
    store: Store,
    resource: Resource,
    request: Request,
    options: WriteOptions,
    obj: JsonObject,
    *,
    applied: AsApplied | None = None,
    survey: Survey | None = None,
) -> Reply:
    """Create a decoded object, which tells already who owns what if it was ``applied``. It is the request's own, and changed on the way.

    ``survey`` tells what is known of its content.
    """
    guards = admit(store, resource, request, obj["metadata"])
    resource.check_rights(request, obj, None)
    creation = _Creation(store, resource, request, options, guards, applied, survey)
    attempts = _NAME_ATTEMPTS if obj["metadata"].get("generateName") and not obj["metadata"].get("name") else 1
    for _ in range(1, attempts):
        try:
            return await creation.attempt(copied(obj))
        except Refusal as refusal:
            if refusal.status.get("reason") != "AlreadyExists":
                raise
    return await creation.attempt(obj)


async def create_missing(
    store: Store, resource: Resource, request: Request, options: WriteOptions, obj: JsonObject, *, applied: AsApplied | None = None
) -> Reply:
    """Create what another verb was to change, but is not there: who asks must have the right to create too.

    Unlike where that is asked for, it may come into being as one that is being deleted. What was ``applied`` tells already who owns what.
    """
    about = ResourceAction("create", resource.group, resource.plural, request.namespace, request.name, version=resource.version)
    require(store.gate.authorizer, request.user, about)
    meta = obj["metadata"]
    metadata.check_revision_text(meta)
    if not options.dry_run:
        metadata.drop_what_is_not_stored(meta)
    return await create_object(store, resource, request, options, obj, applied=applied)


def admit(store: Store, resource: Resource, request: Request, meta: JsonObject) -> list[Guard]:
    """Let an object with this metadata be created, and give what must still stand when it is. Raises a `Refusal`."""
    name = meta.get("name") or request.name
    resource.check_open(name, request.verb)
    guards = resource.guards()
    if resource.namespaced:
        guards += store.namespaces.admit(resource, request.namespace, name or meta.get("generateName") or "")
    return guards


@record(frozen=False)
class _Creation:
    """One create request, whose object may be tried under several generated names."""

    store: Store
    resource: Resource
    request: Request
    options: WriteOptions
    guards: list[Guard]
    applied: AsApplied | None
    survey: Survey | None
    """What is known of the object as it was decoded."""

    async def attempt(self, obj: JsonObject) -> Reply:
        resource, request = self.resource, self.request
        generated = obj["metadata"].get("generateName") or ""
        long = is_long(request.body)
        owns_early = self.applied is None and not self._owns_late(obj)
        if owns_early:
            await offload_if(long, self._own, obj)
        admitted, survey = None, self.survey
        if not self.store.admission.configurations.idle:
            admitted, survey = Admitted.creation(self.store, resource, request, self.options, obj), None
            obj = await admitted.mutate(obj)
        await offload_if(long, self._prepare, obj, generated)
        found = await check_new(resource, obj, survey, request.warnings) or resource.main.check_references(request, obj, None)
        if found:
            raise invalid(resource.main.told_as(obj), obj["metadata"].get("name") or "", found, self.store.kube)
        if self.applied is None and not owns_early:
            await offload_if(long, self._own, obj)
        request.warnings += resource.main.warnings(obj, None)
        if admitted is not None:
            await admitted.validate(obj)
        return await self._finish(obj, generated=bool(generated), long=long, admitted=admitted is not None)

    async def _finish(self, obj: JsonObject, *, generated: bool, long: bool, admitted: bool) -> Reply:
        """Store an object that is in order, if that is wanted, and answer with it."""
        resource, request, meta = self.resource, self.request, obj["metadata"]
        dry_run = self.options.dry_run
        if not dry_run and self.applied is None:  # what applying creates is stored like an update, of no matter which revision
            metadata.check_no_revision(meta)
        claimed = meta.pop("resourceVersion", None)
        name = meta.get("name") or ""
        key = resource.key(meta.get("namespace") or "", name)
        if dry_run and (existing := self.store.cache.get(key)) is not None:
            raise _taken(resource, name, existing, generated=generated)
        parts = resource.style.parts(obj) if resource.dumps_at_once and not long else await self._dumped(obj, long=long)
        if self.applied is None and is_too_large(len(resource.stored_head) + parts.size) and meta.pop("managedFields", None):
            parts = await self._dumped(obj, long=True)
        plain = resource.creates_plain and (self.applied is None or (NULL not in parts.text() and resource.main.is_clean(obj)))
        if dry_run:
            # Only the store would refuse or replace a revision that is given.
            revision = Revision(gonumbers.of_digits(claimed)) if claimed and claimed.isdecimal() else ABSENT
            if plain and not request.form.kind:
                return Reply(201, resource.renderings.join(parts, revision))
            return Reply(201, await forms.unstored(resource.main, request, resource.stored_head + parts.text(), revision))
        if self.applied is not None and resource.is_stored_version and (stored := self.applied.as_stored(obj)) is not obj:
            plain, parts = False, await self._dumped(stored, long=long)
        entry = await self._stored(key, parts, name, generated=generated)
        if plain:
            # Who owns what is known only of an object that is of its type throughout; what admission has changed is not looked at for that.
            resource.renderings.keep_plain(entry, parts, sound=not admitted and "managedFields" in meta)
            if not request.form.kind:
                return Reply(201, resource.renderings.join(parts, entry.revision))
        return Reply(201, await forms.one(resource.main, request, entry))

    async def _dumped(self, obj: JsonObject, *, long: bool) -> Parts:
        """The object as it is stored, after its head."""
        dump = self.resource.dump(obj)
        return await (aside(dump) if long and not self.resource.waits else dump)

    def _owns_late(self, obj: JsonObject) -> bool:
        """Whether it makes no difference that owners are told once the object is found valid: many are not."""
        return (
            self.resource.owns_late
            and "status" not in obj
            and obj["metadata"].keys() <= _KEPT_METADATA
            and self.store.admission.configurations.idle
        )

    def _own(self, obj: JsonObject) -> None:
        outline = self.survey.outline if self.survey is not None and self.survey.is_valid else None
        self.resource.main.owners.create(obj, owner_of(self.request, self.options), outline)

    def _prepare(self, obj: JsonObject, generated: str) -> None:
        meta = obj["metadata"]
        metadata.fill_system_fields(meta)
        if generated and not meta.get("name"):
            meta["name"] = metadata.generate_name(generated)
        self.resource.prepare_create(obj)

    async def _stored(self, key: str, parts: Parts, name: str, *, generated: bool) -> Entry:
        value = self.resource.stored_head + parts.text()
        check_size(value)
        return Entry(key, value, await _store(self.store, self.resource, key, value, self.guards, name=name, generated=generated))


async def _store(
    store: Store, resource: Resource, key: str, value: bytes, guards: list[Guard], *, name: str, generated: bool = False
) -> Revision:
    try:
        return await resource.store_new(store.cache, key, value, guards)
    except Conflict as conflict:
        if conflict.key != key:
            raise Stale from conflict
        raise _taken(resource, name, conflict.current, generated=generated) from conflict


def _taken(resource: Resource, name: str, existing: Entry | None, *, generated: bool = False) -> Refusal:
    refusal = already_exists(resource.about, name)
    if generated:
        refusal.status["message"] += ", the server was not able to generate a unique name for the object"
        refusal.status["details"]["retryAfterSeconds"] = 1
    if existing is not None and json.decode(existing.value)["metadata"].get("deletionTimestamp"):
        refusal.status["message"] = f"object is being deleted: {refusal.status['message']}"
    return refusal
