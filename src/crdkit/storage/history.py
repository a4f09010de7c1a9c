"""The newest events, within bounds of number and bytes, for watches that begin at an earlier revision."""

from __future__ import annotations

from collections import deque
from itertools import takewhile
from typing import TYPE_CHECKING, Final

from crdkit.storage.types import Compacted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from crdkit.storage.types import Entry, Event, Revision

COUNT: Final = 10_000
SIZE: Final = 8 * 1024 * 1024
"""Bytes that nobody else would keep: with what stands now, the values that were replaced."""
OVERHEAD: Final = 200
"""Bytes that an event takes besides, about."""


class History:
    """Events in order; none later than ``oldest`` is missing."""

    def __init__(self, oldest: Revision, events: Iterable[Event] = (), *, count: int = COUNT, size: int = SIZE) -> None:
        self.oldest = oldest
        self._count = count
        self._limit = size
        self._events: deque[Event] = deque()
        self._size = 0
        for event in events:
            self.append(event)

    def append(self, event: Event) -> None:
        self._events.append(event)
        self._size += weight(event)
        while self._size > self._limit or len(self._events) > self._count:
            first = self._events.popleft()
            self._size -= weight(first)
            self.oldest = first.revision

    def after(self, revision: Revision) -> list[Event]:
        """Give all events later than ``revision``. Raises `Compacted` where some of them are gone."""
        if revision < self.oldest:
            raise Compacted(self.oldest)
        later = list(takewhile(lambda event: event.revision > revision, reversed(self._events)))
        later.reverse()
        return later

    def changed(self, prefix: str, since: Revision) -> dict[str, Entry | None]:
        """Give what stood at a revision under the keys with a prefix that have changed since. Raises `Compacted` as above."""
        if since < self.oldest:
            raise Compacted(self.oldest)
        found: dict[str, Entry | None] = {}
        for event in reversed(self._events):
            if event.revision <= since:
                break
            if event.key.startswith(prefix):
                found[event.key] = event.previous
        return found


def weight(event: Event) -> int:
    """Tell the bytes that an event keeps in memory. What it put stands, or is what the event that replaced it keeps."""
    return OVERHEAD if event.previous is None else OVERHEAD + len(event.previous.value)
