"""Connections to the file: how they are opened and made safe, and their errors as the store's."""

from __future__ import annotations

import errno
import os
import sqlite3
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from crdkit.storage.errors import Corrupted, DiskFull, ReadOnly, StorageError, UnknownFormat
from crdkit.storage.sqlite import tables

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME: Final = "state.db"
LOG_KEPT: Final = 16 * 1024 * 1024
"""Bytes of the write-ahead log's file that are kept for the next round once its content is in the main file."""

SETTINGS: Final = f"""
PRAGMA synchronous = FULL;         -- flush the log with every commit
PRAGMA fullfsync = ON;             -- macOS: through the drive's own cache too
PRAGMA checkpoint_fullfsync = ON;
PRAGMA wal_autocheckpoint = 0;     -- the driver says when, on a connection of its own
PRAGMA journal_size_limit = {LOG_KEPT};
"""

SHORT_PATIENCE: Final = 0.05
"""Seconds that the others wait: a checkpoint waits for readers, and the writers for it."""

STATEMENTS: Final = 250
"""Statements kept prepared: one for each size of a batch, and the few others."""

PATIENCE: Final = 5_000
"""Milliseconds that the writing connection waits where somebody writes to the file with another program."""


def create(path: Path) -> sqlite3.Connection:
    """Open the file for writing, and lay it out if it is new. Raises what `translated` raises, and `UnknownFormat`."""
    with translated(path):
        _require_writable(path)
        connection = connect(path)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute(f"PRAGMA busy_timeout = {PATIENCE}")
            found = tables.lay_out(connection)
        except BaseException:
            connection.close()
            raise
    if found > tables.FORMAT:
        connection.close()
        raise UnknownFormat(f"{path} has format {found}: this crdkit reads up to {tables.FORMAT}, use a newer one")
    return connection


def connect(path: Path) -> sqlite3.Connection:
    """Open a connection in SQLite's own autocommit mode; whoever uses it is one thread at a time."""
    connection = sqlite3.connect(path, timeout=SHORT_PATIENCE, isolation_level=None, check_same_thread=False, cached_statements=STATEMENTS)
    try:
        connection.executescript(SETTINGS)
    except BaseException:
        connection.close()
        raise
    return connection


def _require_writable(path: Path) -> None:
    """SQLite opens a file for reading alone if it may not write; a server could not serve so."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))


def make_directory(directory: Path) -> None:
    """Create the data directory, and see that its name is on disk too."""
    if directory.is_dir():
        return
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(directory.parent, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Raise SQLite's and the system's errors as the store's own."""
    try:
        yield
    except sqlite3.Error as error:
        raise storage_error(error, path) from error
    except OSError as error:
        raise system_error(error, path) from error


def storage_error(error: sqlite3.Error, path: Path) -> StorageError:
    """Say in the store's words what SQLite says."""
    # The code is missing where Python itself refuses; the low byte of an extended code is the code.
    match getattr(error, "sqlite_errorcode", 0) & 0xFF:
        case sqlite3.SQLITE_FULL:
            return DiskFull(f"no room to write {path}: the disk is full")
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM:
            return ReadOnly(f"{path} may not be written: {error}")
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return Corrupted(f"{path} is damaged: {error}")
        case _:
            return StorageError(f"{path}: {error}")


def system_error(error: OSError, path: Path) -> StorageError:
    """Say in the store's words what the system says."""
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            return DiskFull(f"no room to write {path}: the disk is full")
        case errno.EACCES | errno.EPERM | errno.EROFS:
            return ReadOnly(f"{path} may not be written: {error.strerror}")
        case _:
            return StorageError(f"{path}: {error.strerror}")
