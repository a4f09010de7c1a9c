"""Entries in the order of their keys, cut into runs: a change moves one run, and what was made of the others stays as good as it was."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, Protocol, TypeVar

from crdkit.storage.keys import prefix_end

if TYPE_CHECKING:
    from collections.abc import Iterable

LENGTH: Final = 32
"""A run has up to twice as many entries."""


class Keyed(Protocol):
    @property
    def key(self) -> str: ...


E = TypeVar("E", bound=Keyed)
_key_of: Final = attrgetter("key")


class Run(Generic[E]):
    """Some entries that follow each other."""

    __slots__ = ("entries", "made")

    def __init__(self, entries: list[E]) -> None:
        self.entries = entries
        self.made: dict[Any, Any] = {}
        """What others have made of these entries. Once one of them changes, there is another dictionary here."""

    def changed(self) -> str:
        """Take note that it has changed; gives its last key. An empty dictionary goes too: somebody may be making what it is for."""
        self.made = {}
        return self.entries[-1].key


class Stretch(NamedTuple, Generic[E]):
    """A part of a run, as long as nothing changes."""

    run: Run[E]
    begin: int
    end: int

    @property
    def entries(self) -> list[E]:
        return self.run.entries[self.begin : self.end]


class SortedRuns(Generic[E]):
    """Entries of distinct keys in the order of the bytes of these: Python compares text by code points, which is the same."""

    def __init__(self, entries: Iterable[E] = ()) -> None:
        ordered = sorted(entries, key=_key_of)
        self._runs = [Run(ordered[start : start + LENGTH]) for start in range(0, len(ordered), LENGTH)]
        self._lasts = [run.entries[-1].key for run in self._runs]

    def put(self, entry: E) -> None:
        """Add an entry; it takes the place of one that has its key."""
        if not self._runs:
            self._runs.append(Run([entry]))
            self._lasts.append(entry.key)
            return
        number = min(bisect_left(self._lasts, entry.key), len(self._runs) - 1)
        entries = self._runs[number].entries
        place = bisect_left(entries, entry.key, key=_key_of)
        if place < len(entries) and entries[place].key == entry.key:
            entries[place] = entry
        else:
            entries.insert(place, entry)
        self._lasts[number] = self._runs[number].changed()
        if len(entries) > 2 * LENGTH:
            self._split(number)

    def _split(self, number: int) -> None:
        run = self._runs[number]
        rest = Run(run.entries[LENGTH:])
        del run.entries[LENGTH:]
        self._lasts[number] = run.changed()
        self._runs.insert(number + 1, rest)
        self._lasts.insert(number + 1, rest.changed())

    def remove(self, key: str) -> None:
        """Remove the entry of a key that is there."""
        number = bisect_left(self._lasts, key)
        run = self._runs[number]
        del run.entries[bisect_left(run.entries, key, key=_key_of)]
        if run.entries:
            self._lasts[number] = run.changed()
        else:
            del self._runs[number], self._lasts[number]

    def stretches(self, prefix: str, after: str = "", limit: int = 0) -> tuple[list[Stretch[E]], int]:
        """Give the entries with ``prefix`` later than ``after``, at most ``limit`` if it is not 0, and how many more there are."""
        first, start = self._place(after, past=True) if after >= prefix else self._place(prefix)
        last, stop = self._place(prefix_end(prefix))
        found: list[Stretch[E]] = []
        room = limit
        for number in range(first, min(last + 1, len(self._runs))):
            run = self._runs[number]
            begin = start if number == first else 0
            end = stop if number == last else len(run.entries)
            if limit and end - begin > room:
                found.append(Stretch(run, begin, begin + room))
                left = end - begin - room
                return [one for one in found if one.begin < one.end], left + self._count(number + 1, last, stop)
            found.append(Stretch(run, begin, end))
            room -= end - begin
        return [one for one in found if one.begin < one.end], 0

    def _count(self, first: int, last: int, stop: int) -> int:
        """How many entries the runs have from the first to a place in the last."""
        if first > last:
            return 0
        return sum([len(run.entries) for run in self._runs[first:last]]) + stop

    def _place(self, key: str, *, past: bool = False) -> tuple[int, int]:
        """Tell the run and the position in it of the first entry not before ``key`` (``past``: of the first after it)."""
        bisect = bisect_right if past else bisect_left
        number = bisect(self._lasts, key)
        return number, bisect(self._runs[number].entries, key, key=_key_of) if number < len(self._runs) else 0
