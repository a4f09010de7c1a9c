"""How much is stored makes no difference to who asks for one object."""

from __future__ import annotations

import statistics
import time
from collections.abc import Awaitable, Callable

from crdkit.meta.version import V1_36
from crdkit.registry.registry import Registry
from crdkit.storage.cache import Cache
from crdkit.storage.memory import MemoryDriver
from crdkit.storage.types import ABSENT

from .conftest import MERGE, Api, kiln

FEW, MANY = 500, 10_000
AT_ONCE, ROUNDS = 40, 7
MOST = 1.3
"""What grew with the number of objects would be some ten times higher; the rest is for the noise of busy machines."""


async def filled(count: int) -> Api:
    """A registry with so many objects: all stored like one that was created."""
    cache = Cache(MemoryDriver())
    await cache.start()
    registry = Registry(cache, V1_36, controllers=False)
    await registry.start()
    api = Api(registry)
    await api.define()
    await api.ask("create", body=kiln("first", spec={"heat": 1}))
    (first,) = cache.list("/registry/example.com/kilns/").entries
    for number in range(count):
        name = f"k{number * 7919 % count:06}"
        await cache.put(first.key.replace("first", name), first.value.replace(b"first", name.encode()), expected=ABSENT)
    return api


async def create(api: Api, round_: int, number: int) -> int:
    return (await api.ask("create", body=kiln(f"k{number * 12:06}-{round_}", spec={"heat": 1}))).code


async def get(api: Api, round_: int, number: int) -> int:
    del round_
    return (await api.ask("get", f"k{number * 12:06}")).code


async def patch(api: Api, round_: int, number: int) -> int:
    return (await api.ask("patch", f"k{number * 12:06}", {"spec": {"heat": round_}}, type=MERGE)).code


async def page(api: Api, round_: int, number: int) -> int:
    del round_, number
    return (await api.ask("list", query="limit=100")).code


async def test_one_object_costs_the_same_among_few_and_many() -> None:
    few, many = await filled(FEW), await filled(MANY)
    for ask in (create, get, patch, page):
        ratios = [await seconds(ask, many, round_) / await seconds(ask, few, round_) for round_ in range(ROUNDS)]
        assert statistics.median(ratios) < MOST, ask.__name__
    for api in (few, many):
        await api.registry.stop()
        await api.registry.cache.close()


async def seconds(ask: Callable[[Api, int, int], Awaitable[int]], api: Api, round_: int) -> float:
    """The processor's time, which others do not take from."""
    began = time.thread_time()
    for number in range(AT_ONCE):
        assert await ask(api, round_, number) in (200, 201)
    return time.thread_time() - began
