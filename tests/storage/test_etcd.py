"""etcd as a store that others use too, and that fails: killed, stopped, compacted, set back."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Iterator

import pytest

from crdkit.storage.cache import Cache
from crdkit.storage.errors import StorageError, Unavailable
from crdkit.storage.etcd import client as calls
from crdkit.storage.etcd import driver as driver_module
from crdkit.storage.etcd import messages
from crdkit.storage.etcd.client import Answer
from crdkit.storage.etcd.driver import EtcdDriver
from crdkit.storage.etcd.leadership import KEY, Leadership
from crdkit.storage.etcd.messages import Range
from crdkit.storage.etcd.settings import BadEndpoint, Endpoint, EtcdSettings
from crdkit.storage.fencing import FenceLost, fence
from crdkit.storage.types import ABSENT, Compacted, Conflict, Event, EventKind, Guard, Revision
from tests.storage.etcd import Etcd, needs_etcd, running
from tests.storage.test_contract import changes_of, take

pytestmark = needs_etcd

_numbers = itertools.count()


@pytest.fixture
def settings(etcd: Etcd) -> EtcdSettings:
    """A root of the test's own; the history is left alone, as other tests have it too."""
    return etcd.settings(root=f"/test{next(_numbers)}", compacts=False)


@pytest.fixture
async def driver(settings: EtcdSettings) -> AsyncIterator[EtcdDriver]:
    driver = await EtcdDriver.open(settings)
    yield driver
    await driver.close()


@pytest.fixture
async def caches(settings: EtcdSettings) -> AsyncIterator[list[Cache]]:
    """Two servers' caches over one store."""
    caches = [Cache(await EtcdDriver.open(settings)) for _ in range(2)]
    for cache in caches:
        await cache.start()
    yield caches
    for cache in caches:
        await cache.close()


async def raw_put(driver: EtcdDriver, key: str, value: bytes) -> Revision:
    """What somebody else writes."""
    body, _ = await driver.client.call(calls.TXN, messages.txn((), messages.put(key.encode(), value)))
    return Revision(messages.read_txn(body).revision)


async def raw(driver: EtcdDriver, start: str, end: str = "") -> dict[str, bytes]:
    body, _ = await driver.client.call(calls.RANGE, messages.range_(Range(start.encode(), end.encode())))
    return {entry.key.decode(): entry.value for entry in messages.read_range(body).entries}


async def events(cache: Cache, count: int, after: Revision) -> list[Event]:
    taken: list[Event] = []
    with cache.watch("", after=after) as subscription:
        while len(taken) < count:
            taken += await subscription.next() or ()
    return taken


# Layout


async def test_objects_stand_where_a_real_server_has_them(etcd: Etcd) -> None:
    driver = await EtcdDriver.open(etcd.settings(compacts=False))
    await raw_put(driver, "compact_rev_key", b"7")
    key = "/registry/example.com/shirts/default/blue"
    await driver.put(key, b'{"spec":{}}', expected=ABSENT)
    assert await raw(driver, key) == {key: b'{"spec":{}}'}
    assert [entry.key for entry in (await driver.read("")).entries] == [key]
    assert await raw(driver, "compact_rev_key") == {"compact_rev_key": b"7"}
    await driver.close()


async def test_another_root_takes_the_place_of_the_usual_one(driver: EtcdDriver, settings: EtcdSettings) -> None:
    await driver.put("/registry/namespaces/default", b"{}", expected=ABSENT)
    assert await raw(driver, f"{settings.root}/namespaces/default") == {f"{settings.root}/namespaces/default": b"{}"}
    assert [entry.key for entry in (await driver.read("/registry/namespaces/")).entries] == ["/registry/namespaces/default"]


class OnlyA:
    """Reads one directory, and what can be read of it."""

    def is_read(self, key: str) -> bool:
        return key.startswith("/registry/a/")

    def shown(self, key: str, value: bytes) -> bytes | None:
        return None if value == b"?" else value.upper()


async def test_what_is_not_ours_is_passed_over(settings: EtcdSettings) -> None:
    driver = await EtcdDriver.open(settings, forms=OnlyA())
    after = await driver.revision()
    await asyncio.gather(*(raw_put(driver, f"{settings.root}/{top}/{number:04}", b"x") for top in ("0", "b") for number in range(1_100)))
    for name, value in (("1", b"x"), ("2", b"?"), ("3", b"y")):
        await raw_put(driver, f"{settings.root}/a/{name}", value)
    assert [(entry.key, entry.value) for entry in (await driver.read("")).entries] == [("/registry/a/1", b"X"), ("/registry/a/3", b"Y")]
    assert [change.value for change in await take(changes_of(driver, after=after), 2)] == [b"X", b"Y"]
    with pytest.raises(Conflict) as refused:
        await driver.put("/registry/a/2", b"z", expected=ABSENT)
    assert refused.value.current is not None
    assert refused.value.current.value == b"?"
    await driver.close()


