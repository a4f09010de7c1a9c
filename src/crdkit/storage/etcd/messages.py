"""The few messages of etcd's API (v3) that the driver sends and reads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from typing import Final, NamedTuple

from crdkit.meta.protobuf import varint
from crdkit.meta.protowire import LENGTH, VARINT, pieces
from crdkit.meta.records import record

WHOLE: Final = b"\x00"
"""As a key and as the end of a range: from the first key, and up to the last."""

_MOD_REVISION: Final = 2
"""What a comparison looks at (``Compare.CompareTarget``)."""


class Range(NamedTuple):
    """Keys from ``start`` up to but not including ``end``; without an end it is one key."""

    start: bytes
    end: bytes = b""

    @classmethod
    def under(cls, prefix: bytes, after: bytes = b"") -> Range:
        """The keys that begin with ``prefix`` and come after ``after``."""
        start = after + b"\x00" if after >= prefix else prefix
        return cls(start or WHOLE, _prefix_end(prefix))


def _prefix_end(prefix: bytes) -> bytes:
    kept = prefix.rstrip(b"\xff")
    return kept[:-1] + bytes((kept[-1] + 1,)) if kept else WHOLE


@record(frozen=False)
class KeyValue:
    key: bytes = b""
    value: bytes = b""
    created: int = 0
    revision: int = 0


@record(frozen=False)
class RangeAnswer:
    """``count`` counts all keys of the range, whatever the limit."""

    revision: int = 0
    entries: list[KeyValue] = field(default_factory=list)
    count: int = 0


@record(frozen=False)
class TxnAnswer:
    revision: int = 0
    succeeded: bool = False
    found: list[KeyValue | None] = field(default_factory=list)
    """Of a transaction that failed: what stands at the keys compared."""


@record(frozen=False)
class WatchEvent:
    entry: KeyValue
    deleted: bool
    previous: KeyValue | None


@record(frozen=False)
class WatchAnswer:
    revision: int = 0
    created: bool = False
    canceled: bool = False
    compacted: int = 0
    reason: str = ""
    events: list[WatchEvent] = field(default_factory=list)


@record(frozen=False)
class LeaseAnswer:
    id: int = 0
    seconds: int = 0


# Requests


def range_(keys: Range, *, revision: int = 0, limit: int = 0, keys_only: bool = False) -> bytes:
    numbers = _number(3, limit) + _number(4, revision) + _number(8, keys_only)
    return _text(1, keys.start) + _text(2, keys.end) + numbers


def put(key: bytes, value: bytes, *, lease: int = 0) -> bytes:
    """An operation of a transaction."""
    return _message(2, _text(1, key) + _message(2, value) + _number(3, lease))


def delete(key: bytes) -> bytes:
    """An operation of a transaction."""
    return _message(3, _text(1, key))


def txn(compared: Sequence[tuple[bytes, int]], operation: bytes) -> bytes:
    """Do one operation if every key stands at its revision (0: is not there); else tell what stands there."""
    conditions = (_message(1, _number(2, _MOD_REVISION) + _text(3, key) + _message_number(6, revision)) for key, revision in compared)
    looks = (_message(3, _message(1, range_(Range(key)))) for key, _ in compared)
    return b"".join((*conditions, _message(2, operation), *looks))


def compact(revision: int) -> bytes:
    return _number(1, revision)


def watch(keys: Range, *, start: int, previous: bool = False) -> bytes:
    return _message(1, _text(1, keys.start) + _text(2, keys.end) + _number(3, start) + _number(6, previous))


def lease_grant(seconds: int) -> bytes:
    return _number(1, seconds)


def lease_id(number: int) -> bytes:
    """What keeps a lease alive, and what revokes it."""
    return _number(1, number)


def authenticate(name: str, password: str) -> bytes:
    return _text(1, name.encode()) + _text(2, password.encode())


# Answers


def read_range(data: bytes | memoryview) -> RangeAnswer:
    answer = RangeAnswer()
    for number, _, content in pieces(memoryview(data), "RangeResponse"):
        if number == 1:
            answer.revision = _revision(content)
        elif number == 2:
            answer.entries.append(_key_value(content))
        elif number == 4:
            answer.count = content
    return answer


def read_txn(data: bytes) -> TxnAnswer:
    answer = TxnAnswer()
    for number, _, content in pieces(memoryview(data), "TxnResponse"):
        if number == 1:
            answer.revision = _revision(content)
        elif number == 2:
            answer.succeeded = content != 0
        elif number == 3:
            answer.found += _found(content)
    return answer


def _found(operation: memoryview) -> Iterable[KeyValue | None]:
    for number, _, content in pieces(operation, "ResponseOp"):
        if number == 1:
            entries = read_range(content).entries
            yield entries[0] if entries else None


def read_watch(data: bytes) -> WatchAnswer:
    answer = WatchAnswer()
    for number, _, content in pieces(memoryview(data), "WatchResponse"):
        if number == 1:
            answer.revision = _revision(content)
        elif number == 3:
            answer.created = content != 0
        elif number == 4:
            answer.canceled = content != 0
        elif number == 5:
            answer.compacted = content
        elif number == 6:
            answer.reason = str(content, "utf-8", "replace")
        elif number == 11:
            answer.events.append(_event(content))
    return answer


def _event(data: memoryview) -> WatchEvent:
    event = WatchEvent(KeyValue(), deleted=False, previous=None)
    for number, _, content in pieces(data, "Event"):
        if number == 1:
            event.deleted = content == 1
        elif number == 2:
            event.entry = _key_value(content)
        elif number == 3:
            event.previous = _key_value(content)
    return event


def read_lease(data: bytes) -> LeaseAnswer:
    answer = LeaseAnswer()
    for number, _, content in pieces(memoryview(data), "LeaseResponse"):
        if number == 2:
            answer.id = content
        elif number == 3:
            answer.seconds = content
    return answer


def read_token(data: bytes) -> str:
    """The token of an AuthenticateResponse."""
    return _string(data, 2)


def read_version(data: bytes) -> str:
    """The version that a StatusResponse tells."""
    return _string(data, 2)


def _string(data: bytes, wanted: int) -> str:
    found = ""
    for number, wire, content in pieces(memoryview(data), "Response"):
        if number == wanted and wire == LENGTH:
            found = str(content, "utf-8", "replace")
    return found


def _revision(header: memoryview) -> int:
    for number, _, content in pieces(header, "ResponseHeader"):
        if number == 3:
            revision: int = content
            return revision
    return 0


def _key_value(data: memoryview) -> KeyValue:
    found = KeyValue()
    for number, _, content in pieces(data, "KeyValue"):
        if number == 1:
            found.key = bytes(content)
        elif number == 2:
            found.created = content
        elif number == 3:
            found.revision = content
        elif number == 5:
            found.value = bytes(content)
    return found


def _number(number: int, value: int) -> bytes:
    return _message_number(number, value) if value else b""


def _message_number(number: int, value: int) -> bytes:
    return varint(number << 3 | VARINT) + varint(value)


def _text(number: int, content: bytes) -> bytes:
    return _message(number, content) if content else b""


def _message(number: int, content: bytes) -> bytes:
    return varint(number << 3 | LENGTH) + varint(len(content)) + content
