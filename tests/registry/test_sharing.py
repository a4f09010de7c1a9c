"""Two servers' registries on one etcd behave as one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from crdkit.meta.version import V1_36
from crdkit.registry.registry import Registry
from crdkit.registry.storedforms import StoredForms
from crdkit.storage.cache import Cache
from crdkit.storage.etcd.driver import EtcdDriver
from tests.registry.conftest import DEFINITIONS, MERGE, Api, definition, kiln
from tests.storage.etcd import Etcd, needs_etcd

pytestmark = needs_etcd

NAMESPACES = ("", "v1", "namespaces")


class Shared(Api):
    """Asks as the server does: with a cache that has caught up."""

    async def ask(self, *asked: object, **more: object) -> object:
        await self.registry.cache.catch_up()
        return await super().ask(*asked, **more)


@pytest.fixture
async def apis(etcd: Etcd, request: pytest.FixtureRequest) -> AsyncIterator[list[Shared]]:
    registries = []
    for _ in range(2):
        driver = await EtcdDriver.open(etcd.settings(root=f"/{request.node.name}", compacts=False), forms=StoredForms(V1_36))
        cache = Cache(driver)
        await cache.start()
        registries.append(Registry(cache, V1_36, controllers=False))
    await asyncio.gather(*(registry.start() for registry in registries))
    yield [Shared(registry) for registry in registries]
    for registry in registries:
        await registry.stop()
        await registry.cache.close()


async def test_a_definition_made_by_one_is_served_by_the_other(apis: list[Shared]) -> None:
    here, there = apis
    await here.define()
    assert (await there.ask("create", body=kiln(spec={"heat": 1}))).code == 201
    assert (await here.ask("get", "a")).body["spec"] == {"heat": 1}
    assert (await here.ask("create", body=kiln())).code == 409


async def test_definitions_with_the_same_names_are_settled_alike(apis: list[Shared]) -> None:
    """Both servers look after names at once, which does no harm: one definition has them, the other is told."""
    twin = definition()
    twin["metadata"]["name"] = "ovens.example.com"
    twin["spec"]["names"] = {"plural": "ovens", "singular": "oven", "kind": "Kiln", "listKind": "KilnList"}
    await asyncio.gather(apis[0].define(), apis[1].ask("create", body=twin, of=DEFINITIONS))
    states = []
    for api in apis:
        listed = (await api.ask("list", of=DEFINITIONS)).body["items"]
        accepted = [one["status"]["acceptedNames"].get("kind") for one in listed]
        states.append(sorted(str(kind) for kind in accepted))
    assert states[0] == states[1]
    assert states[0].count("Kiln") == 1


async def test_patches_through_both_servers_all_count(apis: list[Shared]) -> None:
    await apis[0].define(schema={"type": "object", "x-kubernetes-preserve-unknown-fields": True})
    await apis[0].ask("create", body=kiln())

    async def patch(api: Shared, number: int) -> None:
        answer = await api.ask("patch", "a", {"spec": {f"f{number}": number}}, type=MERGE)
        assert answer.code == 200

    await asyncio.gather(*(patch(apis[number % 2], number) for number in range(40)))
    for api in apis:
        assert (await api.ask("get", "a")).body["spec"] == {f"f{number}": number for number in range(40)}


async def test_a_definition_deleted_through_one_server_leaves_nothing_that_the_other_writes(apis: list[Shared]) -> None:
    here, there = apis
    await here.define()
    codes: list[int] = []

    async def write(worker: int) -> None:
        for number in range(1_000):
            answer = await there.ask("create", body=kiln(f"k{worker}-{number}"))
            codes.append(answer.code)
            if answer.code == 404:
                return

    workers = [asyncio.create_task(write(worker)) for worker in range(4)]
    await asyncio.sleep(0.2)
    assert (await here.ask("delete", "kilns.example.com", of=DEFINITIONS)).code == 200
    await asyncio.gather(*workers)
    await here.until(404, "get", "kilns.example.com", of=DEFINITIONS)
    assert 201 in codes
    assert set(codes) <= {201, 403, 404}  # 403: it is being deleted
    for api in apis:
        await api.registry.cache.catch_up()
        assert api.registry.cache.list("/registry/example.com/").entries == []


async def test_a_namespace_deleted_through_one_server_takes_nothing_that_the_other_creates(apis: list[Shared]) -> None:
    here, there = apis
    await here.define()
    await here.ask("create", body={"metadata": {"name": "gone"}}, of=NAMESPACES)
    deletion = asyncio.create_task(here.ask("delete", "gone", of=NAMESPACES))
    answers = await asyncio.gather(*(there.ask("create", body=kiln(f"k{number}"), namespace="gone") for number in range(30)))
    await deletion
    marked = (await here.ask("get", "gone", of=NAMESPACES)).body["metadata"]["resourceVersion"]
    for answer in answers:
        assert answer.code == 403 or int(answer.body["metadata"]["resourceVersion"]) < int(marked)
    assert (await there.ask("create", body=kiln("late"), namespace="gone")).code == 403
