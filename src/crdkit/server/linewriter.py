"""Lines that are written in a thread of their own: whoever has one goes on at once. A bound keeps what waits in memory."""

from __future__ import annotations

import logging
import os
import queue
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final, Generic, TypeVar

T = TypeVar("T")
logger = logging.getLogger(__name__)

MOST_WAITING: Final = 20_000
MOST_AT_ONCE: Final = 500
PATIENCE: Final = 5.0
"""Seconds for the last lines to be written."""
LARGEST: Final = 100 * 1024 * 1024
"""Bytes of a file before another is begun; the one before it is kept as ``<name>.1``."""


class LineWriter(Generic[T]):
    """Writes what it is given, by ``encode`` in complete lines. What does not fit is counted and dropped."""

    def __init__(self, write: Callable[[bytes], object], encode: Callable[[T], bytes], *, most: int = MOST_WAITING) -> None:
        self._write, self._encode = write, encode
        self._waiting: queue.Queue[T | None] = queue.Queue(most)
        self._thread = threading.Thread(target=self._run, name="crdkit log", daemon=True)
        self._thread.start()
        self.dropped = 0

    def put(self, item: T) -> None:
        try:
            self._waiting.put_nowait(item)
        except queue.Full:
            self.dropped += 1

    def close(self) -> None:
        """Write what waits; blocks until that is done."""
        try:
            self._waiting.put(None, timeout=PATIENCE)
        except queue.Full:
            return
        self._thread.join(PATIENCE)

    def _run(self) -> None:
        going_on = True
        while going_on:
            items = self._next()
            going_on = items[-1] is not None
            lines = [self._encode(item) for item in items if item is not None]
            try:
                self._write(b"".join(lines))
            except OSError as error:
                self.dropped += len(lines)
                logger.error("lines of a log could not be written: %s", error)  # noqa: TRY400 (the error says all)

    def _next(self) -> list[T | None]:
        """What waits, up to the end if that is among it."""
        items = [self._waiting.get()]
        while items[-1] is not None and len(items) < MOST_AT_ONCE:
            try:
                items.append(self._waiting.get_nowait())
            except queue.Empty:
                break
        return items


class TurningFile:
    """A file that is added to, for its owner's eyes; when it has become large enough, it is put aside and begun anew."""

    def __init__(self, path: Path, *, largest: int = LARGEST) -> None:
        self._path, self._largest = path, largest
        self._open()

    def _open(self) -> None:
        self._file = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        self._size = os.fstat(self._file).st_size

    def write(self, data: bytes) -> None:
        """Raises `OSError`."""
        if self._size and self._size + len(data) > self._largest:
            os.close(self._file)
            self._path.replace(earlier(self._path))
            self._open()
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(self._file, rest) :]
        self._size += len(data)


def earlier(path: Path) -> Path:
    """Where the file before this one is kept."""
    return path.with_name(f"{path.name}.1")
