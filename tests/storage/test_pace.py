"""Watchers are woken at once after a quiet moment, and together while changes come fast."""

from __future__ import annotations

import asyncio
from time import perf_counter

from crdkit.storage.pace import LONGEST, Pace
from crdkit.storage.types import Event, EventKind, Revision
from crdkit.storage.watching import Watchers


class Sleeper:
    """Notes when it was woken, and is then busy for some time."""

    def __init__(self, busy: float = 0) -> None:
        self.woken: list[float] = []
        self._busy = busy

    def wake(self) -> None:
        self.woken.append(perf_counter())
        while perf_counter() < self.woken[-1] + self._busy:
            pass


async def turn() -> None:
    """Let all that is ready run, and what that makes ready."""
    for _ in range(3):
        await asyncio.sleep(0)


async def test_after_a_quiet_moment_nobody_waits() -> None:
    pace, sleeper = Pace(), Sleeper()
    for count in (1, 2):
        pace.wake(sleeper)
        await turn()
        assert len(sleeper.woken) == count
        await asyncio.sleep(0.01)


async def test_who_took_long_is_not_woken_again_before_others_had_their_time() -> None:
    pace, sleeper = Pace(), Sleeper(busy=0.003)
    pace.wake(sleeper)
    await turn()
    pace.wake(sleeper)
    pace.wake(sleeper)
    await asyncio.sleep(5 * LONGEST)
    first, second = sleeper.woken
    assert second - first > 0.006


def put(key: str, revision: int) -> Event:
    return Event(EventKind.PUT, key, b"", Revision(revision), None)


async def test_readers_get_what_comes_fast_in_order_and_once() -> None:
    watchers = Watchers()
    readers = [watchers.join("/a/") for _ in range(3)]

    async def read(number: int) -> list[int]:
        return [change.revision async for batch in readers[number] for change in batch]

    reading = [asyncio.create_task(read(number)) for number in range(3)]
    for revision in range(1, 200):
        watchers.publish(put(f"/a/{revision}", revision))
        watchers.publish(put(f"/b/{revision}", revision))
        if revision % 7 == 0:
            await asyncio.sleep(0)
    watchers.close()
    assert await asyncio.gather(*reading) == [list(range(1, 200))] * 3


async def test_a_reader_for_whom_there_is_nothing_sleeps_on() -> None:
    watchers = Watchers()
    reader = watchers.join("/a/")
    waiting = asyncio.create_task(reader.next())
    await turn()
    reader.wake()
    await turn()
    assert not waiting.done()
    watchers.close()
    assert await waiting is None
