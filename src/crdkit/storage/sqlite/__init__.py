"""A store in one SQLite file: every version a row, one thread that commits, one flush to disk for a batch of writes."""

from crdkit.storage.sqlite.driver import SqliteDriver

__all__ = ["SqliteDriver"]
