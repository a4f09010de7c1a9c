"""A random walk of operations, compared with dictionaries; the cache above the store is compared too."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from crdkit.storage.cache import Cache
from crdkit.storage.memory import MemoryDriver
from crdkit.storage.sqlite import SqliteDriver
from crdkit.storage.types import ABSENT, GENESIS, Change, Compacted, Conflict, Driver, Entry, Event, EventKind, Guard, Page, Revision

KEYS = st.sampled_from(["/a/1", "/a/2", "/a/2/x", "/b", "/b/1", "/b/ü"])
PREFIXES = st.sampled_from(["", "/", "/a/", "/a/2", "/b", "/b/", "/c"])
VALUES = st.binary(max_size=5)


def change_of(event: Event) -> Change:
    return Change(event.key, None if event.kind is EventKind.DELETE else event.value, event.revision)


class Model:
    """Every state there was, and every change."""

    def __init__(self) -> None:
        self.states: dict[Revision, dict[str, Entry]] = {GENESIS: {}}
        self.changes: list[Change] = []
        self.compacted = GENESIS

    @property
    def revision(self) -> Revision:
        return max(self.states)

    @property
    def latest(self) -> dict[str, Entry]:
        return self.states[self.revision]

    def standing(self, key: str) -> Revision:
        return self.latest[key].revision if key in self.latest else ABSENT

    def commit(self, key: str, value: bytes | None) -> Revision:
        revision = Revision(self.revision + 1)
        state = {name: entry for name, entry in self.latest.items() if name != key}
        if value is not None:
            state[key] = Entry(key, value, revision)
        self.states[revision] = state
        self.changes.append(Change(key, value, revision))
        return revision

    def read(self, prefix: str, at: Revision, after: str, limit: int) -> Page:
        keys = [key for key in sorted(self.states[at], key=str.encode) if key.startswith(prefix) and (not after or key > after)]
        taken = keys[:limit] if limit else keys
        left = len(keys) - len(taken)
        return Page([self.states[at][key] for key in taken], at, more=left > 0, remaining=left)

    def changes_after(self, revision: Revision, prefix: str) -> list[Change]:
        return [change for change in self.changes if change.revision > revision and change.key.startswith(prefix)]


class StoreMachine(RuleBasedStateMachine):
    restarts = False

    def __init__(self) -> None:
        super().__init__()
        self.model = Model()
        self.runner = asyncio.Runner()
        self.directory = Path(tempfile.mkdtemp())
        self.runner.run(self.begin())

    async def open(self) -> Driver:
        raise NotImplementedError

    async def begin(self) -> None:
        self.driver = await self.open()
        self.cache = Cache(self.driver)
        await self.cache.start()

    def teardown(self) -> None:
        self.runner.run(self.cache.close())
        self.runner.close()
        shutil.rmtree(self.directory)

    def old(self, data: st.DataObject) -> Revision:
        return Revision(data.draw(st.integers(self.model.compacted, self.model.revision), label="revision"))

    @rule(key=KEYS, value=VALUES, through_cache=st.booleans())
    def put(self, key: str, value: bytes, through_cache: bool) -> None:
        async def write(writer: Cache | Driver) -> Revision:
            return await writer.put(key, value, expected=self.model.standing(key))

        assert self.runner.run(write(self.cache if through_cache else self.driver)) == self.model.commit(key, value)

    @rule(key=KEYS)
    def delete(self, key: str) -> None:
        expected = self.model.standing(key)
        if expected != ABSENT:
            assert self.runner.run(self.cache.delete(key, expected=expected)) == self.model.commit(key, None)

    @rule(data=st.data(), key=KEYS)
    def write_elsewhere(self, data: st.DataObject, key: str) -> None:
        """A put that expects what was, or what never was."""
        expected = data.draw(st.sampled_from([ABSENT, Revision(self.model.revision + 1), self.model.revision]))
        if expected == self.model.standing(key):
            return
        with pytest.raises(Conflict) as refused:
            self.runner.run(self.cache.put(key, b"", expected=expected))
        assert (refused.value.key, refused.value.current) == (key, self.model.latest.get(key))

    @rule(data=st.data(), key=KEYS, other=KEYS, value=VALUES)
    def put_guarded(self, data: st.DataObject, key: str, other: str, value: bytes) -> None:
        standing = self.model.standing(other)
        guard = Guard(other, data.draw(st.sampled_from([standing, ABSENT, self.model.revision])))
        write = self.cache.put(key, value, expected=self.model.standing(key), guards=[guard])
        if guard.revision == standing:
            assert self.runner.run(write) == self.model.commit(key, value)
            return
        with pytest.raises(Conflict) as refused:
            self.runner.run(write)
        assert (refused.value.key, refused.value.current) == (other, self.model.latest.get(other))

    @rule(values=st.lists(st.tuples(KEYS, VALUES), min_size=2, max_size=6, unique_by=lambda pair: pair[0]))
    def put_together(self, values: list[tuple[str, bytes]]) -> None:
        async def write() -> list[Revision]:
            return await asyncio.gather(*(self.cache.put(key, value, expected=self.model.standing(key)) for key, value in values))

        revisions = self.runner.run(write())
        for revision, (key, value) in sorted(zip(revisions, values, strict=True)):
            assert self.model.commit(key, value) == revision

    @rule(data=st.data(), prefix=PREFIXES, after=st.just("") | KEYS, limit=st.integers(0, 3))
    def read(self, data: st.DataObject, prefix: str, after: str, limit: int) -> None:
        at = self.old(data)
        expected = self.model.read(prefix, at, after, limit)
        assert self.runner.run(self.driver.read(prefix, at=at, after=after, limit=limit)) == expected
        assert self.runner.run(self.cache.list_at(prefix, at=at, after=after, limit=limit)) == expected
        assert self.cache.list(prefix, after=after, limit=limit) == self.model.read(prefix, self.model.revision, after, limit)

    @rule(data=st.data(), key=KEYS)
    def get(self, data: st.DataObject, key: str) -> None:
        at = self.old(data)
        assert self.runner.run(self.driver.get(key, at=at)) == self.model.states[at].get(key)

    @rule(data=st.data(), prefix=PREFIXES)
    def watch(self, data: st.DataObject, prefix: str) -> None:
        after = self.old(data)
        expected = self.model.changes_after(after, prefix)

        async def take() -> list[Change]:
            taken: list[Change] = []
            with self.cache.watch(prefix, after=after) as events:
                async with asyncio.timeout(5):
                    while len(taken) < len(expected):
                        taken += map(change_of, await anext(events))
            return taken

        assert self.runner.run(take()) == expected

    @rule(data=st.data())
    def compact(self, data: st.DataObject) -> None:
        before = self.old(data)
        self.runner.run(self.driver.compact(before))
        if before > self.model.compacted:
            with pytest.raises(Compacted) as refused:
                self.runner.run(self.driver.read("", at=self.model.compacted))
            assert refused.value.oldest == before
        self.model.compacted = before

    @precondition(lambda self: self.restarts)
    @rule()
    def restart(self) -> None:
        self.runner.run(self.cache.close())
        self.runner.run(self.begin())

    @invariant()
    def the_cache_has_the_latest_state(self) -> None:
        self.runner.run(self.cache.reached(self.model.revision))
        assert self.cache.list("") == self.model.read("", self.model.revision, "", 0)


class MemoryMachine(StoreMachine):
    async def open(self) -> Driver:
        return MemoryDriver()


class SqliteMachine(StoreMachine):
    restarts = True

    async def open(self) -> Driver:
        return await SqliteDriver.open(self.directory)


WALK = settings(max_examples=25, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck))

TestMemory = MemoryMachine.TestCase
TestMemory.settings = WALK
TestSqlite = SqliteMachine.TestCase
TestSqlite.settings = WALK
