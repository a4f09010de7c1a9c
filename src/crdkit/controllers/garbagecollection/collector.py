"""The garbage collector: follows the cache, looks at the objects whose owners have changed, and does what is decided about them.

It costs nothing while no object has owners, and little while none of theirs goes. At its start it reads who depends on whom from the
cache, so what a stopped server left undone is done then.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Final

from crdkit.access.user import AUTHENTICATED, User
from crdkit.builtin.kinds import DEFINITION, EVENT
from crdkit.controllers.garbagecollection import misplaced
from crdkit.controllers.garbagecollection.awaiting import Awaiting
from crdkit.controllers.garbagecollection.decision import Delete, Finish, Owner, Release, Standing, decide
from crdkit.controllers.garbagecollection.index import Index
from crdkit.controllers.garbagecollection.kinds import Kinds, group_of, is_ignored
from crdkit.controllers.garbagecollection.owners import Owners
from crdkit.controllers.work import Work
from crdkit.meta import json
from crdkit.meta.status import PlainRefusal, Refusal
from crdkit.meta.types import Json, JsonObject
from crdkit.registry.deleteoptions import DeleteOptions
from crdkit.registry.deletion import delete_entry
from crdkit.registry.patchtypes import MERGE_PATCH
from crdkit.registry.registry import Registry
from crdkit.registry.request import Request
from crdkit.registry.resource import Resource, Stale
from crdkit.storage.types import Entry, Event, EventKind

logger = logging.getLogger(__name__)

WORKERS: Final = 20
"""Objects that are looked at side by side, so that their writes can share a commit (as many as the real collector's)."""
_SLICE: Final = 500
"""Entries read at the start before others may run."""
_SERVICE_ACCOUNTS: Final = "system:serviceaccounts"
USER: Final = User(
    "system:serviceaccount:kube-system:generic-garbage-collector",
    (_SERVICE_ACCOUNTS, f"{_SERVICE_ACCOUNTS}:kube-system", AUTHENTICATED),
)
_AGENT: Final = "kube-controller-manager"
_OWNED: Final = b'"ownerReferences"'
_MARKED: Final = b'"deletionTimestamp"'


class GarbageCollector:
    """Deletes what has lost its owners, and sees deletions in the foreground and with orphans through."""

    def __init__(self, registry: Registry) -> None:
        self._registry, self._cache = registry, registry.cache
        self._index = Index()
        self._awaiting = Awaiting()
        self._kinds = Kinds(registry)
        self._owners = Owners(registry.cache, self._kinds, self._index)
        self._work = Work(self._look, name="garbage collection", workers=WORKERS)
        self._reported: dict[str, set[str]] = {}
        """By key, the owners about which an Event tells."""
        self._unsubscribe: list[Callable[[], None]] = []
        self._scan: asyncio.Task[None]

    @property
    def idle(self) -> bool:
        """Whether everything known is taken up and nothing is due."""
        return self._scan.done() and not len(self._work)

    async def start(self) -> None:
        self._unsubscribe = [self._cache.subscribe("", self._note), self._cache.subscribe(DEFINITION.prefix, self._note_definition)]
        self._scan = asyncio.create_task(self._take_up(), name="garbage collector's first look")

    async def stop(self) -> None:
        for unsubscribe in self._unsubscribe:
            unsubscribe()
        self._scan.cancel()
        await asyncio.gather(self._scan, return_exceptions=True)
        await self._work.close()

    # Following the cache

    async def _take_up(self) -> None:
        """Read what is there, a part at a time; nothing is decided before all dependents are known."""
        after, more = "", True
        while more:
            page = self._cache.list("", after=after, limit=_SLICE)
            for entry in page.entries:
                self._put(entry.key, entry.value)
            after, more = page.entries[-1].key if page.entries else after, page.more
            await asyncio.sleep(0)
        self._work.open()

    def _note(self, event: Event) -> None:
        if event.kind is EventKind.PUT:
            may_be_marked = event.previous is not None or self._cache.shared  # nobody creates what is being deleted
            self._put(event.key, event.value, may_be_marked=may_be_marked)
        elif event.previous is not None and len(self._index) and not is_ignored(event.key):
            self._remove(event.previous)

    def _put(self, key: str, value: bytes, *, may_be_marked: bool = True) -> None:
        if _OWNED not in value and not (may_be_marked and _MARKED in value) and not self._index.knows(key):
            return
        if not is_ignored(key):
            self._work.add(self._index.put(key, json.decode(value)["metadata"]))
            if not self._index.knows(key):
                self._forget(key)

    def _remove(self, entry: Entry) -> None:
        self._forget(entry.key)
        self._work.add(self._index.remove(entry.key, json.decode(entry.value)["metadata"].get("uid", "")))

    def _forget(self, key: str) -> None:
        self._awaiting.remove(key)
        self._reported.pop(key, None)

    def _await(self, group: str, key: str) -> None:
        """Look at an object again when the definitions of a group have changed."""
        if self._cache.get(key) is not None:
            self._awaiting.add(group, key)

    def _note_definition(self, event: Event) -> None:
        """What could not be decided may be now."""
        group = event.key.removeprefix(DEFINITION.prefix).partition(".")[2]
        self._work.add(self._awaiting.take(group))

    # Looking at an object

    async def _look(self, key: str) -> None:
        """Decide about what stands at a key, and do it. Raises what keeps it from being done."""
        entry = self._cache.get(key)
        if entry is None:
            return
        obj: JsonObject = json.decode(entry.value)
        owners = await self._judge(key, obj)
        metadata = obj["metadata"]
        decision = decide(metadata, owners, self._index.about(metadata.get("uid", "")))
        try:
            match decision:
                case Delete():
                    await self._delete(entry, metadata, decision)
                case Release(uids):
                    await self._release(key, uids)
                case Finish():
                    await self._finish(entry, metadata, decision)
        except Stale:
            self._work.add((key,))
        except PlainRefusal:
            self._await(group_of(key), key)
        except Refusal as refusal:
            self._overlook(refusal, key)

    def _overlook(self, refusal: Refusal, key: str) -> None:
        """What has changed meanwhile is looked at again, what has gone is in order. Raises any other refusal."""
        reason = refusal.status.get("reason")
        if reason == "Conflict":
            self._work.add((key,))
        elif reason != "NotFound":
            raise refusal

    async def _judge(self, key: str, obj: JsonObject) -> list[Owner]:
        """How the owners of an object stand; those in other namespaces are reported."""
        metadata = obj["metadata"]
        namespace, owners = metadata.get("namespace", ""), []
        for reference in metadata.get("ownerReferences") or ():
            standing = self._owners.standing(reference, namespace)
            if standing is None:
                self._await(reference.get("apiVersion", "").rpartition("/")[0], key)
            elif standing in (Standing.ABSENT, Standing.IMPOSSIBLE) and self._owners.is_elsewhere(reference, namespace):
                await self._report(key, obj, reference)
            owners.append(Owner(reference.get("uid", ""), standing or Standing.LIVING))
        return owners

    async def _report(self, key: str, obj: JsonObject, reference: JsonObject) -> None:
        """Tell, once, of an owner in another namespace."""
        reported = self._reported.setdefault(key, set())
        if reference["uid"] in reported:
            return
        reported.add(reference["uid"])
        event = misplaced.event(obj, reference, serial=time.time_ns())
        place = event["metadata"]["namespace"]
        request = Request("create", EVENT.group, EVENT.version, EVENT.plural, namespace=place, body=json.encode(event), user=USER)
        request.content_type, request.user_agent = "application/json", _AGENT
        try:
            await self._registry.handle(request)
        except Refusal as refusal:
            logger.info("an event about %s was refused: %s", key, refusal)

    # Doing what is decided

    def _resource(self, key: str) -> Resource | None:
        """What serves the object at a key; where nothing does, it is looked at again when that changes."""
        resource = self._kinds.resource(key)
        if resource is None:
            self._await(group_of(key), key)
        return resource

    async def _delete(self, entry: Entry, metadata: JsonObject, decision: Delete) -> None:
        resource = self._resource(entry.key)
        if resource is None:
            return
        if decision.unblock and any(reference.get("blockOwnerDeletion") for reference in metadata["ownerReferences"]):
            freed = [{**reference, "blockOwnerDeletion": False} for reference in metadata["ownerReferences"]]
            await self._patch(entry, metadata, {"ownerReferences": freed})
        namespace, name = resource.place(entry.key)
        resource.check_deletion(name)
        revision = None if decision.unblock else str(entry.revision)
        options = DeleteOptions(metadata.get("uid"), revision, propagation=decision.propagation)
        options.told = {"preconditions": {"uid": options.uid}, "propagationPolicy": options.propagation or "Background"}
        request = Request("delete", resource.group, resource.version, resource.plural, namespace=namespace, name=name, user=USER)
        await delete_entry(self._registry.store, resource, entry.key, options, request=request)

    async def _release(self, key: str, uids: frozenset[str]) -> None:
        """Take owners from an object's references, however often it changes meanwhile."""
        while (entry := self._cache.get(key)) is not None:
            metadata: JsonObject = json.decode(entry.value)["metadata"]
            references = metadata.get("ownerReferences") or []
            kept = [reference for reference in references if reference.get("uid") not in uids]
            if len(kept) == len(references):
                return
            try:
                await self._patch(entry, metadata, {"ownerReferences": kept or None})
            except Refusal as refusal:
                if refusal.status.get("reason") not in ("Conflict", "NotFound"):
                    raise

    async def _finish(self, entry: Entry, metadata: JsonObject, decision: Finish) -> None:
        if decision.orphan:
            await self._orphan(metadata["uid"])
        kept = [name for name in metadata["finalizers"] if name != decision.finalizer]
        await self._patch(entry, metadata, {"finalizers": kept or None})

    async def _orphan(self, uid: str) -> None:
        """Take an owner from the references of all its dependents, some at a time."""
        dependents = self._index.dependents(uid)
        for first in range(0, len(dependents), WORKERS):
            await asyncio.gather(*(self._release(key, frozenset((uid,))) for key in dependents[first : first + WORKERS]))

    async def _patch(self, entry: Entry, metadata: JsonObject, change: dict[str, Json]) -> None:
        """Change the metadata of an object as it stands in an entry. Raises a `Refusal`, or a `PlainRefusal` if it is not served."""
        resource = self._resource(entry.key)
        if resource is None:
            return
        based_on = {"uid": metadata.get("uid"), "resourceVersion": str(entry.revision)}
        request = Request(
            verb="patch",
            group=resource.group,
            version=resource.version,
            resource=resource.plural,
            namespace=metadata.get("namespace", ""),
            name=metadata["name"],
            content_type=MERGE_PATCH,
            body=json.encode({"metadata": {**based_on, **change}}),
            user=USER,
            user_agent=_AGENT,
        )
        await self._registry.handle(request)
