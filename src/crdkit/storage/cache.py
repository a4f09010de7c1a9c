"""The read cache over a driver: the latest state in memory, the events that led to it, and who wants to know.

The cache learns all from its driver, its own writes too, so it may share the store with others. It holds stored bytes, each once;
what is made of them (renderings, indexes) belongs to those who subscribe.
"""

from __future__ import annotations

import asyncio
import logging
from heapq import heappop, heappush
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from crdkit.storage import fencing, history
from crdkit.storage.errors import StorageClosed, StorageError, Unavailable
from crdkit.storage.history import History
from crdkit.storage.keys import PrefixMap
from crdkit.storage.newest import Newest
from crdkit.storage.runs import SortedRuns, Stretch
from crdkit.storage.types import (
    ABSENT,
    Change,
    Compacted,
    Conflict,
    Entry,
    Event,
    EventKind,
    FutureRevision,
    OwnDriver,
    Page,
    Revision,
    SharedDriver,
)
from crdkit.storage.watching import DEFAULT_OWED, Owed, Subscription, Watchers

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from crdkit.storage.types import Guard

RESTORED_COUNT: Final = 1_000
RESTORED_SIZE: Final = 4 * 1024 * 1024
"""Bounds of the history read at the start, for watches that go on after a restart: more would delay it."""

VISIBLE_SECONDS: Final = 10.0
"""That it may take until what others have written, or what was written for others, is seen here."""

RELOAD: Final = 1.0
"""Seconds before a shared store that could not be read is read again."""

logger = logging.getLogger(__name__)


_key_of = attrgetter("key")
_revision_of = attrgetter("revision")


