"""A day in a minute: many writes over many definitions before many watchers, while definitions come and go; memory does not grow with it.

A short form runs always. ``make soak`` takes a hundred watchers through a hundred thousand writes, on a disk
and in memory, and prints how memory went.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
import time
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.soak.client import Connection, Process, connected, serving

LONG = os.environ.get("CRDKIT_SOAK") == "long"
WRITES, WATCHERS, KINDS = (100_000, 100, 20) if LONG else (3_000, 20, 5)
STORES = ((), ("--memory",)) if LONG else ((),)
MINUTE = 60.0
"""Seconds at the end of which memory is looked at. By then the history and the caches should have filled, which are bounded."""
SLOWEST = 15_000
"""Writes of a first minute at least, however busy the machine: a quiet one does three times as many."""
MOST = 1.25
"""Of that memory, in the end."""
BASE = WRITES // 2
"""After so many writes nothing fills any more, however busy the machine: what grows afterwards would grow for ever."""
MOST_LATER = 1.1 if LONG else 1.25
"""Of that memory, in the end."""
WRITERS = 8
NAMES = 60
"""For each writer."""
PACE = 1.0 if LONG else 0.2
"""Seconds from one definition that comes and goes to the next."""
DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
MERGE = "application/merge-patch+json"
TURN = {"type": "integer", "minimum": 0, "default": 0}
TEXT = {"type": "string", "maxLength": 1000}
SPEC = {"type": "object", "properties": {"turn": TURN, "text": TEXT}, "x-kubernetes-validations": [{"rule": "self.turn >= 0"}]}


def definition(name: str) -> dict[str, Any]:
    schema = {"type": "object", "properties": {"spec": SPEC}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{name}s.day.example.com"},
        "spec": {
            "group": "day.example.com",
            "scope": "Namespaced",
            "names": {"plural": f"{name}s", "singular": name, "kind": name.title(), "listKind": f"{name.title()}List"},
            "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}],
        },
    }


def path(kind: str) -> str:
    return f"/apis/day.example.com/v1/namespaces/default/{kind}s"


def body(kind: str, name: str, turn: int) -> dict[str, Any]:
    spec = {"turn": turn, "text": "some text of a usual length " * 8}
    return {"apiVersion": "day.example.com/v1", "kind": kind.title(), "metadata": {"name": name}, "spec": spec}


@dataclass
class Day:
    """A run: what was written of each kind, what each watcher was told, and the server's memory: seconds, writes, KiB."""

    server: Process
    written: dict[str, int] = field(default_factory=dict)
    told: list[tuple[str, list[int]]] = field(default_factory=list)
    memory: list[tuple[float, int, int]] = field(default_factory=list)
    comings: int = 0

    @property
    def done(self) -> int:
        return sum(self.written.values())

    async def write(self, number: int, count: int, chance: random.Random) -> None:
        """Create, change and delete objects of one's own, at random."""
        there: dict[tuple[str, str], int] = {}
        async with connected(self.server) as connection:
            for turn in range(count):
                kind, name = chance.choice(list(self.written)), f"n{number}-{chance.randrange(NAMES * WRITERS // KINDS)}"
                if (kind, name) not in there:
                    await connection.ask("POST", path(kind), body(kind, name, turn))
                    there[kind, name] = turn
                elif chance.random() < 0.25:
                    await connection.ask("DELETE", f"{path(kind)}/{name}")
                    del there[kind, name]
                else:
                    await connection.ask("PATCH", f"{path(kind)}/{name}", {"spec": {"turn": turn + 1}}, content_type=MERGE)
                self.written[kind] += 1

    async def watch(self, kind: str, since: str) -> None:
        revisions: list[int] = []
        self.told.append((kind, revisions))
        told = revisions.append
        async with (
            connected(self.server) as connection,
            aclosing(connection.lines(f"{path(kind)}?watch=1&resourceVersion={since}")) as lines,
        ):
            async for line in lines:
                told(int(json.loads(line)["object"]["metadata"]["resourceVersion"]))

    async def come_and_go(self) -> None:
        """Definitions that are used for a moment, by clients that ask what there is."""
        async with connected(self.server) as connection:
            while True:
                self.comings += 1
                began, kind = time.monotonic(), f"passer{self.comings}"
                await define(connection, kind)
                await connection.ask("POST", path(kind), body(kind, "a", 1))
                for read in (path(kind), "/apis/day.example.com/v1", "/openapi/v3", "/openapi/v3/apis/day.example.com/v1"):
                    await connection.ask("GET", read)
                await connection.ask("DELETE", f"{DEFINITIONS}/{kind}s.day.example.com")
                await asyncio.sleep(max(0.0, began + PACE - time.monotonic()))

    async def measure(self) -> None:
        began = time.monotonic()
        while True:
            self.memory.append((time.monotonic() - began, self.done, self.server.memory()))
            await asyncio.sleep(0.5 if LONG else 0.1)

    async def run(self, chance: random.Random) -> None:
        async with connected(self.server) as connection:
            for number in range(KINDS):
                self.written[f"kind{number}"] = 0
                await define(connection, f"kind{number}")
            since = (await connection.ask("GET", path("kind0")))["metadata"]["resourceVersion"]
        kinds = list(self.written)
        beside = [asyncio.create_task(self.watch(kinds[number % KINDS], since)) for number in range(WATCHERS)]
        beside += [asyncio.create_task(self.come_and_go()), asyncio.create_task(self.measure())]
        writers = (self.write(number, WRITES // WRITERS, random.Random(chance.random())) for number in range(WRITERS))
        try:
            await asyncio.gather(*writers)
            while any(len(revisions) < self.written[kind] for kind, revisions in self.told):
                await asyncio.sleep(0.05)
                ended = next((task for task in beside if task.done()), None)
                assert ended is None, ended
        finally:
            for task in beside:
                task.cancel()
            await asyncio.gather(*beside, return_exceptions=True)

    def curve(self) -> str:
        """The memory in a line: about twenty times, in seconds and MiB."""
        step = max(1, len(self.memory) // 20)
        return "  ".join(f"{seconds:.0f}s {size // 1024}" for seconds, _, size in self.memory[::step])


async def define(connection: Connection, kind: str) -> None:
    """Define a kind, and wait until it is served."""
    await connection.ask("POST", DEFINITIONS, definition(kind))
    while True:
        there = await connection.ask("GET", f"{DEFINITIONS}/{kind}s.day.example.com")
        if any(
            condition["type"] == "Established" and condition["status"] == "True" for condition in there["status"].get("conditions") or ()
        ):
            return


@pytest.mark.timeout(3600 if LONG else 60)
@pytest.mark.skipif(sys.platform == "win32", reason="asks ps for the memory of a process")
@pytest.mark.parametrize("options", STORES)
async def test_memory_does_not_grow_with_what_is_written(tmp_path: Path, options: tuple[str, ...]) -> None:
    seed = random.randrange(1 << 32)
    with serving(tmp_path, *options) as server:
        day = Day(server)
        await day.run(random.Random(seed))
        end = server.memory()
    base = max(size for _, done, size in day.memory if done <= BASE)
    print(f"seed {seed}; {day.done} writes, {day.comings} definitions came and went in {day.memory[-1][0]:.0f} s")
    minute = max(size for seconds, done, size in day.memory if seconds <= MINUTE or done <= SLOWEST)
    print(f"memory in MiB: {day.curve()}; after a minute {minute // 1024}, half the writes {base // 1024}, in the end {end // 1024}")
    for kind, revisions in day.told:
        assert len(revisions) == day.written[kind], "none missing, none twice"
        assert revisions == sorted(revisions), "in order"
    assert end <= minute * MOST
    assert end <= base * MOST_LATER
