"""etcd's driver keeps every driver's promises."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest

from crdkit.storage.etcd.driver import EtcdDriver
from crdkit.storage.types import ABSENT, GENESIS, Change, Compacted, Conflict, Driver, FutureRevision, Guard, Revision
from tests.storage.etcd import Etcd, needs_etcd, running
from tests.storage.test_contract import *  # noqa: F403 (the tests themselves)
from tests.storage.test_contract import changes_of, fill, take

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


async def test_who_follows_slowly_misses_nothing(driver: EtcdDriver) -> None:
    """It is etcd that remembers what is owed: a tenth of what fills a queue here shows as much."""
    changes = changes_of(driver, after=GENESIS)
    first = await driver.put("/a", b"", expected=ABSENT)
    assert (await anext(changes)).revision == first
    count = 1_010
    await asyncio.gather(*(driver.put(f"/{number}", b"", expected=ABSENT) for number in range(count)))
    assert [change.revision for change in await take(changes, count)] == list(range(first + 1, first + count + 1))


async def test_the_past_is_told_too_until_the_driver_is_closed(driver: EtcdDriver) -> None:
    first, second = await fill(driver, "/a", "/b")
    changes = changes_of(driver, after=first)
    assert await anext(changes) == Change("/b", b"/b", second)
    (third,) = await fill(driver, "/c")
    assert await anext(changes) == Change("/c", b"/c", third)
    await driver.close()
    with pytest.raises(StopAsyncIteration):
        await anext(changes)


async def test_what_is_forgotten_or_yet_to_come_cannot_be_followed(driver: EtcdDriver) -> None:
    first, second, _ = await fill(driver, "/a", "/b", "/c")
    newest = await driver.delete("/a", expected=first)
    with pytest.raises(FutureRevision):
        await anext(changes_of(driver, after=Revision(newest + 1)))
    await driver.compact(newest)
    with pytest.raises(Compacted):
        await anext(changes_of(driver, after=second))
