"""Update, and what all changes share: one loop of reading, changing, validating and committing, repeated where another writer came first."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, Final, Protocol, TypeVar

from crdkit.meta.changes import Changed, Changes
from crdkit.meta.copying import copied
from crdkit.meta.offload import aside, is_long, offload, offload_if
from crdkit.meta.records import record
from crdkit.meta.status import conflict, invalid, not_found
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.ownership.manager import keep_times
from crdkit.registry import deletion, forms, metadata
from crdkit.registry.admitting import Admitted
from crdkit.registry.asapplied import AsApplied
from crdkit.registry.checking import check_change, with_rules
from crdkit.registry.comparison import changes_between, is_reordered
from crdkit.registry.create import create_missing
from crdkit.registry.endpoint import Endpoint
from crdkit.registry.limits import check_size, is_too_large
from crdkit.registry.options import WriteOptions, write_options
from crdkit.registry.owners import owner_of
from crdkit.registry.rendering import NULL, Parts
from crdkit.registry.request import Reply, Request
from crdkit.registry.resource import Resource, Stale
from crdkit.registry.store import Store
from crdkit.storage.types import Conflict, Entry

T = TypeVar("T")
MISSING_WITHOUT_UID: Final = KubeVersion(1, 34)
"""From here on what is missing is told to be, whatever uid was sent with it; before, that uid is not the one of what is not there."""


class Change(Protocol):
    """Makes the endpoint's new view, with its owners, of the stored object, which stays as it is. May be asked again, with a newer one.

    ``sound`` tells that the stored one is sound, so that only what differs needs a look; if it can, it tells what that is, but for owners.
    """

    def __call__(self, old: JsonObject, *, sound: bool) -> Coroutine[Any, Any, Changed]: ...


async def update(store: Store, endpoint: Endpoint, request: Request) -> Reply:
    """Replace an object by that of the body."""
    options = write_options(request, store.kube)
    decode = endpoint.decode
    view = await offload(decode, request, options) if is_long(request.body) else decode(request, options)
    meta = metadata.metadata_of(view)
    metadata.ensure_namespace(meta, request.namespace if endpoint.resource.namespaced else "")
    metadata.check_name(meta, request.name)
    metadata.check_path(request.name)
    metadata.drop_repeated_owners(meta, request.warnings)
    resource, owner = endpoint.resource, owner_of(request, options)
    if resource.creates_on_update and store.cache.get(resource.key(request.namespace, request.name)) is None:
        check_uid(resource, request, meta.get("uid") or "", "")
        return await create_missing(store, resource, request, options, view)

    async def change(old: JsonObject, *, sound: bool) -> Changed:
        sent = copied(view) if endpoint.resource.unconditional_update or endpoint.is_part else view
        changes = changes_between(sent, old) if sound and not endpoint.is_part else None
        if changes is None or not endpoint.owners.follow(sent, old, changes, owner):
            await endpoint.owners.update(sent, old, owner, sound=sound)
        return Changed(sent, changes)

    return await apply_change(store, endpoint, request, options, change, uid=meta.get("uid") or "")


def check_uid(resource: Resource, request: Request, uid: str, found: str) -> None:
    """An object meant by its uid is the one that is there, if any is: what is missing has none. Raises a `Refusal` (409)."""
    if uid and uid != found:
        key = resource.key(request.namespace, request.name)
        raise conflict(resource.about, request.name, resource.wrong_uid(key, uid, found))


def apply_change(
    store: Store,
    endpoint: Endpoint,
    request: Request,
    options: WriteOptions,
    change: Change,
    *,
    uid: str = "",
    applied: AsApplied | None = None,
) -> Coroutine[Any, Any, Reply]:
    """Commit a change of an object that is there. ``uid`` names the object meant, if the client does.

    Where an object grows too large its owners are forgotten, unless the change is ``applied``.
    """
    return _Update(store, endpoint, request, options, change, uid, applied).run()


@record(frozen=False)
class _Update:
    """One request for a change, tried on one stored state after the other."""

    store: Store
    endpoint: Endpoint
    request: Request
    options: WriteOptions
    change: Change
    uid: str
    applied: AsApplied | None
    _long: bool = False
    _plain: bool = False
    _sound: bool = False
    """Whether the object at hand, the stored one and then the new one, is sound."""

    async def run(self) -> Reply:
        resource, request = self.endpoint.resource, self.request
        key = resource.key(request.namespace, request.name)
        entry = self.store.cache.get(key)
        told = len(request.warnings)
        while True:
            if entry is None:
                if self.store.kube < MISSING_WITHOUT_UID:
                    check_uid(resource, request, self.uid, "")
                raise not_found(resource.about, request.name)
            del request.warnings[told:]
            try:
                return await self._attempt(entry)
            except Conflict as lost:
                if lost.key != key:
                    raise Stale from lost
                entry = lost.current

    async def _attempt(self, entry: Entry) -> Reply:
        endpoint, request = self.endpoint, self.request
        resource, guards = endpoint.resource, endpoint.resource.guards()
        self._long = not resource.waits and (is_long(entry.value) or is_long(request.body))
        self._sound = resource.renderings.is_sound(entry)
        old = resource.read_plain(entry) if self._sound and not self._long else await self._done(resource.read(entry))
        new = await self._changed(entry, old)
        parts, value = await self._written(new)
        if deletion.is_due(new["metadata"], old["metadata"]) and resource.may_be_deleted_by_update(new):
            if not self.options.dry_run:
                await self.store.cache.delete(entry.key, expected=entry.revision, guards=guards)
            return Reply(200, await forms.unstored(endpoint, request, value, entry.revision))
        stored = self.applied.as_stored(new) if self.applied is not None and resource.is_stored_version else new
        if stored is new and await self._is_as_it_was(value, entry):
            return Reply(200, await forms.one(endpoint, request, entry))
        if self.options.dry_run:
            return Reply(200, await forms.unstored(endpoint, request, value, entry.revision))
        if stored is not new:
            value = resource.stored_head + (await self._done(resource.dump(stored))).text()
            self._plain = self._sound = False
        check_size(value)
        revision = await self.store.cache.put(entry.key, value, expected=entry.revision, guards=guards)
        return await self._answer(Entry(entry.key, value, revision), parts, sound=self._sound and "managedFields" in new["metadata"])

    async def _written(self, new: JsonObject) -> tuple[Parts, bytes]:
        """The text of the new object, which may lose its owners for it."""
        resource = self.endpoint.resource
        parts = resource.style.parts(new) if self._sound else await self._done(resource.dump(new))
        value = resource.stored_head + parts.text()
        if self.applied is not None and NULL in value:
            self._plain = self._sound = False  # an applied null is stored, and may be dropped when it is read again
        if self.applied is None and is_too_large(len(value)) and new["metadata"].pop("managedFields", None):
            parts = await self._done(resource.dump(new))
            value = resource.stored_head + parts.text()
        return parts, value

    async def _is_as_it_was(self, value: bytes, entry: Entry) -> bool:
        return value == entry.value or (self.endpoint.resource.typed and await offload_if(self._long, is_reordered, value, entry.value))

    async def _answer(self, written: Entry, parts: Parts, *, sound: bool) -> Reply:
        renderings = self.endpoint.resource.renderings
        if self._plain:
            renderings.keep_plain(written, parts, sound=sound)
        if self._sound and not self.request.form.kind:
            return Reply(200, renderings.join(parts, written.revision))
        return Reply(200, await forms.one(self.endpoint, self.request, written))

    async def _done(self, work: Coroutine[Any, Any, T]) -> T:
        """What comes of a part of the work, which goes on beside other requests if it may take long."""
        return await (aside(work) if self._long else work)

    async def _changed(self, entry: Entry, old: JsonObject) -> JsonObject:
        """The new object, ready to be stored. Raises a `Refusal` for one that may not be."""
        endpoint, request = self.endpoint, self.request
        check_uid(endpoint.resource, request, self.uid, old["metadata"].get("uid", ""))
        change = self.change(old, sound=self._sound)
        new, changes = await (aside(change) if self._long else change)
        admitted = None
        if not self.store.admission.configurations.idle:
            admitted = Admitted.change(self.store, endpoint, request, self.options, old)
            new, changes = await admitted.mutate(new), None
        new = endpoint.merged(new, old)
        endpoint.resource.check_rights(request, new, old)
        changes = await self._prepared(entry, new, old, changes)
        # Whether an object that admission may have changed is of its type throughout was not looked at.
        self._sound = self._plain and not (self._long or admitted) and endpoint.is_sound(new, old, changes)
        await self._judge(new, old, changes)
        if admitted is not None:
            await admitted.validate(new)
        if self.applied is None or not self.applied.is_change(new):
            await offload_if(self._long, keep_times, new, old)
        return new

    async def _prepared(self, entry: Entry, new: JsonObject, old: JsonObject, changes: Changes | None) -> Changes | None:
        """Put back, in place, what requests cannot change, and complete the rest. Gives what differs then, where that is known."""
        endpoint, old_meta = self.endpoint, old["metadata"]
        if changes is None or not metadata.is_settled(changes, new):
            meta = metadata.metadata_of(new)
            self._take_revision(entry, meta)
            metadata.carry_over(meta, old_meta)
        # What is carried over from an object of another version had its defaults filled in by that version's schema.
        self._plain = entry.value.startswith(endpoint.resource.stored_head) and endpoint.is_plain(new)
        if self._plain and self.applied is not None:
            self._plain = endpoint.is_clean(new)
        if self._long or changes is None:
            await offload_if(self._long, endpoint.prepare, new, old)
        else:
            changes = endpoint.prepare_beside(new, old, changes)
        if self.applied is not None and not endpoint.subresource and self.applied.changes_content(new):
            new["metadata"]["generation"] = old_meta.get("generation", 0) + 1
        return changes

    def _take_revision(self, entry: Entry, meta: JsonObject) -> None:
        """What the client has seen is what is there. Raises a `Refusal` (409)."""
        resource = self.endpoint.resource
        if resource.unconditional_update and metadata.names_no_revision(meta):
            meta["resourceVersion"] = str(entry.revision)
        else:
            metadata.check_revision(meta, entry.revision, resource.about, self.request.name, self.store.kube)

    async def _judge(self, new: JsonObject, old: JsonObject, changes: Changes | None) -> None:
        """Raises a `Refusal` (422) for a new object that is not valid."""
        endpoint, request = self.endpoint, self.request
        if self._sound:
            found = await with_rules(endpoint.resource, [], new, old, request.warnings, changes=changes)
        else:
            found = await check_change(endpoint, new, old, request.warnings)
        if found := found or endpoint.check_references(request, new, old):
            raise invalid(endpoint.told_as(new), new["metadata"].get("name") or "", found, self.store.kube)
        request.warnings += await offload_if(self._long, endpoint.warnings, new, old)
