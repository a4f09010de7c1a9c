"""Coroutines that are begun where no task runs, in a callback: most end without waiting for anybody, and a task goes on with the others."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Generator
from types import coroutine
from typing import Any, TypeVar

T = TypeVar("T")


def resumed(work: Coroutine[Any, Any, T], waited_for: object) -> Coroutine[Any, Any, T]:
    """The rest of a coroutine that was begun by ``send(None)`` and gave back what it waits for."""
    if isinstance(waited_for, asyncio.Future):
        let_go(waited_for)
    return _resumed(work, waited_for)


@coroutine
def _resumed(work: Coroutine[Any, Any, T], waited_for: object) -> Generator[Any, Any, T]:
    if isinstance(waited_for, asyncio.Future):
        _take_on(waited_for)
    try:
        while True:
            try:
                sent = yield waited_for
            except GeneratorExit:
                work.close()
                raise
            except BaseException as error:  # noqa: BLE001 (it is the coroutine's to deal with, a cancellation above all)
                waited_for = work.throw(error)
            else:
                waited_for = work.send(sent)
    except StopIteration as end:
        value: T = end.value
        return value


def let_go(waited_for: asyncio.Future[Any]) -> None:
    """Let others await a future too: awaited, it bears a mark until a task has taken it on."""
    waited_for._asyncio_future_blocking = False  # noqa: SLF001 (it is how futures and tasks agree on it)


def _take_on(waited_for: asyncio.Future[Any]) -> None:
    waited_for._asyncio_future_blocking = True  # noqa: SLF001


async def within_task() -> None:
    """Be run by a task from here on: for what needs one (`asyncio.timeout`) and may have been begun without."""
    if asyncio.current_task() is None:
        await asyncio.sleep(0)