# Several servers


async def test_what_one_server_writes_another_reads(caches: list[Cache]) -> None:
    here, there = caches
    revision = ABSENT
    for number in range(50):
        revision = await here.put("/registry/a", b"%d" % number, expected=revision)
        await there.catch_up()
        entry = there.get("/registry/a")
        assert entry is not None
        assert entry.value == b"%d" % number


async def test_keys_of_others_keep_nobody_waiting(caches: list[Cache], driver: EtcdDriver) -> None:
    revision = await raw_put(driver, "/elsewhere", b"")
    async with asyncio.timeout(2):
        await caches[0].catch_up()
    assert caches[0].revision >= revision


async def count_up(cache: Cache, times: int, seen: list[int]) -> int:
    """Add one as often as asked for, by compare-and-swap; tell how often that was lost."""
    lost = done = 0
    while done < times:
        entry = cache.get("/registry/count")
        number = int(entry.value) if entry else 0
        try:
            await cache.put("/registry/count", b"%d" % (number + 1), expected=entry.revision if entry else ABSENT)
        except Conflict:
            lost += 1
            continue
        done += 1
        seen.append(number + 1)
    return lost


async def test_no_update_is_lost_among_servers(caches: list[Cache]) -> None:
    seen: list[int] = []
    lost = await asyncio.gather(*(count_up(cache, 40, seen) for cache in caches for _ in range(2)))
    assert sum(lost) > 0
    assert sorted(seen) == list(range(1, 161))
    for cache in caches:
        await cache.catch_up()
        entry = cache.get("/registry/count")
        assert entry is not None
        assert entry.value == b"160"


async def test_reads_never_go_back(caches: list[Cache]) -> None:
    """A register is linearizable: who begins to read after a write was answered, anywhere, sees it or a later one."""
    answered = 0
    running = True

    async def write() -> None:
        nonlocal answered, running
        revision = ABSENT
        for number in range(1, 101):
            revision = await caches[number % 2].put("/registry/register", b"%d" % number, expected=revision)
            answered = number
        running = False

    async def read(cache: Cache) -> int:
        reads = 0
        while running:
            least = answered
            await cache.catch_up()
            entry = cache.get("/registry/register")
            assert (int(entry.value) if entry else 0) >= least
            reads += 1
        return reads

    _, *reads = await asyncio.gather(write(), *(read(cache) for cache in caches for _ in range(3)))
    assert min(reads) > 0


async def test_watches_of_all_servers_tell_the_same(caches: list[Cache]) -> None:
    after = caches[0].revision
    await asyncio.gather(*(caches[number % 2].put(f"/registry/{number}", b"", expected=ABSENT) for number in range(100)))
    here, there = [await events(cache, 100, after) for cache in caches]
    assert here == there
    assert len({event.key for event in here}) == 100


async def test_a_write_is_fenced_by_what_it_leans_on(caches: list[Cache]) -> None:
    """A definition goes through one server while another still writes by it."""
    here, there = caches
    definition = await here.put("/registry/definition", b"", expected=ABSENT)
    await there.catch_up()
    guard = Guard("/registry/definition", definition)
    gone = asyncio.create_task(here.delete("/registry/definition", expected=definition))
    made = await asyncio.gather(
        *(there.put(f"/registry/object/{number}", b"", expected=ABSENT, guards=[guard]) for number in range(50)), return_exceptions=True
    )
    end = await gone
    assert all(isinstance(each, Conflict) or (isinstance(each, int) and each < end) for each in made)
    with pytest.raises(Conflict):
        await there.put("/registry/object/late", b"", expected=ABSENT, guards=[guard])


# Failures


@pytest.fixture
def own() -> Iterator[Etcd]:
    """An etcd that the test may kill."""
    with running() as etcd:
        yield etcd


@pytest.fixture
async def cache(own: Etcd) -> AsyncIterator[Cache]:
    cache = Cache(await EtcdDriver.open(own.settings()))
    await cache.start()
    yield cache
    await cache.close()


