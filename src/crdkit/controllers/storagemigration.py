"""Storage migration: writing a resource's objects anew, so that they stand in its storage version (kube-controller-manager's migrator).

Migrations of one resource run one after the other, the oldest first; those of different resources at the same time.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import Final, NamedTuple

from crdkit.access.user import MASTERS, User
from crdkit.builtin import migrations
from crdkit.builtin.kinds import DEFINITION, MIGRATION
from crdkit.builtin.migrations import FAILED, RUNNING, SUCCEEDED
from crdkit.definitions import migrating
from crdkit.definitions.conditions import Condition, with_conditions
from crdkit.meta import json, time
from crdkit.meta.status import PlainRefusal, Refusal
from crdkit.meta.types import JsonObject
from crdkit.registry.owners import CONTROLLERS
from crdkit.registry.patchtypes import MERGE_PATCH
from crdkit.registry.registry import Registry
from crdkit.registry.request import Request
from crdkit.registry.resource import Resource
from crdkit.storage.errors import StorageError
from crdkit.storage.types import Conflict, Entry, Event, EventKind

logger = logging.getLogger(__name__)

PREFIX: Final = MIGRATION.prefix
PATIENCE: Final = 61.0
"""Seconds that a migration waits for its resource to be served."""
VISIBLE: Final = 1.5
"""Seconds that a migration runs at least, so that others can see it do so."""
_RETRY: Final = 1.0
"""Seconds before a migration that the store has stopped goes on."""
_LOOK: Final = 0.25
"""Seconds between two looks whether the resource is served by now."""
_USER: Final = User("system:kube-controller-manager", (MASTERS,))
_PASSED_OVER: Final = frozenset(("Conflict", "NotFound"))
"""What is changed or deleted meanwhile is in order by itself."""
_NEEDED: Final = ("update", "patch", "list")
_ELSEWHERE: Final = frozenset(
    (
        "endpoints",
        "limitranges",
        "nodes",
        "persistentvolumeclaims",
        "persistentvolumes",
        "pods",
        "podtemplates",
        "replicationcontrollers",
        "resourcequotas",
        "services",
    )
)
"""Core resources that clusters have, and of which there are no objects here."""
_READ_ONLY: Final = "componentstatuses"


class Target(NamedTuple):
    """The resource that a migration is about."""

    group: str
    resource: str

    @classmethod
    def of(cls, migration: JsonObject) -> Target:
        resource = migration["spec"]["resource"]
        return cls(resource["group"], resource["resource"])

    @property
    def definition(self) -> str:
        return f"{self.resource}.{self.group}"


class MigrationFailed(Exception):
    """A migration cannot be done; ``str()`` is told in its status."""


class _Gone(Exception):
    """The migration was deleted while it ran."""


def is_open(migration: JsonObject) -> bool:
    """Whether there is something to do about a migration."""
    ended = migrations.is_true(migration, SUCCEEDED) or migrations.is_true(migration, FAILED)
    return not ended and migration["metadata"].get("deletionTimestamp") is None


def started(migration: JsonObject, now: str) -> JsonObject:
    """The migration once it runs."""
    return with_conditions(migration, Condition(RUNNING, "True", "MigrationRunning", "The migration is running"), now=now)


def ended(migration: JsonObject, now: str, failure: str | None) -> JsonObject:
    """The migration once it has run; ``failure`` tells why it did not succeed."""
    done = Condition(RUNNING, "False", "MigrationCompleted", "Migration completed")
    if failure is None:
        outcome = Condition(SUCCEEDED, "True", "StorageVersionMigrationSucceeded", "")
    else:
        outcome = Condition(FAILED, "True", "StorageVersionMigrationFailed", failure)
    after = with_conditions(migration, done, outcome, now=now)
    for condition in after["status"]["conditions"]:
        condition.setdefault("message", "")
    return after


class StorageMigration:
    """Follows the migrations in the cache, with a task for each resource that has some."""

    def __init__(self, registry: Registry, *, patience: float = PATIENCE, visible: float = VISIBLE) -> None:
        self._registry, self._cache = registry, registry.cache
        self._patience, self._visible = patience, visible
        resource = registry.find(MIGRATION.group, MIGRATION.version, MIGRATION.plural)
        definitions = registry.find(DEFINITION.group, DEFINITION.version, DEFINITION.plural)
        assert resource is not None
        assert definitions is not None
        self._resource, self._definitions = resource, definitions
        self._tasks: dict[Target, asyncio.Task[None]] = {}
        self._unsubscribe: Callable[[], None]

    async def start(self) -> None:
        self._unsubscribe = self._cache.subscribe(PREFIX, self._note)
        for entry in self._cache.list(PREFIX).entries:
            self._look_at(entry.value)

    async def stop(self) -> None:
        self._unsubscribe()
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _note(self, event: Event) -> None:
        if event.kind is EventKind.PUT:
            self._look_at(event.value)

    def _look_at(self, value: bytes) -> None:
        migration: JsonObject = json.decode(value)
        target = Target.of(migration)
        if target not in self._tasks and is_open(migration):
            task = self._tasks[target] = asyncio.create_task(self._work(target), name=f"storage migration of {target.definition}")
            task.add_done_callback(lambda _: self._tasks.pop(target, None))

    async def _work(self, target: Target) -> None:
        while (name := self._next(target)) is not None:
            try:
                await self._run(name, target)
            except _Gone:
                continue
            except StorageError as error:
                logger.warning("the migration %s cannot go on; it is tried again: %s", name, error)
                await asyncio.sleep(_RETRY)

    def _next(self, target: Target) -> str | None:
        """The oldest migration of a resource that is still to be done."""
        found = [json.decode(entry.value) for entry in self._cache.list(PREFIX).entries]
        waiting = [migration["metadata"] for migration in found if Target.of(migration) == target and is_open(migration)]
        order = sorted((metadata["creationTimestamp"], metadata["name"]) for metadata in waiting)
        return order[0][1] if order else None

    async def _run(self, name: str, target: Target) -> None:
        end = asyncio.get_running_loop().time() + self._visible
        await self._change(name, lambda migration: started(migration, time.now()))
        begun = await self._begin(name, target)
        failure = None
        try:
            await self._migrate(name, target)
        except MigrationFailed as error:
            failure = str(error)
        await asyncio.sleep(end - asyncio.get_running_loop().time())
        await self._change_definition(
            target, lambda definition: migrating.finish(definition, time.now(), succeeded=failure is None, begun=begun)
        )
        await self._change(name, lambda migration: ended(migration, time.now(), failure))

    async def _begin(self, name: str, target: Target) -> int | None:
        """Tell the definition that it is migrated, if it is there; the generation at which that began."""
        if (definition := self._registry.definitions.get(target.definition)) is None:
            return None
        if (begun := migrating.begun_at(definition.raw)) is None:
            begun = definition.raw["metadata"].get("generation")
        await self._change_definition(target, lambda definition: migrating.begin(definition, name, time.now()))
        return begun

    async def _migrate(self, name: str, target: Target) -> None:
        """Write the objects of a resource anew. Raises `MigrationFailed`."""
        resource = await self._find(name, target)
        if self._registry.definitions.get(target.definition) is not None:
            await self._change_definition(target, lambda definition: migrating.begin(definition, name, time.now()))
        revision = str(self._cache.revision)
        await self._change(name, lambda migration: _with_revision(migration, revision))
        if resource is None:
            return
        for entry in self._cache.list(resource.prefix).entries:
            if not entry.value.startswith(resource.stored_head):
                await self._write_anew(resource, entry)

    async def _find(self, name: str, target: Target) -> Resource | None:
        """The resource that is migrated, once it is served; None for one without objects here. Raises `MigrationFailed`."""
        if not target.group and target.resource in _ELSEWHERE:
            return None
        if not target.group and target.resource == _READ_ONLY:
            raise _cannot("", "v1", target.resource)
        deadline = asyncio.get_running_loop().time() + self._patience
        while (resource := self._served(target)) is None:
            if asyncio.get_running_loop().time() >= deadline:
                raise MigrationFailed("resource does not exist in discovery")
            if self._cache.get(PREFIX + name) is None:
                raise _Gone
            await asyncio.sleep(_LOOK)
        if not set(_NEEDED) <= set(resource.verbs):
            raise _cannot(resource.group, resource.version, resource.plural)
        return resource

    def _served(self, target: Target) -> Resource | None:
        for resource in self._registry.builtin():
            if (resource.group, resource.plural) == target:
                return resource
        definition = self._registry.definitions.get(target.definition)
        if definition is None or not definition.served_versions:
            return None
        with contextlib.suppress(Refusal):  # its webhook cannot be called
            return self._registry.definitions.resource(target.group, definition.served_versions[0].name, target.resource)
        return None

    async def _write_anew(self, resource: Resource, entry: Entry) -> None:
        """Change nothing in an object, which stores it in the storage version. Raises `MigrationFailed`."""
        namespace, name = resource.place(entry.key)
        request = Request(
            verb="patch",
            group=resource.group,
            version=resource.version,
            resource=resource.plural,
            namespace=namespace,
            name=name,
            content_type=MERGE_PATCH,
            body=json.encode({"metadata": {"resourceVersion": str(entry.revision)}}),
            user=_USER,
        )
        try:
            await self._registry.handle(request)
        except Refusal as refusal:
            if refusal.status.get("reason") not in _PASSED_OVER:
                raise MigrationFailed(f"migration encountered unhandled error: {refusal}") from refusal
        except PlainRefusal as refusal:
            raise MigrationFailed("migration encountered unhandled error: the server could not find the requested resource") from refusal

    async def _change(self, name: str, change: Callable[[JsonObject], JsonObject]) -> None:
        """Write a migration's status. Raises `_Gone`."""
        if not await self._put(self._resource, PREFIX + name, change):
            raise _Gone

    async def _change_definition(self, target: Target, change: Callable[[JsonObject], JsonObject]) -> None:
        await self._put(self._definitions, DEFINITION.prefix + target.definition, change)

    async def _put(self, resource: Resource, key: str, change: Callable[[JsonObject], JsonObject]) -> bool:
        """Write what a function makes of an object as it stands, however often it changes meanwhile; whether it is still there."""
        while (entry := self._cache.get(key)) is not None:
            before = await resource.read(entry)
            after = change(before)
            if after == before:
                return True
            endpoint = resource.endpoint("status")
            assert endpoint is not None
            after = await endpoint.owners.changed(after, before, CONTROLLERS)
            value = resource.stored_head + (await resource.dump(after)).text()
            with contextlib.suppress(Conflict):
                await self._cache.put(key, value, expected=entry.revision)
                return True
        return False


def _with_revision(migration: JsonObject, revision: str) -> JsonObject:
    """The migration once it is known up to which state objects are written anew."""
    status = migration["status"]
    return {**migration, "status": {**status, "resourceVersion": status.get("resourceVersion") or revision}}


def _cannot(group: str, version: str, plural: str) -> MigrationFailed:
    where = f"{group}/{version}, Resource={plural}"
    return MigrationFailed(f'resource "{where}" does not support discovery operations: [{" ".join(_NEEDED)}]')
