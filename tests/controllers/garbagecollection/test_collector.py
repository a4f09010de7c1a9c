"""Objects go when their owners have gone: asked of a registry with a collector beside it, as a client sees it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from crdkit.controllers import work
from crdkit.controllers.garbagecollection.collector import USER, GarbageCollector
from crdkit.meta.status import forbidden
from crdkit.registry import deletion
from crdkit.registry.registry import Registry
from tests.registry.conftest import DEFINITIONS, GROUP, MERGE, Api, definition, kiln, kube, registry

__all__ = ["kube", "registry"]

CONFIG_MAPS = ("", "v1", "configmaps")
NAMESPACES = ("", "v1", "namespaces")
EVENTS = ("", "v1", "events")
GHOST = "00000000-aaaa-bbbb-cccc-000000000001"
HOLD = ["example.com/hold"]


class Household:
    """Kilns and config maps that own each other."""

    def __init__(self, api: Api, collector: GarbageCollector) -> None:
        self.api, self.collector = api, collector

    async def make(self, name: str, *owners: dict[str, Any], of: Any = None, namespace: str = "default", **metadata: Any) -> dict[str, Any]:
        """Create an object; gives a reference to it."""
        if owners:
            metadata["ownerReferences"] = list(owners)
        if of is None:
            body = kiln(name, metadata=metadata)
            kind, api_version = "Kiln", f"{GROUP}/v1"
        else:
            kind, api_version = "ConfigMap", "v1"
            body = {"apiVersion": api_version, "kind": kind, "metadata": {"name": name, **metadata}}
        answer = await self.api.ask("create", body=body, namespace=namespace, **({"of": of} if of else {}))
        assert answer.code == 201, answer.body
        return {"apiVersion": api_version, "kind": kind, "name": name, "uid": answer.body["metadata"]["uid"]}

    async def delete(self, name: str, policy: str = "") -> None:
        query = f"propagationPolicy={policy}" if policy else ""
        assert (await self.api.ask("delete", name, query=query)).code in (200, 202)

    async def patch(self, name: str, **metadata: Any) -> None:
        assert (await self.api.ask("patch", name, {"metadata": metadata}, type=MERGE)).code == 200

    async def metadata(self, name: str) -> dict[str, Any]:
        answer = await self.api.ask("get", name)
        found: dict[str, Any] = answer.body["metadata"]
        return found

    async def settled(self) -> None:
        """Let the collector do all that is due."""
        async with asyncio.timeout(5):
            while not self.collector.idle:  # noqa: ASYNC110 (nothing tells of it)
                await asyncio.sleep(0)

    async def left(self, **more: Any) -> list[str]:
        """The names of the kilns that are left in the end."""
        await self.settled()
        return [item["metadata"]["name"] for item in (await self.api.ask("list", **more)).body["items"]]


def blocking(reference: dict[str, Any]) -> dict[str, Any]:
    return {**reference, "blockOwnerDeletion": True}


@pytest.fixture
async def collector(registry: Registry) -> AsyncIterator[GarbageCollector]:
    collector = GarbageCollector(registry)
    await collector.start()
    yield collector
    await collector.stop()


@pytest.fixture
async def house(registry: Registry, collector: GarbageCollector) -> Household:
    api = Api(registry)
    await api.define()
    return Household(api, collector)


# In the background


async def test_dependents_go_with_their_owner(house: Household) -> None:
    a = await house.make("a")
    b = await house.make("b", a)
    await house.make("c", b)
    await house.make("d", of=CONFIG_MAPS, namespace="default")
    await house.make("e", b, of=CONFIG_MAPS, namespace="default")
    assert await house.left() == ["a", "b", "c"]
    await house.delete("a")
    assert await house.left() == []
    assert await house.left(of=CONFIG_MAPS, namespace="default") == ["d"]
    assert len(house.collector._index) == 0


async def test_an_owner_that_is_only_being_deleted_still_lives(house: Household) -> None:
    await house.make("b", await house.make("a", finalizers=HOLD))
    await house.delete("a")
    assert await house.left() == ["a", "b"]
    await house.patch("a", finalizers=None)
    assert await house.left() == []


@pytest.mark.parametrize("wrong", [{"uid": GHOST}, {"name": "other"}, {"kind": "ConfigMap", "apiVersion": "v1"}])
async def test_an_owner_that_is_not_where_it_is_said_to_be_is_absent(house: Household, wrong: dict[str, str]) -> None:
    a = await house.make("a")
    await house.make("b", {**a, **wrong})
    assert await house.left() == ["a"]


async def test_a_new_owner_of_the_old_name_adopts_nobody(house: Household) -> None:
    await house.make("b", await house.make("a"), finalizers=HOLD)
    await house.delete("a")
    await house.make("a")
    await house.settled()
    assert (await house.metadata("b"))["deletionTimestamp"]


async def test_the_reference_to_an_absent_owner_is_taken_away_where_another_lives(house: Household) -> None:
    a, b = await house.make("a"), await house.make("b")
    await house.make("c", a, b)
    await house.delete("a")
    await house.settled()
    assert (await house.metadata("c"))["ownerReferences"] == [b]


async def test_who_let_go_of_its_owner_stays(house: Household) -> None:
    await house.make("b", await house.make("a"))
    await house.patch("b", ownerReferences=None)
    await house.delete("a")
    assert await house.left() == ["b"]


async def test_two_that_own_each_other_stay_until_one_is_deleted(house: Household) -> None:
    a = await house.make("a")
    b = await house.make("b", a)
    await house.patch("a", ownerReferences=[b])
    assert await house.left() == ["a", "b"]
    await house.delete("a")
    assert await house.left() == []


# In the foreground


async def test_an_owner_waits_for_those_that_block_it(house: Household) -> None:
    a = await house.make("a")
    b = await house.make("b", blocking(a))
    await house.make("c", blocking(b), finalizers=HOLD)
    await house.make("d", a, finalizers=HOLD)
    await house.delete("a", "Foreground")
    assert await house.left() == ["a", "b", "c", "d"]
    assert (await house.metadata("b"))["finalizers"] == ["foregroundDeletion"]
    assert (await house.metadata("d"))["deletionTimestamp"]
    await house.patch("c", finalizers=None)
    assert await house.left() == ["d"]


async def test_those_in_between_go_from_the_last_to_the_first(house: Household) -> None:
    a = await house.make("a")
    b = await house.make("b", blocking(a))
    c = await house.make("c", blocking(b))
    since = (await house.api.ask("get", "c")).body["metadata"]["resourceVersion"]
    await house.settled()
    await house.delete("a", "Foreground")
    assert await house.left() == []
    events = await house.api.watch(f"resourceVersion={since}", count=5)
    told = [(event["type"], event["object"]["metadata"]["name"]) for event in events]
    assert told == [("MODIFIED", "a"), ("MODIFIED", "b"), ("DELETED", "c"), ("DELETED", "b"), ("DELETED", "a")]
    assert c["uid"] == events[2]["object"]["metadata"]["uid"]


async def test_it_does_not_wait_for_one_that_has_another_owner(house: Household) -> None:
    a, other = await house.make("a"), await house.make("other")
    await house.make("b", blocking(a), other)
    await house.delete("a", "Foreground")
    assert await house.left() == ["b", "other"]
    assert (await house.metadata("b"))["ownerReferences"] == [other]


async def test_nor_for_one_that_blocks_no_more(house: Household) -> None:
    a = await house.make("a")
    await house.make("b", blocking(a), finalizers=HOLD)
    await house.delete("a", "Foreground")
    await house.settled()
    await house.patch("b", ownerReferences=[a])
    assert await house.left() == ["b"]


async def test_two_that_wait_for_each_other_go(house: Household) -> None:
    a = await house.make("a")
    b = await house.make("b", blocking(a))
    await house.patch("a", ownerReferences=[blocking(b)])
    await house.delete("a", "Foreground")
    assert await house.left() == []


async def test_one_that_waits_for_itself_stays_until_its_finalizer_is_taken(house: Household) -> None:
    a = await house.make("a")
    await house.patch("a", ownerReferences=[blocking(a)])
    await house.delete("a", "Foreground")
    assert await house.left() == ["a"]
    await house.patch("a", finalizers=None)
    assert await house.left() == []


async def test_another_policy_ends_the_waiting(house: Household) -> None:
    a = await house.make("a")
    await house.make("b", blocking(a), finalizers=HOLD)
    await house.delete("a", "Foreground")
    await house.settled()
    await house.delete("a", "Background")
    assert await house.left() == ["b"]


# With orphans


async def test_orphans_lose_their_reference_and_stay(house: Household) -> None:
    a, other = await house.make("a"), await house.make("other")
    b = await house.make("b", a)
    await house.make("c", blocking(a), other)
    await house.make("d", b)
    await house.delete("a", "Orphan")
    assert await house.left() == ["b", "c", "d", "other"]
    assert "ownerReferences" not in await house.metadata("b")
    assert (await house.metadata("c"))["ownerReferences"] == [other]
    assert (await house.metadata("d"))["ownerReferences"] == [b]


async def test_a_dependent_with_the_finalizer_leaves_its_own_behind(house: Household) -> None:
    b = await house.make("b", await house.make("a"), finalizers=["orphan"])
    await house.make("c", b)
    await house.delete("a")
    assert await house.left() == ["c"]
    assert "ownerReferences" not in await house.metadata("c")


# Namespaces


async def test_an_owner_in_another_namespace_is_absent_and_told_of(house: Household) -> None:
    await house.api.ask("create", body={"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "n"}}, of=NAMESPACES)
    a = await house.make("a")
    await house.make("b", a, namespace="n")
    assert await house.left(namespace="n") == []
    (event,) = (await house.api.ask("list", of=EVENTS, namespace="n")).body["items"]
    assert event["message"] == (f'ownerRef [{GROUP}/v1/Kiln, namespace: n, name: a, uid: {a["uid"]}] does not exist in namespace "n"')
    assert (event["reason"], event["type"], event["count"]) == ("OwnerRefInvalidNamespace", "Warning", 1)
    assert (event["involvedObject"]["name"], event["involvedObject"]["namespace"]) == ("b", "n")
    assert event["source"] == {"component": event["reportingComponent"]} == {"component": "garbage-collector-controller"}


async def test_an_object_in_no_namespace_is_not_collected_with_one_in_a_namespace(house: Household) -> None:
    a = await house.make("a")
    body = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "n", "ownerReferences": [a]}}
    await house.api.ask("create", body=body, of=NAMESPACES)
    await house.settled()
    await house.api.ask("patch", "n", {"metadata": {"labels": {"a": "b"}}}, type=MERGE, of=NAMESPACES)
    await house.settled()
    (event,) = (await house.api.ask("list", of=EVENTS, namespace="default")).body["items"]
    assert event["message"] == f'ownerRef [{GROUP}/v1/Kiln, namespace: , name: a, uid: {a["uid"]}] does not exist in namespace ""'
    await house.delete("a")
    await house.settled()
    assert (await house.api.ask("get", "n", of=NAMESPACES)).body["metadata"]["ownerReferences"] == [a]


async def test_an_owner_in_no_namespace_counts_everywhere(house: Household) -> None:
    found = (await house.api.ask("get", f"kilns.{GROUP}", of=DEFINITIONS)).body["metadata"]
    owner = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "name": found["name"], "uid": found["uid"]}
    await house.make("a", owner, of=CONFIG_MAPS, namespace="default")
    assert await house.left(of=CONFIG_MAPS, namespace="default") == ["a"]
    await house.api.ask("delete", found["name"], of=DEFINITIONS)
    await house.api.until(404, "get", found["name"], of=DEFINITIONS)
    assert await house.left(of=CONFIG_MAPS, namespace="default") == []


# Kinds that come and go


async def test_an_owner_of_an_unknown_kind_may_live_until_its_kind_is_known(house: Household) -> None:
    kettle = {"apiVersion": f"{GROUP}/v1", "kind": "Kettle", "name": "ghost", "uid": GHOST}
    await house.make("a", kettle)
    await house.make("b", {**kettle, "apiVersion": f"{GROUP}/v7", "kind": "Kiln"})
    assert await house.left() == ["a", "b"]
    other = definition(names={"plural": "kettles", "singular": "kettle", "kind": "Kettle", "listKind": "KettleList"})
    other["metadata"]["name"] = f"kettles.{GROUP}"
    await house.api.ask("create", body=other, of=DEFINITIONS)
    assert await house.left() == ["b"]
    await house.delete("b")
    assert len(house.collector._awaiting) == 0


async def test_what_a_deleted_definition_s_objects_owned_goes(house: Household) -> None:
    a = await house.make("a")
    await house.make("b", a, of=CONFIG_MAPS, namespace="default")
    await house.api.ask("delete", f"kilns.{GROUP}", of=DEFINITIONS)
    await house.api.until(404, "get", f"kilns.{GROUP}", of=DEFINITIONS)
    assert await house.left(of=CONFIG_MAPS, namespace="default") == []


# Starting, failing, idling


async def test_what_was_left_undone_is_done_at_the_start(house: Household, registry: Registry) -> None:
    await house.collector.stop()
    a, other, parent = await house.make("a"), await house.make("other"), await house.make("parent")
    await house.make("b", a)
    await house.make("c", a, other)
    await house.make("child", blocking(parent))
    await house.make("stray", {**a, "kind": "Kettle"})
    await house.delete("a")
    await house.delete("parent", "Foreground")
    await house.delete("other", "Orphan")
    assert await house.left() == ["b", "c", "child", "other", "parent", "stray"]
    house.collector = GarbageCollector(registry)
    await house.collector.start()
    left = await house.left()
    await house.collector.stop()
    assert [name for name in left if name != "c"] == ["stray"]  # c goes or stays: both its owners leave at the same time


async def test_a_refused_deletion_is_tried_again(house: Household, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "FIRST_PAUSE", 0.001)
    asked: list[str] = []

    async def refuse_twice(store: Any, resource: Any, request: Any, options: Any, obj: Any) -> None:
        if request.user is USER:
            asked.append(obj["metadata"]["name"])
            if len(asked) < 3:
                raise forbidden(resource.about, obj["metadata"]["name"], "not now")

    monkeypatch.setattr(deletion, "admit_deletion", refuse_twice)
    await house.make("b", await house.make("a"))
    await house.delete("a")
    assert await house.left() == []
    assert asked == ["b"] * 3


async def test_nothing_runs_and_nothing_is_kept_while_nobody_owns_anybody(house: Household) -> None:
    for number in range(20):
        await house.make(f"a{number}")
        await house.delete(f"a{number}")
    await house.settled()
    collector = house.collector
    assert (len(collector._index), len(collector._awaiting), collector._reported, collector._work._workers) == (0, 0, {}, set())


async def test_events_are_not_looked_at(house: Household) -> None:
    about = {"kind": "Kiln", "namespace": "default", "name": "x"}
    metadata = {"name": "told", "ownerReferences": [{"apiVersion": f"{GROUP}/v1", "kind": "Kiln", "name": "ghost", "uid": GHOST}]}
    body = {"apiVersion": "v1", "kind": "Event", "metadata": metadata, "involvedObject": about}
    assert (await house.api.ask("create", body=body, of=EVENTS, namespace="default")).code == 201
    assert await house.left(of=EVENTS, namespace="default") == ["told"]
