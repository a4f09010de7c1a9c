"""Stored objects that are read by way of a converter: each once, however many want it at the same time, and many at once."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, Final, TypeVar

from crdkit.meta.status import Refusal
from crdkit.registry.rendering import Known, Parts, Renderings
from crdkit.storage.types import Entry

AT_ONCE: Final = 32
"""So many calls at once are made for one reader."""

T = TypeVar("T")
Read = Callable[[Sequence[Entry]], Awaitable[list[Parts]]]
"""Reads entries as they are answered in a version, in one go. Raises a `Refusal`."""


class _Reading:
    """A reading on its way, of so many entries, as others see it who want one of them."""

    __slots__ = ("_error", "_found", "_waiting", "size")

    def __init__(self, size: int) -> None:
        self.size = size
        self._found: dict[str, Known] | None = None
        self._error: BaseException | None = None
        self._waiting: asyncio.Event | None = None

    async def found(self) -> dict[str, Known]:
        """What is read, by keys. Raises what the reading raises."""
        while self._found is None:
            if self._error is not None:
                raise self._error
            if self._waiting is None:
                self._waiting = asyncio.Event()
            await self._waiting.wait()
        return self._found

    def end(self, outcome: dict[str, Known] | BaseException) -> None:
        if isinstance(outcome, BaseException):
            self._error = outcome
        else:
            self._found = outcome
        if self._waiting is not None:
            self._waiting.set()


class SharedReading:
    """Reads entries for all who want them; what is read is remembered in ``renderings``.

    A reading that has begun is finished even if nobody waits for it any more: it is as good for the next. One that fails fails for those
    who wait for it, and is tried again by the next.
    """

    def __init__(self, read: Read, renderings: Renderings, *, batch_size: int) -> None:
        self._read, self._renderings, self._batch_size = read, renderings, batch_size
        self._running: dict[tuple[str, int], _Reading] = {}

    async def one(self, entry: Entry) -> Known:
        """One entry. Raises a `Refusal`."""
        if (known := self._renderings.find(entry)) is not None:
            return known
        if (running := self._running.get((entry.key, entry.revision))) is not None:
            return await self._joined(entry, running)
        return (await _whatever_happens(self._run([entry], self._begin([entry]))))[entry.key]

    async def all(self, entries: Sequence[Entry]) -> dict[str, Known]:
        """Many entries, by their keys. Raises a `Refusal`: the first in the order of the entries."""
        size = self._batch_size
        batches = deque([entries[at : at + size] for at in range(0, len(entries), size)])
        found: dict[str, Known] = {}
        failures: dict[str, Refusal] = {}

        async def work() -> None:
            while batches:
                batch = batches.popleft()
                try:
                    found.update(await self._batch(batch))
                except Refusal as refusal:
                    failures[batch[0].key] = refusal
                    batches.clear()

        async def work_together() -> None:
            workers = []
            for _ in range(min(AT_ONCE, len(batches))):
                workers.append(asyncio.create_task(work()))
                if size > 1:
                    await asyncio.sleep(0)  # so that the first call is sent before the next is made ready
            await asyncio.gather(*workers)

        try:
            await _whatever_happens(work_together())
        finally:
            batches.clear()
        for entry in entries:
            if entry.key in failures:
                raise failures[entry.key]
        return found

    async def _batch(self, entries: Sequence[Entry]) -> dict[str, Known]:
        found: dict[str, Known] = {}
        joined: list[tuple[Entry, _Reading]] = []
        new: list[Entry] = []
        for entry in entries:
            if (known := self._renderings.find(entry)) is not None:
                found[entry.key] = known
            elif (running := self._running.get((entry.key, entry.revision))) is not None:
                joined.append((entry, running))
            else:
                new.append(entry)
        if new:
            found.update(await self._run(new, self._begin(new)))
        for entry, running in joined:
            found[entry.key] = await self._joined(entry, running)
        return found

    async def _joined(self, entry: Entry, running: _Reading) -> Known:
        """An entry of a reading that another began. What fails there may be the fault of its neighbours: then it is read by itself."""
        try:
            return (await running.found())[entry.key]
        except Refusal:
            if running.size == 1:
                raise
        return await self.one(entry)

    def _begin(self, entries: Sequence[Entry]) -> _Reading:
        """Announce a reading, which must be run at once."""
        reading = _Reading(len(entries))
        for entry in entries:
            self._running[entry.key, entry.revision] = reading
        return reading

    async def _run(self, entries: Sequence[Entry], reading: _Reading) -> dict[str, Known]:
        try:
            parts = await self._read(entries)
            keep = self._renderings.keep
            found = {entry.key: keep(entry, read) for entry, read in zip(entries, parts, strict=True)}
        except BaseException as error:
            self._forget(entries)
            reading.end(error)
            raise
        self._forget(entries)
        reading.end(found)
        return found

    def _forget(self, entries: Sequence[Entry]) -> None:
        for entry in entries:
            self._running.pop((entry.key, entry.revision), None)


async def _whatever_happens(deed: Coroutine[Any, Any, T]) -> T:
    """Do something to its end, even if whoever waits for it leaves."""
    return await asyncio.shield(asyncio.create_task(deed))
