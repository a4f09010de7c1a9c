"""The one thread that writes: it takes what waits as a batch, compares each write on its own, and flushes once for all of them."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Final

from crdkit.meta.records import record
from crdkit.storage.errors import StorageError
from crdkit.storage.sqlite import tables
from crdkit.storage.sqlite.connections import storage_error
from crdkit.storage.types import ABSENT, Change, Conflict, Entry, Guard, Revision

BATCH_COUNT: Final = 200
BATCH_SIZE: Final = 8 * 1024 * 1024
"""Bounds of a batch: the writes of one transaction, and the bytes of their values."""


@dataclass(slots=True, eq=False)
class Write:
    key: str
    value: bytes | None
    """None deletes."""
    expected: Revision
    guards: Sequence[Guard]
    reply: asyncio.Future[Revision]


@dataclass(slots=True, eq=False)
class Job:
    """Work for the writing connection, done between two batches."""

    work: Callable[[sqlite3.Connection], object]
    reply: asyncio.Future[object]
    last: bool = False
    """Whether the thread ends after it."""


@record(frozen=False)
class Outcome:
    """What became of a batch: the changes in order, and for each that waits its answer or what to raise."""

    changes: list[Change] = field(default_factory=list)
    answers: list[tuple[asyncio.Future[Any], object]] = field(default_factory=list)
    refusals: list[tuple[asyncio.Future[Any], Exception]] = field(default_factory=list)


class Committer:
    """Owns the writing connection while its thread runs; outcomes are handed over in the order of commits.

    ``standing`` tells where every key stands at the beginning.
    """

    def __init__(
        self, connection: sqlite3.Connection, path: Path, standing: dict[str, Revision], hand_over: Callable[[Outcome], None]
    ) -> None:
        self._connection = connection
        self._path = path
        self._hand_over = hand_over
        self._revision = tables.newest(connection)
        self._standing = standing
        self._queue: SimpleQueue[Write | Job] = SimpleQueue()
        # A daemon: a server that is not closed may still end, since all that was answered is on disk.
        self._thread = threading.Thread(target=self._run, name="crdkit-commit", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def submit(self, item: Write | Job) -> None:
        self._queue.put(item)

    def join(self) -> None:
        """Wait for the end of the thread, after its last job."""
        self._thread.join()

    def _run(self) -> None:
        running = True
        while running:
            writes, job = self._take()
            if writes:
                self._hand_over(self._commit(writes))
            if job is not None:
                self._hand_over(self._do(job))
                running = not job.last

    def _take(self) -> tuple[list[Write], Job | None]:
        """Take all that waits, up to the bounds of a batch or the first job; wait for the first."""
        writes: list[Write] = []
        size = 0
        item = self._queue.get()
        while isinstance(item, Write):
            writes.append(item)
            size += len(item.value or b"")
            if len(writes) == BATCH_COUNT or size > BATCH_SIZE:
                return writes, None
            try:
                item = self._queue.get_nowait()
            except Empty:
                return writes, None
        return writes, item

    def _do(self, job: Job) -> Outcome:
        try:
            result = job.work(self._connection)
        except StorageError as error:
            return Outcome(refusals=[(job.reply, error)])
        except sqlite3.Error as error:
            return Outcome(refusals=[(job.reply, storage_error(error, self._path))])
        return Outcome(answers=[(job.reply, result)])

    def _commit(self, writes: list[Write]) -> Outcome:
        batch = _Batch(self._standing, self._revision, self._connection)
        try:
            for write in writes:
                batch.decide(write)
            if batch.rows:
                self._connection.execute(tables.insertion(len(batch.rows)), [value for row in batch.rows for value in row])
        except sqlite3.Error as error:
            # Refusals fall with the rest: they may have been caused by a write of this batch.
            return Outcome(refusals=[(write.reply, storage_error(error, self._path)) for write in writes])
        for key, revision in batch.moved.items():
            if revision == ABSENT:
                del self._standing[key]
            else:
                self._standing[key] = revision
        self._revision = Revision(self._revision + len(batch.rows))
        return batch.outcome


class _Batch:
    """The writes of one transaction, each decided in turn as if those before it had been committed."""

    def __init__(self, standing: dict[str, Revision], revision: Revision, connection: sqlite3.Connection) -> None:
        self.rows: list[tables.Row] = []
        self.moved: dict[str, Revision] = {}
        self.outcome = Outcome()
        self._standing = standing
        self._revision = revision
        self._connection = connection

    def decide(self, write: Write) -> None:
        """Add the write to the transaction, or refuse it."""
        refused = self._compare(write.key, write.expected)
        for guard in write.guards:
            refused = refused or self._compare(guard.key, guard.revision)
        if refused:
            self.outcome.refusals.append((write.reply, refused))
            return
        deleted = write.value is None
        revision = Revision(self._revision + len(self.rows) + 1)
        self.rows.append((revision, write.key, write.expected, deleted, write.value or b""))
        self.moved[write.key] = ABSENT if deleted else revision
        self.outcome.changes.append(Change(write.key, write.value, revision))
        self.outcome.answers.append((write.reply, revision))

    def _compare(self, key: str, expected: Revision) -> Conflict | None:
        found = self.moved.get(key)
        if found is None:
            found = self._standing.get(key, ABSENT)
        if found == expected:
            return None
        return Conflict(key, None if found == ABSENT else Entry(key, self._value(found), found))

    def _value(self, revision: Revision) -> bytes:
        if revision > self._revision:
            return self.rows[revision - self._revision - 1][4]
        return tables.value_of(self._connection, revision)
