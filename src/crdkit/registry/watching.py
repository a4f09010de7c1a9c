"""Watch: the events of a collection from a version on, as they are told to one client."""

from __future__ import annotations

import asyncio
import itertools
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from functools import partial
from typing import Final

from crdkit.meta import json
from crdkit.meta.fieldselectors import FieldSelector, Term
from crdkit.meta.records import record
from crdkit.meta.status import Refusal, bad_request, failure, unknown
from crdkit.meta.types import JsonObject
from crdkit.registry import forms, listing, versions
from crdkit.registry.endpoint import Endpoint
from crdkit.registry.listoptions import ListOptions
from crdkit.registry.request import Request, WatchReply
from crdkit.registry.resource import Resource
from crdkit.registry.selection import Selection
from crdkit.registry.sharedlines import EventText, SharedLines
from crdkit.registry.store import Store
from crdkit.registry.versions import BadVersion
from crdkit.storage.types import Compacted, Entry, Event, EventKind, Overrun, Revision
from crdkit.storage.watching import Subscription

ADDED: Final = "ADDED"
MODIFIED: Final = "MODIFIED"
DELETED: Final = "DELETED"

MIN_TIMEOUT: Final = 1800
"""A watch without a timeout of its own ends after one to two times so many seconds."""
BOOKMARK_INTERVAL: Final = 60.0
LAST_BOOKMARK: Final = 2.0
"""So many seconds before a watch ends, its client is told how far it has come."""
_PAUSES: Final = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Seconds between attempts to show an object that cannot be shown; the last for all further ones."""
_PIECE: Final = 100
"""Initial events are sent in pieces of so many."""
_PIECE_BYTES: Final = 512 * 1024


async def watch(store: Store, resource: Resource, request: Request) -> WatchReply:
    options = await listing.options_of(store, resource, request)
    _narrow(request, options)
    timeout = float(options.timeout or MIN_TIMEOUT * (1 + random.random()))  # noqa: S311 (spreads load, keeps no secret)
    if request.form.kind == "PartialObjectMetadataList":
        return WatchReply(_nothing(), timeout)
    policy = forms.table_objects(request, store.kube)
    text = forms.event_text(resource.main, request)
    shared = resource.lines.of(request.form, policy, text, store.lines)
    try:
        start = versions.parse(options.resource_version, store.kube) if options.resource_version else Revision(0)
    except BadVersion as error:
        raise unknown(str(error)) from error
    teller = _Teller(resource.main, request, policy, text, shared)
    prefix = listing.prefix_of(resource, request, options)
    bookmarks = _Bookmarks(timeout) if options.bookmarks else None
    return WatchReply(_Watch(store, resource, prefix, options, Selection(resource, options), teller, bookmarks).events(start), timeout)


async def _nothing() -> AsyncIterator[bytes]:
    """A watch whose events cannot be put in the form asked for: none is a list."""
    return
    yield b""


def _narrow(request: Request, options: ListOptions) -> None:
    """A watch on a path with a name is one of that object alone."""
    if not request.name:
        return
    if options.fields and options.fields.exact("metadata.name") != request.name:
        raise bad_request("fieldSelector metadata.name doesn't match requested name")
    if not options.fields:
        options.fields = FieldSelector((Term("metadata.name", request.name, equal=True),))


class _Teller:
    """The lines of one watch. The first event of a table has its columns' heads."""

    def __init__(self, endpoint: Endpoint, request: Request, policy: str, text: EventText, shared: SharedLines) -> None:
        self._endpoint, self._form, self._policy = endpoint, request.form, policy
        self._text, self._shared = text, shared
        self._heads_due = request.form.kind == "Table"

    @property
    def shared(self) -> SharedLines | None:
        """Who knows the lines of this watch; None as long as it gets one that no other gets."""
        return None if self._heads_due else self._shared

    async def initial(self, entry: Entry) -> bytes:
        """The line of an object that is there when the watch begins: for this client alone."""
        return self._headed(await self._text(ADDED, entry, entry.revision))

    async def line(self, kind: str, entry: Entry, revision: int) -> bytes:
        """The line of an event."""
        return self._headed(await self._shared(kind, entry, revision))

    def bookmark(self, revision: int, *, initial_end: bool = False) -> bytes:
        """A revision up to which all has been told; it may end the initial events."""
        resource = self._endpoint.resource
        metadata: JsonObject = {"resourceVersion": str(revision)}
        if initial_end:
            metadata["annotations"] = {forms.INITIAL_EVENTS_END: "true"}
        obj: JsonObject = {"kind": resource.kind, "apiVersion": resource.api_version, "metadata": metadata}
        if self._form.kind == "Table":
            return self._headed(forms.event_line("BOOKMARK", forms.table_event(self._endpoint, self._form, obj, self._policy)))
        if self._form.kind:
            obj = forms.partial(obj, self._form.version)
        return forms.event_line("BOOKMARK", json.encode(obj))

    def _headed(self, line: bytes) -> bytes:
        if not self._heads_due:
            return line
        self._heads_due = False
        return forms.with_heads(self._endpoint, line)


class _Bookmarks:
    """When a watch that ends so many seconds from now is due to tell how far it has come: every minute, and soon before it ends."""

    def __init__(self, timeout: float) -> None:
        self._now = asyncio.get_running_loop().time
        self._last = self._now() + timeout - LAST_BOOKMARK
        self._due: float | None = None
        self.told()

    def told(self) -> None:
        """Set when the next one is due; after the last, none is."""
        due = min(self._now() + BOOKMARK_INTERVAL, self._last)
        self._due = due if due > self._now() else None

    @property
    def left(self) -> float | None:
        """Seconds until the next one is due."""
        return None if self._due is None else max(self._due - self._now(), 0.0)


