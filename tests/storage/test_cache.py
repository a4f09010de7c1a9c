from __future__ import annotations

import asyncio
import logging
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crdkit.storage.cache import Cache
from crdkit.storage.errors import StorageClosed
from crdkit.storage.memory import MemoryDriver
from crdkit.storage.sqlite import SqliteDriver
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
    Guard,
    Overrun,
    Page,
    Revision,
)
from crdkit.storage.watching import Owed


async def test_a_write_can_be_read_when_it_returns(cache: Cache) -> None:
    first = await cache.put("/a", b"1", expected=ABSENT)
    assert (cache.get("/a"), cache.revision) == (Entry("/a", b"1", first), first)
    second = await cache.delete("/a", expected=first)
    assert (cache.get("/a"), cache.revision, len(cache)) == (None, second, 0)


async def test_after_a_refusal_the_cause_can_be_read(cache: Cache) -> None:
    first = await cache.put("/a", b"1", expected=ABSENT)
    results = await asyncio.gather(cache.put("/a", b"2", expected=first), cache.put("/a", b"3", expected=first), return_exceptions=True)
    assert isinstance(results[1], Conflict)
    assert cache.get("/a") == results[1].current == Entry("/a", b"2", Revision(first + 1))


async def test_what_is_put_in_turn_are_changes_of_their_own(cache: Cache) -> None:
    with cache.watch("/a") as subscription:
        first = await cache.put_in_turn("/a", [b"1", b"2", b"3"], expected=ABSENT, guards=[Guard("/b", ABSENT)])
        told = [(event.value, event.revision, event.previous and event.previous.value) for event in await subscription.next()]
    assert told == [(b"1", first, None), (b"2", first + 1, b"1"), (b"3", first + 2, b"2")]
    assert (cache.get("/a"), cache.revision) == (Entry("/a", b"3", Revision(first + 2)), first + 2)
    assert (await cache.list_at("/a", at=Revision(first + 1))).entries == [Entry("/a", b"2", Revision(first + 1))]
    await cache.put("/a", b"4", expected=Revision(first + 2))


async def test_of_what_is_put_in_turn_all_is_refused_or_nothing(cache: Cache) -> None:
    first = await cache.put("/a", b"1", expected=ABSENT)
    attempts = (("/a", ABSENT, []), ("/b", ABSENT, [Guard("/a", Revision(first + 1))]))
    for key, expected, guards in attempts:
        with pytest.raises(Conflict) as refused:
            await cache.put_in_turn(key, [b"2", b"3"], expected=expected, guards=guards)
        assert refused.value.current == Entry("/a", b"1", first)
    assert (cache.revision, len(cache)) == (first, 1)


async def test_who_writes_at_the_same_time_meets_the_last_of_what_is_put_in_turn(cache: Cache) -> None:
    first, other, late = await asyncio.gather(
        cache.put_in_turn("/a", [b"1", b"2"], expected=ABSENT),
        cache.put("/b", b"1", expected=ABSENT),
        cache.put("/a", b"3", expected=ABSENT),
        return_exceptions=True,
    )
    assert isinstance(late, Conflict)
    assert (other, late.current) == (first + 2, Entry("/a", b"2", Revision(first + 1)))


async def test_a_list_is_in_order_and_in_pages(cache: Cache) -> None:
    await asyncio.gather(*(cache.put(f"/x/{number}", b"", expected=ABSENT) for number in (3, 1, 2, 0)))
    page = cache.list("/x/", limit=3)
    assert ([entry.key for entry in page.entries], page.revision, page.more, page.remaining) == (
        ["/x/0", "/x/1", "/x/2"],
        cache.revision,
        True,
        1,
    )
    assert [entry.key for entry in cache.list("/x/", after="/x/2").entries] == ["/x/3"]


async def test_an_earlier_state_can_be_listed(cache: Cache) -> None:
    first = await cache.put("/x/a", b"1", expected=ABSENT)
    await cache.put("/y/a", b"1", expected=ABSENT)
    unchanged = await cache.list_at("/x/", at=first)
    await cache.put("/x/a", b"2", expected=first)
    assert await cache.list_at("/x/", at=first) == unchanged == Page([Entry("/x/a", b"1", first)], first)
    with pytest.raises(FutureRevision):
        await cache.list_at("/x/", at=Revision(cache.revision + 1))
    with pytest.raises(Compacted):
        await cache.list_at("/x/", at=Revision(1))


