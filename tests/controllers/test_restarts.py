"""What a server that ended left undone, the next one does: definitions, namespaces and dependents that were on their way out go."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from crdkit.controllers.running import Controllers
from crdkit.meta.version import V1_36
from crdkit.registry.registry import Registry
from crdkit.storage.cache import Cache
from crdkit.storage.sqlite import SqliteDriver
from tests.registry.conftest import DEFINITIONS, MERGE, Api, kiln, until

NAMESPACES = ("", "v1", "namespaces")
KILNS = "/registry/example.com/kilns/"
DEFINITION = "/registry/apiextensions.k8s.io/customresourcedefinitions/kilns.example.com"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "store"


@asynccontextmanager
async def running(store: Path, *, controllers: bool = True) -> AsyncIterator[Api]:
    cache = Cache(await SqliteDriver.open(store))
    await cache.start()
    registry = Registry(cache, V1_36)
    await registry.start()
    beside = Controllers(registry, grace=0)
    if controllers:
        await beside.start()
    yield Api(registry)
    if controllers:
        await beside.stop()
    await registry.stop()
    await cache.close()


async def test_a_definition_that_was_marked_goes_with_its_objects(store: Path) -> None:
    async with running(store) as api:
        await api.define()
        for number in range(5):
            await api.ask("create", body=kiln(f"a{number}"))
        assert (await api.ask("delete", "kilns.example.com", of=DEFINITIONS)).code == 200
        assert api.registry.cache.get(DEFINITION) is not None
    async with running(store) as api:
        await until(lambda: api.registry.cache.get(DEFINITION) is None)
        assert not api.registry.cache.list(KILNS).entries


async def test_a_definition_that_waited_for_its_objects_waits_on(store: Path) -> None:
    async with running(store) as api:
        await api.define()
        await api.ask("create", body=kiln("held", metadata={"finalizers": ["example.com/hold"]}))
        await api.ask("delete", "kilns.example.com", of=DEFINITIONS)
        await until(lambda: b'"deletionTimestamp"' in api.registry.cache.list(KILNS).entries[0].value)
    async with running(store) as api:
        answer = await api.ask("patch", "held", {"metadata": {"finalizers": None}}, type=MERGE)
        assert answer.code == 200
        await until(lambda: api.registry.cache.get(DEFINITION) is None)


async def test_a_namespace_goes_with_what_it_holds(store: Path) -> None:
    async with running(store, controllers=False) as api:
        await api.define()
        await api.ask("create", body={"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "n"}}, of=NAMESPACES)
        await api.ask("create", body=kiln(), namespace="n")
        await api.ask("delete", "n", of=NAMESPACES)
    async with running(store) as api:
        await until(lambda: api.registry.cache.get("/registry/namespaces/n") is None)
        assert not api.registry.cache.list(KILNS).entries


@pytest.mark.parametrize("policy", ["Background", "Foreground"])
async def test_dependents_go_with_their_owner(store: Path, policy: str) -> None:
    async with running(store, controllers=False) as api:
        await api.define()
        uid = (await api.ask("create", body=kiln("owner"))).body["metadata"]["uid"]
        owner = {"apiVersion": "example.com/v1", "kind": "Kiln", "name": "owner", "uid": uid, "blockOwnerDeletion": True}
        await api.ask("create", body=kiln("dependent", metadata={"ownerReferences": [owner]}))
        await api.ask("delete", "owner", query=f"propagationPolicy={policy}")
    async with running(store) as api:
        await until(lambda: not api.registry.cache.list(KILNS).entries)
