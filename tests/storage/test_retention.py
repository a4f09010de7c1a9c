from __future__ import annotations

import pytest

from crdkit.storage.memory import MemoryDriver
from crdkit.storage.retention import Horizon, Retention
from crdkit.storage.types import ABSENT, Compacted, Entry, Revision


class Clock:
    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


def test_what_is_old_enough_may_be_forgotten() -> None:
    clock = Clock()
    horizon = Horizon(Retention(age=300, count=1_000), clock=clock)
    told = []
    for revision in (100, 150, 180, 190):
        told.append(horizon.mark(Revision(revision)))
        clock.now += 200
    assert told == [0, 0, 100, 150]


def test_what_is_beyond_the_count_may_be_forgotten_early() -> None:
    assert Horizon(Retention(count=1_000), clock=Clock()).mark(Revision(5_100)) == 4_100


async def test_memory_forgets_as_it_writes() -> None:
    clock = Clock()
    driver = MemoryDriver(retention=Retention(age=300), clock=clock)
    first = await driver.put("/a", b"1", expected=ABSENT)
    second = await driver.put("/a", b"2", expected=first)
    clock.now += 301
    third = await driver.put("/a", b"3", expected=second)
    clock.now += 301
    await driver.put("/a", b"4", expected=third)
    with pytest.raises(Compacted) as refused:
        await driver.get("/a", at=second)
    assert refused.value.oldest == third
    await driver.close()


async def test_memory_forgets_what_is_new_where_it_has_no_room() -> None:
    driver = MemoryDriver(size=100_000)
    kept = await driver.put("/kept", b"x" * 1_000, expected=ABSENT)
    last = ABSENT
    for _ in range(500):
        last = await driver.put("/a", b"x" * 1_000, expected=last)
        assert (await driver.get("/kept")) == Entry("/kept", b"x" * 1_000, kept)
    with pytest.raises(Compacted) as refused:
        await driver.get("/a", at=Revision(last - 100))
    assert 70 <= last - refused.value.oldest <= 80
    assert (await driver.get("/a", at=Revision(last - 60))) == Entry("/a", b"x" * 1_000, Revision(last - 60))
    await driver.close()


async def test_memory_takes_a_value_larger_than_its_room() -> None:
    driver = MemoryDriver(size=1_000)
    first = await driver.put("/a", b"x" * 2_000, expected=ABSENT)
    second = await driver.put("/b", b"y" * 2_000, expected=ABSENT)
    assert (await driver.read("")).entries == [Entry("/a", b"x" * 2_000, first), Entry("/b", b"y" * 2_000, second)]
    await driver.close()
