"""What is tried after the start succeeds, and nothing is left of it where objects are kept."""

from __future__ import annotations

from crdkit.meta.version import V1_33
from crdkit.registry.registry import Registry
from crdkit.server.warming import warm_up
from crdkit.storage.cache import Cache
from crdkit.storage.memory import MemoryDriver


async def test_a_rehearsal_leaves_nothing_behind() -> None:
    cache = Cache(MemoryDriver())
    await cache.start()
    registry = Registry(cache, V1_33)
    await registry.start()
    before = cache.revision
    await warm_up(registry)
    assert (cache.revision, registry.definitions.all()) == (before, [])
    await registry.stop()
    await cache.close()
