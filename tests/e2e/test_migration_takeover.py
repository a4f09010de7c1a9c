"""A storage migration outlives the server that runs it: another takes over, and no object is left in the old version.

A short form runs always, in which the killed server's lease ends at once; ``make soak`` has more objects, and waits for the lease.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any, Final

import pytest

from crdkit.storage.etcd.driver import EtcdDriver
from crdkit.storage.etcd.leadership import KEY
from crdkit.storage.types import Change
from tests.e2e.pair import (
    BROKEN,
    DEFINITION,
    LONG,
    MERGE,
    SIDES,
    Servers,
    created,
    definition,
    establish,
    kite,
    kites,
    prefix_of,
    stored_since,
)
from tests.soak.client import Connection, Process, connected
from tests.storage.etcd import Etcd, needs_etcd

OBJECTS: Final = 3_000 if LONG else 150
"""Objects that nobody but the migration writes."""
BUSY: Final = 5
"""Objects of each writer."""
MIGRATIONS: Final = "/apis/storagemigration.k8s.io/v1beta1/storageversionmigrations"
STORED: Final = "/registry/example.com/kites/default/"

pytestmark = [needs_etcd, pytest.mark.timeout(300 if LONG else 90)]


def migration() -> dict[str, Any]:
    return {
        "apiVersion": "storagemigration.k8s.io/v1beta1",
        "kind": "StorageVersionMigration",
        "metadata": {"name": "m"},
        "spec": {"resource": {"group": "example.com", "resource": "kites"}},
    }


@dataclass
class Writer:
    """Creates, changes and deletes objects of its own through either version until it is over, or its server is gone."""

    side: str
    server: Process
    possible: dict[str, set[int | None]] = field(default_factory=dict)
    """What the turn of each may be; None where it may not be there. Of what was answered there is one possibility."""
    done: int = 0

    async def run(self, over: asyncio.Event, chance: random.Random) -> None:
        async with connected(self.server) as connection:
            while not over.is_set():
                try:
                    await self._write(
                        connection, f"busy-{self.side}-{chance.randrange(BUSY)}", chance.choice(("v1", "v2")), chance.random()
                    )
                except BROKEN:
                    return

    async def _write(self, connection: Connection, name: str, version: str, chance: float) -> None:
        (before,) = self.possible.get(name, {None})
        self.done += 1
        path, after = f"{kites(version)}/{name}", None if before is not None and chance < 0.2 else self.done
        self.possible[name] = {before, after}
        if before is None:
            await connection.ask("POST", kites(version), kite(name, self.done, version))
        elif after is None:
            await connection.ask("DELETE", path)
        else:
            await connection.ask("PATCH", path, {"spec": {"turn": after}}, content_type=MERGE)
        self.possible[name] = {after}


async def fill(servers: Servers) -> None:
    async def create(server: Process, numbers: range) -> None:
        async with connected(server) as connection:
            for number in numbers:
                await connection.ask("POST", kites(), kite(f"still-{number}", number))

    await asyncio.gather(*(create(servers.at[side], range(number, OBJECTS, 4)) for number, side in enumerate(SIDES * 2)))


async def until_migrated(changes: list[Change], count: int) -> None:
    """Wait until so many changes have been made of objects that nobody else writes."""
    while sum(change.key.startswith(f"{STORED}still-") for change in changes) < count:  # noqa: ASYNC110 (etcd tells, by another task)
        await asyncio.sleep(0.005)


async def succeeded(connection: Connection) -> None:
    while True:
        status = (await connection.ask("GET", f"{MIGRATIONS}/m")).get("status") or {}
        found = {one["type"]: one["status"] for one in status.get("conditions") or ()}
        assert found.get("Failed") != "True", status
        if found.get("Succeeded") == "True":
            return
        await asyncio.sleep(0.05)


async def holder(driver: EtcdDriver) -> str:
    """The process that does what only one may do."""
    while True:
        if (entry := await driver.get(KEY)) is not None:
            return entry.value.decode().rpartition(":")[2]
        await asyncio.sleep(0.01)


async def end_lease(driver: EtcdDriver) -> None:
    entry = await driver.get(KEY)
    assert entry is not None
    await driver.delete(KEY, expected=entry.revision)


async def test_another_server_finishes_what_a_killed_one_began(servers: Servers, etcd: Etcd, request: pytest.FixtureRequest) -> None:
    seed = random.randrange(1 << 32)
    print("seed", seed)
    chance, over = random.Random(seed), asyncio.Event()
    changes: list[Change] = []
    driver = await EtcdDriver.open(etcd.settings(root=prefix_of(request), compacts=False))
    async with AsyncExitStack() as stack:
        stack.push_async_callback(driver.close)
        pid = await holder(driver)
        first, other = sorted(SIDES, key=lambda side: str(servers.at[side].pid) != pid)
        connection = await stack.enter_async_context(connected(servers.at[other]))
        await establish(connection)
        await fill(servers)
        stored = asyncio.create_task(stored_since(driver, "last", changes))
        await connection.ask("PATCH", DEFINITION, {"spec": {"versions": definition("v2")["spec"]["versions"]}}, content_type=MERGE)
        writers = [Writer(side, servers.at[side]) for side in SIDES]
        writing = [asyncio.create_task(writer.run(over, random.Random(chance.random()))) for writer in writers]
        await connection.ask("POST", MIGRATIONS, migration())
        await until_migrated(changes, OBJECTS // 4)
        servers.end(first)
        await asyncio.sleep(0.3)
        killed = await driver.revision()
        if not LONG:
            await end_lease(driver)
        await asyncio.wait_for(succeeded(connection), 120)
        over.set()
        await asyncio.gather(*writing)
        assert (await connection.ask("GET", DEFINITION))["status"]["storedVersions"] == ["v2"]
        await created(connection, kites(), kite("last", 0))
        await asyncio.wait_for(stored, 20)
        check(changes, killed, str(servers.at[other].pid))
        found = {entry.key.removeprefix(STORED): json.loads(entry.value) for entry in (await driver.read(STORED)).entries}
    assert {obj["apiVersion"] for obj in found.values()} == {"example.com/v2"}
    assert {name: obj["spec"]["turn"] for name, obj in found.items() if name.startswith("still-")} == {
        f"still-{number}": number for number in range(OBJECTS)
    }
    for writer in writers:
        assert writer.done > 10
        for name, possible in writer.possible.items():
            assert (found[name]["spec"]["turn"] if name in found else None) in possible, name


def check(changes: list[Change], killed: int, other: str) -> None:
    """Who was killed had begun; nobody went on before the other held the key; and each object was written once."""
    migrated = [change for change in changes if change.key.startswith(f"{STORED}still-")]
    claims = [change for change in changes if change.key == KEY and change.value is not None]
    (claim,) = claims
    assert claim.value is not None
    assert claim.value.endswith(f":{other}".encode())
    parts = Counter("before" if change.revision <= killed else "after" for change in migrated)
    assert parts["before"] < OBJECTS, "it was killed in the middle"
    assert [change for change in migrated if killed < change.revision < claim.revision] == []
    assert len(migrated) == len({change.key for change in migrated}) == OBJECTS
