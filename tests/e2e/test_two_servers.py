"""Two servers on one etcd are one: what their clients see has an order, whichever of them is asked, stale or killed.

A short form runs always; ``make soak`` kills more often.
"""

from __future__ import annotations

import asyncio
import json
import math
import random
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from crdkit.storage.etcd.driver import EtcdDriver
from crdkit.storage.types import Change
from tests.e2e.linearizable import ABSENT, Operation, create, delete, is_linearizable, read, refused, update
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
    now,
    prefix_of,
    stored_since,
    watch,
)
from tests.soak.client import Connection, connected, serving
from tests.storage.etcd import Etcd, needs_etcd

KILLS: Final = 30 if LONG else 5
CLIENTS: Final = 6
OBJECTS: Final = 3
UNKNOWN: Final = 504
"""How a write is answered that may have been made or not: where a machine is busy, etcd too may not answer in time."""
PER_OBJECT: Final = 40
"""Operations after which clients turn to other objects: a history is judged in a time that grows with its square."""

pytestmark = [needs_etcd, pytest.mark.timeout(1800 if LONG else 90)]


class Links:
    """A client's connections, one to each server, opened anew where they broke off."""

    def __init__(self, servers: Servers) -> None:
        self._servers = servers
        self._stacks: dict[str, AsyncExitStack] = {}
        self._open: dict[str, Connection] = {}

    async def to(self, side: str) -> Connection:
        if side not in self._open:
            stack = self._stacks[side] = AsyncExitStack()
            self._open[side] = await stack.enter_async_context(connected(self._servers.at[side]))
        return self._open[side]

    async def drop(self, side: str) -> None:
        self._open.pop(side, None)
        if (stack := self._stacks.pop(side, None)) is not None:
            await stack.aclose()


@asynccontextmanager
async def links(servers: Servers) -> AsyncIterator[Links]:
    found = Links(servers)
    try:
        yield found
    finally:
        for side in SIDES:
            await found.drop(side)


class History:
    """All that clients did and saw, by object; and which revisions they were told, when."""

    def __init__(self) -> None:
        self.of: dict[str, list[Operation]] = defaultdict(list)
        self.told: list[tuple[float, float, int]] = []
        """When a list was asked for and answered, and its revision."""
        self.written: list[tuple[float, int]] = []
        """When a write was answered, and its revision."""
        self.turn = self.count = 0
        self.over = False

    def name(self, chance: random.Random) -> str:
        return f"{self.count // (OBJECTS * PER_OBJECT)}-{chance.randrange(OBJECTS)}"

    def next_turn(self) -> int:
        self.turn += 1
        return self.turn


