"""The layout of the file, and every statement that reads or forgets.

Each commit is a row under its revision, deletions too; ``previous`` is the revision of the row it replaced (0: created). So a state of
the past is for each key its last row up to then, and compaction finds what was replaced without searching.
"""

from __future__ import annotations

import functools
import gc
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from operator import attrgetter
from typing import Final

from crdkit.storage.keys import prefix_end
from crdkit.storage.types import GENESIS, Compacted, Entry, Event, EventKind, FutureRevision, Page, Revision

FORMAT: Final = 1
"""The layout's number, kept in the file; a change to the layout counts it up."""

LAYOUT: Final = f"""
BEGIN IMMEDIATE;
CREATE TABLE entries (
    revision INTEGER PRIMARY KEY, key TEXT NOT NULL, previous INTEGER NOT NULL, deleted INTEGER NOT NULL, value BLOB NOT NULL
);
CREATE INDEX entries_by_key ON entries (key, revision, deleted);
CREATE TABLE compaction (revision INTEGER NOT NULL);
INSERT INTO compaction VALUES ({GENESIS});
PRAGMA user_version = {FORMAT};
COMMIT;
"""  # noqa: S608 - constants

# In a query with max() and no other aggregate, SQLite takes the other columns from the row that has the maximum.
STANDING: Final = """
    SELECT key, max(revision) AS revision, deleted FROM entries INDEXED BY entries_by_key
    WHERE key >= ? AND key > ? AND key < ? AND revision <= ?
    GROUP BY key HAVING NOT deleted
"""

READ: Final = f"SELECT key, value, revision FROM entries WHERE revision IN (SELECT revision FROM ({STANDING} ORDER BY key LIMIT ?))"  # noqa: S608
"""Finds by key and fetches by revision, which is the order on disk."""

_key = attrgetter("key")

Row = tuple[Revision, str, Revision, bool, bytes]
"""Revision, key, previous, deleted, value."""


def lay_out(connection: sqlite3.Connection) -> int:
    """Create the tables in a new file; tell the file's format."""
    found = _number(connection, "PRAGMA user_version")
    if found == 0:
        connection.executescript(LAYOUT)
        return FORMAT
    return found


@functools.cache
def insertion(count: int) -> str:
    """Give the statement that adds ``count`` rows: one statement is one transaction, and costs one turn at Python's lock."""
    return "INSERT INTO entries VALUES " + ", ".join(["(?, ?, ?, ?, ?)"] * count)  # noqa: S608 - marks only


def newest(connection: sqlite3.Connection) -> Revision:
    """Tell the newest revision; that row may be compacted already, if it is a deletion."""
    return Revision(_number(connection, "SELECT max(c.revision, coalesce((SELECT max(revision) FROM entries), 0)) FROM compaction AS c"))


def compacted(connection: sqlite3.Connection) -> Revision:
    """Tell the oldest revision whose state can be read."""
    return Revision(_number(connection, "SELECT revision FROM compaction"))


def standing(connection: sqlite3.Connection) -> dict[str, Revision]:
    """Tell where every key stands."""
    found: dict[str, Revision] = {}
    # The index holds all of it, in this order: a key's last row is the one that counts.
    for key, revision, deleted in connection.execute(
        "SELECT key, revision, deleted FROM entries INDEXED BY entries_by_key ORDER BY key, revision"
    ):
        if not deleted:
            found[key] = revision
        else:
            found.pop(key, None)
    return found


def value_of(connection: sqlite3.Connection, revision: Revision) -> bytes:
    row: tuple[bytes] = connection.execute("SELECT value FROM entries WHERE revision = ?", (revision,)).fetchone()
    return row[0]


def get(connection: sqlite3.Connection, key: str, at: Revision | None) -> Entry | None:
    row = connection.execute(
        "SELECT value, revision, deleted FROM entries WHERE key = ? AND revision <= ? ORDER BY revision DESC LIMIT 1",
        (key, _readable(connection, at)),
    ).fetchone()
    return None if row is None or row[2] else Entry(key, row[0], Revision(row[1]))


def read(connection: sqlite3.Connection, prefix: str, at: Revision | None, after: str, limit: int) -> Page:
    revision = _readable(connection, at)
    place = (prefix, after, prefix_end(prefix), revision)
    with _uncollected():
        entries = [Entry(key, value, Revision(at)) for key, value, at in connection.execute(READ, (*place, limit or -1))]
    entries.sort(key=_key)
    remaining = _count(connection, place) - len(entries) if limit and len(entries) == limit else 0
    return Page(entries, revision, more=remaining > 0, remaining=remaining)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Look for no garbage while many objects are made, none of which is any: that would take a third of the time."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def _count(connection: sqlite3.Connection, place: tuple[str, str, str, Revision]) -> int:
    return _number(connection, f"SELECT count(*) FROM ({STANDING})", *place)  # noqa: S608 - a constant


def recent(connection: sqlite3.Connection, count: int, size: int) -> tuple[Revision, list[Event]]:
    """Give the newest events within the bounds, and the revision after which none is missing."""
    last = newest(connection)
    oldest = Revision(max(last - count, compacted(connection)))
    rows = connection.execute(
        "SELECT e.revision, e.key, e.deleted, e.value, p.value, e.previous FROM entries AS e"
        " LEFT JOIN entries AS p ON p.revision = e.previous WHERE e.revision > ? ORDER BY e.revision DESC",
        (oldest,),
    )
    events: list[Event] = []
    for revision, key, deleted, value, before, previous in rows:
        size -= len(value)
        if size < 0:
            oldest = Revision(revision)
            break
        entry = Entry(key, before, Revision(previous)) if previous else None
        events.append(Event(EventKind.DELETE if deleted else EventKind.PUT, key, value, Revision(revision), entry))
    events.reverse()
    return oldest, events


def compact(connection: sqlite3.Connection, upto: Revision) -> None:
    """Forget, in one transaction, what was replaced up to ``upto``."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        since = compacted(connection)
        upto = max(since, upto)
        connection.execute(
            "DELETE FROM entries WHERE revision IN (SELECT previous FROM entries WHERE revision > ? AND revision <= ?)", (since, upto)
        )
        connection.execute("DELETE FROM entries WHERE revision > ? AND revision <= ? AND deleted", (since, upto))
        connection.execute("UPDATE compaction SET revision = ?", (upto,))
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def checkpoint(connection: sqlite3.Connection, mode: str) -> None:
    """Copy the write-ahead log into the main file: ``PASSIVE`` as it stands now, ``RESTART`` so that the log begins anew.

    The latter gives up where a reader still needs the log; the next checkpoint comes round again.
    """
    connection.execute(f"PRAGMA wal_checkpoint({mode})").fetchall()


def damage(connection: sqlite3.Connection) -> str | None:
    """Tell what is wrong with the file, if anything: this reads all of it."""
    found: str = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    return None if found == "ok" else found


def _readable(connection: sqlite3.Connection, at: Revision | None) -> Revision:
    """Tell the revision to read at. Raises what a driver raises for one that it cannot read."""
    last = newest(connection)
    if at is None:
        return last
    if at < (oldest := compacted(connection)):
        raise Compacted(oldest)
    if at > last:
        raise FutureRevision(last)
    return at


def _number(connection: sqlite3.Connection, query: str, *values: object) -> int:
    row: tuple[int] = connection.execute(query, values).fetchone()
    return row[0]
