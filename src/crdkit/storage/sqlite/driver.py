"""The driver: hands writes to the committer and reads to threads, tells of changes, and keeps the file in order."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
import sqlite3
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from crdkit.storage.errors import Corrupted, StorageClosed, StorageError
from crdkit.storage.lock import DirectoryLock
from crdkit.storage.retention import DEFAULT_RETENTION, INTERVAL, Horizon, Retention
from crdkit.storage.sqlite import connections, tables
from crdkit.storage.sqlite.batches import Batch, Write
from crdkit.storage.sqlite.checking import Check
from crdkit.storage.sqlite.committer import Committer, Job
from crdkit.storage.sqlite.readers import Readers
from crdkit.storage.types import Change, Entry, Event, FutureRevision, Guard, Page, Revision, require_present

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

logger = logging.getLogger(__name__)

CHECKPOINT_SIZE: Final = 4 * 1024 * 1024
"""Bytes written to the log (about) that are worth copying into the main file."""

ROW_OVERHEAD: Final = 8 * 1024
"""About what a row adds to the log besides its value: the log holds whole pages."""

COMPACTION_STEP: Final = 500
"""Revisions forgotten at a time; writes that come meanwhile wait for one step at most."""

CHECK_AFTER: Final = 2.0
"""Seconds after which the file is checked: the start itself, and servers of a few seconds, are not held up."""


class SqliteDriver:
    """A `Driver` on one file in a directory of its own. ``await SqliteDriver.open(directory)`` makes one.

    A write is answered when the log that has it has been flushed to disk. History outlives a restart.
    """

    def __init__(self, path: Path, lock: DirectoryLock, connection: sqlite3.Connection, state: Page, horizon: Horizon) -> None:
        self._loop = asyncio.get_running_loop()
        # Whoever opens a store reads all of it first, and the keys, of which there may be many, are there once.
        self._state: Page | None = state
        self._path = path
        self._lock = lock
        self._connection = connection
        self._horizon = horizon
        self._standing = {entry.key: entry.revision for entry in state.entries}
        self._committer = Committer(connection, path, self._hand_over)
        self._committing = False
        self._waiting: deque[Write | Job] = deque()
        self._revision = tables.newest(connection)
        self._readers = Readers(path)
        self._keeper = ThreadPoolExecutor(1, thread_name_prefix="crdkit-checkpoint")
        self._keeping: sqlite3.Connection | None = None
        self._told: Callable[[Change], object] | None = None
        self._unsaved = _size(path.with_name(path.name + "-wal"))
        self._checkpointing: asyncio.Task[None] | None = None
        self._closed = False
        self._committer.start()
        self._upkeep = asyncio.create_task(self._look_after(), name="storage upkeep")
        self._check = Check(path)
        self._checking = asyncio.create_task(self._verify(), name="storage check")
        self._check_begun = False
        self._damage: Corrupted | None = None

    @classmethod
    async def open(
        cls, directory: Path, *, retention: Retention = DEFAULT_RETENTION, clock: Callable[[], float] = time.monotonic
    ) -> SqliteDriver:
        """Open the store in a directory, which is created if need be. Raises `StorageError`."""
        path = directory / connections.NAME
        lock, connection, state = await asyncio.to_thread(_prepare, directory)
        try:
            with connections.translated(path):
                return cls(path, lock, connection, state, Horizon(retention, clock=clock))
        except BaseException:
            connection.close()
            lock.release()
            raise

    async def get(self, key: str, *, at: Revision | None = None) -> Entry | None:
        return await self._readers.run(lambda connection: tables.get(connection, key, at))

    async def read(self, prefix: str, *, at: Revision | None = None, after: str = "", limit: int = 0) -> Page:
        state, self._state = self._state, None
        if state is not None and not prefix and at is None and not after and not limit and not self._closed:
            return state
        return await self._readers.run(lambda connection: tables.read(connection, prefix, at, after, limit))

    def put(self, key: str, value: bytes, *, expected: Revision, guards: Sequence[Guard] = ()) -> asyncio.Future[Revision]:
        return self._submit(key, value, expected, guards)

    def put_in_turn(
        self, key: str, values: Sequence[bytes], *, expected: Revision, guards: Sequence[Guard] = ()
    ) -> asyncio.Future[Revision]:
        return self._submit(key, values[0], expected, guards, values[1:])

    def delete(self, key: str, *, expected: Revision, guards: Sequence[Guard] = ()) -> asyncio.Future[Revision]:
        require_present(expected)
        return self._submit(key, None, expected, guards)

    def inform(self, told: Callable[[Change], object]) -> None:
        self._told = told

    async def recent(self, *, count: int, size: int) -> tuple[Revision, list[Event]]:
        return await self._readers.run(lambda connection: tables.recent(connection, count, size))

    async def revision(self) -> Revision:
        return self._revision

    async def compact(self, before: Revision) -> None:
        if before > self._revision:
            raise FutureRevision(self._revision)
        oldest = await self._readers.run(tables.compacted)
        while oldest < before:
            oldest = Revision(min(oldest + COMPACTION_STEP, before))
            await self._job(functools.partial(tables.compact, upto=oldest))

    async def close(self) -> None:
        if self._closed:
            return
        self._upkeep.cancel()
        self._check.stop()
        if not self._check_begun:
            self._checking.cancel()
        last = self._job(lambda _: None, last=True)
        self._closed = True
        await last
        if self._checkpointing is not None:
            await asyncio.gather(self._checkpointing, return_exceptions=True)
        await asyncio.gather(self._checking, return_exceptions=True)
        await asyncio.to_thread(self._let_go)

    def _let_go(self) -> None:
        self._committer.join()
        self._readers.close()
        self._keeper.shutdown()
        if self._keeping is not None:
            self._keeping.close()
        self._connection.close()  # the last to close copies the log into the main file
        self._lock.release()

    def _submit(
        self, key: str, value: bytes | None, expected: Revision, guards: Sequence[Guard], later: Sequence[bytes] = ()
    ) -> asyncio.Future[Revision]:
        if self._closed:
            raise StorageClosed
        if self._damage is not None:
            raise self._damage
        reply: asyncio.Future[Revision] = self._loop.create_future()
        self._wait(Write(key, value, expected, guards, reply, later))
        return reply

    def _job(self, work: Callable[[sqlite3.Connection], object], *, last: bool = False) -> asyncio.Future[object]:
        if self._closed:
            raise StorageClosed
        reply: asyncio.Future[object] = self._loop.create_future()
        self._wait(Job(work, reply, last))
        return reply

    def _wait(self, item: Write | Job) -> None:
        self._waiting.append(item)
        if len(self._waiting) == 1 and not self._committing:
            self._loop.call_soon(self._hand_in)

    def _hand_in(self) -> None:
        """Give the committer all that waits, up to a job or a batch's bounds: what came in one turn of the loop shares a flush.

        It has one batch at a time: what comes meanwhile is the next, and is compared with how this one has ended.
        """
        if self._committing or not self._waiting:
            return
        self._committing = True
        if isinstance(first := self._waiting[0], Job):
            self._waiting.popleft()
            self._committer.submit(first)
            return
        batch = Batch(self._standing, self._revision)
        while self._waiting and isinstance(write := self._waiting[0], Write) and not batch.full:
            batch.decide(write)
            self._waiting.popleft()
        self._committer.submit(batch)

    def _hand_over(self, done: Batch | Job, result: object) -> None:
        """Bring an outcome from the committer's thread to the event loop."""
        # Where the loop is closed already, nobody waits for an answer.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._deliver, done, result)

    def _deliver(self, done: Batch | Job, result: object) -> None:
        """Take the outcome, and let the next go to the disk while those are answered who waited for this one."""
        self._committing = False
        if isinstance(done, Job):
            self._hand_in()
            _settle(done.reply, result)
        elif isinstance(result, Exception):
            done.fail(result)
            self._hand_in()
        else:
            self._take(done)
            self._hand_in()
            done.settle(cast("dict[Revision, bytes]", result))

    def _take(self, batch: Batch) -> None:
        """Tell of the changes before those are answered who made them."""
        self._state = None
        for change in batch.changes:
            self._revision = change.revision
            if self._told is not None:
                self._told(change)
            self._unsaved += len(change.value or b"") + ROW_OVERHEAD
        if self._unsaved > CHECKPOINT_SIZE and self._checkpointing is None and not self._closed:
            self._unsaved = 0
            self._checkpointing = asyncio.create_task(self._checkpoint(), name="storage checkpoint")

    async def _checkpoint(self) -> None:
        """Copy the log into the main file: most of it beside the writers, and while they wait the rest, so that it begins anew."""
        try:
            await self._loop.run_in_executor(self._keeper, self._copy_log, "PASSIVE")
            await self._job(lambda _: self._copy_log("RESTART"))
        except StorageClosed:
            return
        except StorageError as error:
            logger.warning("the write-ahead log could not be copied; it is tried again after the next writes: %s", error)
        finally:
            self._checkpointing = None

    def _copy_log(self, mode: str) -> None:
        with connections.translated(self._path):
            if self._keeping is None:
                self._keeping = connections.connect(self._path)
            tables.checkpoint(self._keeping, mode)

    async def _look_after(self) -> None:
        while True:
            try:
                await self.forget()
            except StorageError as error:
                logger.warning("old history could not be removed; it is tried again: %s", error)
            await asyncio.sleep(INTERVAL)

    async def _verify(self) -> None:
        """Read the whole file once, beside the requests. A damaged one takes no more writes: they might be lost, or make it worse."""
        await asyncio.sleep(CHECK_AFTER)
        self._check_begun = True
        try:
            await asyncio.to_thread(self._check.run)
        except StorageClosed:
            return
        except Corrupted as error:
            self._damage = error
            logger.error("%s; restore it from a backup", error)  # noqa: TRY400 (nobody needs to know where it was found)
        except StorageError as error:
            logger.warning("the file could not be checked: %s", error)

    async def forget(self) -> None:
        """Compact what is older than history is kept."""
        await self.compact(self._horizon.mark(self._revision))


def _prepare(directory: Path) -> tuple[DirectoryLock, sqlite3.Connection, Page]:
    with connections.translated(directory):
        connections.make_directory(directory)
        lock = DirectoryLock(directory)
    try:
        connection = connections.create(directory / connections.NAME)
        try:
            with connections.translated(directory / connections.NAME):
                return lock, connection, tables.read(connection, "", None, "", 0)
        except BaseException:
            connection.close()
            raise
    except BaseException:
        lock.release()
        raise


def _settle(reply: asyncio.Future[object], result: object) -> None:
    if reply.done():
        return
    if isinstance(result, Exception):
        reply.set_exception(result)
    else:
        reply.set_result(result)


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