@given(st.lists(st.tuples(st.sampled_from(["/x/a", "/x/b", "/x/c", "/x/cc", "/y/a"]), st.booleans()), max_size=25), st.data())
async def test_earlier_states_are_told_as_the_driver_tells_them(steps: list[tuple[str, bool]], data: st.DataObject) -> None:
    driver = MemoryDriver()
    cache = Cache(driver)
    await cache.start()
    for number, (key, puts) in enumerate(steps):
        entry = cache.get(key)
        if puts:
            await cache.put(key, b"%d" % number, expected=entry.revision if entry else ABSENT)
        elif entry:
            await cache.delete(key, expected=entry.revision)
    at = Revision(data.draw(st.integers(GENESIS, cache.revision)))
    after, limit = data.draw(st.sampled_from(["", "/x/a", "/x/bb", "/x/c"])), data.draw(st.integers(0, 4))
    assert await cache.list_at("/x/", at=at, after=after, limit=limit) == await driver.read("/x/", at=at, after=after, limit=limit)
    await cache.close()


async def test_a_watch_begins_where_a_list_ends(cache: Cache) -> None:
    """Ordered, once, none missing: whatever is written around the list."""
    keys = [f"/x/{number:03}" for number in range(200)]
    writes = [asyncio.ensure_future(cache.put(key, b"", expected=ABSENT)) for key in keys]
    await writes[50]
    page = cache.list("/x/")
    with cache.watch("/x/", after=page.revision) as events:
        await asyncio.gather(*writes)
        told: list[Event] = []
        while len(told) + len(page.entries) < len(keys):
            told += await anext(events)
    assert [event.revision for event in told] == list(range(page.revision + 1, GENESIS + 201))
    assert {entry.key for entry in page.entries} | {event.key for event in told} == set(keys)


async def test_a_watch_resumes_from_any_revision(cache: Cache) -> None:
    for number in range(5):
        await cache.put(f"/x/{number}", b"", expected=ABSENT)
    for after in range(GENESIS, GENESIS + 5):
        with cache.watch("/x/", after=Revision(after)) as events:
            assert [event.revision for event in await anext(events)] == list(range(after + 1, GENESIS + 6))


async def test_a_watch_tells_its_prefix_alone(cache: Cache) -> None:
    with cache.watch("/x/a") as events, cache.watch("/y/") as others:
        for key in ("/x/a", "/x/b", "/x/ab", "/y", "/x/a/deep"):
            await cache.put(key, b"", expected=ABSENT)
        assert [event.key for event in await anext(events)] == ["/x/a", "/x/ab", "/x/a/deep"]
        assert others.idle


async def test_events_tell_what_stood_before(cache: Cache) -> None:
    with cache.watch("") as events:
        first = await cache.put("/a", b"1", expected=ABSENT)
        second = await cache.put("/a", b"2", expected=first)
        third = await cache.delete("/a", expected=second)
        assert await anext(events) == [
            Event(EventKind.PUT, "/a", b"1", first, None),
            Event(EventKind.PUT, "/a", b"2", second, Entry("/a", b"1", first)),
            Event(EventKind.DELETE, "/a", b"", third, Entry("/a", b"2", second)),
        ]


async def test_a_watch_from_before_the_history_is_refused(driver: MemoryDriver) -> None:
    cache = Cache(driver, history_count=2)
    await cache.start()
    revisions = [await cache.put(f"/{number}", b"", expected=ABSENT) for number in range(4)]
    with pytest.raises(Compacted) as refused:
        cache.watch("", after=revisions[0])
    assert refused.value.oldest == revisions[1]
    with cache.watch("", after=revisions[1]) as events:
        assert [event.revision for event in await anext(events)] == revisions[2:]
    with pytest.raises(FutureRevision):
        cache.watch("", after=Revision(revisions[3] + 1))
    await cache.close()


async def test_the_history_is_bounded_by_the_bytes_that_it_keeps() -> None:
    """What stands is there anyway: only what was replaced counts, and a little for each event."""
    cache = Cache(MemoryDriver(), history_size=2_500)
    await cache.start()
    start = cache.revision
    revisions = [await cache.put("/0", bytes(1_000), expected=ABSENT)]
    revisions += [await cache.put(f"/{number}", bytes(50_000), expected=ABSENT) for number in range(1, 4)]
    with cache.watch("", after=start) as events:
        assert [event.revision for event in await anext(events)] == revisions
    for _ in range(3):
        revisions.append(await cache.put("/0", bytes(1_000), expected=revisions[-1] if len(revisions) > 4 else revisions[0]))
    with pytest.raises(Compacted) as refused:
        cache.watch("", after=start)
    assert start < refused.value.oldest < revisions[-1]
    with cache.watch("", after=refused.value.oldest) as events:
        assert [event.previous and len(event.previous.value) for event in await anext(events)] == [1_000, 1_000]
    await cache.close()