class _Unshowable(Exception):
    """An object cannot be shown, and will not be: the watch has to end before it."""


@record(frozen=False)
class _Watch:
    """One watch of the keys under a prefix."""

    store: Store
    resource: Resource
    prefix: str
    options: ListOptions
    selection: Selection
    teller: _Teller
    bookmarks: _Bookmarks | None

    async def events(self, start: Revision) -> AsyncIterator[bytes]:
        """All that the watch tells, until its subscription ends."""
        cache, resource, options = self.store.cache, self.resource, self.options
        from_now = options.initial_events is True or (start == 0 and options.initial_events is None)
        try:
            await self._reach(start)
        except Refusal as refusal:
            yield forms.event_line("ERROR", json.encode(refusal.status))
            return
        try:
            page = cache.list(self.prefix) if from_now else None
            subscription = cache.watch(self.prefix, after=page.revision if page else start or None)
        except Compacted as error:
            yield forms.event_line("ERROR", json.encode(_too_old(start, error.oldest)))
            return
        resource.watch(subscription)
        try:
            if page is not None:
                async for piece in self._initial(page.entries):
                    yield piece
                if options.bookmarks and options.initial_events:
                    yield self.teller.bookmark(page.revision, initial_end=True)
            async for lines in self._following(subscription):
                yield lines
        except _Unshowable:
            return
        finally:
            resource.watches.discard(subscription)
            subscription.close()

    async def _reach(self, start: Revision) -> None:
        """Wait for a revision to come: patiently for what happens after it, but not long for what was there. Raises a `Refusal`."""
        if self.options.initial_events:
            await versions.reach(self.store.cache, start)
        else:
            await self.store.cache.reached(start)

    async def _initial(self, entries: list[Entry]) -> AsyncIterator[bytes]:
        for piece in _pieces(entries):
            if lines := await self._patiently(partial(self._initial_lines, piece)):
                yield lines

    async def _initial_lines(self, entries: list[Entry]) -> bytes:
        chosen = await self.selection.chosen(entries) if self.selection else entries
        await self.resource.look_ahead(chosen)
        return b"".join([await self.teller.initial(entry) for entry in chosen])

    async def _following(self, subscription: Subscription) -> AsyncIterator[bytes]:
        cache, bookmarks = self.store.cache, self.bookmarks
        while True:
            left = bookmarks.left if bookmarks is not None else None
            try:
                batch = await subscription.next(within=left)
            except Overrun:
                yield forms.event_line("ERROR", json.encode(_gone("too many events wait for this watch")))
                return
            if batch:
                if told := await self._told(batch):
                    yield told
                if not subscription.idle:
                    await asyncio.sleep(0)  # who is far behind does not have all the time to catch up
                    continue
            elif batch is None or self.resource.retired or not cache.live:
                return
            if bookmarks is not None and bookmarks.left == 0 and subscription.idle:
                bookmarks.told()
                yield self.teller.bookmark(cache.revision)

    async def _told(self, batch: list[Event]) -> bytes:
        """The lines of a batch. Those who see all of a resource alike share them."""
        shared = None if self.selection else self.teller.shared
        if shared is not None and (known := shared.of_batch(batch)) is not None:
            return known
        lines = [await self._patiently(partial(_told, event, self.selection, self.teller)) for event in batch]
        told = b"".join(line for line in lines if line)
        if shared is not None and not self.resource.retired:
            shared.keep_batch(batch, told)
        return told

    async def _patiently(self, make: Callable[[], Awaitable[bytes | None]]) -> bytes | None:
        """The lines of something; while an object of it cannot be converted, nothing is told: it is tried again, as a real server does.

        Raises `_Unshowable` where the resource is not served like this any more: what comes after it must not be told without it.
        """
        for pause in itertools.chain(_PAUSES, itertools.repeat(_PAUSES[-1])):
            try:
                return await make()
            except Refusal as refusal:
                if self.resource.retired:
                    raise _Unshowable from refusal
                await asyncio.sleep(pause)
        return None


async def _told(event: Event, selection: Selection, teller: _Teller) -> bytes | None:
    """What an event is to a client that sees only what its selectors choose."""
    previous = event.previous
    if event.kind is EventKind.DELETE:
        if previous is None or (selection and not await selection.matches(previous)):
            return None
        return await teller.line(DELETED, previous, event.revision)
    entry = Entry(event.key, event.value, event.revision)
    now = await selection.matches(entry) if selection else True
    before = previous is not None and (await selection.matches(previous) if selection else True)
    if now:
        return await teller.line(MODIFIED if before else ADDED, entry, event.revision)
    if before and previous is not None:
        return await teller.line(DELETED, previous, event.revision)
    return None


def _too_old(start: int, oldest: int) -> JsonObject:
    return _gone(f"too old resource version: {start} ({oldest})")


def _gone(message: str) -> JsonObject:
    return failure(410, "Expired", message)


def _pieces(entries: list[Entry]) -> Iterator[list[Entry]]:
    """Entries in such numbers that their text can wait for a client who is slow to read it."""
    piece: list[Entry] = []
    size = 0
    for entry in entries:
        piece.append(entry)
        size += len(entry.value)
        if len(piece) >= _PIECE or size >= _PIECE_BYTES:
            yield piece
            piece, size = [], 0
    if piece:
        yield piece
