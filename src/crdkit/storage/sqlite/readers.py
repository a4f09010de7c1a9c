"""Reads in threads, each in one snapshot of the file."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Final, TypeVar

from crdkit.storage.errors import StorageClosed
from crdkit.storage.sqlite.connections import connect, translated

THREADS: Final = 2

T = TypeVar("T")


class Readers:
    """A few threads, and as many connections, opened when first needed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="crdkit-read")
        self._idle: SimpleQueue[sqlite3.Connection] = SimpleQueue()
        self._closed = False

    async def run(self, read: Callable[[sqlite3.Connection], T]) -> T:
        """Read in a thread; all that ``read`` asks is answered from one state."""
        if self._closed:
            raise StorageClosed
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._read, read)

    def _read(self, read: Callable[[sqlite3.Connection], T]) -> T:
        with translated(self._path):
            connection = self._connection()
            try:
                connection.execute("BEGIN")
                try:
                    return read(connection)
                finally:
                    connection.execute("ROLLBACK")
            finally:
                self._idle.put(connection)

    def _connection(self) -> sqlite3.Connection:
        try:
            return self._idle.get_nowait()
        except Empty:
            return connect(self._path)

    def close(self) -> None:
        """Wait for the reads under way, and close the connections."""
        self._closed = True
        self._threads.shutdown()
        while not self._idle.empty():
            self._idle.get_nowait().close()