class Cache:
    """Reads are answered from memory and at once; a write returns when it is committed *and* can be read here.

    Everything runs on one event loop, so what is read without an await in between is one state: ``page = cache.list(prefix)`` and then
    ``cache.watch(prefix, after=page.revision)`` miss nothing.
    """

    def __init__(self, driver: OwnDriver | SharedDriver, *, history_count: int = history.COUNT, history_size: int = history.SIZE) -> None:
        self._driver = driver
        self._shared: SharedDriver | None
        self._own: OwnDriver | None
        self._shared, self._own = (driver, None) if isinstance(driver, SharedDriver) else (None, driver)
        self.shared: Final = self._shared is not None
        """Whether others write to the same store."""
        self._live = False
        self._newest = Newest(driver.revision)
        self._history_bounds = history_count, history_size
        self._history = History(ABSENT)
        self._revision = ABSENT
        self._entries: dict[str, Entry] = {}
        self._sorted: SortedRuns[Entry] = SortedRuns()
        self._watchers = Watchers()
        self._callbacks: PrefixMap[Callable[[Event], object]] = PrefixMap()
        self._waiting: list[tuple[Revision, int, asyncio.Future[None]]] = []  # a heap of who waits for a revision
        self._tickets = 0
        self._follower: asyncio.Task[None] | None = None
        self._failure: BaseException = StorageClosed()

    async def start(self) -> None:
        """Load the state and the newest history, and follow the driver from there."""
        early: list[Change] = []
        if self._own is not None:
            self._own.inform(early.append)
        page = await self._driver.read("")
        count, size = self._history_bounds
        oldest, events = await self._driver.recent(count=min(count, RESTORED_COUNT), size=min(size, RESTORED_SIZE))
        known = [event for event in events if event.revision <= page.revision]
        self._history = History(min(oldest, page.revision), known, count=count, size=size)
        self._entries = {entry.key: entry for entry in page.entries}
        self._sorted = SortedRuns(page.entries)
        self._revision = page.revision
        self._live = True
        if self._shared is not None:
            self._follower = asyncio.create_task(self._follow(self._shared), name="storage cache")
        if self._own is not None:
            for change in early:
                if change.revision > page.revision:
                    self._be_told(change)
            self._own.inform(self._be_told)

    async def close(self) -> None:
        """End all subscriptions, and close the driver."""
        await self._driver.close()
        if self._follower is not None:
            await asyncio.gather(self._follower, return_exceptions=True)
        self._end()

    @property
    def revision(self) -> Revision:
        """The revision of the state that is read."""
        return self._revision

    async def catch_up(self) -> None:
        """See that what is read here is as new as the store is now, whoever wrote it. Raises `Unavailable` where that takes too long.

        There is nothing to do where nobody else writes.
        """
        if self._shared is not None:
            await self._soon(await self._newest.ask())

    @property
    def live(self) -> bool:
        """Whether the cache follows its driver: started, not closed, and nothing has gone wrong."""
        return self._live

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: str) -> Entry | None:
        return self._entries.get(key)

    def list(self, prefix: str, *, after: str = "", limit: int = 0) -> Page:
        """List the keys that begin with ``prefix`` and come after the key ``after``; at most ``limit`` of them, if it is not 0."""
        stretches, remaining = self._sorted.stretches(prefix, after, limit)
        return Page([entry for stretch in stretches for entry in stretch.entries], self._revision, remaining > 0, remaining)

    def stretches(self, prefix: str, *, after: str = "", limit: int = 0) -> tuple[Sequence[Stretch[Entry]], int]:
        """The same as stretches of what is sorted here, good until the next await, and how many entries the limit left out."""
        return self._sorted.stretches(prefix, after, limit)

    async def list_at(self, prefix: str, *, at: Revision, after: str = "", limit: int = 0) -> Page:
        """List an earlier state. Raises `Compacted` or `FutureRevision` where it is not to be had."""
        if at > self._revision:
            raise FutureRevision(self._revision)
        try:
            changed = self._history.changed(prefix, at)
        except Compacted:
            return await self._driver.read(prefix, at=at, after=after, limit=limit)
        changed = {key: entry for key, entry in changed.items() if key > after}
        now = self.list(prefix, after=after, limit=limit + len(changed) if limit else 0)
        found = [entry for entry in now.entries if entry.key not in changed]
        count = len(now.entries) + now.remaining - sum(key in self._entries for key in changed)
        if earlier := [entry for entry in changed.values() if entry is not None]:
            found = sorted(found + earlier, key=_key_of)
            count += len(earlier)
        entries = found[:limit] if limit else found
        remaining = count - len(entries)
        return Page(entries, at, remaining > 0, remaining)

    async def put(self, key: str, value: bytes, *, expected: Revision, guards: Sequence[Guard] = ()) -> Revision:
        """Write, as `Driver.put` does, and see it here."""
        # An encoder's buffer may be several times larger than its text; a copy has the size it needs.
        kept = bytes(memoryview(value))
        try:
            revision = await self._driver.put(key, kept, expected=expected, guards=fencing.fenced(guards))
        except Conflict as conflict:
            await self._see(conflict)
            raise
        if self._revision < revision:
            await self._soon(revision)
        return revision

    async def put_in_turn(self, key: str, values: Sequence[bytes], *, expected: Revision, guards: Sequence[Guard] = ()) -> Revision:
        """Write one after the other, as `OwnDriver.put_in_turn` does, and see all of it here; not for a `shared` store."""
        assert self._own is not None
        kept = [bytes(memoryview(value)) for value in values]
        try:
            first = await self._own.put_in_turn(key, kept, expected=expected, guards=fencing.fenced(guards))
        except Conflict as conflict:
            await self._see(conflict)
            raise
        await self.reached(Revision(first + len(kept) - 1))
        return first

    async def delete(self, key: str, *, expected: Revision, guards: Sequence[Guard] = ()) -> Revision:
        """Delete, as `Driver.delete` does, and see it here."""
        try:
            revision = await self._driver.delete(key, expected=expected, guards=fencing.fenced(guards))
        except Conflict as conflict:
            await self._see(conflict)
            raise
        if self._revision < revision:
            await self._soon(revision)
        return revision

    async def _see(self, conflict: Conflict) -> None:
        """Wait until the state read here has what made a write fail: who tries again finds at least that. Raises `FenceLost`."""
        fencing.check(conflict)
        if conflict.current is not None:
            await self._soon(conflict.current.revision)
        else:
            await self.catch_up()

    async def _soon(self, revision: Revision) -> None:
        """Wait until the state read here is at least that of ``revision``; not for ever where it comes from elsewhere."""
        if self._revision >= revision:
            return
        if self._shared is None:
            await self.reached(revision)
            return
        try:
            async with asyncio.timeout(VISIBLE_SECONDS):
                await self.reached(revision)
        except TimeoutError as error:
            raise Unavailable(f"the store's changes up to revision {revision} have not come: it stands at {self._revision}") from error

    async def reached(self, revision: Revision) -> None:
        """Wait until the state read here is at least that of ``revision``. Raises what has stopped the cache, if it has."""
        if self._revision >= revision:
            return
        if not self.live:
            raise self._failure
        future = asyncio.get_running_loop().create_future()
        self._tickets += 1
        heappush(self._waiting, (revision, self._tickets, future))
        await future

    def watch(self, prefix: str, *, after: Revision | None = None, owed: Owed = DEFAULT_OWED) -> Subscription:
        """Subscribe to the events under a prefix that come after a revision (None: from now on).

        Raises `Compacted` where the history does not reach back, and `FutureRevision` beyond its end.
        """
        if after is None:
            after = self._revision
        if after > self._revision:
            raise FutureRevision(self._revision)
        return self._watchers.join(prefix, backlog=self._history.after(after), owed=owed)

    def subscribe(self, prefix: str, callback: Callable[[Event], object]) -> Callable[[], None]:
        """Call back for each event from now on, before anyone can read its state; gives the function that ends this.

        For indexes in this process: a callback is short and does not raise. What it begins is fenced as its subscriber is.
        """
        callback = fencing.carried(callback)
        self._callbacks.add(prefix, callback)
        return lambda: self._callbacks.discard(prefix, callback)

    def _be_told(self, change: Change) -> None:
        """Take a change where it is made."""
        if not self._live:
            return
        try:
            self._apply(change)
        except Exception as error:
            logger.exception("the store's changes can no longer be followed")
            self._failure = error
            self._end()

    async def _follow(self, driver: SharedDriver) -> None:
        """Follow what others write, too; where that cannot be told any more, begin anew with the state as it is."""
        try:
            while True:
                try:
                    await self._take(driver)
                except (Compacted, FutureRevision) as error:
                    logger.warning(
                        "the store's changes since revision %d cannot be told, its state is read anew: %s", self._revision, error
                    )
                    await self._reload(driver)
                except StorageClosed:
                    return
                except StorageError as error:
                    logger.warning("the store's changes cannot be followed, it is tried again: %s", error)
                    await asyncio.sleep(RELOAD)
                else:
                    return
        except Exception as error:
            logger.exception("the store's changes can no longer be followed")
            self._failure = error
            raise
        finally:
            self._end()

    async def _take(self, driver: SharedDriver) -> None:
        """Take the changes until they end, which they do when the driver is closed."""
        async for step in driver.follow(after=self._revision):
            for change in step.changes:
                self._apply(change)
            self._advance(step.revision)

    async def _reload(self, driver: SharedDriver) -> None:
        """Read the state as it is. Those who watch cannot be told how it came about: they end, and begin anew."""
        while True:
            try:
                page = await driver.read("")
                break
            except StorageClosed:
                raise
            except (StorageError, Compacted) as error:
                logger.warning("the store's state cannot be read, it is tried again: %s", error)
                await asyncio.sleep(RELOAD)
        count, size = self._history_bounds
        self._watchers.end()
        found = {entry.key: entry for entry in page.entries}
        changes = [Change(key, None, page.revision) for key in self._entries if key not in found]
        changes += [Change(entry.key, entry.value, entry.revision) for entry in page.entries if entry != self._entries.get(entry.key)]
        for change in sorted(changes, key=_revision_of):
            self._apply(change)
        self._history = History(page.revision, count=count, size=size)
        self._advance(page.revision)

    def _apply(self, change: Change) -> None:
        key, value, revision = change.key, change.value, change.revision
        previous = self._entries.get(key)
        if value is None:
            if previous is not None:
                del self._entries[key]
                self._sorted.remove(key)
            event = Event(EventKind.DELETE, key, b"", revision, previous)
        else:
            entry = self._entries[key] = Entry(key, value, revision)
            self._sorted.put(entry)
            event = Event(EventKind.PUT, key, value, revision, previous)
        self._revision = revision
        self._history.append(event)
        self._tell(event)

    def _tell(self, event: Event) -> None:
        for callback in self._callbacks.matching(event.key):
            try:
                callback(event)
            except Exception:
                logger.exception("a subscriber of the cache failed on %s", event.key)
        self._watchers.publish(event)
        self._advance(event.revision)

    def _advance(self, revision: Revision) -> None:
        """All is told up to ``revision``: let those go on who wait for it."""
        self._revision = revision
        while self._waiting and self._waiting[0][0] <= revision:
            _, _, future = heappop(self._waiting)
            if not future.done():
                future.set_result(None)

    def _end(self) -> None:
        """Let nobody wait for what will not come."""
        self._live = False
        self._watchers.close()
        for _, _, future in self._waiting:
            if not future.done():
                future.set_exception(self._failure)
        self._waiting.clear()
