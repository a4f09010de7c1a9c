"""Asks a store for its newest revision, once for all who want to know at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from crdkit.storage.types import Revision


class Newest:
    """An answer counts for whoever asked before the question was sent: a later one has to wait for the next."""

    def __init__(self, revision: Callable[[], Awaitable[Revision]]) -> None:
        self._revision = revision
        self._running: asyncio.Task[Revision] | None = None
        self._next: asyncio.Task[Revision] | None = None

    async def ask(self) -> Revision:
        """Tell a revision that is no older than the newest at the time of this call. Raises what the store raises."""
        if self._next is None:
            self._next = asyncio.create_task(self._send(self._running), name="storage revision")
            self._next.add_done_callback(_look_at)  # those who asked may have gone
        return await asyncio.shield(self._next)

    async def _send(self, before: asyncio.Task[Revision] | None) -> Revision:
        if before is not None:
            await asyncio.wait((before,))
        self._running, self._next = self._next, None
        return await self._revision()


def _look_at(task: asyncio.Task[Revision]) -> None:
    """Know of a failure, so that it does not count as overlooked."""
    if not task.cancelled():
        task.exception()
