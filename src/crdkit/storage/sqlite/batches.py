"""The writes of one transaction: each is compared on its own, as if those before it had been committed."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from crdkit.storage.types import ABSENT, Change, Conflict, Entry, Guard, Revision

COUNT: Final = 200
SIZE: Final = 8 * 1024 * 1024
"""Bounds of a batch: its writes, and the bytes of their values."""


@dataclass(slots=True, eq=False)
class Write:
    key: str
    value: bytes | None
    """None deletes."""
    expected: Revision
    guards: Sequence[Guard]
    reply: asyncio.Future[Revision]
    later: Sequence[bytes] = ()
    """What is put next, value by value."""


@dataclass(slots=True, eq=False)
class _Refusal:
    """A write that does not fit, and where the key that it compared really stands."""

    reply: asyncio.Future[Revision]
    key: str
    found: Revision


class Batch:
    """Writes on their way to the file. ``standing`` tells where every key stands, at ``revision`` and, as they are added, after them."""

    def __init__(self, standing: dict[str, Revision], revision: Revision) -> None:
        self.changes: list[Change] = []
        """What it does, in order; the first change makes the revision after ``revision``."""
        self.row_values: list[Any] = []
        """The values of its rows, one after another."""
        self._standing = standing
        self._revision = revision
        self._answers: list[tuple[asyncio.Future[Revision], Revision]] = []
        self._refusals: list[_Refusal] = []
        self._size = 0

    @property
    def full(self) -> bool:
        return self._size > SIZE or len(self._answers) + len(self._refusals) >= COUNT

    def decide(self, write: Write) -> None:
        """Add the write to the transaction, or refuse it."""
        key, value, standing = write.key, write.value, self._standing
        found = standing.get(key, ABSENT)
        if found != write.expected:
            self._refusals.append(_Refusal(write.reply, key, found))
            return
        for guard in write.guards:
            if standing.get(guard.key, ABSENT) != guard.revision:
                self._refusals.append(_Refusal(write.reply, guard.key, standing.get(guard.key, ABSENT)))
                return
        revision = Revision(self._revision + len(self.changes) + 1)
        self.changes.append(Change(key, value, revision))
        self._answers.append((write.reply, revision))
        if value is None:
            del standing[key]
            self.row_values += (revision, key, found, True, b"")
        else:
            standing[key] = revision
            self.row_values += (revision, key, found, False, value)
            self._size += len(value)
        if write.later:
            self._go_on(key, write.later, revision)

    def _go_on(self, key: str, values: Sequence[bytes], found: Revision) -> None:
        """Put values one after the other where the last change has put one."""
        for value in values:
            revision = Revision(found + 1)
            self.changes.append(Change(key, value, revision))
            self.row_values += (revision, key, found, False, value)
            self._size += len(value)
            found = revision
        self._standing[key] = found

    def unread(self) -> list[Revision]:
        """Tell whose values those refused are to be told, and which only the file has."""
        return [refusal.found for refusal in self._refusals if ABSENT < refusal.found <= self._revision]

    def settle(self, values: Mapping[Revision, bytes]) -> None:
        """Answer those who wait for a transaction that was committed; ``values`` has what was `unread`."""
        for reply, revision in self._answers:
            if not reply.done():
                reply.set_result(revision)
        for refusal in self._refusals:
            if not refusal.reply.done():
                refusal.reply.set_exception(Conflict(refusal.key, self._entry(refusal, values)))

    def _entry(self, refusal: _Refusal, values: Mapping[Revision, bytes]) -> Entry | None:
        found = refusal.found
        if found == ABSENT:
            return None
        value = values[found] if found <= self._revision else self.changes[found - self._revision - 1].value
        assert value is not None, "a key stands at a revision that put it"
        return Entry(refusal.key, value, found)

    def fail(self, error: Exception) -> None:
        """Take all back, and tell those who wait: refusals too may have been caused by a write of this batch."""
        for key, found in reversed(list(zip(self.row_values[1::5], self.row_values[2::5], strict=True))):
            if found == ABSENT:
                self._standing.pop(key, None)
            else:
                self._standing[key] = found
        for reply in [reply for reply, _ in self._answers] + [refusal.reply for refusal in self._refusals]:
            if not reply.done():
                reply.set_exception(error)
