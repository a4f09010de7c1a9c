"""The lines of watch events, made once for all watchers that want them alike."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from crdkit.registry.request import Form
from crdkit.storage.types import Entry, Event

EventText = Callable[[str, Entry, int], Awaitable[bytes]]
"""Makes the line of a watch event from its type, the state it shows and the revision it happened at."""

_MOST_LINES: Final = 2_000
_MOST_BYTES: Final = 8 * 1024 * 1024
_MOST_BATCHES: Final = 4
_LONGEST_BATCH: Final = 256 * 1024


_Batch = tuple[int, int, int]


def _batch(events: Sequence[Event]) -> _Batch:
    """What tells a batch from others. Of two prefixes of the same key one holds all that is under the other, so the ends and the number do."""
    return events[0].revision, events[-1].revision, len(events)


class SharedLines:
    """Remembers the newest lines of a resource, in one form; older ones are made again for whoever is that late.

    Most who watch are told of the same changes at a time, so it remembers whole batches as well.
    """

    def __init__(self, text: EventText) -> None:
        self._text = text
        self._batches: dict[_Batch, bytes] = {}
        self._lines: dict[tuple[str, str, int], bytes] = {}
        self._bytes = 0

    async def __call__(self, kind: str, entry: Entry, revision: int) -> bytes:
        place = (kind, entry.key, revision)
        line = self._lines.get(place)
        if line is None:
            line = await self._text(kind, entry, revision)
            if place not in self._lines:
                self._keep(place, line)
        return line

    def of_batch(self, events: Sequence[Event]) -> bytes | None:
        """The lines of a batch that somebody who sees all was told of before."""
        return self._batches.get(_batch(events))

    def keep_batch(self, events: Sequence[Event], lines: bytes) -> None:
        if len(lines) > _LONGEST_BATCH:
            return
        self._batches[_batch(events)] = lines
        if len(self._batches) > _MOST_BATCHES:
            del self._batches[next(iter(self._batches))]

    def _keep(self, place: tuple[str, str, int], line: bytes) -> None:
        self._lines[place] = line
        self._bytes += len(line)
        while len(self._lines) > _MOST_LINES or self._bytes > _MOST_BYTES:
            self._bytes -= len(self._lines.pop(next(iter(self._lines))))


class LinesByForm:
    """The shared lines of one resource."""

    def __init__(self) -> None:
        self._by_form: dict[tuple[Form, str], SharedLines] = {}

    def of(self, form: Form, policy: str, text: EventText) -> SharedLines:
        """The lines in a form; ``policy`` is how much of an object a table's rows hold."""
        found = self._by_form.get((form, policy))
        if found is None:
            found = self._by_form[form, policy] = SharedLines(text)
        return found
