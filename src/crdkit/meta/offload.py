"""Work that may take longer than a request should hold up the others: it runs in a worker thread."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Final, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

WORKERS: Final = 2
SMALL_YAML: Final = 4 * 1024
SMALL_JSON: Final = 128 * 1024
"""Bytes of text that are read or written within some 10 ms."""
_TURN: Final = 0.0005
"""Seconds that a worker may go on while the event loop waits for its turn, of which a request needs several."""


class Impatient(Exception):
    """Work takes longer than whoever asked is willing to wait for at once; nothing has come of it yet."""


@cache
def _workers() -> ThreadPoolExecutor:
    sys.setswitchinterval(_TURN)
    return ThreadPoolExecutor(WORKERS, thread_name_prefix="crdkit")


async def offload(function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Run ``function`` in a worker thread; for what may take more than some 20 ms."""
    return await asyncio.get_running_loop().run_in_executor(_workers(), lambda: function(*args, **kwargs))
