"""Coroutines that are begun where no task runs, in a callback: most end without waiting for anybody, and a task goes on with the others."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Generator
from types import coroutine
from typing import Any, TypeVar

T = TypeVar("T")


@coroutine
def resumed(work: Coroutine[Any, Any, T], waited_for: object) -> Generator[Any, Any, T]:
    """The rest of a coroutine that was begun by ``send(None)`` and gave back what it waits for."""
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


async def within_task() -> None:
    """Be run by a task from here on: for what needs one (`asyncio.timeout`) and may have been begun without."""
    if asyncio.current_task() is None:
        await asyncio.sleep(0)
