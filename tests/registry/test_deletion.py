"""Deleting objects and definitions: at once, by finalizers, in collections, with what depends on them."""

from __future__ import annotations

import asyncio

import pytest

from crdkit.meta.types import JsonObject

from .conftest import DEFINITIONS, GROUP, MERGE, Api, kiln

NAME = f"kilns.{GROUP}"
HOLD = {"finalizers": ["example.com/hold"]}


async def test_an_object_without_finalizers_goes_at_once(api: Api) -> None:
    await api.define()
    uid = (await api.ask("create", body=kiln())).body["metadata"]["uid"]
    answer = await api.ask("delete", "a")
    details = {"name": "a", "group": GROUP, "kind": "kilns", "uid": uid}
    assert answer.body == {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "details": details}
    assert (await api.ask("get", "a")).code == 404


async def test_what_is_said_of_a_table_is_read_after_the_deletion(api: Api) -> None:
    await api.define()
    await api.ask("create", body=kiln())
    answer = await api.ask("delete", "a", query="includeObject=Some", form=("Table", "v1"))
    assert (answer.code, answer.message.partition(":")[0]) == (400, "Unable to convert to Table as requested")
    assert (await api.ask("get", "a")).code == 404


async def test_the_last_finalizer_holds_it(api: Api) -> None:
    await api.define()
    await api.ask("create", body=kiln(metadata=HOLD))
    marked = (await api.ask("delete", "a")).body["metadata"]
    assert (marked["generation"], marked["deletionGracePeriodSeconds"]) == (2, 0)
    assert (await api.ask("delete", "a")).body["metadata"] == marked
    answer = await api.ask("patch", "a", {"metadata": {"finalizers": None}}, type=MERGE)
    assert "finalizers" not in answer.body["metadata"]
    assert (await api.ask("get", "a")).code == 404


async def test_a_policy_is_kept_as_a_finalizer(api: Api) -> None:
    await api.define()
    await api.ask("create", body=kiln(metadata=HOLD))
    policies = ("Orphan", "Foreground", "Background")
    kept = [(await api.ask("delete", "a", {"propagationPolicy": policy})).body["metadata"]["finalizers"] for policy in policies]
    assert kept == [["example.com/hold", "orphan"], ["example.com/hold", "foregroundDeletion"], ["example.com/hold"]]


async def test_only_the_object_meant_is_deleted(api: Api) -> None:
    await api.define()
    await api.ask("create", body=kiln())
    answer = await api.ask("delete", "a", {"preconditions": {"uid": "other"}})
    assert answer.code == 409
    assert answer.message.startswith('Operation cannot be fulfilled on Kiln.example.com "a": the UID in the precondition (other)')


@pytest.mark.parametrize(("told", "version"), [({"apiVersion": "v1"}, "v1"), ({}, "meta.k8s.io/v1")])
async def test_options_of_another_kind_are_refused(api: Api, told: JsonObject, version: str) -> None:
    await api.define()
    answer = await api.ask("delete", "a", {"kind": "ConfigMap", **told})
    assert (answer.code, answer.message) == (
        400,
        (
            f'no kind "ConfigMap" is registered for version "{version}" in scheme '
            '"k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme/register.go:27"'
        ),
    )


async def test_a_collection_is_answered_as_it_was(api: Api) -> None:
    await api.define()
    for name in ("a", "b"):
        await api.ask("create", body=kiln(name, metadata={"labels": {"tier": name}}))
    answer = await api.ask("deletecollection", query="labelSelector=tier%3Da")
    assert [item["metadata"]["name"] for item in answer.body["items"]] == ["a"]
    assert [item["metadata"]["name"] for item in (await api.ask("list")).body["items"]] == ["b"]


async def test_a_collection_of_a_version_is_that_very_one(api: Api) -> None:
    await api.define()
    version = (await api.ask("create", body=kiln())).body["metadata"]["resourceVersion"]
    await api.ask("create", body=kiln("late"))
    assert (await api.ask("deletecollection", query="resourceVersion=1")).code == 410
    for query in (f"resourceVersion={version}", "resourceVersion=0"):
        answer = await api.ask("deletecollection", body={}, query=query)
        assert [item["metadata"]["name"] for item in answer.body["items"]] == ["a" if version in query else "late"]


async def test_a_definition_takes_its_objects_with_it(api: Api) -> None:
    await api.define()
    await api.ask("create", body=kiln())
    answer = await api.ask("delete", NAME, of=DEFINITIONS)
    assert answer.body["status"]["conditions"][-1]["reason"] == "InstanceDeletionPending"
    await api.until(404, "get", NAME, of=DEFINITIONS)
    assert (await api.ask("get", "a")).body == "404 page not found\n"
    await api.define()
    assert (await api.ask("list")).body["items"] == []


async def test_a_definition_waits_for_objects_that_are_held(api: Api) -> None:
    await api.define()
    await api.ask("create", body=kiln(metadata=HOLD))
    await api.ask("delete", NAME, of=DEFINITIONS)
    assert (await api.ask("get", "a")).code == 200
    await asyncio.sleep(0.01)
    held = await api.ask("get", NAME, of=DEFINITIONS)
    assert held.body["status"]["conditions"][-1]["reason"] == "InstanceDeletionInProgress"
    await api.ask("patch", "a", {"metadata": {"finalizers": []}}, type=MERGE)
    await api.until(404, "get", NAME, of=DEFINITIONS)
