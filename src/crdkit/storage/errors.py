"""What can go wrong with the store itself, as opposed to a write that is refused.

StorageError
  DirectoryInUse     another process has the data directory
  DiskFull           no room for the write; the store goes on once there is room
  ReadOnly           the files may be read but not written
  Corrupted          the file is not, or no longer, what was written
  UnknownFormat      the file was written by a newer crdkit
  Unavailable        the store is elsewhere, and does not answer in time
  StorageClosed      the store has been closed
"""

from __future__ import annotations


class StorageError(Exception):
    """The store cannot do what it was asked; nothing of the write remains."""


class DirectoryInUse(StorageError):
    """Another process has the data directory."""


class DiskFull(StorageError):
    """There is no room for the write."""


class ReadOnly(StorageError):
    """The files may not be written."""


class Corrupted(StorageError):
    """The file does not hold what was written to it."""


class UnknownFormat(StorageError):
    """The file was written by a newer crdkit."""


class Unavailable(StorageError):
    """The store is elsewhere, and does not answer in time: what became of a write is not known."""


class StorageClosed(StorageError):
    """The store has been closed."""

    def __init__(self) -> None:
        super().__init__("the store is closed")
