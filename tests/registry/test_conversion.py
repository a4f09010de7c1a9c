"""Objects between versions by a webhook: who waits for whom, and what is asked of the webhook."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from crdkit.conversion.strategies import Strategies
from crdkit.meta.version import V1_36
from crdkit.registry.registry import Registry
from crdkit.storage.cache import Cache
from crdkit.storage.memory import MemoryDriver
from crdkit.webhooks import pool
from crdkit.webhooks.client import HttpCaller
from tests.conversion.doubles import Webhook, answered, conversion
from tests.registry.conftest import DEFINITIONS, MERGE, Api, definition, kiln, until
from tests.webhooks.hooks import Authority, Hook, Posted, hook, http

Json = Any
APPLY = "application/apply-patch+yaml"
FAILED = "conversion webhook for example.com/v1beta1, Kind=Kiln failed: "


def version(name: str, *fields: str, storage: bool = False) -> Json:
    spec = {"type": "object", "properties": {field: {"type": "string"} for field in fields}}
    schema = {"type": "object", "properties": {"spec": spec}}
    columns = [{"name": "Host", "type": "string", "jsonPath": ".spec.host"}]
    return {
        "name": name,
        "served": True,
        "storage": storage,
        "schema": {"openAPIV3Schema": schema},
        "additionalPrinterColumns": columns,
        "selectableFields": [{"jsonPath": f".spec.{fields[0]}"}],
    }


VERSIONS = [version("v1beta1", "hostPort", storage=True), version("v1", "host", "port")]


@pytest.fixture
def webhook() -> Webhook:
    return Webhook()


async def serving(strategies: Strategies) -> AsyncIterator[Api]:
    cache = Cache(MemoryDriver())
    await cache.start()
    registry = Registry(cache, V1_36, controllers=False, conversion=strategies)
    await registry.start()
    yield Api(registry)
    await registry.stop()
    await cache.close()


@pytest.fixture
async def api(webhook: Webhook) -> AsyncIterator[Api]:
    async for api in serving(Strategies(webhook)):
        await api.define(versions=VERSIONS, conversion=conversion())
        yield api


async def make(api: Api, *names: str) -> None:
    """Create objects in the version in which they are stored."""
    for name in names:
        answer = await api.ask("create", body=kiln(name, version="v1beta1", spec={"hostPort": f"{name}:1"}), version="v1beta1")
        assert answer.code == 201


async def test_reading_converts_once_for_every_reader_and_form(api, webhook):
    await make(api, "a", "b")
    assert (await api.ask("get", "a")).body["spec"] == {"host": "a", "port": "1"}
    items = (await api.ask("list")).body["items"]
    assert [item["spec"] for item in items] == [{"host": "a", "port": "1"}, {"host": "b", "port": "1"}]
    table = (await api.ask("list", form=("Table", "v1"))).body
    assert [row["cells"] for row in table["rows"]] == [["a", "a"], ["b", "b"]]
    assert (await api.ask("list", query="fieldSelector=spec.host=b")).body["items"] == items[1:]
    assert [event["object"] for event in await api.watch(count=2)] == items
    assert webhook.converted == ["a", "b"]


async def test_readers_of_one_list_at_once_convert_each_object_once(api, webhook):
    await make(api, *(f"k{number:03}" for number in range(100)))
    lists = await asyncio.gather(*(api.ask("list") for _ in range(5)))
    assert [len(answer.body["items"]) for answer in lists] == [100] * 5
    assert len(webhook.converted) == len(set(webhook.converted)) == 100
    assert webhook.most_at_once == 32


async def test_batches(webhook):
    async for api in serving(Strategies(webhook, batch_size=40)):
        await api.define(versions=VERSIONS, conversion=conversion())
        await make(api, *(f"k{number:03}" for number in range(100)))
        assert len((await api.ask("list")).body["items"]) == 100
    assert sorted(len(webhook.names(review)) for review in webhook.asked) == [20, 40, 40]


async def test_a_new_state_is_converted_anew(api, webhook):
    await make(api, "a")
    await api.ask("get", "a")
    await api.ask("patch", "a", {"spec": {"hostPort": "z:9"}}, version="v1beta1", type=MERGE)
    assert (await api.ask("get", "a")).body["spec"] == {"host": "z", "port": "9"}
    assert webhook.converted == ["a", "a"]


async def test_writing_converts_to_what_is_stored_and_back(api, webhook):
    created = await api.ask("create", body=kiln("a", spec={"host": "a", "port": "1"}))
    assert (created.code, created.body["spec"]) == (201, {"host": "a", "port": "1"})
    assert [review["request"]["desiredAPIVersion"] for review in webhook.asked] == ["example.com/v1beta1", "example.com/v1"]
    assert all("resourceVersion" not in obj["metadata"] for review in webhook.asked for obj in review["request"]["objects"])
    patched = await api.ask("patch", "a", {"spec": {"port": "2"}}, type=MERGE)
    assert (patched.body["spec"], patched.body["metadata"]["generation"]) == ({"host": "a", "port": "2"}, 2)
    assert (await api.ask("get", "a", version="v1beta1")).body["spec"] == {"hostPort": "a:2"}
    assert (await api.ask("delete", "a")).code == 200


async def test_what_the_version_does_not_have_is_pruned_from_what_a_webhook_gives(api, webhook):
    def change(review: Json) -> Json:
        for obj in review["response"]["convertedObjects"]:
            obj["spec"]["more"] = obj["more"] = 1
        return review

    webhook.change = change
    created = await api.ask("create", body=kiln("a", spec={"host": "a", "port": "1"}))
    assert created.body["spec"] == {"host": "a", "port": "1"}
    assert "more" not in created.body


async def test_a_hung_converter_delays_no_other(api, webhook):
    await make(api, "a", "b", "hung")
    webhook.held["hung"] = asyncio.Event()
    waiting = [asyncio.create_task(api.ask("get", "hung")), asyncio.create_task(api.ask("list"))]
    watching = asyncio.create_task(api.watch(count=3))
    await asyncio.sleep(0.01)
    assert len((await api.ask("list", version="v1beta1")).body["items"]) == 3
    assert (await api.ask("get", "a")).code == 200
    assert (await api.ask("create", body=kiln("c", spec={"host": "c", "port": "1"}))).code == 201
    assert (await api.ask("patch", "hung", {"spec": {"hostPort": "x:1"}}, version="v1beta1", type=MERGE)).code == 200
    assert not any(task.done() for task in (*waiting, watching))
    webhook.held["hung"].set()
    assert [answer.code for answer in await asyncio.gather(*waiting)] == [200, 200]
    assert [event["object"]["metadata"]["name"] for event in await watching] == ["a", "b", "hung"]


async def test_a_reader_who_leaves_takes_nobody_with_them(api, webhook):
    await make(api, "a")
    webhook.held["a"] = asyncio.Event()
    leaving, staying = (asyncio.create_task(api.ask("get", "a")) for _ in range(2))
    await asyncio.sleep(0.01)
    leaving.cancel()
    webhook.held["a"].set()
    assert (await staying).code == 200
    assert webhook.converted == ["a"]


def spoiled(review: Json) -> Json:
    names = [obj["metadata"]["name"] for obj in review["response"]["convertedObjects"]]
    if any(name.startswith("bad") for name in names):
        review["response"]["result"] = {"status": "Failed", "message": f"spoiled: {names[0]}"}
    return review


async def test_one_bad_object_fails_its_list_alone(api, webhook):
    await make(api, "bad1", "bad2", "good")
    webhook.change = spoiled
    for _ in range(2):
        failed = await api.ask("list")
        assert failed.body == {
            "kind": "Status",
            "apiVersion": "v1",
            "metadata": {},
            "status": "Failure",
            "message": FAILED + "spoiled: bad1",
            "code": 500,
        }
    assert (await api.ask("get", "good")).code == 200
    assert len((await api.ask("list", version="v1beta1")).body["items"]) == 3
    webhook.change = lambda review: review
    assert len((await api.ask("list")).body["items"]) == 3


async def test_a_bad_neighbour_in_a_call_concerns_its_reader_alone(webhook):
    async for api in serving(Strategies(webhook, batch_size=10)):
        await api.define(versions=VERSIONS, conversion=conversion())
        await make(api, "bad", "good")
        webhook.change = spoiled
        webhook.held["good"] = asyncio.Event()
        listing = asyncio.create_task(api.ask("list"))
        await asyncio.sleep(0.01)
        getting = asyncio.create_task(api.ask("get", "good"))
        await asyncio.sleep(0.01)
        webhook.held["good"].set()
        assert (await listing).message == FAILED + "spoiled: bad"
        assert (await getting).code == 200


async def test_what_another_reads_may_be_there_before_the_rest_of_a_call(webhook):
    async for api in serving(Strategies(webhook, batch_size=10)):
        await api.define(versions=VERSIONS, conversion=conversion())
        await make(api, "a", "b")
        webhook.held = {"a": asyncio.Event(), "b": asyncio.Event()}
        getting = asyncio.create_task(api.ask("get", "a"))
        await asyncio.sleep(0.01)
        listing = asyncio.create_task(api.ask("list"))
        await asyncio.sleep(0.01)
        webhook.held["a"].set()
        assert (await getting).code == 200
        webhook.held["b"].set()
        assert len((await listing).body["items"]) == 2
        assert webhook.converted == ["a", "b"]


async def test_a_list_that_nobody_waits_for_any_more_begins_no_new_calls(api, webhook):
    await make(api, *(f"k{number:03}" for number in range(100)))
    webhook.held["k000"] = asyncio.Event()
    webhook.held.update({f"k{number:03}": webhook.held["k000"] for number in range(100)})
    listing = asyncio.create_task(api.ask("list"))
    await until(lambda: webhook.at_once == 32)
    listing.cancel()
    await asyncio.sleep(0)
    webhook.held["k000"].set()
    await until(lambda: webhook.at_once == 0)
    assert len(webhook.converted) == 32
    assert len((await api.ask("list")).body["items"]) == 100
    assert len(webhook.converted) == 100


async def test_a_webhook_is_sent_the_same_however_much_is_known_of_an_object(api, webhook):
    async def sent(*versions: Json) -> Json:
        changed = await api.ask("patch", "kilns.example.com", {"spec": {"versions": versions}}, of=DEFINITIONS, type=MERGE)
        assert changed.code == 200
        assert (await api.ask("get", "a")).body["spec"] == {"host": "a", "port": "1"}
        return webhook.asked[-1]["request"]["objects"][0]

    stored, other = VERSIONS
    await make(api, "a")
    first = await sent(stored, {**other, "selectableFields": []})
    shown = (await api.ask("get", "a", version="v1beta1")).body
    del shown["metadata"]["resourceVersion"]
    assert first == shown
    assert await sent({**stored, "selectableFields": []}, other) == first
    assert await sent(stored, other) == first
    filled = version("v1beta1", "hostPort", storage=True)
    filled["schema"]["openAPIV3Schema"]["properties"]["more"] = {"type": "integer", "default": 1}
    assert await sent(filled, other) == {**first, "more": 1}
    assert await sent(stored, other) == first


async def test_selectors_look_at_the_labels_that_the_webhook_gives(api, webhook):
    def change(review: Json) -> Json:
        for obj in review["response"]["convertedObjects"]:
            obj["metadata"]["labels"] = {"converted": obj["metadata"]["name"]}
        return review

    await make(api, "a", "b")
    webhook.change = change
    found = (await api.ask("list", query="labelSelector=converted=b")).body["items"]
    assert [item["metadata"]["name"] for item in found] == ["b"]
    assert (await api.ask("list", query="labelSelector=converted", version="v1beta1")).body["items"] == []


async def test_an_object_whose_answer_cannot_be_converted_is_stored(api, webhook):
    def change(review: Json) -> Json:
        if review["response"]["convertedObjects"][0]["apiVersion"] == "example.com/v1":
            review["response"]["result"] = {"status": "Failed", "message": "no way back"}
        return review

    webhook.change = change
    assert (await api.ask("create", body=kiln("a", spec={"host": "a", "port": "1"}))).message == FAILED + "no way back"
    assert (await api.ask("get", "a", version="v1beta1")).body["spec"] == {"hostPort": "a:1"}


async def test_a_dry_run_finds_out_that_a_name_is_taken_before_it_converts(api, webhook):
    await make(api, "bad")
    webhook.change = spoiled
    for query, told in (("dryRun=All", 'kilns.example.com "bad" already exists'), ("", FAILED.replace("v1beta1", "v1") + "spoiled: bad")):
        assert (await api.ask("create", body=kiln("bad", spec={"host": "a", "port": "1"}), query=query)).message == told


async def test_an_apply_that_cannot_be_converted_stores_nothing(api, webhook):
    await make(api, "bad")
    before = (await api.ask("get", "bad", version="v1beta1")).body
    webhook.change = spoiled
    for version in ("v1", "v1beta1"):
        body = kiln("bad", version=version, metadata={"labels": {"a": "b"}})
        answer = await api.ask("patch", "bad", body, version=version, type=APPLY, query="fieldManager=me")
        assert answer.code == (500 if version == "v1" else 200)
        if version == "v1":
            assert answer.message == FAILED + "spoiled: bad"
            assert (await api.ask("get", "bad", version="v1beta1")).body == before


async def test_owners_tell_the_version_in_which_they_wrote(api):
    for manager, version, spec in (("old", "v1beta1", {"hostPort": "a:1"}), ("new", "v1", {"host": "a", "port": "1"})):
        body = kiln("a", version=version, spec=spec)
        answer = await api.ask("patch", "a", body, version=version, type=APPLY, query=f"fieldManager={manager}")
        assert answer.code in {200, 201}, answer.body
    entries = {one["manager"]: one for one in answer.body["metadata"]["managedFields"]}
    assert {name: (one["apiVersion"], [*one["fieldsV1"]["f:spec"]]) for name, one in entries.items()} == {
        "old": ("example.com/v1beta1", ["f:hostPort"]),
        "new": ("example.com/v1", ["f:host", "f:port"]),
    }
    body = kiln("a", spec={"host": "b", "port": "1"})
    refused = await api.ask("patch", "a", body, type=APPLY, query="fieldManager=other")
    assert refused.code == 409
    assert {cause["field"] for cause in refused.body["details"]["causes"]} == {".spec.host", ".spec.hostPort"}


async def test_a_watch_waits_until_its_objects_can_be_converted(api, webhook, monkeypatch):
    monkeypatch.setattr("crdkit.registry.watching._PAUSES", (0.001,))
    await make(api, "bad", "good")
    webhook.change = spoiled
    watching = asyncio.create_task(api.watch(count=2))
    while len(webhook.asked) < 10:  # noqa: ASYNC110
        await asyncio.sleep(0.001)
    assert not watching.done()
    webhook.change = lambda review: review
    assert [event["object"]["metadata"]["name"] for event in await watching] == ["bad", "good"]


async def test_objects_of_a_version_that_is_gone_are_not_shown(api):
    await make(api, "a")
    definition = (await api.ask("get", "kilns.example.com", of=("apiextensions.k8s.io", "v1", "customresourcedefinitions"))).body
    definition["spec"]["versions"] = [version("v1", "host", "port", storage=True)]
    definition["status"]["storedVersions"] = ["v1"]
    of = ("apiextensions.k8s.io", "v1", "customresourcedefinitions")
    assert (await api.ask("update", definition["metadata"]["name"], definition, of=of, subresource="status")).code == 200
    definition["metadata"].pop("resourceVersion")
    patch = {"spec": {"versions": definition["spec"]["versions"]}}
    assert (await api.ask("patch", definition["metadata"]["name"], patch, of=of, type=MERGE)).code == 200
    assert (await api.ask("get", "a")).message == "request to convert CR from an invalid group/version: example.com/v1beta1"


async def test_a_hung_converter_over_https_delays_neither_its_neighbours_nor_other_readers(tmp_path, monkeypatch):
    """More readers wait for it than there may be connections to one webhook."""
    monkeypatch.setattr(pool, "MOST_CONNECTIONS", 20)
    authority, held = Authority(), asyncio.Event()

    async def hang(_: Posted) -> bytes:
        await held.wait()
        return b""

    async def answer(posted: Posted) -> bytes:
        return http(answered(lambda review: review, posted.body))

    async def converts_by(running: Hook, api: Api, plural: str, kind: str) -> None:
        names = {"plural": plural, "kind": kind}
        body = definition(versions=VERSIONS, names=names, conversion=conversion(url=running.url, ca_bundle=authority.ca_bundle))
        body["metadata"]["name"] = f"{plural}.example.com"
        assert (await api.ask("create", body=body, of=DEFINITIONS)).code == 201
        for name in ("a", "b"):
            obj = {**kiln(name, version="v1beta1", spec={"hostPort": "a:1"}), "kind": kind}
            assert (await api.ask("create", body=obj, of=("example.com", "v1beta1", plural))).code == 201

    context = authority.issue(tmp_path)
    async with hook(hang, context) as hung, hook(answer, context) as good:
        caller = HttpCaller()
        async for api in serving(Strategies(caller)):
            await converts_by(hung, api, "kilns", "Kiln")
            await converts_by(good, api, "pots", "Pot")
            waiting = [asyncio.create_task(api.ask("get", name)) for name in ("a", "b") for _ in range(20)]
            waiting += [asyncio.create_task(api.watch(count=2))]
            waiting += [asyncio.create_task(api.ask("create", body=kiln(f"n{n}", spec={"host": "h", "port": "1"}))) for n in range(30)]
            await until(lambda: hung.at_once == 20)
            async with asyncio.timeout(3):
                assert len((await api.ask("list", of=("example.com", "v1", "pots"))).body["items"]) == 2
                assert [event["object"]["metadata"]["name"] for event in await api.watch(count=2, version="v1beta1")] == ["a", "b"]
                assert (await api.ask("patch", "a", {"spec": {"hostPort": "x:1"}}, version="v1beta1", type=MERGE)).code == 200
                assert (await api.ask("delete", "b", version="v1beta1")).code == 200
                assert (await api.ask("get", "kilns.example.com", of=DEFINITIONS)).code == 200
            assert not any(task.done() for task in waiting)
            for task in waiting:
                task.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)
            held.set()
        await caller.close()


async def test_thirty_two_clients_convert_both_ways_over_https(tmp_path):
    authority = Authority()

    async def answer(posted: Posted) -> bytes:
        return http(answered(lambda review: review, posted.body))

    async def client(api: Api, name: str) -> None:
        for round_ in range(3):
            host = f"{name}-{round_}"
            body = kiln(host, spec={"host": host, "port": "1"})
            assert (await api.ask("create", body=body)).body["spec"] == {"host": host, "port": "1"}
            assert (await api.ask("get", host, version="v1beta1")).body["spec"] == {"hostPort": f"{host}:1"}
            patched = await api.ask("patch", host, {"spec": {"hostPort": f"{host}:2"}}, version="v1beta1", type=MERGE)
            assert patched.code == 200
            assert (await api.ask("get", host)).body["spec"] == {"host": host, "port": "2"}
            assert (await api.ask("list")).code == 200

    async with hook(answer, authority.issue(tmp_path)) as running:
        caller = HttpCaller()
        async for api in serving(Strategies(caller)):
            await api.define(versions=VERSIONS, conversion=conversion(url=f"{running.url}/convert", ca_bundle=authority.ca_bundle))
            await asyncio.gather(*(client(api, f"client{number}") for number in range(32)))
            assert len((await api.ask("list")).body["items"]) == 96
        await caller.close()
    assert running.connections < len(running.posted) / 2