async def test_nothing_answered_is_lost_when_etcd_is_killed(own: Etcd, cache: Cache) -> None:
    after = cache.revision
    answered: list[str] = []
    enough = asyncio.Event()

    async def write(writer: int) -> None:
        for number in range(60):
            key = f"/registry/{writer}/{number}"
            await cache.put(key, b"", expected=ABSENT)
            answered.append(key)
            if len(answered) == 60:
                enough.set()

    writers = [asyncio.create_task(write(writer)) for writer in range(4)]
    await enough.wait()
    own.kill()
    own.start()
    await asyncio.gather(*writers)
    assert len(answered) == 240
    await cache.catch_up()
    assert {entry.key for entry in cache.list("").entries} == set(answered)
    told = await events(cache, 240, after)
    assert [event.revision for event in told] == sorted({event.revision for event in told})
    assert {event.key for event in told} == set(answered)


async def test_an_etcd_that_is_gone_is_told_of_in_time(own: Etcd, cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "_ATTEMPT", 0.2)
    monkeypatch.setattr(calls.Client.call, "__kwdefaults__", {"seconds": 0.6})
    revision = await cache.put("/registry/a", b"1", expected=ABSENT)
    own.pause()
    began = asyncio.get_running_loop().time()
    with pytest.raises(Unavailable, match=r"^etcd at 127\.0\.0\.1:\d+ does not answer: Deadline Exceeded$"):
        await cache.catch_up()
    with pytest.raises(Unavailable):
        await cache.put("/registry/a", b"2", expected=revision)
    assert asyncio.get_running_loop().time() - began < 2
    assert cache.get("/registry/a") is not None
    own.resume()
    await asyncio.sleep(0.1)
    await cache.catch_up()


async def test_a_history_that_is_gone_makes_the_cache_begin_anew(own: Etcd, cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver_module, "RESUME", 1.0)
    gone = await cache.put("/registry/gone", b"1", expected=ABSENT)
    await cache.put("/registry/kept", b"1", expected=ABSENT)
    before = cache.revision
    told: list[tuple[EventKind, str, bytes]] = []
    cache.subscribe("", lambda event: told.append((event.kind, event.key, event.value)))
    watch = cache.watch("")
    own.kill()
    own.start()
    # Before the cache is back, somebody writes, deletes and compacts.
    other = await EtcdDriver.open(own.settings())
    await other.delete("/registry/gone", expected=gone)
    new = await other.put("/registry/new", b"2", expected=ABSENT)
    await other.compact(new)
    await cache.catch_up()
    assert [entry.key for entry in cache.list("").entries] == ["/registry/kept", "/registry/new"]
    assert sorted(told, key=str) == [(EventKind.DELETE, "/registry/gone", b""), (EventKind.PUT, "/registry/new", b"2")]
    assert await watch.next() is None
    with pytest.raises(Compacted):
        cache.watch("", after=before)
    watch = cache.watch("")
    last = await other.put("/registry/later", b"3", expected=ABSENT)
    assert [event.revision for event in await watch.next() or ()] == [last]
    await other.close()


async def test_a_write_whose_answer_was_lost_is_not_refused(driver: EtcdDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first attempt was carried out, and only the second one is answered."""
    call = driver.client.call

    async def twice(method: str, request: bytes) -> Answer:
        await call(method, request)
        return Answer((await call(method, request)).body, first=False)

    monkeypatch.setattr(driver.client, "call", twice)
    first = await driver.put("/registry/a", b"1", expected=ABSENT)
    second = await driver.put("/registry/a", b"2", expected=first)
    assert second > first
    await driver.delete("/registry/a", expected=second)
    assert await driver.get("/registry/a") is None


async def test_a_write_of_unknown_outcome_is_no_conflict(driver: EtcdDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first attempt was carried out or not, another server wrote after it, and only the second attempt is answered."""
    first = await driver.put("/registry/a", b"1", expected=ABSENT)
    guard = await driver.put("/registry/guard", b"1", expected=ABSENT)
    other = await EtcdDriver.open(
        EtcdSettings(endpoints=driver.client._settings.endpoints, root=driver.client._settings.root, compacts=False)
    )
    call = driver.client.call

    async def late(method: str, request: bytes) -> Answer:
        await call(method, request)
        entry = await other.get("/registry/a")
        assert entry is not None
        await other.put("/registry/a", b"theirs", expected=entry.revision)
        return Answer((await call(method, request)).body, first=False)

    async def again(method: str, request: bytes) -> Answer:
        return Answer((await call(method, request)).body, first=False)

    monkeypatch.setattr(driver.client, "call", late)
    with pytest.raises(Unavailable, match="has not answered the first attempt to write /registry/a, which others have written since"):
        await driver.put("/registry/a", b"mine", expected=first)
    monkeypatch.setattr(driver.client, "call", again)
    with pytest.raises(Unavailable, match="has not answered the first attempt"):
        await driver.delete("/registry/a", expected=first)
    entry = await other.get("/registry/a")
    assert entry is not None
    with pytest.raises(Conflict) as refused:  # which is certain: the entry itself stands where it stood
        await driver.put("/registry/a", b"mine", expected=entry.revision, guards=[Guard("/registry/guard", Revision(guard - 1))])
    assert refused.value.key == "/registry/guard"
    await other.close()


async def test_a_member_that_does_not_answer_is_passed_over(etcd: Etcd) -> None:
    settings = etcd.settings(root="/failover", compacts=False)
    dead = Endpoint.parse("http://127.0.0.1:1")
    driver = await EtcdDriver.open(EtcdSettings(endpoints=(dead, *settings.endpoints), root="/failover", compacts=False))
    await driver.put("/registry/a", b"", expected=ABSENT)
    assert await driver.get("/registry/a") is not None
    await driver.close()


async def test_an_etcd_that_is_not_there_is_told_of_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver_module, "OPEN_SECONDS", 0.3)
    with pytest.raises(Unavailable, match=r"^etcd at 127\.0\.0\.1:1, localhost:1 does not answer: "):
        await EtcdDriver.open(EtcdSettings(endpoints=(Endpoint("127.0.0.1:1", False), Endpoint("localhost:1", False))))


