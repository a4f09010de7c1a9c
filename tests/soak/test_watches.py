"""Many watches beside many writes, each interrupted now and then: every watcher is told of every event, once and in order.

A short form runs always. ``CRDKIT_SOAK=long`` takes two hundred watchers through twenty thousand writes, which lasts some minutes.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
from collections import defaultdict
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.soak.client import Connection, Process, connected, serving

LONG = os.environ.get("CRDKIT_SOAK") == "long"
WATCHERS, WRITES = (200, 20_000) if LONG else (20, 1_000)
WRITERS = 4
NAMES_PER_WRITER = 25
MOST_BEHIND = 2_000
"""Events: writers wait for watchers that are further behind, so that none outruns the history that reconnecting needs."""
STAY = (WRITES // 40, WRITES // 8)
"""A watcher reads so many events, at least and at most, before it begins anew with another connection."""
MERGE = "application/merge-patch+json"
DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
KITES = "/apis/example.com/v1/namespaces/default/kites"


def definition() -> dict[str, Any]:
    schema = {"type": "object", "properties": {"spec": {"type": "object", "properties": {"turn": {"type": "integer"}}}}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "kites.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"plural": "kites", "singular": "kite", "kind": "Kite", "listKind": "KiteList"},
            "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}],
        },
    }


@dataclass
class Told:
    """What one watcher was told, or what a writer knows to have happened: by name, each type with its turn, in order."""

    count: int = 0
    by_name: dict[str, list[tuple[str, int]]] = field(default_factory=lambda: defaultdict(list))
    revisions: list[int] = field(default_factory=list)

    def note(self, kind: str, obj: dict[str, Any]) -> None:
        self.by_name[obj["metadata"]["name"]].append((kind, obj["spec"]["turn"]))
        self.count += 1


class Writer:
    """Creates, changes and deletes objects of its own, at random."""

    def __init__(self, number: int, chance: random.Random) -> None:
        self.done = Told()
        self._names = [f"kite-{number}-{index}" for index in range(NAMES_PER_WRITER)]
        self._there: dict[str, int] = {}
        self._chance = chance

    async def write(self, connection: Connection) -> None:
        name = self._chance.choice(self._names)
        path, turn = f"{KITES}/{name}", self._there.get(name, 0) + 1
        obj = {"apiVersion": "example.com/v1", "kind": "Kite", "metadata": {"name": name}, "spec": {"turn": turn}}
        if name not in self._there:
            await connection.ask("POST", KITES, obj)
            self.done.note("ADDED", obj)
        elif self._chance.random() < 0.2:
            await connection.ask("DELETE", path)
            self.done.note("DELETED", {**obj, "spec": {"turn": self._there.pop(name)}})
            return
        else:
            await connection.ask("PATCH", path, {"spec": {"turn": turn}}, content_type=MERGE)
            self.done.note("MODIFIED", obj)
        self._there[name] = turn


async def watch(server: Process, since: str, told: Told, chance: random.Random, moved: Callable[[], None]) -> None:
    """Read all events, coming back with the last resourceVersion after every so many."""
    while told.count < WRITES:
        async with connected(server) as connection, aclosing(connection.lines(f"{KITES}?watch=1&resourceVersion={since}")) as lines:
            left = chance.randint(*STAY)
            async for line in lines:
                event = json.loads(line)
                told.note(event["type"], event["object"])
                since = event["object"]["metadata"]["resourceVersion"]
                told.revisions.append(int(since))
                moved()
                left -= 1
                if not left or told.count >= WRITES:
                    break


@dataclass
class Soak:
    """A run: its writers and watchers, and how far they have come."""

    server: Process
    seed: int
    told: list[Told] = field(default_factory=list)
    written: int = 0
    moved: asyncio.Event = field(default_factory=asyncio.Event)

    def behind(self) -> int:
        return self.written - min(told.count for told in self.told)

    async def write(self, writer: Writer, count: int) -> None:
        async with connected(self.server) as connection:
            for _ in range(count):
                while self.behind() > MOST_BEHIND:
                    self.moved.clear()
                    await self.moved.wait()
                await writer.write(connection)
                self.written += 1

    async def run(self) -> tuple[list[Writer], list[int]]:
        """The writers when all is done, and the server's memory: soon after the beginning, and after the end."""
        async with connected(self.server) as connection:
            await connection.ask("POST", DEFINITIONS, definition())
            since = (await connection.ask("GET", KITES))["metadata"]["resourceVersion"]
        self.told = [Told() for _ in range(WATCHERS)]
        writers = [Writer(number, random.Random(self.seed + number)) for number in range(WRITERS)]
        async with asyncio.TaskGroup() as group:
            for number, told in enumerate(self.told):
                group.create_task(watch(self.server, since, told, random.Random(self.seed - number), self.moved.set))
            memory = []
            for share in (WRITES // 2, WRITES - WRITES // 2):  # the first half fills the history, which is bounded
                await asyncio.gather(*(self.write(writer, share // WRITERS) for writer in writers))
                memory.append(self.server.memory())
        return writers, [memory[0], self.server.memory()]


def expected(writers: list[Writer]) -> dict[str, list[tuple[str, int]]]:
    return {name: events for writer in writers for name, events in writer.done.by_name.items()}


@pytest.mark.timeout(3600 if LONG else 120)
@pytest.mark.skipif(sys.platform == "win32", reason="asks ps for the memory of a process")
async def test_every_watcher_is_told_of_every_event_once_and_in_order(tmp_path: Path) -> None:
    seed = random.randrange(1 << 32)
    print("seed", seed)
    with serving(tmp_path) as server:
        soak = Soak(server, seed)
        writers, (begin, end) = await soak.run()
        print(f"memory {begin // 1024} MiB, in the end {end // 1024} MiB")
    happened = expected(writers)
    for told in soak.told:
        assert told.by_name == happened, "none missing, none twice, in the order of each object"
        assert told.revisions == sorted(set(told.revisions)), "in the order of all"
        assert told.revisions == soak.told[0].revisions, "the same for all"
    assert end < begin * 1.2, "nothing is kept of what has been told"
