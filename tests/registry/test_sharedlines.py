from __future__ import annotations

from crdkit.registry.request import Form
from crdkit.registry.sharedlines import LinesByForm, Room
from crdkit.storage.types import Entry, Event, EventKind, Revision

PLAIN = Form("", "")


class Texts:
    """Makes lines, and counts how often."""

    def __init__(self) -> None:
        self.made = 0

    async def __call__(self, kind: str, entry: Entry, revision: int) -> bytes:
        self.made += 1
        return b"%s %s %d" % (kind.encode(), entry.key.encode(), revision)


def entry(revision: int) -> Entry:
    return Entry("/a", b"", Revision(revision))


def event(revision: int) -> Event:
    return Event(EventKind.PUT, "/a", b"", Revision(revision), None)


async def test_a_line_is_made_once() -> None:
    texts = Texts()
    lines = LinesByForm().of(PLAIN, "", texts, Room())
    assert [await lines("ADDED", entry(7), 7) for _ in range(2)] == [b"ADDED /a 7"] * 2
    assert texts.made == 1


async def test_resources_share_their_room_and_the_newest_lines_stay() -> None:
    room, texts = Room(texts=5), Texts()
    kites, boxes = (LinesByForm().of(PLAIN, "", texts, room) for _ in range(2))
    for revision in range(10, 20):
        await (boxes if revision % 2 else kites)("ADDED", entry(revision), revision)
    assert (len(room), room.size) == (5, 50 + 5)
    texts.made = 0
    for revision in (16, 18):
        await kites("ADDED", entry(revision), revision)
    for revision in (15, 17, 19):
        await boxes("ADDED", entry(revision), revision)
    assert texts.made == 0
    assert await kites("ADDED", entry(10), 10) == b"ADDED /a 10"
    assert texts.made == 1


async def test_the_room_has_a_bound_of_bytes() -> None:
    room = Room(size=35)
    lines = LinesByForm().of(PLAIN, "", Texts(), room)
    for revision in range(10, 20):
        await lines("ADDED", entry(revision), revision)
    assert (len(room), room.size) == (3, 33)


async def test_batches_take_room_too() -> None:
    room = Room(texts=2)
    lines = LinesByForm().of(PLAIN, "", Texts(), room)
    for first in (10, 12, 14):
        lines.keep_batch([event(first), event(first + 1)], b"lines from %d" % first)
    lines.keep_batch([event(14), event(15)], b"lines from 14")
    found = [lines.of_batch([event(first), event(first + 1)]) for first in (10, 12, 14)]
    assert found == [None, b"lines from 12", b"lines from 14"]
    assert (len(room), room.size) == (2, 26)