async def test_values_that_etcd_refuses_are_told_of(driver: EtcdDriver) -> None:
    with pytest.raises(StorageError, match="request is too large"):
        await driver.put("/registry/a", b"x" * 2_000_000, expected=ABSENT)


# Work that one server does


class Worker:
    """Notes the guard that it works under."""

    def __init__(self, driver: EtcdDriver, name: str) -> None:
        self.guard: Guard | None = None
        self.begun = asyncio.Event()
        self.leadership = Leadership(driver, name, begin=self._begin, end=self._end, seconds=2, renewal=0.3, retry=0.05)

    async def _begin(self, guard: Guard) -> None:
        self.guard = guard
        self.begun.set()

    async def _end(self) -> None:
        self.guard = None


async def test_one_server_works_and_another_takes_over(settings: EtcdSettings) -> None:
    drivers = [await EtcdDriver.open(settings) for _ in range(2)]
    caches = [Cache(driver) for driver in drivers]
    for cache in caches:
        await cache.start()
    one, other = (Worker(driver, name) for driver, name in zip(drivers, ("one", "other"), strict=True))
    one.leadership.start()
    await one.begun.wait()
    other.leadership.start()
    guard = one.guard
    assert guard is not None
    with fence(guard):
        revision = await caches[0].put("/registry/work", b"1", expected=ABSENT)
    await asyncio.sleep(0.5)
    assert not other.begun.is_set()
    await one.leadership.stop()
    await asyncio.wait_for(other.begun.wait(), 5)
    with fence(guard), pytest.raises(FenceLost, match="another server has taken this work over"):
        await caches[0].put("/registry/work", b"2", expected=revision)
    assert other.guard is not None
    assert (await drivers[0].get(KEY)) is not None
    await other.leadership.stop()
    assert await drivers[0].get(KEY) is None
    for cache in caches:
        await cache.close()


async def test_what_a_callback_begins_is_fenced_too(caches: list[Cache]) -> None:
    here, there = caches
    outcomes: asyncio.Queue[BaseException | None] = asyncio.Queue()
    tasks: list[asyncio.Task[Revision]] = []

    def begin(event: Event) -> None:
        if event.key == "/registry/asked":
            task = asyncio.create_task(here.put("/registry/done", b"", expected=ABSENT))
            task.add_done_callback(lambda done: outcomes.put_nowait(done.exception()))
            tasks.append(task)

    with fence(Guard("/registry/key", Revision(1))):
        here.subscribe("", begin)
    await there.put("/registry/asked", b"", expected=ABSENT)
    assert isinstance(await outcomes.get(), FenceLost)


# Addresses


def test_addresses() -> None:
    told = [Endpoint.parse(text) for text in ("https://etcd:2380", "10.0.0.1", "http://[::1]:1")]
    assert told == [Endpoint("etcd:2380", True), Endpoint("10.0.0.1:2379", False), Endpoint("[::1]:1", False)]
    for text in ("ftp://etcd", "https://", "http://etcd:x", "http://etcd/path"):
        with pytest.raises(BadEndpoint, match="is no address of an etcd"):
            Endpoint.parse(text)
