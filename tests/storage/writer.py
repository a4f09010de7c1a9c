"""A process to be killed: many writers at once on one store, each telling on standard output what was answered, and when.

A line is the key, the revision, and the size of the write-ahead log when the answer came. Given a number of answers, the process kills
itself after that many.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import sys
from pathlib import Path

from crdkit.storage.cache import Cache
from crdkit.storage.sqlite import SqliteDriver
from crdkit.storage.types import ABSENT


def value_of(key: str) -> bytes:
    """Give the value that belongs to the key, so that a torn one shows."""
    return (key * 2_000)[:2_000].encode()


async def write(directory: Path, writers: int, answers: int) -> None:
    cache = Cache(await SqliteDriver.open(directory))
    await cache.start()
    numbers = itertools.count(len(cache))
    left = itertools.count(answers - 1, -1)

    async def writer() -> None:
        for number in numbers:
            key = f"/{number:06}"
            revision = await cache.put(key, value_of(key), expected=ABSENT)
            size = os.stat(directory / "state.db-wal").st_size  # noqa: PTH116 - as close to the answer as can be
            os.write(1, f"{key} {revision} {size}\n".encode())
            if next(left) == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    await asyncio.gather(*(writer() for _ in range(writers)))


if __name__ == "__main__":
    asyncio.run(write(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])))
