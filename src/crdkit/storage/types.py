"""What a store holds and promises: revisions, entries, changes, guards, pages, and the protocol of a driver.

Bytes in, bytes out: nothing here knows a Kubernetes object.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Final, NewType, Protocol, runtime_checkable

from crdkit.meta.records import record

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

Revision = NewType("Revision", int)

ABSENT: Final = Revision(0)
"""The revision of what is not there: ``expected=ABSENT`` creates."""

GENESIS: Final = Revision(100)
"""The revision of an empty store. Above 1, since clients use ``resourceVersion=1`` for one that is too old."""


class EventKind(Enum):
    PUT = "PUT"
    DELETE = "DELETE"


@record
class Entry:
    """A stored value and the revision of its last write."""

    key: str
    value: bytes
    revision: Revision


@record
class Change:
    """A commit as a driver tells it; ``value`` is None where the key was deleted."""

    key: str
    value: bytes | None
    revision: Revision


@record
class Step:
    """What has happened up to ``revision`` since the step before: all of it, be it nothing of ours."""

    changes: list[Change]
    revision: Revision


@record
class Event:
    """A commit as the cache tells it: with the entry that stood before (None: created)."""

    kind: EventKind
    key: str
    value: bytes
    """What was put; empty for a deletion."""
    revision: Revision
    previous: Entry | None


@record
class Guard:
    """A condition of a write: ``key`` stands at ``revision`` (`ABSENT`: is not there) when it commits."""

    key: str
    revision: Revision


@record
class Page:
    """Entries in the order of their keys, of the state at ``revision``."""

    entries: list[Entry]
    revision: Revision
    more: bool = False
    """Whether the limit left entries out; ``remaining`` counts them."""
    remaining: int = 0


class Conflict(Exception):
    """A write was refused, and changed nothing: ``key`` (its own or a guard's) does not stand where expected."""

    def __init__(self, key: str, current: Entry | None) -> None:
        super().__init__(f"{key} stands at revision {current.revision}" if current else f"{key} does not exist")
        self.key = key
        self.current = current


class Compacted(Exception):
    """The history no longer reaches back to the revision asked for, but to ``oldest``."""

    def __init__(self, oldest: Revision) -> None:
        super().__init__(f"the history before revision {oldest} is gone")
        self.oldest = oldest


class FutureRevision(Exception):
    """The revision asked for is yet to come; ``current`` is the newest."""

    def __init__(self, current: Revision) -> None:
        super().__init__(f"the newest revision is {current}")
        self.current = current


class Overrun(Exception):
    """A watcher took its events too slowly: more wait than it may be owed, and it must list again."""


def require_present(expected: Revision) -> None:
    """Refuse a deletion of what is expected not to be there: a caller's mistake."""
    if expected == ABSENT:
        raise ValueError("a deletion needs the revision that it deletes")


class Driver(Protocol):
    """What a store promises; ``tests/storage/test_contract.py`` holds every driver to it.

    One revision counts all commits, each commit changes one key, and reads come in the order of keys. A write is answered once it is as
    safe as the driver can make it. Reads at a revision raise `Compacted` or `FutureRevision` where that state is not to be had.
    """

    async def get(self, key: str, *, at: Revision | None = None) -> Entry | None: ...

    async def read(self, prefix: str, *, at: Revision | None = None, after: str = "", limit: int = 0) -> Page:
        """Read the keys that begin with ``prefix`` and come after the key ``after``; at most ``limit`` of them, if it is not 0."""
        ...

    def put(self, key: str, value: bytes, *, expected: Revision, guards: Sequence[Guard] = ()) -> Awaitable[Revision]:
        """Raise `Conflict` unless the key stands at ``expected`` (`ABSENT`: no entry) and every guard holds."""
        ...

    def delete(self, key: str, *, expected: Revision, guards: Sequence[Guard] = ()) -> Awaitable[Revision]:
        """Raise `Conflict` unless the key stands at ``expected``, which is not `ABSENT`, and every guard holds."""
        ...

    async def recent(self, *, count: int, size: int) -> tuple[Revision, list[Event]]:
        """Give the newest events, at most ``count`` and about ``size`` bytes of them, and the revision after which none is missing.

        A driver whose history is costly to read may give none, with the current revision.
        """
        ...

    async def revision(self) -> Revision: ...

    async def compact(self, before: Revision) -> None:
        """Forget the history before ``before``: the state at that revision, and what came later, can still be read."""
        ...

    async def close(self) -> None:
        """Finish the writes under way and let go of everything; whoever follows the changes is at their end."""
        ...


@runtime_checkable
class OwnDriver(Driver, Protocol):
    """A store that nobody else writes to: a change can be told where it is made, with no watch between."""

    def inform(self, told: Callable[[Change], object]) -> None:
        """Call ``told`` for each change from now on, in order and before its write is answered; it does not raise. There is one at a time."""
        ...

    def put_in_turn(self, key: str, values: Sequence[bytes], *, expected: Revision, guards: Sequence[Guard] = ()) -> Awaitable[Revision]:
        """Put values one after the other, all of them or none, and give the revision of the first; those of the others follow it.

        Each is a change of its own, but they are made safe together. Raises `Conflict` as `put` does.
        """
        ...


@runtime_checkable
class SharedDriver(Driver, Protocol):
    """A store that others write to at the same time.

    ``revision`` tells the newest at the time that it is asked for, whoever wrote it. Transactions of others may change several keys.
    """

    def follow(self, *, after: Revision) -> AsyncIterator[Step]:
        """Tell every change later than ``after``, and how far all is told. Raises `Compacted` where the history does not reach back.

        Raises `FutureRevision` where the store has been set back to an earlier state.
        """
        ...
