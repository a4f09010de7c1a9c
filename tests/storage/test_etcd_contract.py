"""etcd's driver keeps every driver's promises."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest

from crdkit.storage.etcd.driver import EtcdDriver
from crdkit.storage.types import ABSENT, GENESIS, Conflict, Driver, Guard
from tests.storage.etcd import Etcd, needs_etcd, running
from tests.storage.test_contract import *  # noqa: F403 (the tests themselves)

pytestmark = needs_etcd


@pytest.fixture
def etcd() -> Iterator[Etcd]:
    """One that holds nothing yet."""
    with running() as etcd:
        yield etcd


@pytest.fixture
async def driver(etcd: Etcd) -> AsyncIterator[EtcdDriver]:
    driver = await EtcdDriver.open(etcd.settings(), above="")
    yield driver
    await driver.close()


async def test_concurrent_writes_are_compared_one_by_one(driver: Driver) -> None:
    """Whichever comes first at etcd: one creation wins, and no write is made whose guard has moved."""
    guard = await driver.put("/guard", b"", expected=ABSENT)
    results = await asyncio.gather(
        *(driver.put("/a", b"%d" % number, expected=ABSENT) for number in range(5)),
        driver.put("/guard", b"4", expected=guard),
        *(driver.put(f"/{name}", b"5", expected=ABSENT, guards=[Guard("/guard", guard)]) for name in "bcd"),
        return_exceptions=True,
    )
    assert [type(result) for result in results[:5]].count(Conflict) == 4
    moved = results[5]
    assert isinstance(moved, int)
    for result in results[6:]:
        assert isinstance(result, Conflict) if not isinstance(result, int) else result < moved


async def test_a_slow_watch_misses_nothing(driver: Driver) -> None:
    """It is etcd that remembers what a watch is owed: a tenth of what fills a queue here shows as much."""
    changes = driver.watch("", after=GENESIS)
    first = await driver.put("/a", b"", expected=ABSENT)
    assert (await anext(changes)).revision == first
    count = 1_010
    await asyncio.gather(*(driver.put(f"/{number}", b"", expected=ABSENT) for number in range(count)))
    assert [(await anext(changes)).revision for _ in range(count)] == list(range(first + 1, first + count + 1))
