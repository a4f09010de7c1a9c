"""Coroutines that are begun where no task runs, in a callback: most end without waiting for anybody, and a task goes on with the others."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Generator
from types import coroutine
from typing import Any, TypeVar

T = TypeVar("T")


def resumed(work: Coroutine[Any, Any, T], waited_for: object) -> Coroutine[Any, Any, T]:
    """The rest of a coroutine that was begun by ``send(None)`` and gave back what it waits for."""
    _mark(waited_for, waited_on=False)
    return _resumed(work, waited_for)


@coroutine
def _resumed(work: Coroutine[Any, Any, T], waited_for: object) -> Generator[Any, Any, T]:
    _mark(waited_for, waited_on=True)
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


def _mark(waited_for: object, *, waited_on: bool) -> None:
    """A future that is awaited bears a mark until a task has taken it on; until then nobody else could await it."""
    if asyncio.isfuture(waited_for):
        waited_for._asyncio_future_blocking = waited_on  # noqa: SLF001 (it is how futures and tasks agree on it)


async def within_task() -> None:
    """Be run by a task from here on: for what needs one (`asyncio.timeout`) and may have been begun without."""
    if asyncio.current_task() is None:
        await asyncio.sleep(0)
