"""The one thread that writes: it is given a transaction at a time, and does no more in Python's lock than it must.

What a thread on another processor touches of Python's objects has to come from the event loop's cache and back again, which costs the loop
more than the work itself: so a batch is decided, and its outcome told, on the loop.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

from crdkit.storage.sqlite import tables
from crdkit.storage.sqlite.batches import Batch
from crdkit.storage.sqlite.connections import storage_error
from crdkit.storage.types import Revision


@dataclass(slots=True, eq=False)
class Job:
    """Work for the writing connection, done between two batches."""

    work: Callable[[sqlite3.Connection], object]
    reply: asyncio.Future[object]
    last: bool = False
    """Whether the thread ends after it."""


Done = Callable[[Batch | Job, object], None]
"""Told, in the committer's thread, of what was done: a job's result, a batch's values of what was `unread`, or the error."""


class Committer:
    """Owns the writing connection while its thread runs."""

    def __init__(self, connection: sqlite3.Connection, path: Path, done: Done) -> None:
        self._connection = connection
        self._path = path
        self._done = done
        self._queue: SimpleQueue[Batch | Job] = SimpleQueue()
        # A daemon: a server that is not closed may still end, since all that was answered is on disk.
        self._thread = threading.Thread(target=self._run, name="crdkit-commit", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def submit(self, item: Batch | Job) -> None:
        self._queue.put(item)

    def join(self) -> None:
        """Wait for the end of the thread, after its last job."""
        self._thread.join()

    def _run(self) -> None:
        last = False
        while not last:
            item = self._queue.get()
            try:
                result = self._commit(item) if isinstance(item, Batch) else item.work(self._connection)
            except sqlite3.Error as error:
                result = storage_error(error, self._path)
            except Exception as error:  # noqa: BLE001 (it is told to those who wait)
                result = error
            self._done(item, result)
            last = isinstance(item, Job) and item.last

    def _commit(self, batch: Batch) -> dict[Revision, bytes]:
        if batch.row_values:
            self._connection.execute(tables.insertion(len(batch.changes)), batch.row_values)
        return {revision: tables.value_of(self._connection, revision) for revision in batch.unread()}
