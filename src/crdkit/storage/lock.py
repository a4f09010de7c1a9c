"""One process per data directory."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import Final

from crdkit.storage.errors import DirectoryInUse

NAME: Final = "lock"


class DirectoryLock:
    """Held until released, or until the process ends in whatever way. Raises `DirectoryInUse`, telling by whom."""

    def __init__(self, directory: Path) -> None:
        self._descriptor = os.open(directory / NAME, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder = os.pread(self._descriptor, 20, 0).decode(errors="replace").strip() or "unknown"
            os.close(self._descriptor)
            raise DirectoryInUse(f"the data directory {directory} is in use by another process (pid {holder})") from error
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, f"{os.getpid()}\n".encode(), 0)

    def release(self) -> None:
        os.close(self._descriptor)
