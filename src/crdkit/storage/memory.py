"""A store in memory, with all that is promised but safety: for tests and for servers that need not remember."""

from __future__ import annotations

import time
from bisect import bisect_right
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from crdkit.storage.errors import StorageClosed
from crdkit.storage.retention import DEFAULT_RETENTION, Horizon, Retention
from crdkit.storage.types import (
    ABSENT,
    GENESIS,
    Change,
    Compacted,
    Conflict,
    Entry,
    Event,
    EventKind,
    FutureRevision,
    Page,
    Revision,
    require_present,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from crdkit.storage.types import Guard

LOG_SIZE: Final = 8 * 1024 * 1024
"""Bytes of history, however new: what is on a disk elsewhere takes room from everything else here."""
CHANGE_OVERHEAD: Final = 250
"""Bytes that a change takes besides its value, about."""
SHARE: Final = 16
"""Where room is wanting, the oldest of so many parts is forgotten at once."""

_revision = attrgetter("revision")


class MemoryDriver:
    """A `Driver` that keeps every version since the last compaction."""

    def __init__(
        self, *, retention: Retention = DEFAULT_RETENTION, size: int = LOG_SIZE, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._compacted = GENESIS
        self._room, self._part = size, size // SHARE
        self._log: list[Change] = []  # one for each revision after the compacted one
        self._newest_of: dict[str, Change] = {}
        self._earlier: dict[str, list[Change]] = {}  # of a key that has been written again, oldest first
        self._told: Callable[[Change], object] | None = None
        self._horizon = Horizon(retention, clock=clock)
        self._closed = False

    async def get(self, key: str, *, at: Revision | None = None) -> Entry | None:
        return self._standing(key, self._readable(at))

    async def read(self, prefix: str, *, at: Revision | None = None, after: str = "", limit: int = 0) -> Page:
        revision = self._readable(at)
        # Nobody but the cache reads here, at its start and what is older than its own history: so the keys are not kept in order.
        keys = sorted(key for key in self._newest_of if key.startswith(prefix) and key > after)
        entries = [entry for key in keys if (entry := self._standing(key, revision)) is not None]
        remaining = max(len(entries) - limit, 0) if limit else 0
        return Page(entries[:limit] if limit else entries, revision, more=remaining > 0, remaining=remaining)

    async def put(self, key: str, value: bytes, *, expected: Revision, guards: Sequence[Guard] = ()) -> Revision:
        return self._commit(key, value, expected, guards)

    async def put_in_turn(self, key: str, values: Sequence[bytes], *, expected: Revision, guards: Sequence[Guard] = ()) -> Revision:
        first = newest = self._commit(key, values[0], expected, guards)
        for value in values[1:]:
            newest = self._commit(key, value, newest, ())
        return first

    async def delete(self, key: str, *, expected: Revision, guards: Sequence[Guard] = ()) -> Revision:
        require_present(expected)
        return self._commit(key, None, expected, guards)

    def inform(self, told: Callable[[Change], object]) -> None:
        self._told = told

    async def recent(self, *, count: int, size: int) -> tuple[Revision, list[Event]]:
        events: list[Event] = []
        oldest = self._newest
        for change in reversed(self._log[-count:]):
            if (size := size - len(change.value or b"")) < 0:
                break
            previous = self._standing(change.key, Revision(change.revision - 1))
            kind = EventKind.DELETE if change.value is None else EventKind.PUT
            events.append(Event(kind, change.key, change.value or b"", change.revision, previous))
            oldest = Revision(change.revision - 1)
        events.reverse()
        return oldest, events

    async def revision(self) -> Revision:
        return self._newest

    async def compact(self, before: Revision) -> None:
        if before > self._newest:
            raise FutureRevision(self._newest)
        self._compact(before)

    async def close(self) -> None:
        self._closed = True

    @property
    def _newest(self) -> Revision:
        return Revision(self._compacted + len(self._log))

    def _readable(self, at: Revision | None) -> Revision:
        """Tell the revision to read at. Raises what a driver raises for one that it cannot read."""
        newest = self._newest
        if at is None:
            return newest
        if at < self._compacted:
            raise Compacted(self._compacted)
        if at > newest:
            raise FutureRevision(newest)
        return at

    def _standing(self, key: str, revision: Revision) -> Entry | None:
        change = self._newest_of.get(key)
        if change is None:
            return None
        if change.revision > revision:
            earlier = self._earlier.get(key, ())
            place = bisect_right(earlier, revision, key=_revision)
            if place == 0:
                return None
            change = earlier[place - 1]
        return None if change.value is None else Entry(key, change.value, change.revision)

    def _commit(self, key: str, value: bytes | None, expected: Revision, guards: Sequence[Guard]) -> Revision:
        if self._closed:
            raise StorageClosed
        self._compare(key, expected)
        for guard in guards:
            self._compare(guard.key, guard.revision)
        change = Change(key, value, Revision(self._newest + 1))
        self._log.append(change)
        self._room -= _weight(change)
        if (before := self._newest_of.get(key)) is not None:
            self._earlier.setdefault(key, []).append(before)
        self._newest_of[key] = change
        if self._told is not None:
            self._told(change)
        if self._horizon.due:
            self._compact(self._horizon.mark(change.revision))
        if self._room < 0:
            self._make_room()
        return change.revision

    def _compare(self, key: str, expected: Revision) -> None:
        last = self._newest_of.get(key)
        if (last.revision if last is not None and last.value is not None else ABSENT) != expected:
            raise Conflict(key, self._standing(key, self._newest))

    def _compact(self, before: Revision) -> None:
        count = before - self._compacted
        if count <= 0:
            return
        forgotten = self._log[:count]
        del self._log[:count]
        self._room += sum(map(_weight, forgotten))
        for key in {change.key for change in forgotten}:
            self._forget(key, before)
        self._compacted = before

    def _make_room(self) -> None:
        before, room = self._compacted, self._room
        for change in self._log:
            if room >= self._part:
                break
            before, room = change.revision, room + _weight(change)
        self._compact(before)

    def _forget(self, key: str, before: Revision) -> None:
        """Keep of a key only what stood at ``before`` and what came later."""
        newest = self._newest_of[key]
        if newest.revision <= before:
            self._earlier.pop(key, None)
            if newest.value is None:
                del self._newest_of[key]
            return
        earlier = self._earlier[key]
        place = bisect_right(earlier, before, key=_revision) - 1
        if earlier[place].value is None:
            place += 1
        del earlier[:place]
        if not earlier:
            del self._earlier[key]


def _weight(change: Change) -> int:
    return CHANGE_OVERHEAD + len(change.value or b"")
