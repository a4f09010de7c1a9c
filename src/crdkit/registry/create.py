"""Create: decode, admit, prepare, validate, commit."""

from __future__ import annotations

from typing import Final

from crdkit.meta import json
from crdkit.meta.status import GroupResource, Refusal, already_exists, invalid
from crdkit.meta.types import JsonObject
from crdkit.registry import forms, metadata
from crdkit.registry.copying import copied
from crdkit.registry.limits import check_size
from crdkit.registry.options import WriteOptions, write_options
from crdkit.registry.request import Reply, Request
from crdkit.registry.resource import Resource, Stale
from crdkit.registry.store import Store
from crdkit.storage.types import ABSENT, Conflict, Entry, Guard, Revision

_NAME_ATTEMPTS: Final = 8
"""How often a taken generated name is followed by another."""


async def create(store: Store, resource: Resource, request: Request) -> Reply:
    options = write_options(request, store.kube)
    obj = resource.main.decode(request, options)
    meta = metadata.metadata_of(obj)
    metadata.wipe_system_fields(meta)
    metadata.ensure_namespace(meta, request.namespace if resource.namespaced else "")
    metadata.drop_repeated_owners(meta, request.warnings)
    return await create_object(store, resource, request, options, obj)


async def create_object(store: Store, resource: Resource, request: Request, options: WriteOptions, obj: JsonObject) -> Reply:
    """Create a decoded object. It is the request's own, and changed on the way."""
    guards = admit(store, resource, request, obj["metadata"].get("name") or request.name)
    attempts = _NAME_ATTEMPTS if obj["metadata"].get("generateName") and not obj["metadata"].get("name") else 1
    for attempt in range(1, attempts + 1):
        again = attempt < attempts
        try:
            return await _attempt(store, resource, request, options, copied(obj) if again else obj, guards)
        except Refusal as refusal:
            if not again or refusal.status.get("reason") != "AlreadyExists":
                raise
    raise AssertionError(attempts)


def admit(store: Store, resource: Resource, request: Request, name: str) -> list[Guard]:
    """Let an object be created, and give what must still stand when it is."""
    resource.check_open(name)
    guards = resource.guards()
    if resource.namespaced:
        guards += store.namespaces.admit(resource, request.namespace, name)
    return guards


async def _attempt(
    store: Store, resource: Resource, request: Request, options: WriteOptions, obj: JsonObject, guards: list[Guard]
) -> Reply:
    meta = obj["metadata"]
    generated = meta.get("generateName") or ""
    metadata.fill_system_fields(meta)
    if generated and not meta.get("name"):
        meta["name"] = metadata.generate_name(generated)
    store.ownership(resource.main, request, options, obj, None)
    resource.prepare_create(obj)
    name = meta.get("name") or ""
    if found := resource.check_create(obj):
        raise invalid(GroupResource(_group(obj), obj.get("kind") or ""), name, found, store.kube)
    request.warnings += resource.main.warnings(obj, None)
    key = resource.key(meta.get("namespace") or "", name)
    if not options.dry_run:
        metadata.check_no_revision(meta)
    meta.pop("resourceVersion", None)
    parts = await resource.dump(obj)
    value = resource.stored_head + parts.text()
    if options.dry_run:
        if (existing := store.cache.get(key)) is not None:
            raise _taken(resource, name, existing, generated=bool(generated))
        return Reply(201, await forms.unstored(resource.main, request, value, ABSENT))
    check_size(value)
    revision = await _commit(store, resource, key, value, guards, generated=bool(generated))
    entry = Entry(key, value, revision)
    if resource.creates_plain:
        resource.renderings.keep_plain(entry, parts)
    return Reply(201, await forms.one(resource.main, request, entry))


def _group(obj: JsonObject) -> str:
    group: str = (obj.get("apiVersion") or "").rpartition("/")[0]
    return group


async def _commit(store: Store, resource: Resource, key: str, value: bytes, guards: list[Guard], *, generated: bool) -> Revision:
    try:
        return await store.cache.put(key, value, expected=ABSENT, guards=guards)
    except Conflict as conflict:
        if conflict.key != key:
            raise Stale from conflict
        name = resource.place(key)[1]
        raise _taken(resource, name, conflict.current, generated=generated) from conflict


def _taken(resource: Resource, name: str, existing: Entry | None, *, generated: bool) -> Refusal:
    refusal = already_exists(resource.about, name)
    if generated:
        refusal.status["message"] += ", the server was not able to generate a unique name for the object"
        refusal.status["details"]["retryAfterSeconds"] = 1
    if existing is not None and json.decode(existing.value)["metadata"].get("deletionTimestamp"):
        refusal.status["message"] = f"object is being deleted: {refusal.status['message']}"
    return refusal