class Client:
    """Does one thing after the other with few objects, through either server."""

    def __init__(self, history: History, links: Links, chance: random.Random) -> None:
        self._history, self._links, self._chance = history, links, chance
        self._seen: dict[str, tuple[int, str]] = {}

    async def run(self) -> None:
        while not self._history.over:
            side = self._chance.choice(SIDES)
            try:
                connection = await self._links.to(side)
            except BROKEN:
                await asyncio.sleep(0.02)
                continue
            deed = self._chance.choices((self._get, self._list, self._create, self._update, self._delete), (30, 10, 20, 30, 10))[0]
            self._history.count += 1
            try:
                await deed(connection, self._history.name(self._chance))
            except BROKEN:
                await self._links.drop(side)

    def _note(self, name: str, operation: Operation) -> None:
        self._history.of[name].append(operation)

    async def _get(self, connection: Connection, name: str) -> None:
        asked = now()
        code, answer = await connection.exchange("GET", f"{kites()}/{name}")
        assert code in (200, 404), answer
        self._note(name, Operation(read(self._look(name, answer) if code == 200 else ABSENT), asked, now(), f"get: {code}"))

    def _look(self, name: str, obj: dict[str, Any]) -> int:
        turn: int = obj["spec"]["turn"]
        self._seen[name] = turn, obj["metadata"]["resourceVersion"]
        return turn

    async def _list(self, connection: Connection, name: str) -> None:
        asked = now()
        answer = await connection.ask("GET", kites())
        answered = now()
        self._history.told.append((asked, answered, int(answer["metadata"]["resourceVersion"])))
        found = {item["metadata"]["name"]: self._look(item["metadata"]["name"], item) for item in answer["items"]}
        self._note(name, Operation(read(found.get(name, ABSENT)), asked, answered, "list"))

    async def _create(self, connection: Connection, name: str) -> None:
        turn = self._history.next_turn()
        await self._write(connection, name, ("POST", kites(), kite(name, turn)), {201: create(turn), 409: refused()})

    async def _update(self, connection: Connection, name: str) -> None:
        if name not in self._seen:
            return await self._get(connection, name)
        expected, revision = self._seen[name]
        turn = self._history.next_turn()
        outcomes = {200: update(expected, turn), 409: refused(expected=expected), 404: read(ABSENT)}
        return await self._write(connection, name, ("PUT", f"{kites()}/{name}", kite(name, turn, resourceVersion=revision)), outcomes)

    async def _delete(self, connection: Connection, name: str) -> None:
        await self._write(connection, name, ("DELETE", f"{kites()}/{name}", None), {200: delete(), 404: read(ABSENT)})

    async def _write(self, connection: Connection, name: str, request: tuple[str, str, Any], outcomes: dict[int, Any]) -> None:
        """Write, and note what an answer says; without one it may have happened, as in the first outcome."""
        asked = now()
        try:
            code, answer = await connection.exchange(*request)
        except BROKEN:
            self._note(name, Operation(next(iter(outcomes.values())), asked, math.inf, f"{request[0]}: lost"))
            raise
        if code == UNKNOWN:
            self._note(name, Operation(next(iter(outcomes.values())), asked, math.inf, f"{request[0]}: {code}"))
            return
        assert code in outcomes, (request, code, answer)
        self._note(name, Operation(outcomes[code], asked, now(), f"{request[0]}: {code}"))
        if code in (200, 201) and "spec" in answer:
            self._look(name, answer)
            self._history.written.append((now(), int(answer["metadata"]["resourceVersion"])))


async def test_what_clients_see_has_an_order_while_a_server_is_killed(servers: Servers) -> None:
    seed = random.randrange(1 << 32)
    print("seed", seed)
    chance, history = random.Random(seed), History()
    async with connected(servers.at["there"]) as connection:
        await establish(connection)
        since = (await connection.ask("GET", kites()))["metadata"]["resourceVersion"]
    watches = [asyncio.create_task(watch(servers, side, since, "last")) for side in SIDES]
    async with AsyncExitStack() as stack:
        mine = [await stack.enter_async_context(links(servers)) for _ in range(CLIENTS)]
        clients = [asyncio.create_task(Client(history, each, random.Random(chance.random())).run()) for each in mine]
        for _ in range(KILLS):
            await asyncio.sleep(chance.uniform(0.1, 0.5))
            await servers.kill("here")
        history.over = True
        await asyncio.gather(*clients)
    async with connected(servers.at["here"]) as here, connected(servers.at["there"]) as there:
        ends = [await connection.ask("GET", kites()) for connection in (here, there)]
        await there.ask("POST", kites(), kite("last", 0))
    assert ends[0] == ends[1]
    told = [await asyncio.wait_for(task, 20) for task in watches]
    print(f"{history.count} operations, {len(told[0])} events")
    check(history)
    assert told[0] == told[1], "the same for all"
    revisions = [event.revision for event in told[0]]
    assert revisions == sorted(set(revisions)), "once, and in order"
    assert {revision for _, revision in history.written} <= set(revisions), "none missing"


def check(history: History) -> None:
    for name, operations in history.of.items():
        assert is_linearizable(operations), (name, [(each.text, each.asked, each.answered) for each in operations])
    known = sorted([(answered, revision) for _, answered, revision in history.told] + history.written)
    newest, place = 0, 0
    for asked, _, revision in sorted(history.told):
        while place < len(known) and known[place][0] < asked:
            newest = max(newest, known[place][1])
            place += 1
        assert revision >= newest, "a list is as new as what was answered before it was asked for"


