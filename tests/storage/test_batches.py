"""A batch decides each write as if those before it had been committed, and takes all back where none was."""

from __future__ import annotations

import asyncio

import pytest

from crdkit.storage.sqlite.batches import COUNT, SIZE, Batch, Write
from crdkit.storage.types import ABSENT, Change, Conflict, Entry, Guard, Revision

STANDING = {"/a": Revision(101), "/b": Revision(102)}


def write(key: str, value: bytes | None, expected: int, *guards: Guard) -> Write:
    return Write(key, value, Revision(expected), guards, asyncio.get_running_loop().create_future())


async def test_each_write_sees_those_before_it() -> None:
    standing = dict(STANDING)
    batch = Batch(standing, Revision(102))
    made, changed, gone = write("/c", b"1", ABSENT), write("/c", b"2", 103), write("/a", None, 101)
    late, stale, guarded = write("/c", b"3", 103), write("/a", b"", 101), write("/d", b"", ABSENT, Guard("/b", Revision(99)))
    for one in (made, changed, gone, late, stale, guarded):
        batch.decide(one)
    assert batch.changes == [Change("/c", b"1", Revision(103)), Change("/c", b"2", Revision(104)), Change("/a", None, Revision(105))]
    assert batch.row_values == [103, "/c", 0, False, b"1", 104, "/c", 103, False, b"2", 105, "/a", 101, True, b""]
    assert standing == {"/b": 102, "/c": 104}
    assert batch.unread() == [102]
    batch.settle({Revision(102): b"b"})
    assert [one.reply.result() for one in (made, changed, gone)] == [103, 104, 105]
    for refused, key, current in (
        (late, "/c", Entry("/c", b"2", Revision(104))),
        (stale, "/a", None),
        (guarded, "/b", Entry("/b", b"b", Revision(102))),
    ):
        with pytest.raises(Conflict) as conflict:
            refused.reply.result()
        assert (conflict.value.key, conflict.value.current) == (key, current)


async def test_what_was_not_committed_is_taken_back() -> None:
    standing = dict(STANDING)
    batch = Batch(standing, Revision(102))
    writes = [write("/c", b"1", ABSENT), write("/c", None, 103), write("/a", b"2", 101), write("/a", None, 104), write("/b", b"", 7)]
    for one in writes:
        batch.decide(one)
    writes[0].reply.cancel()
    batch.fail(OSError("no disk"))
    assert standing == STANDING
    for one in writes[1:]:
        with pytest.raises(OSError, match="no disk"):
            one.reply.result()


async def test_it_is_full_of_many_or_of_large_ones() -> None:
    batch = Batch({}, Revision(100))
    batch.decide(write("/a", b"x" * SIZE, ABSENT))
    assert not batch.full
    batch.decide(write("/b", b"x", ABSENT))
    assert batch.full
    batch = Batch({}, Revision(100))
    for number in range(COUNT):
        assert not batch.full
        batch.decide(write(f"/{number}", b"", ABSENT))
    assert batch.full
