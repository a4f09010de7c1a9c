"""Two servers on one etcd, each of which may be killed, and what clients do with them."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from contextlib import ExitStack, aclosing
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from crdkit.storage.etcd.driver import EtcdDriver
from crdkit.storage.types import Change
from tests.soak.client import Connection, Process, connected, serving

LONG: Final = os.environ.get("CRDKIT_SOAK") == "long"
SIDES: Final = ("here", "there")
DEFINITIONS: Final = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
DEFINITION: Final = f"{DEFINITIONS}/kites.example.com"
MERGE: Final = "application/merge-patch+json"
BROKEN: Final = (OSError, EOFError, IndexError)
"""A connection that breaks off, also before or within an answer's first line."""


def definition(storage: str = "v1") -> dict[str, Any]:
    schema = {"type": "object", "properties": {"spec": {"type": "object", "properties": {"turn": {"type": "integer"}}}}}
    versions = [{"name": name, "served": True, "storage": name == storage, "schema": {"openAPIV3Schema": schema}} for name in ("v1", "v2")]
    names = {"plural": "kites", "singular": "kite", "kind": "Kite", "listKind": "KiteList"}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "kites.example.com"},
        "spec": {"group": "example.com", "scope": "Namespaced", "names": names, "versions": versions},
    }


def kites(version: str = "v1") -> str:
    return f"/apis/example.com/{version}/namespaces/default/kites"


def kite(name: str, turn: int, version: str = "v1", **metadata: str) -> dict[str, Any]:
    return {"apiVersion": f"example.com/{version}", "kind": "Kite", "metadata": {"name": name, **metadata}, "spec": {"turn": turn}}


class Servers:
    """Two servers, of which one may be killed and started again."""

    def __init__(self, endpoints: str, directory: Path, prefix: str, stack: ExitStack) -> None:
        self._options = ("--etcd-endpoints", endpoints, "--etcd-prefix", prefix)
        self._directory, self._stack = directory, stack
        self.at = {side: self._start(side) for side in SIDES}

    def _start(self, side: str) -> Process:
        return self._stack.enter_context(serving(self._directory / side, *self._options))

    def end(self, side: str) -> None:
        """Kill a server for good."""
        os.kill(self.at[side].pid, signal.SIGKILL)

    async def kill(self, side: str) -> None:
        """Kill a server, and start it again."""
        self.end(side)
        self.at[side] = await asyncio.to_thread(self._start, side)


def prefix_of(request: pytest.FixtureRequest) -> str:
    return f"/{request.node.name}"


async def created(connection: Connection, path: str, obj: dict[str, Any]) -> None:
    """Create an object; again while that is refused, as it is where what it needs comes or goes."""
    while True:
        code, _ = await connection.exchange("POST", path, obj)
        if code == 201:
            return
        await asyncio.sleep(0.01)


async def establish(connection: Connection, storage: str = "v1") -> None:
    """Define, and wait until it is served; once more where one is still going."""
    await created(connection, DEFINITIONS, definition(storage))
    while True:
        conditions = (await connection.ask("GET", DEFINITION))["status"].get("conditions") or ()
        if any(condition["type"] == "Established" and condition["status"] == "True" for condition in conditions):
            return
        await asyncio.sleep(0.01)


def now() -> float:
    return asyncio.get_running_loop().time()


class Told(NamedTuple):
    """An event as a watch tells it."""

    type: str
    name: str
    turn: int
    revision: int


async def watch(servers: Servers, side: str, since: str, last: str) -> list[Told]:
    """All events up to that of the object ``last``, coming back wherever the watch breaks off."""
    told: list[Told] = []
    while True:
        try:
            async with (
                connected(servers.at[side]) as connection,
                aclosing(connection.lines(f"{kites()}?watch=1&resourceVersion={since}")) as lines,
            ):
                async for line in lines:
                    event = json.loads(line)
                    assert event["type"] != "ERROR", event
                    metadata = event["object"]["metadata"]
                    since = metadata["resourceVersion"]
                    told.append(Told(event["type"], metadata["name"], event["object"]["spec"]["turn"], int(since)))
                    if metadata["name"] == last:
                        return told
        except BROKEN:
            await asyncio.sleep(0.02)


async def stored_since(driver: EtcdDriver, last: str, changes: list[Change]) -> None:
    """Note all changes in etcd, up to that of an object."""
    async with aclosing(driver.follow(after=await driver.revision())) as steps:
        async for step in steps:
            for change in step.changes:
                changes.append(change)
                if change.key.endswith(f"/{last}"):
                    return