# An etcd that fails


async def ready(connection: Connection) -> None:
    while True:
        code, _ = await connection.exchange("GET", "/readyz")
        if code == 200:
            return
        await asyncio.sleep(0.05)


async def test_health_tells_of_an_etcd_that_is_gone(tmp_path: Path) -> None:
    etcd = Etcd()
    etcd.start()
    try:
        with serving(tmp_path, "--etcd-endpoints", etcd.endpoint) as server:
            async with connected(server) as connection:
                assert await connection.exchange("GET", "/readyz") == (200, "ok")
                etcd.kill()
                began = now()
                code, told = await connection.exchange("GET", "/readyz")
                assert now() - began < 5
                assert code == 500
                assert "[-]etcd failed: reason withheld\n[-]etcd-readiness failed: reason withheld\n" in told
                etcd.start()
                await ready(connection)
                await connection.ask("GET", "/api/v1/namespaces/default")
    finally:
        etcd.remove()


# Definitions that change while another server writes by them


async def write_on(servers: Servers, side: str, number: int, over: asyncio.Event) -> int:
    """Create, change and delete objects through either version, whatever comes of it; tell how often it was done."""
    chance, done = random.Random(number), 0
    async with connected(servers.at[side]) as connection:
        while not over.is_set():
            name, version = f"n{number}-{chance.randrange(5)}", chance.choice(("v1", "v2"))
            deeds = (
                ("POST", kites(version), kite(name, done, version), "application/json"),
                ("PATCH", f"{kites(version)}/{name}", {"spec": {"turn": done}}, MERGE),
                ("DELETE", f"{kites(version)}/{name}", None, "application/json"),
            )
            verb, path, body, content_type = chance.choices(deeds, (4, 4, 1))[0]
            code, answer = await connection.exchange(verb, path, body, content_type=content_type)
            assert code in (200, 201, 403, 404, 409, 429), str(answer)
            done += code in (200, 201)
    return done


def storage_of(raw: bytes) -> str:
    return next(f"example.com/{version['name']}" for version in json.loads(raw)["spec"]["versions"] if version["storage"])


def check_stored(changes: list[Change]) -> int:
    """Every object was stored in the version that its definition told then, and none without; tell how many objects were written."""
    storage, there, writes = "", set(), 0
    for change in changes:
        if change.key.endswith("/customresourcedefinitions/kites.example.com"):
            storage = "" if change.value is None else storage_of(change.value)
            assert storage or not there, "none is left behind where the definition goes"
        elif "/example.com/kites/" in change.key:
            if change.value is None:
                there.discard(change.key)
                continue
            assert json.loads(change.value)["apiVersion"] == storage, (change, "of the version at that time; none comes back without")
            there.add(change.key)
            writes += 1
    return writes


async def test_no_object_is_stored_by_a_definition_that_was_another(servers: Servers, etcd: Etcd, request: pytest.FixtureRequest) -> None:
    driver = await EtcdDriver.open(etcd.settings(root=prefix_of(request), compacts=False))
    changes: list[Change] = []
    stored = asyncio.create_task(stored_since(driver, "last", changes))
    over = asyncio.Event()
    async with connected(servers.at["there"]) as connection:
        await establish(connection)
        writers = [asyncio.create_task(write_on(servers, side, number, over)) for number, side in enumerate(SIDES * 2)]
        for turn in range(60 if LONG else 12):
            await asyncio.sleep(0.05)
            if turn % 4 == 3:
                await connection.ask("DELETE", DEFINITION)
                await establish(connection)
            else:
                versions = definition("v2" if turn % 2 else "v1")["spec"]["versions"]
                await connection.ask("PATCH", DEFINITION, {"spec": {"versions": versions}}, content_type=MERGE)
        over.set()
        done = await asyncio.gather(*writers)
        await created(connection, kites(), kite("last", 0))
    await asyncio.wait_for(stored, 10)
    writes = check_stored(changes)
    await driver.close()
    assert min(done) > 0
    assert writes > 50
