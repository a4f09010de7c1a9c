"""Delete: an object goes at once, or is marked and goes when its last finalizer does."""

from __future__ import annotations

from crdkit.meta import json, time
from crdkit.meta.status import Refusal, not_found
from crdkit.meta.types import JsonObject
from crdkit.registry import forms, listing, metadata
from crdkit.registry.admitting import admit_deletion
from crdkit.registry.deleteoptions import DeleteOptions, delete_options
from crdkit.registry.request import Reply, Request
from crdkit.registry.resource import Resource, Stale
from crdkit.registry.store import Store
from crdkit.storage.types import Conflict, Entry


def is_due(new: JsonObject, old: JsonObject) -> bool:
    """Whether an update takes the last finalizer of an object that was marked as deleted (both are metadata)."""
    return not new.get("finalizers") and old.get("deletionTimestamp") is not None and not old.get("deletionGracePeriodSeconds")


async def delete(store: Store, resource: Resource, request: Request) -> Reply:
    options = delete_options(request, store.kube)
    metadata.check_path(request.name)
    key = resource.key(request.namespace, request.name)
    outcome = await delete_entry(store, resource, key, options, request=request)
    if isinstance(outcome, Entry):
        code = 202 if options.orphan_dependents is False else 200
        return Reply(code, await forms.one(resource.main, request, outcome))
    if isinstance(outcome, bytes):
        entry = store.cache.get(key)
        return Reply(200, await forms.unstored(resource.main, request, outcome, entry.revision if entry else 0))
    if resource.answers_deleted:
        value = resource.stored_head + (await resource.dump(outcome)).text()
        return Reply(200, await forms.unstored(resource.main, request, value, store.cache.revision))
    forms.table_objects(request, store.kube)  # what the query says of a table is read though a Status is none
    return Reply(200, json.encode(_gone(resource, outcome["metadata"])))


async def delete_entry(
    store: Store, resource: Resource, key: str, options: DeleteOptions, *, request: Request | None = None
) -> JsonObject | Entry | bytes:
    """Delete what stands at a key. ``request`` asks for it; without one it is the server itself that does.

    Gives an object that is gone, or the entry of one that is now marked (in a dry run: the bytes it would have).
    Raises a `Refusal`.
    """
    entry = store.cache.get(key)
    while True:
        if entry is None:
            raise not_found(resource.about, resource.place(key)[1])
        try:
            return await _attempt(store, resource, entry, options, request)
        except Conflict as lost:
            if lost.key != key:
                raise Stale from lost
            entry = lost.current


async def _attempt(
    store: Store, resource: Resource, entry: Entry, options: DeleteOptions, request: Request | None
) -> JsonObject | Entry | bytes:
    guards = resource.guards()
    obj = await resource.read(entry)
    meta = obj["metadata"]
    resource.check_preconditions(meta, options)
    if request is not None:
        resource.check_deletion(meta["name"])
        await admit_deletion(store, resource, request, options, obj)
    collected = request is not None and request.verb == "deletecollection"
    if not collected and (marked := resource.begin_deletion(obj, options)) is not None:
        return await _mark(store, resource, entry, marked, options)
    finalizers = list(meta.get("finalizers") or [])
    wanted = resource.policy_finalizers(finalizers, options)
    if not wanted:
        if not options.dry_run:
            await store.cache.delete(entry.key, expected=entry.revision, guards=guards)
        return obj
    _set_finalizers(meta, wanted, finalizers)
    mark(meta)
    return await _mark(store, resource, entry, obj, options)


async def _mark(store: Store, resource: Resource, entry: Entry, obj: JsonObject, options: DeleteOptions) -> Entry | bytes:
    plain = resource.renderings.is_plain(entry)
    parts = await resource.dump(obj)
    value = resource.stored_head + parts.text()
    if value == entry.value:
        return entry
    if options.dry_run:
        return value
    revision = await store.cache.put(entry.key, value, expected=entry.revision, guards=resource.guards())
    written = Entry(entry.key, value, revision)
    if plain:
        resource.renderings.keep_plain(written, parts)
    return written


def _set_finalizers(meta: JsonObject, wanted: list[str], old: list[str]) -> None:
    if set(wanted) != set(old):
        meta["finalizers"] = wanted


def mark(meta: JsonObject) -> None:
    """Mark an object as being deleted: once, which its generation counts."""
    if meta.get("deletionTimestamp") is None:
        if meta.get("generation"):
            meta["generation"] += 1
        meta["deletionTimestamp"] = time.now()
    meta["deletionGracePeriodSeconds"] = 0


def _gone(resource: Resource, meta: JsonObject) -> JsonObject:
    details = {"name": meta["name"]}
    if resource.group:
        details["group"] = resource.group
    details |= {"kind": resource.plural, "uid": meta.get("uid", "")}
    return {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "details": details}


async def delete_collection(store: Store, resource: Resource, request: Request) -> Reply:
    """Delete what a list selects, and answer that list as it was."""
    chosen = listing.as_page(await listing.options_of(store, resource, request))
    options = delete_options(request, store.kube)
    entries, meta = await listing.select(store, resource, request, chosen)
    await resource.look_ahead(entries)
    for entry in entries:
        try:
            await delete_entry(store, resource, entry.key, options, request=request)
        except Refusal as refusal:
            if refusal.status.get("reason") != "NotFound":
                raise
    return Reply(200, await forms.many(resource.main, request, entries, meta))
