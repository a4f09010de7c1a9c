"""Migrating objects to their storage version, and what a definition tells of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from crdkit.builtin.runtimeconfig import RuntimeConfig
from crdkit.controllers.storagemigration import StorageMigration, ended, is_open, started
from crdkit.conversion.strategies import Strategies
from crdkit.meta.version import V1_36
from crdkit.registry.registry import Registry
from crdkit.storage.cache import Cache
from crdkit.storage.memory import MemoryDriver
from tests.conversion.doubles import Webhook, conversion
from tests.registry.conftest import DEFINITIONS, MERGE, Api, kiln

Json = Any
MIGRATIONS = ("storagemigration.k8s.io", "v1beta1", "storageversionmigrations")
NAME = "kilns.example.com"
KEY = "/registry/example.com/kilns/default/"


def versions(stored: str) -> list[Json]:
    schema = {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}
    return [{"name": name, "served": True, "storage": name == stored, "schema": schema} for name in ("v1beta1", "v1")]


@pytest.fixture
def webhook() -> Webhook:
    return Webhook()


@asynccontextmanager
async def migrating(cache: Cache, webhook: Webhook) -> AsyncIterator[Api]:
    """A server that migrates, on a store that stays."""
    registry = Registry(cache, V1_36, conversion=Strategies(webhook))
    await registry.start()
    controller = StorageMigration(registry, patience=0.05, visible=0.01)
    await controller.start()
    yield Api(registry)
    await controller.stop()
    await registry.stop()


@pytest.fixture
async def api(webhook: Webhook) -> AsyncIterator[Api]:
    cache = Cache(MemoryDriver())
    await cache.start()
    async with migrating(cache, webhook) as api:
        yield api
    await cache.close()


def migration(name: str, resource: str = "kilns", group: str = "example.com") -> Json:
    return {
        "apiVersion": "storagemigration.k8s.io/v1beta1",
        "kind": "StorageVersionMigration",
        "metadata": {"name": name},
        "spec": {"resource": {"group": group, "resource": resource}},
    }


async def begin(api: Api, name: str = "m", **what: str) -> None:
    assert (await api.ask("create", body=migration(name, **what), of=MIGRATIONS)).code == 201


async def outcome(api: Api, name: str = "m") -> list[tuple[str, str, str, str]]:
    """The conditions of a migration that has ended."""
    async with asyncio.timeout(5):
        while True:
            status = (await api.ask("get", name, of=MIGRATIONS)).body["status"]
            found = [(one["type"], one["status"], one["reason"], one["message"]) for one in status.get("conditions") or ()]
            if found and found[0][1] == "False":
                return found
            await asyncio.sleep(0.01)


async def told(api: Api) -> tuple[list[str], str, int]:
    """The stored versions of the definition, what its condition says, and of which generation."""
    status = (await api.ask("get", NAME, of=DEFINITIONS)).body["status"]
    condition = next(one for one in status["conditions"] if one["type"] == "StorageMigrating")
    return status["storedVersions"], condition["message"], condition["observedGeneration"]


async def switch(api: Api, stored: str = "v1") -> None:
    assert (await api.ask("patch", NAME, {"spec": {"versions": versions(stored)}}, of=DEFINITIONS, type=MERGE)).code == 200


COMPLETED = ("Running", "False", "MigrationCompleted", "Migration completed")
SUCCEEDED = ("Succeeded", "True", "StorageVersionMigrationSucceeded", "")


def failed(why: str) -> tuple[str, str, str, str]:
    return ("Failed", "True", "StorageVersionMigrationFailed", why)


async def test_objects_are_written_anew_in_the_storage_version(api):
    await api.define(versions=versions("v1beta1"))
    for name in ("a", "b"):
        await api.ask("create", body=kiln(name, version="v1beta1", spec={"heat": 1}), version="v1beta1")
    await switch(api)
    await api.ask("create", body=kiln("new"))
    before = {entry.key: entry for entry in api.registry.cache.list(KEY).entries}
    assert before[KEY + "a"].value.startswith(b'{"apiVersion":"example.com/v1beta1"')
    await begin(api)
    assert await outcome(api) == [COMPLETED, SUCCEEDED]
    after = {entry.key: entry for entry in api.registry.cache.list(KEY).entries}
    assert all(entry.value.startswith(b'{"apiVersion":"example.com/v1"') for entry in after.values())
    assert after[KEY + "new"] == before[KEY + "new"]
    shown = (await api.ask("get", "a")).body
    assert (shown["spec"], shown["metadata"]["generation"]) == ({"heat": 1}, 1)
    message = "The migration has succeeded and the stored versions have been updated"
    assert await told(api) == (["v1"], message, 2)


async def test_a_definition_that_changes_meanwhile_keeps_its_stored_versions(api, webhook):
    await api.define(versions=versions("v1beta1"), conversion=conversion())
    await api.ask("create", body=kiln("a", version="v1beta1"), version="v1beta1")
    await switch(api)
    webhook.held["a"] = asyncio.Event()
    await begin(api)
    while not webhook.asked:  # noqa: ASYNC110
        await asyncio.sleep(0.001)
    assert await told(api) == (["v1beta1", "v1"], "Migration m is running", 2)
    await switch(api, "v1beta1")
    webhook.held["a"].set()
    assert await outcome(api) == [COMPLETED, SUCCEEDED]
    message = "The migration has succeeded but the stored versions have not been updated due to a generation mismatch"
    assert await told(api) == (["v1beta1", "v1"], message, 3)


async def test_an_object_that_cannot_be_converted_fails_it(api, webhook):
    await api.define(versions=versions("v1beta1"), conversion=conversion())
    await api.ask("create", body=kiln("a", version="v1beta1"), version="v1beta1")
    await switch(api)
    webhook.change = lambda review: {**review, "response": {**review["response"], "result": {"status": "Failed", "message": "no"}}}
    await begin(api)
    why = "migration encountered unhandled error: conversion webhook for example.com/v1beta1, Kind=Kiln failed: no"
    assert await outcome(api) == [COMPLETED, failed(why)]
    assert await told(api) == (["v1"], "The migration has failed", 2)


async def test_a_migration_goes_on_after_a_restart():
    """The first server stops while the second of three objects is on its way."""
    webhook, cache = Webhook(), Cache(MemoryDriver())
    await cache.start()
    async with migrating(cache, webhook) as api:
        await api.define(versions=versions("v1beta1"), conversion=conversion())
        for name in "abc":
            await api.ask("create", body=kiln(name, version="v1beta1"), version="v1beta1")
        await switch(api)
        webhook.held["b"] = asyncio.Event()
        await begin(api)
        while webhook.converted[-1:] != ["b"]:  # noqa: ASYNC110
            await asyncio.sleep(0.001)
        assert [one["type"] for one in (await api.ask("get", "m", of=MIGRATIONS)).body["status"]["conditions"]] == ["Running"]
    del webhook.held["b"]
    async with migrating(cache, webhook) as api:
        assert await outcome(api) == [COMPLETED, SUCCEEDED]
        assert (await told(api))[0] == ["v1"]
    assert [name for name in webhook.converted if name == "a"] == ["a"], "what is written anew stays so"
    assert all(entry.value.startswith(b'{"apiVersion":"example.com/v1"') for entry in cache.list(KEY).entries)
    await cache.close()


async def test_one_after_the_other(api):
    await api.define(versions=versions("v1"))
    for name in ("b", "a", "c"):
        await begin(api, name)
    for name in ("a", "b", "c"):
        assert await outcome(api, name) == [COMPLETED, SUCCEEDED]


@pytest.mark.parametrize(
    ("group", "resource", "outcomes"),
    [
        ("example.com", "kilns", failed("resource does not exist in discovery")),
        (
            "",
            "componentstatuses",
            failed('resource "/v1, Resource=componentstatuses" does not support discovery operations: [update patch list]'),
        ),
        (
            "authentication.k8s.io",
            "tokenreviews",
            failed('resource "authentication.k8s.io/v1, Resource=tokenreviews" does not support discovery operations: [update patch list]'),
        ),
        ("", "limitranges", SUCCEEDED),
        ("", "configmaps", SUCCEEDED),
    ],
)
async def test_resources_without_a_definition(api, group, resource, outcomes):
    await begin(api, group=group, resource=resource)
    assert await outcome(api) == [COMPLETED, outcomes]


async def test_a_migration_that_is_deleted_while_it_waits_is_forgotten(api):
    await begin(api)
    await asyncio.sleep(0.01)
    assert (await api.ask("delete", "m", of=MIGRATIONS)).code == 200
    await begin(api, "next")
    assert await outcome(api, "next") == [COMPLETED, failed("resource does not exist in discovery")]


def test_what_is_open():
    new = {"metadata": {}, "status": {}}
    assert is_open(new)
    assert is_open(started(new, "now"))
    assert not is_open(ended(started(new, "now"), "later", None))
    assert not is_open(ended(new, "later", "why"))
    assert not is_open({"metadata": {"deletionTimestamp": "now"}, "status": {}})


@pytest.mark.parametrize(
    ("switches", "controllers", "served"),
    [({}, True, True), ({}, False, False), ({"true": ""}, False, True), ({"false": ""}, True, False)],
)
async def test_migrations_are_served_where_somebody_migrates_or_asks_for_them(switches, controllers, served):
    apis = RuntimeConfig.parse(f"storagemigration.k8s.io/v1beta1={value}" for value in switches)
    registry = Registry(Cache(MemoryDriver()), V1_36, controllers=controllers, apis=apis)
    assert (registry.find(*MIGRATIONS) is not None) is served


async def status(api: Api, **fields: Json) -> Json:
    return await api.ask("patch", "m", {"status": fields}, of=MIGRATIONS, subresource="status", type=MERGE, query="dryRun=All")


def condition(kind: str, **fields: Json) -> Json:
    return {"type": kind, "status": "True", "reason": "A", "message": "", "lastTransitionTime": "2024-01-01T00:00:00Z", **fields}


@pytest.mark.parametrize(
    ("given", "causes"),
    [
        ({"resourceVersion": "012"}, ['status.resourceVersion: Invalid value: "012": resource version is not well formed: 012']),
        (
            {"conditions": [condition("Succeeded"), condition("Succeeded", status="", reason="-", lastTransitionTime=None)]},
            [
                'status.conditions[1].type: Duplicate value: "Succeeded"',
                'status.conditions[1].status: Unsupported value: "": supported values: "False", "True", "Unknown"',
                "status.conditions[1].lastTransitionTime: Required value",
                (
                    'status.conditions[1].reason: Invalid value: "-": a condition reason must start with alphabetic character, optionally'
                    " followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'"
                    " (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for"
                    " validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')"
                ),
            ],
        ),
        ({"conditions": [condition("Succeeded")]}, []),
    ],
)
async def test_what_a_status_may_not_be(webhook, given, causes):
    cache = Cache(MemoryDriver())
    await cache.start()
    registry = Registry(cache, V1_36)
    await registry.start()
    api = Api(registry)
    await begin(api)
    answer = await status(api, **given)
    assert (answer.causes if causes else answer.code) == (causes or 200)
    await registry.stop()
    await cache.close()
