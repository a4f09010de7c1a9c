"""All controllers together: what runs beside the registry unless a server is told to do without."""

from __future__ import annotations

from typing import Protocol

from crdkit.builtin.kinds import MIGRATION
from crdkit.controllers import namespaces
from crdkit.controllers.garbagecollection.collector import GarbageCollector
from crdkit.controllers.namespaces import NamespaceController
from crdkit.controllers.roleaggregation import RoleAggregation
from crdkit.controllers.storagemigration import StorageMigration
from crdkit.registry.registry import Registry


class Controller(Protocol):
    """Does what follows from writes, from its start until it is stopped."""

    async def start(self) -> None: ...
    async def stop(self) -> None: ...


class Controllers:
    """Started after the registry, stopped before it. ``grace`` is how long a deleted namespace is left as it is."""

    def __init__(self, registry: Registry, *, grace: float = namespaces.GRACE) -> None:
        self._all: list[Controller] = [
            NamespaceController(registry, grace=grace),
            RoleAggregation(registry),
            GarbageCollector(registry),
        ]
        if registry.find(MIGRATION.group, MIGRATION.version, MIGRATION.plural) is not None:
            self._all.append(StorageMigration(registry))

    async def start(self) -> None:
        for controller in self._all:
            await controller.start()

    async def stop(self) -> None:
        for controller in self._all:
            await controller.stop()