@pytest.mark.parametrize("owed", [Owed(count=2), Owed(size=25)])
async def test_a_slow_watcher_is_overrun_and_the_others_are_not(cache: Cache, owed: Owed) -> None:
    with cache.watch("", owed=owed) as slow, cache.watch("") as patient:
        for number in range(3):
            await cache.put(f"/{number}", bytes(10), expected=ABSENT)
        with pytest.raises(Overrun):
            await anext(slow)
        assert len(await anext(patient)) == 3
        with pytest.raises(Overrun):
            await slow.next()


@pytest.mark.parametrize("size", [1, 100_000])
async def test_what_waits_is_taken_a_batch_at_a_time(cache: Cache, size: int) -> None:
    before = cache.revision
    with cache.watch("/a") as slow:
        revisions = [await cache.put(f"/a/{number}", bytes(size), expected=ABSENT) for number in range(250)]
        late = cache.watch("/a", after=before)
        for events in (slow, late):
            batches = [await anext(events)]
            while not events.idle:
                batches.append(await anext(events))
            assert [event.revision for batch in batches for event in batch] == revisions
            assert {len(batch) for batch in batches} == ({2} if size == 100_000 else {200, 50})
        late.close()


async def test_a_deletion_is_as_large_as_what_went(cache: Cache) -> None:
    revisions = [await cache.put(f"/{number}", bytes(100_000), expected=ABSENT) for number in range(5)]
    with cache.watch("", owed=Owed(size=450_000)) as slow, cache.watch("") as patient:
        for number, revision in enumerate(revisions):
            await cache.delete(f"/{number}", expected=revision)
        with pytest.raises(Overrun):
            await anext(slow)
        assert [len(await anext(patient)) for _ in range(3)] == [2, 2, 1]


async def test_one_event_larger_than_a_batch_is_a_batch(cache: Cache) -> None:
    with cache.watch("") as events:
        await cache.put("/a", bytes(1_000_000), expected=ABSENT)
        await cache.put("/b", b"", expected=ABSENT)
        assert [[event.key for event in await anext(events)] for _ in range(2)] == [["/a"], ["/b"]]


async def test_history_that_a_watch_begins_with_is_not_counted_as_owed(cache: Cache) -> None:
    before = cache.revision
    for number in range(5):
        await cache.put(f"/{number}", bytes(10), expected=ABSENT)
    with cache.watch("", after=before, owed=Owed(count=2)) as events:
        for number in range(5, 7):
            await cache.put(f"/{number}", bytes(10), expected=ABSENT)
        assert len(await anext(events)) == 7


async def test_a_wait_for_events_may_be_limited(cache: Cache) -> None:
    with cache.watch("") as events:
        assert await events.next(within=0) == []
        waiting = asyncio.ensure_future(events.next())
        await asyncio.wait([waiting], timeout=0)
        waiting.cancel()
        await cache.put("/a", b"", expected=ABSENT)
        assert [event.key for event in await events.next(within=60) or []] == ["/a"]


async def test_a_closed_subscription_ends_after_what_waits(cache: Cache) -> None:
    events = cache.watch("")
    await cache.put("/a", b"", expected=ABSENT)
    events.close()
    await cache.put("/b", b"", expected=ABSENT)
    assert [[event.key for event in batch] async for batch in events] == [["/a"]]
    assert await events.next() is None


async def test_closing_ends_a_waiting_subscription(cache: Cache) -> None:
    events = cache.watch("")
    waiting = asyncio.ensure_future(events.next())
    await asyncio.wait([waiting], timeout=0)
    await cache.close()
    assert await waiting is None
    assert not cache.live
    with pytest.raises(StorageClosed):
        await cache.put("/a", b"", expected=ABSENT)
    with pytest.raises(StorageClosed):
        await cache.reached(Revision(999))


async def test_a_callback_sees_each_event_before_any_reader_is_answered(cache: Cache) -> None:
    index: dict[str, Revision] = {}
    end = cache.subscribe("/x/", lambda event: index.update({event.key: event.revision}))
    revision = await cache.put("/x/a", b"", expected=ABSENT)
    await cache.put("/y/a", b"", expected=ABSENT)
    assert index == {"/x/a": revision}
    end()
    await cache.put("/x/b", b"", expected=ABSENT)
    assert index == {"/x/a": revision}


