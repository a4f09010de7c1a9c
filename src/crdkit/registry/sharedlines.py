"""The lines of watch events, made once for all watchers that want them alike."""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, TypeVar

from crdkit.registry.request import Form
from crdkit.storage.types import Entry, Event

EventText = Callable[[str, Entry, int], Awaitable[bytes]]
"""Makes the line of a watch event from its type, the state it shows and the revision it happened at."""

_MOST_TEXTS: Final = 4_000
_MOST_BYTES: Final = 4 * 1024 * 1024
"""Bounds of what is remembered of all resources together: most who watch are told within moments."""
_LONGEST_BATCH: Final = 256 * 1024


_T = TypeVar("_T")
_Line = tuple[str, str, int]
_Batch = tuple[int, int, int]


def _batch(events: Sequence[Event]) -> _Batch:
    """What tells a batch from others. Of two prefixes of the same key one holds all that is under the other, so the ends and the number do."""
    return events[0].revision, events[-1].revision, len(events)


class Room:
    """The room that the texts of all resources share: the newest stay."""

    def __init__(self, *, texts: int = _MOST_TEXTS, size: int = _MOST_BYTES) -> None:
        self._most, self._limit = texts, size
        self._kept: deque[tuple[dict[Any, bytes], Any]] = deque()
        self.size = 0

    def __len__(self) -> int:
        return len(self._kept)

    def keep(self, texts: dict[_T, bytes], place: _T, text: bytes) -> None:
        """Add a text to those of somebody who has none at this place. Others are taken away from whoever had them added."""
        texts[place] = text
        self._kept.append((texts, place))
        self.size += len(text)
        while self.size > self._limit or len(self._kept) > self._most:
            others, oldest = self._kept.popleft()
            self.size -= len(others.pop(oldest))


class SharedLines:
    """Remembers the newest lines of a resource, in one form; older ones are made again for whoever is that late.

    Most who watch are told of the same changes at a time, so it remembers whole batches as well.
    """

    def __init__(self, text: EventText, room: Room) -> None:
        self._text, self._room = text, room
        self._batches: dict[_Batch, bytes] = {}
        self._lines: dict[_Line, bytes] = {}

    async def __call__(self, kind: str, entry: Entry, revision: int) -> bytes:
        place = (kind, entry.key, revision)
        line = self._lines.get(place)
        if line is None:
            line = await self._text(kind, entry, revision)
            if place not in self._lines:
                self._room.keep(self._lines, place, line)
        return line

    def of_batch(self, events: Sequence[Event]) -> bytes | None:
        """The lines of a batch that somebody who sees all was told of before."""
        return self._batches.get(_batch(events))

    def keep_batch(self, events: Sequence[Event], lines: bytes) -> None:
        place = _batch(events)
        if len(lines) <= _LONGEST_BATCH and place not in self._batches:
            self._room.keep(self._batches, place, lines)


class LinesByForm:
    """The shared lines of one resource."""

    def __init__(self) -> None:
        self._by_form: dict[tuple[Form, str], SharedLines] = {}

    def of(self, form: Form, policy: str, text: EventText, room: Room) -> SharedLines:
        """The lines in a form; ``policy`` is how much of an object a table's rows hold."""
        found = self._by_form.get((form, policy))
        if found is None:
            found = self._by_form[form, policy] = SharedLines(text, room)
        return found
