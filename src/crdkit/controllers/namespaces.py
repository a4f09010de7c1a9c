"""The end of a namespace: what it holds is deleted, what keeps that from happening is told, and then it goes.

What to do is decided by pure functions on what is left (`conditions`); the rest follows the cache and writes.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import field
from typing import Final

from crdkit.builtin.namespaces import FINALIZER
from crdkit.meta import json, time
from crdkit.meta.records import record
from crdkit.meta.status import Refusal
from crdkit.meta.types import JsonObject
from crdkit.registry.deleteoptions import BACKGROUND, DeleteOptions
from crdkit.registry.deletion import delete_entry
from crdkit.registry.lifecycle import PREFIX
from crdkit.registry.namespaces import NamespaceResource
from crdkit.registry.owners import CONTROLLERS
from crdkit.registry.registry import Registry
from crdkit.registry.resource import Resource, Stale
from crdkit.storage.errors import StorageError
from crdkit.storage.types import Conflict, Entry, Event, EventKind

logger = logging.getLogger(__name__)

GRACE: Final = 5.0
"""Seconds that a namespace is left as it is, so that whoever deleted it still sees it."""
_RETRY: Final = 1.0
"""Seconds before a namespace whose emptying failed is looked at again."""


@record(frozen=False)
class Remains:
    """What is left in a namespace after all of it was asked to go."""

    objects: Counter[str] = field(default_factory=Counter)
    """How many, by resource (``crates.example.com``; those of the core group end in a dot)."""
    finalizers: Counter[str] = field(default_factory=Counter)
    """On how many objects each finalizer stands."""
    failures: dict[str, None] = field(default_factory=dict)


def conditions(remains: Remains) -> list[tuple[str, str, str, str]]:
    """The conditions of a terminating namespace, in their order: type, status, reason, message."""
    failures = "; ".join(remains.failures)
    objects = ", ".join(f"{name} has {count} resource instances" for name, count in sorted(remains.objects.items()))
    finalizers = ", ".join(f"{name} in {count} resource instances" for name, count in sorted(remains.finalizers.items()))
    return [
        ("NamespaceDeletionDiscoveryFailure", "False", "ResourcesDiscovered", "All resources successfully discovered"),
        ("NamespaceDeletionGroupVersionParsingFailure", "False", "ParsedGroupVersions", "All legacy kube types successfully parsed"),
        _condition(
            "NamespaceDeletionContentFailure",
            (
                "ContentDeletionFailed",
                f"Failed to delete all resource types, {len(remains.failures)} remaining: {failures}" if failures else "",
            ),
            ("ContentDeleted", "All content successfully deleted, may be waiting on finalization"),
        ),
        _condition(
            "NamespaceContentRemaining",
            ("SomeResourcesRemain", f"Some resources are remaining: {objects}" if objects else ""),
            ("ContentRemoved", "All content successfully removed"),
        ),
        _condition(
            "NamespaceFinalizersRemaining",
            ("SomeFinalizersRemain", f"Some content in the namespace has finalizers remaining: {finalizers}" if finalizers else ""),
            ("ContentHasNoFinalizers", "All content-preserving finalizers finished"),
        ),
    ]


def _condition(kind: str, bad: tuple[str, str], good: tuple[str, str]) -> tuple[str, str, str, str]:
    """A condition that is true where there is something bad to tell."""
    return (kind, "True", *bad) if bad[1] else (kind, "False", *good)


def with_conditions(namespace: JsonObject, remains: Remains, now: str) -> JsonObject:
    """The namespace as its status tells of what is left; equal to what it was if that is told already."""
    status = dict(namespace.get("status") or {})
    known = {entry["type"]: entry for entry in status.get("conditions") or ()}
    for kind, state, reason, message in conditions(remains):
        before = known.get(kind)
        since = before["lastTransitionTime"] if before is not None and before["status"] == state else now
        known[kind] = {"type": kind, "status": state, "lastTransitionTime": since, "reason": reason, "message": message}
    status["conditions"] = list(known.values())
    return {**namespace, "status": status}


def without_finalizer(namespace: JsonObject) -> JsonObject:
    """The namespace when all it held is gone."""
    finalizers = [name for name in namespace.get("spec", {}).get("finalizers") or () if name != FINALIZER]
    return {**namespace, "spec": {"finalizers": finalizers} if finalizers else {}}


def needs_emptying(namespace: JsonObject) -> bool:
    marked = namespace["metadata"].get("deletionTimestamp") is not None
    return marked and FINALIZER in (namespace.get("spec") or {}).get("finalizers", ())


class NamespaceController:
    """Empties the namespaces that are being deleted, each in a task of its own."""

    def __init__(self, registry: Registry, *, grace: float = GRACE) -> None:
        self._registry = registry
        self._grace = grace
        self._cache = registry.cache
        self._resource = NamespaceResource(registry.kube)
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._changed: dict[str, asyncio.Event] = {}
        self._unsubscribe: list[Callable[[], None]] = []

    async def start(self) -> None:
        self._unsubscribe = [self._cache.subscribe(PREFIX, self._namespace_changed), self._cache.subscribe("", self._content_changed)]
        for entry in self._cache.list(PREFIX).entries:
            self._look_at(entry.key, entry.value)

    async def stop(self) -> None:
        for unsubscribe in self._unsubscribe:
            unsubscribe()
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _namespace_changed(self, event: Event) -> None:
        if event.kind is EventKind.PUT:
            self._look_at(event.key, event.value)

    def _content_changed(self, event: Event) -> None:
        if self._changed:
            changed = self._changed.get(event.key.rsplit("/", 2)[-2])
            if changed is not None:
                changed.set()

    def _look_at(self, key: str, value: bytes) -> None:
        name = key.removeprefix(PREFIX)
        if name not in self._tasks and b'"deletionTimestamp"' in value and needs_emptying(json.decode(value)):
            self._changed[name] = asyncio.Event()
            task = self._tasks[name] = asyncio.create_task(self._end(name), name=f"end of namespace {name}")
            task.add_done_callback(lambda _: self._forget(name))

    def _forget(self, name: str) -> None:
        self._tasks.pop(name, None)
        self._changed.pop(name, None)

    async def _end(self, name: str) -> None:
        await asyncio.sleep(self._grace)
        while True:
            self._changed[name].clear()
            try:
                remains = await self._step(name)
            except StorageError as error:
                logger.warning("namespace %s cannot be ended; it is tried again: %s", name, error)
                await asyncio.sleep(_RETRY)
                continue
            if remains is None:
                return
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._changed[name].wait(), _RETRY if remains.failures else None)

    async def _step(self, name: str) -> Remains | None:
        """Empty a namespace as far as that goes; what is left, or None where there is nothing left to do."""
        remains = await self._empty(name)
        done = not remains.objects and not remains.failures
        if not await self._write(name, "status", lambda namespace: with_conditions(namespace, remains, time.now())):
            return None
        if done and not await self._write(name, "finalize", without_finalizer):
            return None
        return remains

    async def _empty(self, name: str) -> Remains:
        """Ask for the deletion of all that a namespace holds, and see what is left."""
        remains = Remains()
        for resource in self._registry.namespaced():
            prefix = f"{resource.prefix}{name}/"
            for entry in self._cache.list(prefix).entries:
                try:
                    await self._delete(resource, entry.key)
                except Refusal as refusal:
                    if refusal.status.get("reason") != "NotFound":
                        remains.failures[str(refusal)] = None
            left = self._cache.list(prefix).entries
            if left:
                remains.objects[f"{resource.plural}.{resource.group}"] += len(left)
            for entry in left:
                remains.finalizers.update(set(json.decode(entry.value)["metadata"].get("finalizers") or ()))
        return remains

    async def _delete(self, resource: Resource, key: str) -> None:
        with contextlib.suppress(Stale):  # the definition has changed: the next look finds its new resource
            await delete_entry(self._registry.store, resource, key, DeleteOptions(propagation=BACKGROUND))

    async def _write(self, name: str, subresource: str, change: Callable[[JsonObject], JsonObject]) -> bool:
        """Store a namespace changed through a subresource; without finalizers it goes. Tells whether there is anything left to do."""
        key = PREFIX + name
        while (entry := self._cache.get(key)) is not None:
            before: JsonObject = json.decode(entry.value)
            if not needs_emptying(before):
                return False
            after = change(before)
            with contextlib.suppress(Conflict):
                if after["metadata"].get("finalizers") or (after.get("spec") or {}).get("finalizers"):
                    if after != before:
                        await self._put(entry, subresource, after, before)
                    return needs_emptying(after)
                await self._cache.delete(key, expected=entry.revision)
                return False
        return False

    async def _put(self, entry: Entry, subresource: str, after: JsonObject, before: JsonObject) -> None:
        endpoint = self._resource.endpoint(subresource)
        assert endpoint is not None
        after = await endpoint.owners.changed(after, before, CONTROLLERS)
        value = self._resource.stored_head + (await self._resource.dump(after)).text()
        await self._cache.put(entry.key, value, expected=entry.revision)
