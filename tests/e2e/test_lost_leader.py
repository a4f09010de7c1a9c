"""Three members of etcd lose their leader under load: requests fail in time and clearly, if at all, and all goes on with the next leader.

A short form runs always; ``make soak`` kills more leaders.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pytest

from crdkit.meta.protowire import pieces
from crdkit.storage.etcd import client as calls
from crdkit.storage.etcd.client import Client
from tests.e2e.pair import LONG, SIDES, Servers, establish, kite, kites, now, watch
from tests.soak.client import Connection, Process, connected
from tests.storage.etcd import Cluster, Etcd, needs_etcd

KILLS: Final = 8 if LONG else 1
WRITERS: Final = 6
MORE: Final = 10
"""So often each writer succeeds before a leader is killed, and after that."""
IN_TIME: Final = 12.0
"""Seconds that a request takes at most: etcd is given ten."""
UNKNOWN: Final = 504

pytestmark = [needs_etcd, pytest.mark.timeout(600 if LONG else 90)]


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    cluster = Cluster(3)
    cluster.start()
    yield cluster
    cluster.remove()


async def leader(cluster: Cluster) -> Etcd:
    """The member that leads, as soon as one does."""
    while True:
        for member in cluster.members:
            client = Client(member.settings())
            try:
                status = (await client.call(calls.STATUS, b"")).body
            finally:
                await client.close()
            if _id_of(status) == _leader_of(status):
                return member
        await asyncio.sleep(0.05)


def _id_of(status: bytes) -> object:
    header = next(content for number, _, content in pieces(memoryview(status), "status") if number == 1)
    assert isinstance(header, memoryview)
    return next(content for number, _, content in pieces(header, "header") if number == 2)


def _leader_of(status: bytes) -> object:
    return next((content for number, _, content in pieces(memoryview(status), "status") if number == 4), None)


@dataclass
class Writer:
    """Creates an object and changes it again and again, each time to another turn; begins a new one now and then."""

    number: int
    server: Process
    answered: dict[tuple[str, int], int] = field(default_factory=dict)
    """The revisions of the turns whose writes were answered."""
    lost: set[tuple[str, int]] = field(default_factory=set)
    """Those that may have been written or not."""
    longest: float = 0.0

    async def run(self, over: asyncio.Event) -> None:
        turn = 0
        async with connected(self.server) as connection:
            while not over.is_set():
                name, version = f"n{self.number}-{turn // 20}", await self._version(connection, f"n{self.number}-{turn // 20}")
                turn += 1
                if version:
                    path, body = f"{kites()}/{name}", kite(name, turn, resourceVersion=version)
                    await self._write(connection, "PUT", path, body)
                else:
                    await self._write(connection, "POST", kites(), kite(name, turn))

    async def _write(self, connection: Connection, method: str, path: str, body: dict[str, Any]) -> None:
        code, answer = await self._ask(connection, method, path, body)
        place = body["metadata"]["name"], body["spec"]["turn"]
        if code == UNKNOWN:
            self.lost.add(place)
        else:
            assert code in (200, 201), answer
            self.answered[place] = int(answer["metadata"]["resourceVersion"])

    async def _version(self, connection: Connection, name: str) -> str:
        """Where the object stands; nowhere if it is not there."""
        while True:
            code, answer = await self._ask(connection, "GET", f"{kites()}/{name}", None)
            if code == 200:
                return str(answer["metadata"]["resourceVersion"])
            if code == 404:
                return ""

    async def _ask(self, connection: Connection, method: str, path: str, body: dict[str, Any] | None) -> tuple[int, Any]:
        asked = now()
        code, answer = await connection.exchange(method, path, body)
        self.longest = max(self.longest, now() - asked)
        if code == UNKNOWN:
            assert answer["reason"] == "Timeout"
            assert "does not answer" in answer["message"] or "have not come" in answer["message"]
        return code, answer


async def all_go_on(writers: list[Writer]) -> None:
    """Wait until every writer has succeeded some more times."""
    wanted = [len(writer.answered) + MORE for writer in writers]
    async with asyncio.timeout(40):
        while any(len(writer.answered) < count for writer, count in zip(writers, wanted, strict=True)):  # noqa: ASYNC110 (by other tasks)
            await asyncio.sleep(0.02)


async def test_a_cluster_that_loses_its_leader_loses_nothing_else(cluster: Cluster, tmp_path: Path) -> None:
    for side in SIDES:
        (tmp_path / side).mkdir()
    over = asyncio.Event()
    with ExitStack() as started:
        servers = Servers(",".join(member.endpoint for member in cluster.members), tmp_path, "/registry", started)
        async with AsyncExitStack() as stack:
            here, there = [await stack.enter_async_context(connected(servers.at[side])) for side in SIDES]
            await establish(here)
            since = (await there.ask("GET", kites()))["metadata"]["resourceVersion"]
            watches = [asyncio.create_task(watch(servers, side, since, "last")) for side in SIDES]
            writers = [Writer(number, servers.at[SIDES[number % 2]]) for number in range(WRITERS)]
            writing = [asyncio.create_task(writer.run(over)) for writer in writers]
            for _ in range(KILLS):
                await all_go_on(writers)
                killed = await leader(cluster)
                killed.kill()
                await all_go_on(writers)
                if LONG:
                    await asyncio.to_thread(killed.start)
            over.set()
            await asyncio.gather(*writing)
            ends = [await connection.ask("GET", kites()) for connection in (here, there)]
            await there.ask("POST", kites(), kite("last", 0))
            told = [await asyncio.wait_for(task, 20) for task in watches]
    longest = max(writer.longest for writer in writers)
    print(f"{len(told[0])} events, {sum(len(writer.lost) for writer in writers)} of unknown outcome, the longest took {longest:.1f} s")
    assert longest < IN_TIME
    assert ends[0] == ends[1]
    assert told[0] == told[1], "the same for all"
    events = told[0][:-1]
    revisions = [event.revision for event in events]
    assert revisions == sorted(set(revisions)), "in order"
    happened = {(event.name, event.turn): event.revision for event in events}
    assert len(happened) == len(events), "nothing twice"
    answered = {place: revision for writer in writers for place, revision in writer.answered.items()}
    assert answered.items() <= happened.items(), "nothing that was answered is lost"
    assert happened.keys() - answered.keys() <= {place for writer in writers for place in writer.lost}
    last = {event.name: event.turn for event in events}
    assert {item["metadata"]["name"]: item["spec"]["turn"] for item in ends[0]["items"]} == last
