"""What an object was found to be holds for the rules and the process that found it: after a restart or a change of them it is judged in full."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from crdkit.meta import json
from crdkit.meta.version import V1_36
from crdkit.registry.registry import Registry
from crdkit.storage.cache import Cache
from crdkit.storage.sqlite import SqliteDriver
from tests.registry.conftest import DEFINITIONS, MERGE, Api, kiln

Json = Any
KEY = "/registry/example.com/kilns/default/a"
MANY = 20
"""Changes after which those of sound objects are judged by what differs alone."""


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "store"


@asynccontextmanager
async def running(store: Path) -> AsyncIterator[Api]:
    cache = Cache(await SqliteDriver.open(store))
    await cache.start()
    registry = Registry(cache, V1_36)
    await registry.start()
    yield Api(registry)
    await registry.stop()
    await cache.close()


def inner(**properties: Json) -> Json:
    """A schema with a part that the changes here do not touch."""
    of_spec = {
        "heat": {"type": "integer", "maximum": 2000},
        "inner": {"type": "object", "properties": {"kept": {"type": "string"}, **properties}},
    }
    return {"type": "object", "properties": {"spec": {"type": "object", "properties": of_spec}}}


BEFORE = inner(glaze={"type": "string"})
AFTER = inner(mode={"type": "string", "default": "slow"})
"""Of the untouched part a field is gone, and one has a default."""
SPEC = {"heat": 1, "inner": {"kept": "a", "glaze": "b"}}
AS_AFTER = {"kept": "a", "mode": "slow"}


def versions(schema: Json) -> list[Json]:
    return [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}]


async def redefine(api: Api, schema: Json) -> None:
    assert (await api.ask("patch", "kilns.example.com", {"spec": {"versions": versions(schema)}}, of=DEFINITIONS, type=MERGE)).code == 200


async def change(api: Api, heat: int) -> Json:
    answer = await api.ask("patch", "a", {"spec": {"heat": heat}}, type=MERGE)
    assert answer.code == 200, answer.body
    return answer.body["spec"]


async def use(api: Api) -> None:
    """Have a sound object that was changed often."""
    await api.define(versions=versions(BEFORE))
    await api.ask("create", body=kiln(spec=SPEC))
    for heat in range(MANY):
        await change(api, heat)
    assert is_sound(api)


def is_sound(api: Api) -> bool:
    resource = api.registry.definitions.resource("example.com", "v1", "kilns")
    entry = api.registry.cache.get(KEY)
    assert resource is not None
    assert entry is not None
    return resource.renderings.is_sound(entry)


def stored(api: Api) -> Json:
    entry = api.registry.cache.get(KEY)
    assert entry is not None
    return json.decode(entry.value)["spec"]


async def judged_by_after(api: Api) -> None:
    assert not is_sound(api)
    assert (await api.ask("get", "a")).body["spec"]["inner"] == AS_AFTER
    assert await change(api, 30) == {"heat": 30, "inner": AS_AFTER}
    assert stored(api) == {"heat": 30, "inner": AS_AFTER}
    refused = await api.ask("patch", "a", {"spec": {"heat": 2001}}, type=MERGE)
    assert refused.causes == ["spec.heat: Invalid value: 2001: spec.heat in body should be less than or equal to 2000"]


async def test_a_restart_remembers_no_judgement(store: Path) -> None:
    async with running(store) as api:
        await use(api)
    async with running(store) as api:
        assert not is_sound(api)
        assert await change(api, 30) == {**SPEC, "heat": 30}
        assert is_sound(api)


async def test_an_object_is_judged_by_a_schema_that_has_changed(store: Path) -> None:
    async with running(store) as api:
        await use(api)
        await redefine(api, AFTER)
        await judged_by_after(api)


async def test_an_object_is_judged_by_a_schema_that_changed_before_a_restart(store: Path) -> None:
    async with running(store) as api:
        await use(api)
        await redefine(api, AFTER)
    async with running(store) as api:
        await judged_by_after(api)


async def test_a_schema_that_comes_back_finds_nothing_judged(store: Path) -> None:
    async with running(store) as api:
        await use(api)
        await redefine(api, AFTER)
        await change(api, 30)
        await redefine(api, BEFORE)
        assert not is_sound(api)
        assert (await api.ask("get", "a")).body["spec"] == {"heat": 30, "inner": {"kept": "a"}}
        for heat in range(MANY):
            assert await change(api, heat) == {"heat": heat, "inner": {"kept": "a"}}
        await redefine(api, AFTER)
        assert await change(api, 30) == {"heat": 30, "inner": AS_AFTER}


async def test_a_definition_made_anew_finds_nothing_judged(store: Path) -> None:
    async with running(store) as api:
        await use(api)
        await api.ask("delete", "kilns.example.com", of=DEFINITIONS)
        await api.until(404, "get", "kilns.example.com", of=DEFINITIONS)
        await api.define(versions=versions(AFTER))
        assert (await api.ask("create", body=kiln(spec=SPEC))).body["spec"]["inner"] == AS_AFTER
        assert await change(api, 30) == {"heat": 30, "inner": AS_AFTER}


async def test_a_judgement_stays_where_the_schema_does(store: Path) -> None:
    """A version beside it changes nothing for the objects of this one."""
    async with running(store) as api:
        await use(api)
        more = [*versions(BEFORE), {**versions(AFTER)[0], "name": "v2", "storage": False}]
        assert (await api.ask("patch", "kilns.example.com", {"spec": {"versions": more}}, of=DEFINITIONS, type=MERGE)).code == 200
        await change(api, 30)
        assert is_sound(api)
