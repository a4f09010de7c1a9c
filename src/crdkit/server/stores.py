"""Which store a server has, and who does the work there that only one may do."""

from __future__ import annotations

import os
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from crdkit.controllers.running import Controller, Controllers
from crdkit.registry.registry import Registry
from crdkit.storage.cache import Cache
from crdkit.storage.fencing import fence
from crdkit.storage.types import Driver, Guard, OwnDriver, SharedDriver

if TYPE_CHECKING:
    from pathlib import Path

    from crdkit.meta.version import KubeVersion
    from crdkit.storage.etcd.driver import EtcdDriver
    from crdkit.storage.etcd.settings import EtcdSettings


async def open_store(directory: Path | None, etcd: EtcdSettings | None, kube: KubeVersion) -> OwnDriver | SharedDriver:
    """The store in an etcd or in a directory, or else in memory; only what is used is loaded. Raises `StorageError`."""
    if etcd is not None:
        from crdkit.registry.storedforms import StoredForms  # noqa: PLC0415
        from crdkit.storage.etcd.driver import EtcdDriver  # noqa: PLC0415

        return await EtcdDriver.open(etcd, forms=StoredForms(kube))
    if directory is None:
        from crdkit.storage.memory import MemoryDriver  # noqa: PLC0415

        return MemoryDriver()
    from crdkit.storage.sqlite import SqliteDriver  # noqa: PLC0415

    return await SqliteDriver.open(directory)


@asynccontextmanager
async def visited(etcd: EtcdSettings, kube: KubeVersion) -> AsyncIterator[Driver]:
    """The store in an etcd for somebody who does not serve it, and leaves its history alone. Raises `StorageError`."""
    driver = await open_store(None, replace(etcd, compacts=False), kube)
    try:
        yield driver
    finally:
        await driver.close()


def controllers_of(registry: Registry, driver: Driver, *, grace: float) -> Controller:
    """The controllers: of a store that several servers have, one at a time runs them."""
    make = partial(Controllers, registry, grace=grace)
    return HeldControllers(make, registry.cache, driver) if isinstance(driver, SharedDriver) else make()


class HeldControllers:
    """Controllers that run while this server holds the key for them; each of their writes is refused once it does not."""

    def __init__(self, make: Callable[[], Controllers], cache: Cache, driver: SharedDriver) -> None:
        from crdkit.storage.etcd.leadership import Leadership  # noqa: PLC0415 (loaded with its driver)

        self._make, self._cache = make, cache
        self._running: Controllers | None = None
        etcd: EtcdDriver = driver  # type: ignore[assignment]  # the one shared driver that there is
        begin: Callable[[Guard], Awaitable[None]] = self._begin
        self._leadership = Leadership(etcd, f"{socket.gethostname()}:{os.getpid()}", begin=begin, end=self._end)

    async def start(self) -> None:
        self._leadership.start()

    async def stop(self) -> None:
        await self._leadership.stop()

    async def _begin(self, guard: Guard) -> None:
        await self._cache.catch_up()
        with fence(guard):
            self._running = self._make()
            await self._running.start()

    async def _end(self) -> None:
        if self._running is not None:
            await self._running.stop()
            self._running = None
