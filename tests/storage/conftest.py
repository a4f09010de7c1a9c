"""Every driver, and a cache above each."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Final

import pytest

from crdkit.storage.cache import Cache
from crdkit.storage.memory import MemoryDriver
from crdkit.storage.sqlite import SqliteDriver
from crdkit.storage.types import Driver


async def open_memory(_: Path) -> Driver:
    return MemoryDriver()


DRIVERS: Final[dict[str, Callable[[Path], Awaitable[Driver]]]] = {"memory": open_memory, "sqlite": SqliteDriver.open}


@pytest.fixture(params=DRIVERS)
async def driver(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Driver]:
    driver = await DRIVERS[request.param](tmp_path / "data")
    yield driver
    await driver.close()


@pytest.fixture
async def cache(driver: Driver) -> AsyncIterator[Cache]:
    cache = Cache(driver)
    await cache.start()
    yield cache
    await cache.close()
