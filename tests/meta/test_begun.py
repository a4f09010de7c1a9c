"""A coroutine that was begun in a callback goes on in a task as if it had been the task's from the start."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import pytest

from crdkit.meta.begun import resumed, within_task


async def begun(work: Coroutine[Any, Any, str]) -> str:
    """What comes of a coroutine that is begun where no task runs."""
    waiting: asyncio.Future[object] = asyncio.get_running_loop().create_future()
    asyncio.get_running_loop().call_soon(lambda: waiting.set_result(work.send(None)))
    return await resumed(work, await waiting)


async def whole(work: Coroutine[Any, Any, str]) -> str:
    return await work


async def steps() -> str:
    told = [str(await asyncio.sleep(0, 1)), str(await asyncio.sleep(0.001, 2))]
    try:
        await failing()
    except ValueError as error:
        told.append(str(error))
    return " ".join(told)


async def failing() -> str:
    await asyncio.sleep(0)
    msg = "wrong"
    raise ValueError(msg)


async def stubborn() -> str:
    """Ends well though it is cancelled."""
    try:
        await asyncio.sleep(10)
    except asyncio.CancelledError:
        await asyncio.sleep(0)
        return "cancelled"
    return "slept"


Run = Callable[[Coroutine[Any, Any, str]], Awaitable[str]]
both = pytest.mark.parametrize("run", [begun, whole])


@both
async def test_it_waits_and_ends(run: Run) -> None:
    assert await run(steps()) == "1 2 wrong"


@both
async def test_it_fails(run: Run) -> None:
    with pytest.raises(ValueError, match="wrong"):
        await run(failing())


@both
async def test_it_is_cancelled_where_it_waits(run: Run) -> None:
    task = asyncio.ensure_future(run(stubborn()))
    await asyncio.sleep(0.01)
    task.cancel()
    assert await task == "cancelled"
    task = asyncio.ensure_future(run(patient()))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def patient() -> str:
    await asyncio.Event().wait()
    return ""


@both
async def test_what_needs_a_task_has_one(run: Run) -> None:
    async def limited() -> str:
        await within_task()
        async with asyncio.timeout(10):
            return await asyncio.sleep(0, "in time")

    assert await run(limited()) == "in time"


async def test_it_is_closed_with_whoever_was_to_go_on_with_it() -> None:
    closed = []

    async def work() -> str:
        try:
            await asyncio.sleep(10)
        finally:
            closed.append(True)
        return ""

    coroutine = work()
    rest = resumed(coroutine, coroutine.send(None))
    rest.send(None)
    rest.close()
    assert closed == [True]


async def test_several_may_wait_for_the_same() -> None:
    """A future that is awaited without a task is not yet anybody's: others may await it before the task begins."""
    loop = asyncio.get_running_loop()
    shared: asyncio.Future[str] = loop.create_future()

    async def work() -> str:
        return await shared

    def began() -> asyncio.Task[str]:
        coroutine = work()
        return loop.create_task(_awaited(resumed(coroutine, coroutine.send(None))))

    waiting = [loop.create_task(work()), began(), began(), loop.create_task(work())]
    await asyncio.sleep(0.001)
    shared.set_result("told")
    assert await asyncio.gather(*waiting) == ["told"] * 4


async def _awaited(work: Awaitable[str]) -> str:
    return await work
