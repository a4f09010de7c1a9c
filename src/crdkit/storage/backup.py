"""Backups: the objects of one state in one file, whichever store they are of, and from there into any store.

A backup is a store's file (SQLite), as it stands or made for the purpose. It can be taken while servers write.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from crdkit.storage.errors import Corrupted, StorageError, UnknownFormat
from crdkit.storage.lock import DirectoryLock
from crdkit.storage.sqlite import connections, tables
from crdkit.storage.types import ABSENT, GENESIS, Conflict, Driver, Entry, Revision

AHEAD: Final = 1_000_000
"""A restored store goes on so many revisions later, so that no client takes its state for one it has seen already."""

_AT_ONCE: Final = 50
"""Writes under way at a time where a store is filled."""


class NotEmpty(StorageError):
    """There are objects where a backup is to be restored, and nobody has said that they may go."""


# Taking a backup


def back_up_directory(directory: Path, file: Path) -> int:
    """Copy the store in a directory, which may be in use; tells how many objects there are. Raises `StorageError`."""
    source = directory / connections.NAME
    if not source.exists():
        raise StorageError(f"there is no store in {directory}")
    with _written_at_once(file) as unfinished, _created(unfinished) as copy, _opened(source) as connection:
        # In one step, which reads one state: writers are not kept waiting, as they write to the log.
        connection.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")
        _check(copy, source)
        return len(tables.standing(copy))


async def back_up(driver: Driver, file: Path) -> int:
    """Write all objects of a store, in one state, to a file; tells how many. Raises `StorageError`."""
    page = await driver.read("")
    await asyncio.to_thread(_write, page.entries, page.revision, file)
    return len(page.entries)


def _write(entries: list[Entry], newest: Revision, file: Path) -> None:
    with _written_at_once(file) as unfinished, _created(unfinished) as connection:
        tables.lay_out(connection)
        connection.execute("BEGIN")
        for revision, entry in _numbered(entries):
            connection.execute(tables.insertion(1), (revision, entry.key, ABSENT, False, entry.value))
            newest = max(newest, revision)
        connection.execute("UPDATE compaction SET revision = ?", (max(newest, GENESIS),))
        connection.execute("COMMIT")


def _numbered(entries: list[Entry]) -> Iterator[tuple[Revision, Entry]]:
    """Entries in the order in which they were written, each with a revision of its own."""
    last = 0
    for entry in sorted(entries, key=lambda entry: entry.revision):
        last = max(last + 1, entry.revision)
        yield Revision(last), entry


# Restoring one


def restore_directory(file: Path, directory: Path, *, replace: bool) -> int:
    """Make a backup the store in a directory that nobody uses; tells how many objects it has. Raises `StorageError`."""
    target = directory / connections.NAME
    with _opened_backup(file) as backup, _locked(directory):
        if target.exists() and not replace:
            raise NotEmpty(f"there is a store in {directory} with objects already")
        with _written_at_once(target) as unfinished, _created(unfinished) as copy:
            backup.backup(copy)
            newest = max(tables.newest(copy), _newest_of(target))
            tables.compact(copy, Revision(newest + AHEAD))
            count = len(tables.standing(copy))
            _remove_logs(target)
        return count


@contextlib.contextmanager
def _locked(directory: Path) -> Iterator[None]:
    """A directory, made if there is none, that nobody else uses meanwhile."""
    with connections.translated(directory):
        connections.make_directory(directory)
        lock = DirectoryLock(directory)
    try:
        yield
    finally:
        lock.release()


def _newest_of(path: Path) -> Revision:
    """Where the store that is replaced stands, if that can be told."""
    if not path.exists():
        return GENESIS
    try:
        with _opened(path) as connection:
            return tables.newest(connection)
    except StorageError:
        return GENESIS


def _remove_logs(path: Path) -> None:
    """What is still in the log of the store that is replaced must not be taken for the new one's."""
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


async def restore(file: Path, driver: Driver, *, replace: bool) -> int:
    """Make a store that is served hold what a backup holds; tells how many objects. Raises `StorageError`."""
    wanted = {entry.key: entry for entry in await asyncio.to_thread(_read, file)}
    standing = {entry.key: entry for entry in (await driver.read("")).entries}
    if standing and not replace:
        raise NotEmpty(f"there are {len(standing)} objects already")
    together = asyncio.Semaphore(_AT_ONCE)
    # Definitions and namespaces come before what leans on them; what is not wanted goes first.
    for keys in ((standing.keys() - wanted.keys()), *_by_rank(wanted)):
        await asyncio.gather(*(_set(driver, key, wanted.get(key), standing.get(key), together) for key in keys))
    return len(wanted)


def _by_rank(wanted: dict[str, Entry]) -> tuple[list[str], list[str]]:
    first = ("/registry/apiextensions.k8s.io/", "/registry/namespaces/")
    return [key for key in wanted if key.startswith(first)], [key for key in wanted if not key.startswith(first)]


async def _set(driver: Driver, key: str, wanted: Entry | None, standing: Entry | None, together: asyncio.Semaphore) -> None:
    """Have a key hold what is wanted, whatever others make of it meanwhile."""
    async with together:
        while (wanted.value if wanted else None) != (standing.value if standing else None):
            expected = standing.revision if standing else ABSENT
            try:
                if wanted is not None:
                    await driver.put(key, wanted.value, expected=expected)
                else:
                    await driver.delete(key, expected=expected)
            except Conflict as conflict:
                standing = conflict.current
            else:
                return


def _read(file: Path) -> list[Entry]:
    with _opened_backup(file) as connection:
        return tables.read(connection, "", None, "", 0).entries


# Files


@contextlib.contextmanager
def _written_at_once(path: Path) -> Iterator[Path]:
    """A file to be written that takes the place of another once it is whole and on disk."""
    unfinished = path.with_name(f".{path.name}.unfinished")
    with connections.translated(path):
        unfinished.unlink(missing_ok=True)
        try:
            yield unfinished
            _flush(unfinished)
            unfinished.replace(path)
            _flush(path.parent)
        finally:
            unfinished.unlink(missing_ok=True)


def _flush(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    with connections.translated(path), contextlib.closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        yield connection


@contextlib.contextmanager
def _created(path: Path) -> Iterator[sqlite3.Connection]:
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        yield connection


@contextlib.contextmanager
def _opened_backup(file: Path) -> Iterator[sqlite3.Connection]:
    """A backup that is in order. Raises `StorageError`."""
    if not file.is_file():
        raise StorageError(f"there is no file {file}")
    with _opened(file) as connection:
        found = _format(connection)
        if not found:
            raise StorageError(f"{file} is no backup of crdkit")
        if found > tables.FORMAT:
            raise UnknownFormat(f"{file} has format {found}: this crdkit reads up to {tables.FORMAT}, use a newer one")
        _check(connection, file)
        yield connection


def _format(connection: sqlite3.Connection) -> int:
    """The format of a backup; 0 if it is none, be it no database or another program's."""
    try:
        found: int = connection.execute("PRAGMA user_version").fetchone()[0]
        ours = connection.execute("SELECT count(*) FROM sqlite_master WHERE name IN ('entries', 'compaction')").fetchone()[0] == 2
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_NOTADB:
            return 0
        raise
    return found if ours or found > tables.FORMAT else 0


def _check(connection: sqlite3.Connection, path: Path) -> None:
    if (damage := tables.damage(connection)) is not None:
        raise Corrupted(f"{path} is damaged: {damage}")
