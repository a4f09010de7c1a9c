"""What the server itself does about definitions: settling their names, establishing them, and emptying those that are deleted.

These are the writes that a real API server's own controllers make. `settle` makes those that need no waiting, so that a definition is
served when its creation is answered; the deletion of objects goes on in tasks.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from crdkit.builtin.kinds import DEFINITION
from crdkit.definitions import status
from crdkit.definitions.definition import Definition
from crdkit.meta import time
from crdkit.meta.offload import aside, is_long, offload_if
from crdkit.meta.status import Refusal
from crdkit.meta.types import JsonObject
from crdkit.registry.customresource import CustomResource
from crdkit.registry.definitionindex import DefinitionIndex
from crdkit.registry.definitionresource import DefinitionResource, read_stored
from crdkit.registry.deleteoptions import DeleteOptions
from crdkit.registry.deletion import delete_entry
from crdkit.registry.owners import SERVER
from crdkit.registry.readiness import Readiness
from crdkit.registry.resource import Stale
from crdkit.registry.store import Store
from crdkit.storage.errors import StorageError
from crdkit.storage.types import ABSENT, Conflict, Event, EventKind, Guard, Overrun, Revision

logger = logging.getLogger(__name__)

PATIENCE: Final = 60.0
"""Seconds after which a definition tells that its objects are still there."""
_RETRY: Final = 1.0
"""Seconds before an emptying that failed is tried again."""

Step = Callable[[JsonObject], JsonObject | None]


class DefinitionChores:
    """Follows the definitions in the cache. One `settle` runs at a time; each cleanup is a task."""

    def __init__(self, store: Store, index: DefinitionIndex, resource: DefinitionResource) -> None:
        self._store, self._index, self._resource = store, index, resource
        self._readiness = Readiness(store.cache, index)
        self._dirty: dict[str, None] = {}
        self._settling = asyncio.Lock()
        self._changed = asyncio.Event()
        self._cleanups: dict[str, asyncio.Task[None]] = {}
        self._follower: asyncio.Task[None] | None = None
        self._unsubscribe: Callable[[], None] | None = None

    async def start(self) -> None:
        self._resource.keeper = self
        self._unsubscribe = self._store.cache.subscribe(DEFINITION.prefix, self._note)
        self._dirty |= dict.fromkeys(definition.name for definition in self._index.all())
        await self.settle()
        self._follower = asyncio.create_task(self._follow(), name="definition chores")

    async def stop(self) -> None:
        if self._unsubscribe is not None:
            self._unsubscribe()
        tasks = [*self._cleanups.values(), *([self._follower] if self._follower else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._readiness.stop()

    def _note(self, event: Event) -> None:
        """A changed definition needs a look; one whose names are free now lets those of its group have them."""
        name = event.key.removeprefix(DEFINITION.prefix)
        self._dirty[name] = None
        if event.kind is EventKind.DELETE:
            group = name.partition(".")[2]
            self._dirty |= dict.fromkeys(other.name for other in self._index.all() if other.group == group)
        self._changed.set()

    async def _follow(self) -> None:
        """Settle what others have written, too."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            try:
                await self.settle()
            except StorageError as error:
                logger.warning("definitions cannot be settled; it is tried again: %s", error)
                await asyncio.sleep(_RETRY)
                self._changed.set()

    async def settle(self) -> None:
        """Make every write that is due; returns when there is none left."""
        async with self._settling:
            while self._dirty:
                name = next(iter(self._dirty))
                await self._settle(name)
                self._dirty.pop(name, None)

    async def _settle(self, name: str) -> None:
        while (definition := self._index.get(name)) is not None:
            if status.needs_cleanup(definition.raw):
                self._clean_up(name)
            group = [other.raw for other in self._index.all() if other.group == definition.group]
            after = status.next_status(definition.raw, group, time.now())
            if after is None:
                return
            before = definition.names
            await self._write(definition, after)
            if (now := self._index.get(name)) is not None and now.names != before:
                self._dirty |= dict.fromkeys(other.name for other in self._index.all() if other.group == now.group)

    async def _write(self, definition: Definition, after: JsonObject) -> bool:
        """Store a definition that has become another; False where it has changed meanwhile."""
        key = DEFINITION.prefix + definition.name
        stored = self._store.cache.get(key)
        if stored is not None and stored.revision == definition.revision:
            value = await self._dumped(after, definition.raw, self._resource.spec_text(stored.value, definition.raw))
            with contextlib.suppress(Conflict):
                await self._store.cache.put(key, value, expected=Revision(definition.revision))
                return True
        return False

    async def _dumped(self, after: JsonObject, before: JsonObject, spec: bytes) -> bytes:
        """What is stored of a definition that has become another, with its owners; ``spec`` is the text of what was its spec before."""
        resource, owners = self._resource, self._resource.status.owners
        if after["spec"] is before["spec"]:
            owned = await owners.changed(_without_spec(after), _without_spec(before), SERVER)
            after = {**after, "metadata": owned["metadata"]}
            parts = await offload_if(is_long(spec), resource.dump_around, spec, after)
        else:
            parts = await resource.dump(await aside(owners.changed(after, before, SERVER)))
        return resource.stored_head + parts.text()

    # Creation

    async def store_new(self, key: str, value: bytes, guards: Sequence[Guard]) -> Revision:
        """Store a new definition together with the writes that are due at once, if no others are: they need not wait for the disk one by one.

        Gives the revision of the first. Raises `Conflict`.
        """
        cache = self._store.cache
        if self._settling.locked() or self._dirty or cache.shared or cache.get(key) is not None:
            return await cache.put(key, value, expected=ABSENT, guards=guards)
        async with self._settling:
            revision = await cache.put_in_turn(key, [value, *await self._foreseen(value)], expected=ABSENT, guards=guards)
        self._readiness.expect(key.removeprefix(DEFINITION.prefix))
        return revision

    async def _foreseen(self, stored: bytes) -> list[bytes]:
        """What will be stored of a new definition once its names are settled, and so on."""
        states: list[bytes] = []
        raw = read_stored(stored, self._store.kube)
        spec = self._resource.spec_text(stored, raw)
        group = [other.raw for other in self._index.all() if other.group == raw["spec"]["group"]]
        while (after := status.next_status(raw, [*group, raw], time.now())) is not None:
            stored = await self._dumped(after, raw, spec)
            raw = read_stored(stored, self._store.kube)
            states.append(stored)
        return states

    # Deletion

    def _clean_up(self, name: str) -> None:
        task = self._cleanups.get(name)
        if task is None or task.done():
            task = asyncio.create_task(self._see_through(name), name=f"cleanup of {name}")
            self._cleanups[name] = task
            task.add_done_callback(lambda done: self._cleanups.pop(name, None) if self._cleanups.get(name) is done else None)

    async def _see_through(self, name: str) -> None:
        while True:
            try:
                await self._empty(name)
            except StorageError as error:
                logger.warning("%s cannot be cleaned up; it is tried again: %s", name, error)
                await asyncio.sleep(_RETRY)
            else:
                return

    async def _empty(self, name: str) -> None:
        """Delete a definition's objects, wait until they are gone, and let the definition go."""
        while (definition := self._index.get(name)) is not None and status.needs_cleanup(definition.raw):
            await self._step(name, lambda raw: status.begin_cleanup(raw, time.now()))
            if not definition.established:
                await self._finish(name)
                continue
            if (failure := await self._delete_objects(definition)) is not None:
                await self._step(name, partial(_failed, why=failure))
                await asyncio.sleep(_RETRY)
            elif await self._wait_until_empty(definition):
                await self._finish(name)
            else:
                await self._step(name, lambda raw: status.await_cleanup(raw, time.now(), "context deadline exceeded"))

    async def _step(self, name: str, step: Step) -> None:
        """Write what a step makes of the definition as it stands, however often it changes meanwhile."""
        while (definition := self._index.get(name)) is not None and status.needs_cleanup(definition.raw):
            after = step(definition.raw)
            if after is None or await self._write(definition, after):
                return

    async def _finish(self, name: str) -> None:
        """Take the finalizer; with the last one the definition goes."""
        while (definition := self._index.get(name)) is not None and status.needs_cleanup(definition.raw):
            after = status.finish_cleanup(definition.raw, time.now())
            if after["metadata"].get("finalizers"):
                if await self._write(definition, after):
                    return
                continue
            with contextlib.suppress(Conflict):
                await self._store.cache.delete(DEFINITION.prefix + name, expected=Revision(definition.revision))
                return

    async def _delete_objects(self, definition: Definition) -> str | None:
        """Ask for the deletion of every object; what kept that from being done."""
        resource = CustomResource(definition.storage_version, self._index.get, self._index.converter(definition))
        failures: dict[str, None] = {}
        for entry in self._store.cache.list(resource.prefix).entries:
            try:
                await self._delete_object(resource, entry.key)
            except Refusal as refusal:
                if refusal.status.get("reason") != "NotFound":
                    failures[str(refusal)] = None
        if not failures:
            return None
        told = next(iter(failures)) if len(failures) == 1 else f"[{', '.join(failures)}]"
        return f"could not issue all deletes: {told}"

    async def _delete_object(self, resource: CustomResource, key: str) -> None:
        while True:
            try:
                await delete_entry(self._store, resource, key, DeleteOptions())
            except Stale:
                continue
            return

    async def _wait_until_empty(self, definition: Definition) -> bool:
        """Wait until no object is left; not for ever, as finalizers may hold some."""
        prefix = f"/registry/{definition.group}/{definition.spec_names.plural}/"
        cache = self._store.cache
        loop = asyncio.get_running_loop()
        deadline = loop.time() + PATIENCE
        with cache.watch(prefix) as subscription:
            while cache.list(prefix, limit=1).entries:
                left = deadline - loop.time()
                if left <= 0:
                    return False
                try:
                    await subscription.next(within=left)
                except Overrun:
                    return False
        return True


def _without_spec(raw: JsonObject) -> JsonObject:
    """What is the same before and after, and mostly large, need not be compared."""
    return {**raw, "spec": {}}


def _failed(raw: JsonObject, *, why: str) -> JsonObject | None:
    return status.fail_cleanup(raw, time.now(), why)
