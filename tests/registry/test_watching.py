"""Watches: every event once and in order, seen through selectors, until the definition changes."""

from __future__ import annotations

import asyncio

import pytest

from crdkit.registry import watching

from .conftest import DEFINITIONS, GROUP, MERGE, Api, Json, Registry, kiln, until


def told(events: list[dict[str, object]]) -> list[tuple[object, object]]:
    return [(event["type"], event["object"]["metadata"].get("name")) for event in events]  # type: ignore[index, attr-defined]


async def test_a_watch_goes_on_from_a_version(api: Api) -> None:
    await api.define()
    version = (await api.ask("create", body=kiln())).body["metadata"]["resourceVersion"]
    await api.ask("patch", "a", {"spec": {"heat": 1}}, type=MERGE)
    await api.ask("delete", "a")
    events = await api.watch(f"resourceVersion={version}", count=2)
    assert told(events) == [("MODIFIED", "a"), ("DELETED", "a")]
    assert events[1]["object"]["spec"] == {"heat": 1}
    assert int(events[1]["object"]["metadata"]["resourceVersion"]) > int(events[0]["object"]["metadata"]["resourceVersion"])


async def test_present_objects_come_first_and_a_bookmark_ends_them(api: Api) -> None:
    await api.define()
    for name in ("b", "a"):
        await api.ask("create", body=kiln(name))
    events = await api.watch("allowWatchBookmarks=true", count=3)
    assert told(events) == [("ADDED", "a"), ("ADDED", "b"), ("BOOKMARK", None)]
    assert events[2]["object"]["metadata"]["annotations"] == {"k8s.io/initial-events-end": "true"}


async def test_a_bookmark_tells_how_far_a_watch_has_come_before_it_ends(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "LAST_BOOKMARK", 4.9)
    await api.define()
    version = (await api.ask("create", body=kiln())).body["metadata"]["resourceVersion"]
    (event,) = await api.watch(f"allowWatchBookmarks=true&timeoutSeconds=5&resourceVersion={version}", count=1)
    assert (event["type"], event["object"]["metadata"]) == ("BOOKMARK", {"resourceVersion": version})


async def test_objects_move_in_and_out_of_a_selector(api: Api) -> None:
    await api.define()
    version = (await api.ask("create", body=kiln())).body["metadata"]["resourceVersion"]
    await api.ask("patch", "a", {"metadata": {"labels": {"tier": "hot"}}}, type=MERGE)
    await api.ask("patch", "a", {"spec": {"heat": 1}}, type=MERGE)
    await api.ask("patch", "a", {"metadata": {"labels": None}}, type=MERGE)
    events = await api.watch(f"resourceVersion={version}&labelSelector=tier%3Dhot", count=3)
    assert told(events) == [("ADDED", "a"), ("MODIFIED", "a"), ("DELETED", "a")]
    assert events[2]["object"]["metadata"]["labels"] == {"tier": "hot"}


async def test_a_version_that_is_too_old_ends_the_watch_with_an_error(api: Api) -> None:
    await api.define()
    [event] = await api.watch("resourceVersion=1", count=2)
    assert (event["type"], event["object"]["code"], event["object"]["reason"]) == ("ERROR", 410, "Expired")
    assert event["object"]["message"].startswith("too old resource version: 1 (")


async def test_present_objects_of_a_version_that_does_not_come_soon_are_an_error(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crdkit.registry.versions.FUTURE_WAIT", 0.01)
    await api.define()
    [event] = await api.watch("sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=99999", count=2)
    assert (event["type"], event["object"]["code"], event["object"]["reason"]) == ("ERROR", 504, "Timeout")
    assert event["object"]["message"].startswith("Timeout: Too large resource version: 99999, current: ")


async def test_columns_come_with_the_first_event_of_a_table(api: Api) -> None:
    await api.define()
    for name in ("a", "b"):
        await api.ask("create", body=kiln(name))
    events = await api.watch(count=2, form=("Table", "v1"))
    assert [event["object"]["columnDefinitions"] is None for event in events] == [False, True]


async def test_a_watch_ends_a_moment_after_its_definition_changed(api: Api, registry: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crdkit.registry.definitionindex.LINGERING", 0.1)
    await api.define()
    watching = await begin(api, registry)
    await api.ask("create", body=kiln())
    await api.ask("patch", f"kilns.{GROUP}", {"metadata": {"labels": {"x": "y"}}}, type=MERGE, of=DEFINITIONS)
    await asyncio.sleep(0.2)
    assert not watching.done()
    await api.ask("patch", f"kilns.{GROUP}", {"spec": {"names": {"shortNames": ["kn"]}}}, type=MERGE, of=DEFINITIONS)
    await api.ask("create", body=kiln("b"))
    assert told(await watching) == [("ADDED", "a"), ("ADDED", "b")]


async def test_a_watch_outlives_no_server(api: Api, registry: Registry) -> None:
    await api.define()
    watching = await begin(api, registry)
    await api.ask("patch", f"kilns.{GROUP}", {"spec": {"names": {"shortNames": ["kn"]}}}, type=MERGE, of=DEFINITIONS)
    registry.definitions.stop()
    async with asyncio.timeout(0.5):
        assert await watching == []


async def test_a_watch_ends_before_what_is_stored_in_a_version_that_came_after_it(api: Api, registry: Registry) -> None:
    await api.define()
    watching = await begin(api, registry)
    versions = (await api.ask("get", f"kilns.{GROUP}", of=DEFINITIONS)).body["spec"]["versions"]
    newer = [{**versions[0], "storage": False}, {**versions[0], "name": "v2"}]
    await api.ask("patch", f"kilns.{GROUP}", {"spec": {"versions": newer}}, type=MERGE, of=DEFINITIONS)
    await api.ask("create", body=kiln("b", version="v2"), version="v2")
    await api.ask("create", body=kiln("c", version="v1"))
    assert told(await watching) == []
    assert told(await api.watch(count=2)) == [("ADDED", "b"), ("ADDED", "c")]


async def begin(api: Api, registry: Registry) -> asyncio.Task[list[Json]]:
    """A watch that has begun."""
    watching = asyncio.create_task(api.watch(count=10))
    resource = registry.definitions.resource(GROUP, "v1", "kilns")
    assert resource is not None
    await until(lambda: resource.watches)
    return watching


async def test_an_event_is_encoded_once_for_all(api: Api, registry: Registry) -> None:
    await api.define()
    resource = registry.definitions.resource(GROUP, "v1", "kilns")
    assert resource is not None
    encoded = []
    original = resource.render_at

    async def counted(*of: object) -> bytes:
        encoded.append(of)
        return await original(*of)  # type: ignore[arg-type]

    resource.render_at = counted  # type: ignore[method-assign, assignment]
    watches = [asyncio.create_task(api.watch(count=1)) for _ in range(10)]
    await until(lambda: len(resource.watches) == 10)
    await api.ask("create", body=kiln())
    assert [told(events) for events in await asyncio.gather(*watches)] == [[("ADDED", "a")]] * 10
    assert len(encoded) == 1  # the answer to the create is made of what was written