async def test_a_failing_callback_concerns_itself_alone(cache: Cache, caplog: pytest.LogCaptureFixture) -> None:
    cache.subscribe("", lambda event: 1 // (event.revision - event.revision))
    seen: list[str] = []
    cache.subscribe("", lambda event: seen.append(event.key))
    with caplog.at_level(logging.CRITICAL + 1):
        await cache.put("/a", b"", expected=ABSENT)
    assert seen == ["/a"]
    assert "a subscriber of the cache failed on /a" in caplog.text or not caplog.records


async def test_a_restarted_cache_knows_state_and_history(tmp_path: Path) -> None:
    cache = Cache(await SqliteDriver.open(tmp_path))
    await cache.start()
    first = await cache.put("/a", b"1", expected=ABSENT)
    second = await cache.put("/a", b"2", expected=first)
    await cache.close()
    cache = Cache(await SqliteDriver.open(tmp_path))
    await cache.start()
    assert (cache.get("/a"), cache.revision) == (Entry("/a", b"2", second), second)
    with cache.watch("", after=first) as events:
        assert await anext(events) == [Event(EventKind.PUT, "/a", b"2", second, Entry("/a", b"1", first))]
    assert await cache.put("/b", b"", expected=ABSENT) == second + 1
    await cache.close()


async def test_what_is_written_past_the_cache_is_seen() -> None:
    driver = MemoryDriver()
    cache = Cache(driver)
    await cache.start()
    theirs = await driver.put("/theirs", b"1", expected=ABSENT)
    assert cache.get("/theirs") == Entry("/theirs", b"1", theirs)
    with pytest.raises(Conflict):
        await cache.put("/theirs", b"2", expected=ABSENT)
    await cache.close()


class WritingDriver(MemoryDriver):
    """A store that somebody writes to while the cache loads it."""

    async def recent(self, *, count: int, size: int) -> tuple[Revision, list[Event]]:
        found = await super().recent(count=count, size=size)
        await self.put("/meanwhile", b"1", expected=ABSENT)
        return found


async def test_what_is_written_while_the_state_is_loaded_is_seen() -> None:
    driver = WritingDriver()
    await driver.put("/before", b"1", expected=ABSENT)
    cache = Cache(driver)
    await cache.start()
    assert [entry.key for entry in cache.list("").entries] == ["/before", "/meanwhile"]
    await cache.close()


class FailingDriver(MemoryDriver):
    """A store that tells of changes which nobody can make sense of."""

    def inform(self, told: Callable[[Change], object]) -> None:
        super().inform(lambda change: told(Change(cast("str", 0), change.value, change.revision)))


async def test_a_cache_that_lost_its_driver_says_so(caplog: pytest.LogCaptureFixture) -> None:
    cache = Cache(FailingDriver())
    await cache.start()
    events = cache.watch("")
    await cache.put("/a", b"", expected=ABSENT)
    assert not cache.live
    assert await events.next() is None
    with pytest.raises(AttributeError):
        await cache.put("/b", b"", expected=ABSENT)
    assert "the store's changes can no longer be followed" in caplog.text
    await cache.close()


async def test_ten_thousand_entries_stay_near_their_size(tmp_path: Path) -> None:
    cache = Cache(await SqliteDriver.open(tmp_path))
    await cache.start()
    size = 2_000
    tracemalloc.start()
    for start in range(0, 10_000, 1_000):
        await asyncio.gather(
            *(
                cache.put(f"/registry/example.com/widgets/default/{number:06}", bytes(size), expected=ABSENT)
                for number in range(start, start + 1_000)
            )
        )
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert used < 1.35 * 10_000 * size
    await cache.close()


async def test_changes_need_not_follow_one_another() -> None:
    """Another store may count revisions that are none of ours, or have several changes in one."""
    cache = Cache(MemoryDriver())
    await cache.start()
    cache._apply(Change("/a", b"1", Revision(200)))
    cache._apply(Change("/b", b"1", Revision(200)))
    cache._apply(Change("/gone", None, Revision(207)))
    assert [entry.key for entry in cache.list("").entries] == ["/a", "/b"]
    with cache.watch("", after=Revision(150)) as events:
        assert [event.revision for event in await anext(events)] == [200, 200, 207]
    await cache.close()
