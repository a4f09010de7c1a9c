"""Stored objects that are read by way of a converter: each once, however many want it at the same time, and many at once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, NamedTuple

from crdkit.meta.status import Refusal
from crdkit.registry.rendering import Known, Parts, Renderings
from crdkit.storage.types import Entry

AT_ONCE: Final = 32
"""So many calls at once are made for one reader."""

Read = Callable[[Sequence[Entry]], Awaitable[list[Parts]]]
"""Reads entries as they are answered in a version, in one go. Raises a `Refusal`."""


class _Reading(NamedTuple):
    """A reading on its way, of so many entries."""

    task: asyncio.Task[dict[str, Known]]
    size: int


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
        return (await self._batch([entry]))[entry.key]

    async def all(self, entries: Sequence[Entry]) -> dict[str, Known]:
        """Many entries, by their keys. Raises a `Refusal`: the first in the order of the entries."""
        size = self._batch_size
        batches = iter([entries[at : at + size] for at in range(0, len(entries), size)])
        found: dict[str, Known] = {}
        failures: dict[str, Refusal] = {}

        async def work() -> None:
            for batch in batches:
                if failures:
                    return
                try:
                    found.update(await self._batch(batch))
                except Refusal as refusal:
                    failures[batch[0].key] = refusal

        await asyncio.gather(*(work() for _ in range(min(AT_ONCE, -(-len(entries) // size)))))
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
        begun = self._begin(new) if new else None
        for entry, running in joined:
            found[entry.key] = await self._joined(entry, running)
        if begun is not None:
            found |= await asyncio.shield(begun)
        return found

    async def _joined(self, entry: Entry, running: _Reading) -> Known:
        """An entry of a reading that another began. What fails there may be the fault of its neighbours: then it is read by itself."""
        try:
            return (await asyncio.shield(running.task))[entry.key]
        except Refusal:
            if running.size == 1:
                raise
        return (await asyncio.shield(self._begin([entry])))[entry.key]

    def _begin(self, entries: Sequence[Entry]) -> asyncio.Task[dict[str, Known]]:
        task = asyncio.create_task(self._run(entries))
        for entry in entries:
            self._running[entry.key, entry.revision] = _Reading(task, len(entries))
        task.add_done_callback(_retrieve)
        return task

    async def _run(self, entries: Sequence[Entry]) -> dict[str, Known]:
        try:
            parts = await self._read(entries)
        finally:
            for entry in entries:
                self._running.pop((entry.key, entry.revision), None)
        return {entry.key: self._renderings.keep(entry, read) for entry, read in zip(entries, parts, strict=True)}


def _retrieve(task: asyncio.Task[dict[str, Known]]) -> None:
    """A failure that nobody waits for any more is nobody's."""
    if not task.cancelled():
        task.exception()
