"""All controllers together: what runs beside the registry unless a server is told to do without."""

from __future__ import annotations

from crdkit.controllers.namespaces import NamespaceController
from crdkit.registry.registry import Registry


class Controllers:
    """Started after the registry, stopped before it."""

    def __init__(self, registry: Registry) -> None:
        self._all = [NamespaceController(registry)]

    async def start(self) -> None:
        for controller in self._all:
            await controller.start()

    async def stop(self) -> None:
        for controller in self._all:
            await controller.stop()
