"""What every driver promises."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from crdkit.storage.errors import StorageClosed
from crdkit.storage.types import (
    ABSENT,
    GENESIS,
    Change,
    Compacted,
    Conflict,
    Driver,
    Entry,
    Event,
    EventKind,
    FutureRevision,
    Guard,
    OwnDriver,
    Revision,
    SharedDriver,
)


def changes_of(driver: Driver, *, after: Revision) -> AsyncIterator[Change]:
    """What a driver tells of what it does from now on, where it stands at that revision."""
    if isinstance(driver, SharedDriver):
        return _followed(driver, after)
    assert isinstance(driver, OwnDriver)
    told: list[Change] = []
    driver.inform(told.append)
    return _told(told)


async def _followed(driver: SharedDriver, after: Revision) -> AsyncIterator[Change]:
    async for step in driver.follow(after=after):
        for change in step.changes:
            yield change


async def _told(changes: list[Change]) -> AsyncIterator[Change]:
    """What has been told already: a change is told before its write is answered."""
    for change in changes:
        yield change


async def take(changes: AsyncIterator[Change], count: int) -> list[Change]:
    return [await anext(changes) for _ in range(count)]


async def fill(driver: Driver, *keys: str) -> list[Revision]:
    return [await driver.put(key, key.encode(), expected=ABSENT) for key in keys]


async def test_the_first_commit_comes_after_the_revision_of_an_empty_store(driver: Driver) -> None:
    assert await driver.revision() == GENESIS
    assert await driver.put("/a", b"1", expected=ABSENT) == GENESIS + 1
    assert await driver.revision() == GENESIS + 1


async def test_what_is_put_can_be_read(driver: Driver) -> None:
    revision = await driver.put("/a", b"\x00\xff", expected=ABSENT)
    assert await driver.get("/a") == Entry("/a", b"\x00\xff", revision)
    assert await driver.get("/b") is None


async def test_a_stale_put_is_refused_and_shows_what_is_there(driver: Driver) -> None:
    first = await driver.put("/a", b"1", expected=ABSENT)
    second = await driver.put("/a", b"2", expected=first)
    with pytest.raises(Conflict) as refused:
        await driver.put("/a", b"3", expected=first)
    assert (refused.value.key, refused.value.current) == ("/a", Entry("/a", b"2", second))


async def test_a_put_of_what_is_not_there_is_refused(driver: Driver) -> None:
    with pytest.raises(Conflict) as refused:
        await driver.put("/a", b"1", expected=Revision(101))
    assert (refused.value.key, refused.value.current) == ("/a", None)
    assert str(refused.value) == "/a does not exist"


async def test_a_second_creation_is_refused(driver: Driver) -> None:
    first = await driver.put("/a", b"1", expected=ABSENT)
    with pytest.raises(Conflict) as refused:
        await driver.put("/a", b"2", expected=ABSENT)
    assert refused.value.current == Entry("/a", b"1", first)
    assert str(refused.value) == "/a stands at revision 101"


async def test_a_deletion_compares_too(driver: Driver) -> None:
    (first,) = await fill(driver, "/a")
    second = await driver.put("/a", b"2", expected=first)
    with pytest.raises(Conflict):
        await driver.delete("/a", expected=first)
    assert await driver.delete("/a", expected=second) == second + 1
    assert await driver.get("/a") is None
    with pytest.raises(Conflict):
        await driver.delete("/a", expected=second)


async def test_a_deletion_of_nothing_is_a_mistake(driver: Driver) -> None:
    with pytest.raises(ValueError, match="a deletion needs the revision that it deletes"):
        await driver.delete("/a", expected=ABSENT)


async def test_a_deleted_key_is_created_anew(driver: Driver) -> None:
    (first,) = await fill(driver, "/a")
    gone = await driver.delete("/a", expected=first)
    again = await driver.put("/a", b"2", expected=ABSENT)
    assert [await driver.get("/a", at=at) for at in (first, gone, again)] == [Entry("/a", b"/a", first), None, Entry("/a", b"2", again)]


async def test_a_refused_write_changes_nothing(driver: Driver) -> None:
    (first,) = await fill(driver, "/a")
    with pytest.raises(Conflict):
        await driver.put("/a", b"2", expected=ABSENT)
    assert await driver.revision() == first
    assert await driver.get("/a") == Entry("/a", b"/a", first)


@pytest.mark.parametrize("deletes", [False, True])
async def test_a_write_whose_guard_does_not_hold_is_refused(driver: Driver, deletes: bool) -> None:
    target, guard = await fill(driver, "/a", "/guard")
    moved = await driver.put("/guard", b"2", expected=guard)
    guards = [Guard("/guard", guard)]
    write = driver.delete("/a", expected=target, guards=guards) if deletes else driver.put("/a", b"2", expected=target, guards=guards)
    with pytest.raises(Conflict) as refused:
        await write
    assert (refused.value.key, refused.value.current) == ("/guard", Entry("/guard", b"2", moved))
    assert await driver.get("/a") == Entry("/a", b"/a", target)


async def test_a_write_whose_guards_hold_is_made(driver: Driver) -> None:
    (guard,) = await fill(driver, "/guard")
    await driver.put("/a", b"2", expected=ABSENT, guards=[Guard("/guard", guard), Guard("/absent", ABSENT)])
    with pytest.raises(Conflict) as refused:
        await driver.put("/b", b"2", expected=ABSENT, guards=[Guard("/guard", guard), Guard("/a", ABSENT)])
    assert refused.value.key == "/a"


async def test_concurrent_writes_are_compared_one_by_one(driver: Driver) -> None:
    """In one batch: the first creation wins, and it refuses the others alone."""
    (guard,) = await fill(driver, "/guard")
    results = await asyncio.gather(
        driver.put("/a", b"1", expected=ABSENT),
        driver.put("/a", b"2", expected=ABSENT),
        driver.put("/b", b"3", expected=ABSENT, guards=[Guard("/guard", guard)]),
        driver.put("/guard", b"4", expected=guard),
        driver.put("/c", b"5", expected=ABSENT, guards=[Guard("/guard", guard)]),
        driver.put("/d", b"6", expected=ABSENT),
        return_exceptions=True,
    )
    made = [result for result in results if isinstance(result, int)]
    assert made == [guard + 1, guard + 2, guard + 3, guard + 4]
    assert [type(result) for result in results] == [int, Conflict, int, int, Conflict, int]
    lost, stale = results[1], results[4]
    assert isinstance(lost, Conflict)
    assert isinstance(stale, Conflict)
    assert lost.current == Entry("/a", b"1", Revision(guard + 1))
    assert (stale.key, stale.current) == ("/guard", Entry("/guard", b"4", Revision(guard + 3)))


async def test_a_write_given_up_by_its_caller_leaves_the_others_alone(driver: Driver) -> None:
    first = asyncio.ensure_future(driver.put("/a", b"1", expected=ABSENT))
    second = asyncio.ensure_future(driver.put("/b", b"2", expected=ABSENT))
    await asyncio.wait([first], timeout=0)
    first.cancel()
    revision = await second
    assert await driver.get("/b") == Entry("/b", b"2", revision)


async def test_a_read_gives_the_keys_under_a_prefix_in_the_order_of_their_bytes(driver: Driver) -> None:
    await fill(driver, "/x/b", "/x/a", "/x/a/1", "/x/ä", "/x/😀", "/x/\ufffd", "/xy", "/y/a", "/w")
    page = await driver.read("/x/")
    assert [entry.key for entry in page.entries] == ["/x/a", "/x/a/1", "/x/b", "/x/ä", "/x/\ufffd", "/x/😀"]
    assert (page.revision, page.more, page.remaining) == (await driver.revision(), False, 0)


async def test_pages_join_to_the_whole(driver: Driver) -> None:
    await fill(driver, *(f"/x/{number:02}" for number in range(7)), "/y")
    first = await driver.read("/x/", limit=3)
    second = await driver.read("/x/", at=first.revision, after="/x/02", limit=3)
    third = await driver.read("/x/", at=first.revision, after="/x/05", limit=3)
    assert [[entry.key[-1] for entry in page.entries] for page in (first, second, third)] == [list("012"), list("345"), list("6")]
    assert [(page.more, page.remaining) for page in (first, second, third)] == [(True, 4), (True, 1), (False, 0)]


async def test_a_state_of_the_past_can_be_read(driver: Driver) -> None:
    first, _ = await fill(driver, "/x/a", "/x/b")
    then = await driver.revision()
    await driver.put("/x/a", b"2", expected=first)
    await driver.delete("/x/b", expected=then)
    await fill(driver, "/x/c")
    assert await driver.read("/x/", at=then) == await past(driver, then, "/x/a", "/x/b")
    assert [entry.key for entry in (await driver.read("/x/")).entries] == ["/x/a", "/x/c"]
    assert (await driver.read("/x/", at=GENESIS)).entries == []


async def past(driver: Driver, at: Revision, *keys: str) -> object:
    entries = [await driver.get(key, at=at) for key in keys]
    page = await driver.read("/nothing", at=at)
    return type(page)([entry for entry in entries if entry is not None], at)


async def test_what_is_yet_to_come_cannot_be_read(driver: Driver) -> None:
    (revision,) = await fill(driver, "/a")
    for future in (driver.get("/a", at=Revision(revision + 1)), driver.read("", at=Revision(revision + 1))):
        with pytest.raises(FutureRevision) as refused:
            await future
        assert refused.value.current == revision
    with pytest.raises(FutureRevision):
        await driver.compact(Revision(revision + 1))


async def test_revision_one_is_too_old(driver: Driver) -> None:
    with pytest.raises(Compacted) as refused:
        await driver.read("", at=Revision(1))
    assert refused.value.oldest == GENESIS


async def test_changes_are_told_once_and_in_order(driver: Driver) -> None:
    first, second = await fill(driver, "/x/a", "/x/b")
    changes = changes_of(driver, after=second)
    await fill(driver, "/y/other")
    third = await driver.put("/x/a", b"2", expected=first)
    with pytest.raises(Conflict):
        await driver.put("/x/a", b"3", expected=first)
    fourth = await driver.delete("/x/b", expected=second)
    assert await take(changes, 3) == [
        Change("/y/other", b"/y/other", Revision(second + 1)),
        Change("/x/a", b"2", third),
        Change("/x/b", None, fourth),
    ]


async def test_many_changes_at_once_are_all_told(driver: Driver) -> None:
    count = 1_200
    changes = changes_of(driver, after=GENESIS)
    await asyncio.gather(*(driver.put(f"/{number}", b"", expected=ABSENT) for number in range(count)))
    assert [change.revision for change in await take(changes, count)] == list(range(GENESIS + 1, GENESIS + count + 1))


async def test_compaction_forgets_what_was_replaced_and_no_more(driver: Driver) -> None:
    kept, replaced, gone = await fill(driver, "/kept", "/replaced", "/gone")
    deleted = await driver.delete("/gone", expected=gone)
    middle = await driver.put("/replaced", b"2", expected=replaced)
    last = await driver.put("/replaced", b"3", expected=middle)
    await driver.compact(middle)
    await driver.compact(deleted)  # goes no further back
    with pytest.raises(Compacted) as refused:
        await driver.get("/replaced", at=deleted)
    assert refused.value.oldest == middle
    assert [await driver.get("/replaced", at=at) for at in (middle, last)] == [
        Entry("/replaced", b"2", middle),
        Entry("/replaced", b"3", last),
    ]
    assert await driver.get("/kept") == Entry("/kept", b"/kept", kept)
    assert await driver.get("/gone") is None


async def test_the_revision_stays_when_all_is_forgotten(driver: Driver) -> None:
    (first,) = await fill(driver, "/a")
    gone = await driver.delete("/a", expected=first)
    await driver.compact(gone)
    assert await driver.revision() == gone
    assert (await driver.read("")).entries == []
    assert await fill(driver, "/a") == [gone + 1]


async def test_recent_events_know_what_stood_before(driver: Driver) -> None:
    first, _ = await fill(driver, "/a", "/b")
    second = await driver.put("/a", b"2", expected=first)
    gone = await driver.delete("/a", expected=second)
    assert await driver.recent(count=2, size=1_000) == (
        second - 1,
        [
            Event(EventKind.PUT, "/a", b"2", second, Entry("/a", b"/a", first)),
            Event(EventKind.DELETE, "/a", b"", gone, Entry("/a", b"2", second)),
        ],
    )
    oldest, events = await driver.recent(count=100, size=2)
    assert (oldest, [event.revision for event in events]) == (second - 1, [second, gone])
    assert (await driver.recent(count=100, size=1_000))[0] == GENESIS


async def test_what_is_closed_takes_no_writes(driver: Driver) -> None:
    changes = changes_of(driver, after=GENESIS)
    await fill(driver, "/a")
    assert len(await take(changes, 1)) == 1
    await driver.close()
    with pytest.raises(StorageClosed):
        await driver.put("/b", b"", expected=ABSENT)
