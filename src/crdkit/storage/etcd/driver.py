"""The driver: each write one transaction, each watch a stream that is opened again where it broke off."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from typing import TYPE_CHECKING, Final, Protocol

from crdkit.storage.errors import StorageClosed, StorageError, Unavailable
from crdkit.storage.etcd import client as calls
from crdkit.storage.etcd import messages
from crdkit.storage.etcd.client import Client, OutOfRange
from crdkit.storage.etcd.messages import KeyValue, Range
from crdkit.storage.etcd.settings import ROOT, EtcdSettings
from crdkit.storage.retention import DEFAULT_RETENTION, INTERVAL, Horizon, Retention
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
    Step,
    require_present,
)

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Sequence

    from crdkit.storage.types import Guard

logger = logging.getLogger(__name__)

PIECE: Final = 500
"""Entries read at a time."""

OPEN_SECONDS: Final = 5.0
"""That the first contact may take: who starts a server wants to know soon."""

OLDEST_VERSION: Final = (3, 4)

RESUME: Final = 0.2
"""Seconds before a watch that broke off is opened again."""

RECENT_SECONDS: Final = 2.0
"""That reading the newest history may take: a server starts without it, too."""

_EVERYTHING: Final = Range(messages.WHOLE, messages.WHOLE)
_FIRST: Final = b"/crdkit/first"
"""A key that comes and goes, to count the revision of a new etcd up."""


class Forms(Protocol):
    """Tells which keys are read at all, and in what form values are that somebody else has written."""

    def is_read(self, key: str) -> bool: ...

    def shown(self, key: str, value: bytes) -> bytes | None:
        """Give a value in our own form; None for one that cannot be read."""
        ...


class AsTheyAre:
    """All is read, and as it is stored."""

    def is_read(self, key: str) -> bool:
        return True

    def shown(self, key: str, value: bytes) -> bytes | None:
        return value


class EtcdDriver:
    """A `SharedDriver` on an etcd. ``await EtcdDriver.open(settings)`` makes one.

    ``above`` is how every key begins above the driver, where etcd's begin with the settings' root.
    """

    def __init__(self, settings: EtcdSettings, forms: Forms, horizon: Horizon, *, above: str = ROOT) -> None:
        self.client = Client(settings)
        self._forms = forms
        self._horizon = horizon
        self._above = above
        self._root = settings.root.rstrip("/").encode()
        self._inside = self._root + b"/"
        self._compacts = settings.compacts
        self._closed = False
        self._upkeep: asyncio.Task[None] | None = None

    @classmethod
    async def open(
        cls,
        settings: EtcdSettings,
        *,
        forms: Forms | None = None,
        above: str = ROOT,
        retention: Retention = DEFAULT_RETENTION,
        clock: Callable[[], float] = time.monotonic,
    ) -> EtcdDriver:
        """Connect. Raises `StorageError` where no member answers."""
        driver = cls(settings, forms or AsTheyAre(), Horizon(retention, clock=clock), above=above)
        try:
            await driver._begin()
        except BaseException:
            await driver.client.close()
            raise
        return driver

    async def _begin(self) -> None:
        await self._check_version()
        newest = await self.revision()
        await self._check_rights()
        if self._compacts:
            await self._count_up(newest)
            self._upkeep = asyncio.create_task(self._look_after(), name="storage upkeep")

    async def _check_version(self) -> None:
        """Whether there is an etcd, and a new enough one. Raises `StorageError`."""
        version = messages.read_version((await self.client.call(calls.STATUS, b"", seconds=OPEN_SECONDS)).body)
        numbers = tuple(int(number) for number in version.split(".")[:2] if number.isdigit())
        if numbers < OLDEST_VERSION:
            wanted = ".".join(map(str, OLDEST_VERSION))
            raise StorageError(f"etcd is {version}, and has to be {wanted} at least")

    async def _check_rights(self) -> None:
        """Whether all can be watched. Raises `StorageError`."""
        async with contextlib.aclosing(self.client.watch(messages.watch(_EVERYTHING, start=0))) as answers:
            async for answer in answers:
                if answer.canceled:
                    raise StorageError(f"the user of etcd may not watch all keys, which it must: {answer.reason}")
                return

    async def _count_up(self, newest: Revision) -> None:
        """Bring a new etcd to `GENESIS`."""
        if newest >= GENESIS:
            return
        bump = messages.txn((), messages.put(_FIRST, b""))
        await asyncio.gather(*(self.client.call(calls.TXN, bump) for _ in range(newest, GENESIS - 1)))
        await self.client.call(calls.TXN, messages.txn((), messages.delete(_FIRST)))
        await self.compact(await self.revision())

    async def get(self, key: str, *, at: Revision | None = None) -> Entry | None:
        answer = await self._range(Range(self._stored(key)), at)
        return self._entry(answer.entries[0]) if answer.entries else None

    async def read(self, prefix: str, *, at: Revision | None = None, after: str = "", limit: int = 0) -> Page:
        under, last = self._stored(prefix), self._stored(after) if after else b""
        entries: list[Entry] = []
        while True:
            answer = await self._range(Range.under(under, last), at, limit - len(entries) if limit else PIECE)
            at = Revision(answer.revision) if at is None else at
            found = answer.entries
            entries += [entry for kept in found if (entry := self._entry(kept)) is not None]
            left = answer.count - len(found)
            if not left or (limit and len(entries) >= limit):
                return Page(entries, at, more=left > 0, remaining=left)
            last = self._skip(found[-1].key)

    def _skip(self, last: bytes) -> bytes:
        """The key to go on after: past all of a directory that is not read."""
        if self._forms.is_read(self._shown(last)):
            return last
        directory = last[: last.find(b"/", len(self._inside)) + 1]
        return directory + b"\xff" if directory else last

    async def put(self, key: str, value: bytes, *, expected: Revision, guards: Sequence[Guard] = ()) -> Revision:
        return await self._commit(key, value, expected, guards)

    async def delete(self, key: str, *, expected: Revision, guards: Sequence[Guard] = ()) -> Revision:
        require_present(expected)
        return await self._commit(key, None, expected, guards)

    async def claim(self, key: str, value: bytes, *, lease: int) -> Revision:
        """Create an entry that goes when the lease ends. Raises `Conflict` where it is there."""
        return await self._commit(key, value, ABSENT, (), lease=lease)

    async def recent(self, *, count: int, size: int) -> tuple[Revision, list[Event]]:
        newest = await self.revision()
        try:
            async with asyncio.timeout(RECENT_SECONDS):
                return await self._recent(newest, Revision(max(newest - count, 1)), size)
        except (TimeoutError, StorageError):
            return newest, []

    async def _recent(self, newest: Revision, after: Revision, size: int) -> tuple[Revision, list[Event]]:
        try:
            found = await self._history(newest, after)
        except Compacted as error:
            after = error.oldest
            found = await self._history(newest, after)
        events: list[Event] = []
        oldest = after
        for event in reversed(found):
            size -= len(event.entry.value)
            replaced = not event.deleted and event.entry.created == event.entry.revision
            if size < 0 or (event.previous is None and not replaced):
                oldest = Revision(event.entry.revision)
                break
            if (told := self._event(event)) is not None:
                events.append(told)
        events.reverse()
        return oldest, events

    async def _history(self, newest: Revision, after: Revision) -> list[messages.WatchEvent]:
        """All events later than ``after`` up to ``newest``. Raises `Compacted`."""
        found: list[messages.WatchEvent] = []
        if after >= newest:
            return found
        request = messages.watch(_EVERYTHING, start=after, previous=True)
        async with contextlib.aclosing(self.client.watch(request)) as answers:
            async for answer in answers:
                if answer.compacted:
                    raise Compacted(Revision(answer.compacted))
                found += [event for event in answer.events if after < event.entry.revision <= newest]
                if answer.events and answer.events[-1].entry.revision >= newest:
                    break
        return found

    async def revision(self) -> Revision:
        answer = await self._range(Range(self._inside), None)
        return Revision(answer.revision)

    async def compact(self, before: Revision) -> None:
        if self._closed:
            raise StorageClosed
        try:
            await self.client.call(calls.COMPACT, messages.compact(before))
        except OutOfRange as error:
            if not error.compacted:
                raise FutureRevision(await self.revision()) from error

    async def close(self) -> None:
        self._closed = True
        if self._upkeep is not None:
            self._upkeep.cancel()
            await asyncio.gather(self._upkeep, return_exceptions=True)
        await self.client.close()

    # Keys and values

    def _stored(self, key: str) -> bytes:
        """A key, or how keys begin, as it is in etcd."""
        return self._root + key.encode()[len(self._above) :] if len(key) > len(self._above) else self._inside

    def _shown(self, key: bytes) -> str:
        return self._above + str(key[len(self._root) :], "utf-8", "surrogateescape")

    def _entry(self, found: KeyValue) -> Entry | None:
        """An entry as it is shown; None for one that is not read, or cannot be."""
        if not found.key.startswith(self._inside):
            return None
        key = self._shown(found.key)
        value = self._forms.shown(key, found.value) if self._forms.is_read(key) else None
        return None if value is None else Entry(key, value, Revision(found.revision))

    def _change(self, event: messages.WatchEvent) -> Change | None:
        if not event.deleted:
            entry = self._entry(event.entry)
            return None if entry is None else Change(entry.key, entry.value, entry.revision)
        if not event.entry.key.startswith(self._inside):
            return None
        key = self._shown(event.entry.key)
        return Change(key, None, Revision(event.entry.revision)) if self._forms.is_read(key) else None

    def _event(self, event: messages.WatchEvent) -> Event | None:
        change = self._change(event)
        if change is None:
            return None
        previous = None if event.previous is None else self._entry(event.previous)
        kind = EventKind.DELETE if change.value is None else EventKind.PUT
        return Event(kind, change.key, change.value or b"", change.revision, previous)

    # Reading and writing

    async def _range(self, keys: Range, at: Revision | None, limit: int = 0) -> messages.RangeAnswer:
        if at is not None and at <= 0:
            raise Compacted(await self._oldest())
        request = messages.range_(keys, revision=at or 0, limit=limit)
        try:
            return messages.read_range((await self.client.call(calls.RANGE, request)).body)
        except OutOfRange as error:
            if error.compacted:
                raise Compacted(await self._oldest()) from error
            raise FutureRevision(await self.revision()) from error

    async def _oldest(self) -> Revision:
        """The revision up to which history is compacted: etcd tells it where a watch fails for that."""
        async with contextlib.aclosing(self.client.watch(messages.watch(Range(self._inside), start=1))) as answers:
            async for answer in answers:
                if answer.compacted or not answer.created:
                    return Revision(answer.compacted or 1)
        raise StorageClosed

    async def _commit(self, key: str, value: bytes | None, expected: Revision, guards: Sequence[Guard], *, lease: int = 0) -> Revision:
        if self._closed:
            raise StorageClosed
        stored = self._stored(key)
        compared = [(stored, int(expected)), *((self._stored(guard.key), int(guard.revision)) for guard in guards)]
        operation = messages.delete(stored) if value is None else messages.put(stored, value, lease=lease)
        body, first = await self.client.call(calls.TXN, messages.txn(compared, operation))
        answer = messages.read_txn(body)
        if answer.succeeded:
            return Revision(answer.revision)
        mine = answer.found[0]
        if not first and (mine is None if value is None else mine is not None and mine.value == value):
            # An attempt whose answer was lost has been carried out.
            return Revision(answer.revision if mine is None else mine.revision)
        if not first and (ABSENT if mine is None else mine.revision) != expected:
            # Whoever was told of a conflict would write once more, and might have written already.
            raise Unavailable(f"etcd has not answered the first attempt to write {key}, which others have written since")
        raise self._conflict([key, *(guard.key for guard in guards)], compared, answer.found)

    def _conflict(self, keys: list[str], compared: list[tuple[bytes, int]], found: list[KeyValue | None]) -> Conflict:
        for key, (_, wanted), standing in zip(keys, compared, found, strict=True):
            if (standing.revision if standing is not None else ABSENT) != wanted:
                current = None
                if standing is not None:
                    current = self._entry(standing) or Entry(key, standing.value, Revision(standing.revision))
                return Conflict(key, current)
        raise StorageError("etcd refused a transaction whose conditions hold")

    # Watching

    async def follow(self, *, after: Revision) -> AsyncGenerator[Step]:
        """What happens later than ``after``, whatever happens to the connection. Raises `Compacted` and `FutureRevision`."""
        while not self._closed:
            # All keys, others' too: so every revision is heard of, and it is known up to where there is nothing of ours.
            # From the last known revision on, not the next: etcd then says whether that is compacted.
            request = messages.watch(_EVERYTHING, start=max(after, 1))
            try:
                async with contextlib.aclosing(self.client.watch(request)) as answers:
                    async for answer in answers:
                        await self._check(answer, after)
                        if events := [event for event in answer.events if event.entry.revision > after]:
                            after = Revision(events[-1].entry.revision)
                            yield Step([change for event in events if (change := self._change(event)) is not None], after)
            except Unavailable as error:
                if not self._closed:
                    logger.warning("a watch broke off, and is opened again: %s", error)
                    await asyncio.sleep(RESUME)

    async def _check(self, answer: messages.WatchAnswer, after: Revision) -> None:
        """Whether a watch that begins after a revision goes on. Raises what ended it."""
        if answer.compacted:
            raise Compacted(Revision(answer.compacted))
        if answer.canceled:
            self.client.forget_token()  # which is how a watch tells of one that is known no more
            raise Unavailable(f"etcd has ended a watch: {answer.reason}")
        if answer.created and answer.revision < after and (newest := await self.revision()) < after:
            raise FutureRevision(newest)

    # Upkeep

    async def _look_after(self) -> None:
        while True:
            try:
                await self.forget()
            except StorageError as error:
                logger.warning("old history could not be removed; it is tried again: %s", error)
            await asyncio.sleep(INTERVAL)

    async def forget(self) -> None:
        """Compact what is older than history is kept."""
        if (before := self._horizon.mark(await self.revision())) > 0:
            await self.compact(before)
