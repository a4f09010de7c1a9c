"""Looks once, beside everything else, whether the file is what was written to it."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from pathlib import Path

from crdkit.storage.errors import Corrupted, StorageClosed
from crdkit.storage.sqlite import tables
from crdkit.storage.sqlite.connections import connect, translated


class Check:
    """Reads the whole file in the thread that calls `run`; `stop`, from another, ends that."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None
        self._lock = threading.Lock()
        self._stopped = False

    def run(self) -> None:
        """Raise `Corrupted` for a damaged file, `StorageClosed` where it was stopped, and what else keeps it from reading."""
        with translated(self._path), contextlib.closing(connect(self._path)) as connection:
            with self._lock:
                self._connection = connection
            try:
                found = None if self._stopped else tables.damage(connection)
            finally:
                with self._lock:
                    self._connection = None
                if self._stopped:
                    raise StorageClosed
        if found is not None:
            raise Corrupted(f"{self._path} is damaged: {found}")

    def stop(self) -> None:
        with self._lock:
            self._stopped = True
            if self._connection is not None:
                self._connection.interrupt()
