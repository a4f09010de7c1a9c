"""A request that waits goes on where what it waits for is done, is told of once, and takes no longer than it may."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from time import perf_counter
from typing import Any

import pytest

from crdkit.registry.request import NO_QUERY
from crdkit.server import deadlines
from crdkit.server.deadlines import Deadlines
from crdkit.server.exchange import Exchange
from crdkit.server.message import Headers, Incoming, Outgoing
from crdkit.server.underway import Course, Outcome, Underway

ANSWER = Outgoing(201, b"", b"stored")


class Observed:
    def __init__(self) -> None:
        self.codes: list[int] = []

    def note(self, exchange: Exchange, code: int, seconds: float) -> None:
        assert seconds >= 0
        self.codes.append(code)


class Begun:
    """A request that was begun as a connection begins it: where no task runs."""

    def __init__(self, work: Callable[[], Coroutine[Any, Any, Outgoing]], *, seconds: float = 60) -> None:
        self.observed = Observed()
        self.course = Course([self.observed])
        self.course.deadlines = Deadlines(seconds)
        self.loop = asyncio.get_running_loop()
        self.outcomes: list[Outcome] = []
        self._work = work
        self._ended: asyncio.Future[None] = self.loop.create_future()
        self.loop.call_soon(self._begin)

    def _begin(self) -> None:
        exchange = Exchange(Incoming("POST", "/x", NO_QUERY, Headers([])))
        work = self._work()
        begun = self.course.go_on(exchange, work, work.send(None), perf_counter())
        if isinstance(begun, Underway):
            begun.then(self._told)
        else:
            self._told(begun)

    def _told(self, outcome: Outcome) -> None:
        self.outcomes.append(outcome)
        self._ended.set_result(None)

    async def outcome(self) -> Outcome:
        await self._ended
        return self.outcomes[0]

    async def answer(self) -> Outgoing:
        outcome = await self.outcome()
        return outcome if isinstance(outcome, Outgoing) else await outcome


async def stored(*waits: Awaitable[object]) -> Outgoing:
    for wait in waits:
        await wait
    return ANSWER


async def test_what_waits_for_one_future_needs_no_task() -> None:
    future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    begun = Begun(lambda: stored(future))
    await asyncio.sleep(0)
    tasks = asyncio.all_tasks()
    future.set_result(None)
    assert await begun.outcome() is ANSWER
    assert asyncio.all_tasks() == tasks
    assert begun.observed.codes == [201]


async def test_what_waits_again_is_a_tasks() -> None:
    future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    begun = Begun(lambda: stored(future, asyncio.sleep(0), asyncio.sleep(0.001)))
    asyncio.get_running_loop().call_soon(future.set_result, None)
    outcome = await begun.outcome()
    assert not isinstance(outcome, Outgoing)
    assert await outcome is ANSWER
    assert begun.observed.codes == [201]


async def test_several_wait_for_the_same() -> None:
    future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    begun = [Begun(lambda: stored(future)) for _ in range(3)]
    await asyncio.sleep(0)
    waiting = asyncio.create_task(stored(future))
    await asyncio.sleep(0)
    future.set_result(None)
    assert [await one.answer() for one in begun] == [ANSWER] * 3
    assert await waiting is ANSWER


@pytest.mark.parametrize("waits", [1, 2])
async def test_it_takes_no_longer_than_it_may(waits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither where it waits first nor, its time going on, where it waits again."""
    monkeypatch.setattr(deadlines, "TICK", 0.01)
    loop = asyncio.get_running_loop()
    futures: list[asyncio.Future[None]] = [loop.create_future() for _ in range(waits)]
    begun = Begun(lambda: stored(*futures), seconds=0.05)
    await asyncio.sleep(0)
    for future in futures[:-1]:
        future.set_result(None)
    assert (await begun.answer()).code == 504
    assert futures[-1].cancelled()
    assert begun.observed.codes == [504]


async def test_it_can_be_awaited() -> None:
    loop = asyncio.get_running_loop()
    for again in ((), (asyncio.sleep(0),)):
        future: asyncio.Future[None] = loop.create_future()
        work = stored(future, *again)
        begun = Course([]).go_on(Exchange(Incoming("POST", "/x", NO_QUERY, Headers([]))), work, work.send(None), perf_counter())
        assert isinstance(begun, Underway)
        loop.call_soon(future.set_result, None)
        assert await begun is ANSWER
