"""Work that may take longer than a request should hold up the others: it runs in a worker thread."""

from __future__ import annotations

import asyncio
import inspect
import sys
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, Final, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

WORKERS: Final = 2
SMALL_YAML: Final = 4 * 1024
SMALL_JSON: Final = 128 * 1024
"""Bytes of text that are read or written within some 10 ms."""
_TURN: Final = 0.0005
"""Seconds that a worker may go on while the event loop waits for its turn, of which a request needs several."""


def is_long(text: bytes) -> bool:
    """Whether it takes long to do anything with what a text holds."""
    return len(text) > SMALL_JSON


class Impatient(Exception):
    """Work takes longer than whoever asked is willing to wait for at once; nothing has come of it yet."""


@cache
def _workers() -> ThreadPoolExecutor:
    sys.setswitchinterval(_TURN)
    return ThreadPoolExecutor(WORKERS, thread_name_prefix="crdkit")


async def offload(function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Run ``function`` in a worker thread; for what may take more than some 20 ms. In a worker already, it runs where it is."""
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        return function(*args, **kwargs)
    return await loop.run_in_executor(_workers(), lambda: function(*args, **kwargs))


async def offload_if(long: bool, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Run ``function`` in a worker thread where that is worth it, else at once."""
    return await offload(function, *args, **kwargs) if long else function(*args, **kwargs)


async def aside(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run in a worker thread what is written as a coroutine, but here has nobody to wait for."""
    try:
        return await offload(_finished, coroutine)
    except asyncio.CancelledError:
        if inspect.getcoroutinestate(coroutine) == inspect.CORO_CREATED:  # it was still to begin
            coroutine.close()
        raise


def _finished(coroutine: Coroutine[Any, Any, T]) -> T:
    try:
        coroutine.send(None)
    except StopIteration as end:
        value: T = end.value
        return value
    coroutine.close()
    msg = f"{coroutine} waits for somebody"
    raise RuntimeError(msg)
