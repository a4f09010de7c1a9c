"""What is applied is stored as it was applied, though some of it is read as nothing."""

from __future__ import annotations

from typing import Any

import pytest

from tests.registry.conftest import MERGE, Answer, Api, kiln

APPLY = "application/apply-patch+yaml"
EMBEDDED: Any = {"type": "object", "x-kubernetes-embedded-resource": True, "x-kubernetes-preserve-unknown-fields": True}
SCHEMA: Any = {
    "type": "object",
    "properties": {
        "spec": {"type": "object", "properties": {"heat": {"type": "integer"}, "template": EMBEDDED}},
        "size": {"type": "integer", "default": 1},
        "status": {"type": "object", "properties": {"phase": {"type": "string", "default": "x"}}},
    },
}


def version(name: str, *, storage: bool) -> Any:
    return {"name": name, "served": True, "storage": storage, "subresources": {"status": {}}, "schema": {"openAPIV3Schema": SCHEMA}}


@pytest.fixture(autouse=True)
def _seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every look at the clock is a second later."""
    seconds = iter(range(1, 1000))
    monkeypatch.setattr("crdkit.meta.time.now", lambda: f"2026-01-01T00:{next(seconds) // 60:02d}:{next(seconds) % 60:02d}Z")


@pytest.fixture(autouse=True)
async def _defined(api: Api) -> None:
    await api.define(versions=[version("v1", storage=True), version("v2", storage=False)])


async def apply(api: Api, metadata: Any, spec: Any = None, **more: Any) -> Answer:
    body = kiln(metadata=metadata, spec={"heat": 1} if spec is None else spec, version=more.get("version", "v1"))
    answer = await api.ask("patch", "a", body, type=APPLY, query=f"fieldManager=ann&{more.pop('query', '')}", **more)
    assert answer.code in (200, 201), answer.body
    return answer


def written(answer: Answer) -> tuple[str, list[str]]:
    """The revision, and the times of the owners."""
    metadata = answer.body["metadata"]
    return metadata["resourceVersion"], [entry.get("time", "") for entry in metadata["managedFields"]]


@pytest.mark.parametrize(
    "metadata",
    [
        {"labels": {}},
        {"annotations": None},
        {"annotations": {"a": None}},
        {"finalizers": []},
        {"ownerReferences": []},
        {"generateName": ""},
        {"deletionTimestamp": None},
        {"selfLink": "x"},
    ],
    ids=str,
)
async def test_what_is_read_as_nothing_changes_an_object_each_time(api: Api, metadata: Any) -> None:
    await api.ask("create", body=kiln(spec={"heat": 1}))
    answers = [await apply(api, metadata) for _ in range(3)]
    assert len({written(answer)[0] for answer in answers}) == 3
    assert [answer.body["metadata"]["generation"] for answer in answers] == [1, 1, 1]
    assert all(metadata.keys().isdisjoint(answer.body["metadata"]) for answer in answers if metadata != {"annotations": {"a": None}})


@pytest.mark.parametrize("metadata", [{"creationTimestamp": None}, {"generation": 7}, {"uid": ""}, {"managedFields": None}], ids=str)
async def test_what_the_server_sets_does_not(api: Api, metadata: Any) -> None:
    answers = [await apply(api, metadata) for _ in range(3)]
    assert len({str(written(answer)) for answer in answers}) == 1


async def test_the_next_who_writes_drops_it(api: Api) -> None:
    first = await apply(api, {"labels": {}})
    assert "labels" not in (await api.ask("get", "a")).body["metadata"]
    second, third = [await api.ask("patch", "a", {}, type=MERGE) for _ in range(2)]
    assert written(first)[0] != written(second)[0] == written(third)[0]
    assert written(first)[1] == written(third)[1]


async def test_nothing_of_it_is_stored_in_another_version(api: Api) -> None:
    first = await apply(api, {"labels": {}}, version="v2")
    second, third = [await api.ask("patch", "a", {}, type=MERGE) for _ in range(2)]
    assert written(first) == written(second) == written(third)


async def test_nor_of_metadata_sent_to_status(api: Api) -> None:
    await api.ask("create", body=kiln(spec={"heat": 1}))
    first, second, third = [await apply(api, {"labels": {}}, subresource="status") for _ in range(3)]
    assert written(first)[0] == written(second)[0] == written(third)[0]


async def test_embedded_metadata_is_content(api: Api) -> None:
    template = {"apiVersion": "v1", "kind": "A", "metadata": {"creationTimestamp": None}}
    answers = [await apply(api, {}, {"template": template}) for _ in range(3)]
    assert [answer.body["metadata"]["generation"] for answer in answers] == [1, 2, 3]
    assert answers[-1].body["spec"]["template"]["metadata"] == {}
    assert (await api.ask("patch", "a", {"spec": {"heat": 2}}, type=MERGE)).body["metadata"]["generation"] == 4


@pytest.mark.parametrize("subresource", ["", "status"])
async def test_what_has_a_default_stays_as_it_is(api: Api, subresource: str) -> None:
    template = {"apiVersion": "v1", "kind": "A", "metadata": {"labels": {}}}
    await api.ask("create", body=kiln(size=2, spec={"template": template}))
    await apply(api, {"labels": {}}, {"template": template}, subresource=subresource)
    assert (await api.ask("get", "a")).body["size"] == 2


async def test_an_applied_object_may_come_into_being_as_one_that_goes(api: Api) -> None:
    answer = await apply(api, {"deletionTimestamp": "2020-01-01T00:00:00Z", "selfLink": "x", "creationTimestamp": "2020-01-01T00:00:00Z"})
    metadata = answer.body["metadata"]
    assert metadata["deletionTimestamp"] == "2020-01-01T00:00:00Z" != metadata["creationTimestamp"]
    assert "selfLink" not in metadata


async def test_a_resource_version_is_a_number_even_where_there_is_no_object(api: Api) -> None:
    body = kiln(metadata={"resourceVersion": "abc"})
    answer = await api.ask("patch", "a", body, type=APPLY, query="fieldManager=ann")
    assert (answer.code, answer.message) == (500, 'strconv.ParseUint: parsing "abc": invalid syntax')
    assert (await apply(api, {"resourceVersion": "5"}, query="dryRun=All")).body["metadata"]["resourceVersion"] == "5"


async def test_a_null_status_is_no_change_of_none(api: Api) -> None:
    await api.ask("create", body=kiln(spec={"heat": 1}))
    body = kiln(status=None)
    answer = await api.ask("patch", "a", body, type=APPLY, query="fieldManager=ann", subresource="status")
    assert answer.code == 200
    assert "status" not in answer.body
    assert answer.body["metadata"]["managedFields"][0]["fieldsV1"] == {"f:status": {}}


@pytest.mark.parametrize(
    ("given", "code", "message"),
    [
        ([], 400, "metadata.managedFields must be nil"),
        ("x", 500, "expected list, got &{x}"),
        ({}, 500, "expected list, got &{map[]}"),
    ],
)
async def test_owners_are_not_applied(api: Api, given: Any, code: int, message: str) -> None:
    answer = await api.ask("patch", "a", kiln(metadata={"managedFields": given}), type=APPLY, query="fieldManager=ann")
    assert (answer.code, answer.message.endswith(message)) == (code, True), answer.message


async def test_whole_numbers_are_read_as_integers(api: Api) -> None:
    answer = await apply(api, {}, {"heat": 1.0})
    assert (await api.ask("patch", "a", {"spec": {"heat": 1}}, type=MERGE)).body == answer.body


async def test_a_refused_patch_shows_what_it_makes_as_go_writes_it(api: Api) -> None:
    await api.ask("create", body=kiln(metadata={"annotations": {"a": "<&>"}}))
    answer = await api.ask("patch", "a", {"metadata": {"labels": {"a": 1}}}, type=MERGE)
    assert (answer.code, '\\"a\\":\\"\\\\u003c\\\\u0026\\\\u003e\\"' in answer.message) == (422, True)
