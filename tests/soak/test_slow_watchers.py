"""Watchers that pause in the middle: they catch up or are told to begin anew, cost little meanwhile, and hold up nobody else.

A short form runs always. ``make soak`` has more of them, and more to tell.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.soak.client import Connection, Process, connected, serving

LONG = os.environ.get("CRDKIT_SOAK") == "long"
SLOW, WRITES, SIZE = (50, 6_000, 20_000) if LONG else (8, 300, 60_000)
"""How many pause, and what is written meanwhile: the long form's is more than is kept for anybody."""
KINDS = 4
STEPS = 5
"""The slow ones read a little in so many pauses, so that they are at different places when the others have read all."""
SIP = 300_000
"""Bytes that they read at a time."""
MOST = (128 if LONG else 45) * 1024
"""KiB that memory may grow by: the history, and a little for each. All that is written, once for each slow watcher, would be much more."""
GONE, CUT = 410, -1
DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"


def definition(kind: str) -> dict[str, Any]:
    schema = {"type": "object", "properties": {"text": {"type": "string"}}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{kind}s.slow.example.com"},
        "spec": {
            "group": "slow.example.com",
            "scope": "Namespaced",
            "names": {"plural": f"{kind}s", "singular": kind, "kind": kind.title(), "listKind": f"{kind.title()}List"},
            "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}],
        },
    }


def path(kind: str) -> str:
    return f"/apis/slow.example.com/v1/namespaces/default/{kind}s"


@dataclass
class Watcher:
    """What one was told: the revisions, and how it ended: `GONE`, or `CUT` off; 0 where it was told all."""

    kind: str
    revisions: list[int] = field(default_factory=list)
    code: int = 0

    def take(self, line: bytes) -> None:
        event = json.loads(line)
        if event["type"] == "ERROR":
            self.code = event["object"]["code"]
        else:
            self.revisions.append(int(event["object"]["metadata"]["resourceVersion"]))


@dataclass
class Run:
    server: Process
    written: dict[str, list[int]] = field(default_factory=dict)
    going_on: dict[int, asyncio.Event] = field(default_factory=dict)
    """When those go on who pause: after how many writes."""
    over: bool = False

    @property
    def count(self) -> int:
        return sum(map(len, self.written.values()))

    async def write(self, kind: str) -> None:
        self.written[kind] = []
        text = "x" * SIZE
        async with connected(self.server) as connection:
            for number in range(WRITES // KINDS):
                body = {"apiVersion": "slow.example.com/v1", "kind": kind.title(), "metadata": {"name": f"n{number}"}, "text": text}
                made = await connection.ask("POST", path(kind), body)
                await connection.ask("DELETE", f"{path(kind)}/n{number}")
                self.written[kind].append(int(made["metadata"]["resourceVersion"]))
                self._let_go_on(self.count)

    async def read_all(self, watcher: Watcher, since: str) -> None:
        """Be told of everything as it happens."""
        async with connected(self.server) as connection:
            async for line in connection.lines(f"{path(watcher.kind)}?watch=1&resourceVersion={since}"):
                watcher.take(line)
                if len(watcher.revisions) == 2 * (WRITES // KINDS):
                    return

    async def read_slowly(self, number: int, watcher: Watcher, since: str) -> None:
        """Pause after each sip, each watcher at its own times, and read the rest once the writers have ended.

        Who pauses for a minute, on a busy machine, is cut off.
        """
        try:
            await self._sip(number, watcher, since)
        except (OSError, EOFError):
            watcher.code = CUT

    async def _sip(self, number: int, watcher: Watcher, since: str) -> None:
        read = 0
        async with connected(self.server) as connection:
            async for line in connection.lines(f"{path(watcher.kind)}?watch=1&resourceVersion={since}"):
                watcher.take(line)
                read += len(line)
                if watcher.code or len(watcher.revisions) == 2 * (WRITES // KINDS):
                    return
                if read > SIP:
                    read = 0
                    await self._pause(number)

    async def _pause(self, number: int) -> None:
        if not self.over:
            await self.going_on.setdefault(self.count + WRITES * (1 + number % STEPS) // STEPS // 2, asyncio.Event()).wait()

    def _let_go_on(self, count: int) -> None:
        for when in [when for when in self.going_on if when <= count]:
            self.going_on.pop(when).set()

    def end(self) -> None:
        """Let all read the rest."""
        self.over = True
        self._let_go_on(2 * WRITES)


async def define(connection: Connection, kind: str) -> str:
    """Define a kind; gives the version to watch from."""
    await connection.ask("POST", DEFINITIONS, definition(kind))
    while True:
        code, answer = await connection.exchange("GET", path(kind))
        if code == 200:
            version: str = answer["metadata"]["resourceVersion"]
            return version
        await asyncio.sleep(0.01)


@pytest.mark.timeout(1800 if LONG else 90)
@pytest.mark.skipif(sys.platform == "win32", reason="asks ps for the memory of a process")
async def test_watchers_that_pause_cost_little_and_miss_nothing(tmp_path: Path) -> None:
    kinds = [f"kind{number}" for number in range(KINDS)]
    with serving(tmp_path, "--memory") as server:
        async with connected(server) as connection:
            versions = [await define(connection, kind) for kind in kinds]
        run, since, before = Run(server), versions[0], server.memory()
        quick = [Watcher(kind) for kind in kinds]
        slow = [Watcher(kinds[number % KINDS]) for number in range(SLOW)]
        beside = [asyncio.create_task(run.read_slowly(number, watcher, since)) for number, watcher in enumerate(slow)]
        reading = [asyncio.create_task(run.read_all(watcher, since)) for watcher in quick]
        await asyncio.gather(*(run.write(kind) for kind in kinds))
        await asyncio.wait_for(asyncio.gather(*reading), 30)
        most = server.memory() - before
        run.end()
        await asyncio.wait_for(asyncio.gather(*beside), 60)
    told = {watcher.kind: watcher.revisions for watcher in quick}
    ends = Counter(watcher.code for watcher in slow)
    print(f"memory grew by {most // 1024} MiB; of {SLOW} {ends[GONE]} had to begin anew, {ends[CUT]} were cut off")
    for kind in kinds:
        assert set(run.written[kind]) < set(told[kind]), "the quick ones are told all"
        assert told[kind] == sorted(set(told[kind]))
    for watcher in slow:
        assert watcher.revisions == told[watcher.kind][: len(watcher.revisions)], "none missing, none twice, up to where it ended"
        assert watcher.code in (GONE, CUT) or len(watcher.revisions) == len(told[watcher.kind])
    assert most < MOST
