"""Subscriptions: what is owed to each watcher, in one bounded queue that joins what waits."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, Self

from crdkit.meta.records import record
from crdkit.storage.keys import PrefixMap
from crdkit.storage.pace import Pace
from crdkit.storage.types import Event, Overrun

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType


@record
class Owed:
    """How much may wait for one watcher. The bytes are mostly those the history holds anyway."""

    count: int = 10_000
    size: int = 32 * 1024 * 1024


DEFAULT_OWED: Final = Owed()

BATCH: Final = Owed(200, 256 * 1024)
"""How much is taken at a time: the rest waits as events, which watchers share, and not as text that each has for itself."""


class Subscription:
    """The events under a prefix, for one reader: ``async for batch in subscription``, each batch a list that is never empty.

    A reader that is too slow gets `Overrun`. Closing (also by ``with``) ends the iteration once what waits has been taken.
    """

    def __init__(self, watchers: Watchers, prefix: str, backlog: list[Event], owed: Owed) -> None:
        self._watchers = watchers
        self._prefix = prefix
        self._pending = backlog
        self._size = sum(map(_size_of, backlog))
        self._most, self._largest = owed.count + len(backlog), owed.size + self._size
        self._overrun = False
        self._closed = False
        self._waiter: asyncio.Future[None] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __aiter__(self) -> Subscription:
        return self

    async def __anext__(self) -> list[Event]:
        batch = await self.next()
        if batch is None:
            raise StopAsyncIteration
        return batch

    @property
    def idle(self) -> bool:
        """Whether nothing waits: the reader knows all there is, up to the cache's revision (a bookmark may say so)."""
        return not self._pending and not self._overrun

    async def next(self, *, within: float | None = None) -> list[Event] | None:
        """Take what waits, up to a `BATCH`; wait for it if need be. Empty where ``within`` seconds passed first, None once closed.

        A cancelled call loses nothing. Raises `Overrun`.
        """
        if not self._pending and not self._closed and not self._overrun:
            await self._wait(within)
        if self._overrun:
            self.close()
            raise Overrun
        if not self._pending and self._closed:
            return None
        if self._size > BATCH.size or len(self._pending) > BATCH.count:
            return self._take_first()
        batch, self._pending, self._size = self._pending, [], 0
        return batch

    def _take_first(self) -> list[Event]:
        count, size = 0, 0
        for event in self._pending[: BATCH.count]:
            more = _size_of(event)
            if count and size + more > BATCH.size:
                break
            count, size = count + 1, size + more
        batch = self._pending[:count]
        del self._pending[:count]
        self._size -= size
        return batch

    async def _wait(self, within: float | None) -> None:
        loop = asyncio.get_running_loop()
        self._waiter = loop.create_future()
        timer = None if within is None else loop.call_later(within, self._end_wait)
        try:
            await self._waiter
        finally:
            self._waiter = None
            if timer is not None:
                timer.cancel()

    def close(self) -> None:
        """Take no more events."""
        if not self._closed:
            self._closed = True
            self._watchers.leave(self._prefix, self)
            self._end_wait()

    def offer(self, event: Event, size: int) -> None:
        """Queue an event of ``size`` bytes; beyond the bound, drop all and let the reader know."""
        if self._overrun:
            return
        self._pending.append(event)
        self._size += size
        if len(self._pending) > self._most or self._size > self._largest:
            self._overrun = True
            self._pending = []
        if self._waiter is not None:
            self._watchers.wake(self)

    def wake(self) -> None:
        """Let the reader go on, if there is something for it."""
        if self._pending or self._overrun:
            self._end_wait()

    def _end_wait(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


class Watchers:
    """All subscriptions of a cache. Readers are told of changes that come fast together."""

    def __init__(self) -> None:
        self._pace = Pace()
        self._filed: PrefixMap[Subscription] = PrefixMap()
        self._closed = False

    def join(self, prefix: str, *, backlog: Sequence[Event] = (), owed: Owed = DEFAULT_OWED) -> Subscription:
        """Open a subscription that begins with the ``backlog``'s events under the prefix; once closed, it has these alone."""
        subscription = Subscription(self, prefix, [event for event in backlog if event.key.startswith(prefix)], owed)
        self._filed.add(prefix, subscription)
        if self._closed:
            subscription.close()
        return subscription

    def leave(self, prefix: str, subscription: Subscription) -> None:
        self._filed.discard(prefix, subscription)

    def wake(self, subscription: Subscription) -> None:
        self._pace.wake(subscription)

    def publish(self, event: Event) -> None:
        if subscriptions := self._filed.matching(event.key):
            size = _size_of(event)
            for subscription in subscriptions:
                subscription.offer(event, size)

    def end(self) -> None:
        """End the subscriptions that there are; others may follow."""
        for subscription in list(self._filed):
            subscription.close()

    def close(self) -> None:
        self._closed = True
        self.end()


def _size_of(event: Event) -> int:
    """How much an event has to tell: of a deletion, what went."""
    return len(event.value or (event.previous.value if event.previous is not None else b""))
