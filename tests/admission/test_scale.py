"""What admission sees of changes of scales, and what becomes of what it makes of them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.admission.conftest import Admitting
from tests.admission.doubles import Respond, add, allow, configuration, patch, webhook
from tests.admission.test_review import ALL
from tests.registry.conftest import MERGE, Answer

Json = Any
UNREGISTERED = 'no kind "Foo" is registered for version "x/v1" in scheme "k8s.io/client-go/kubernetes/scheme/register.go:{}"'
OWNER = {
    "manager": "me",
    "operation": "Update",
    "apiVersion": "autoscaling/v1",
    "fieldsType": "FieldsV1",
    "fieldsV1": {"f:spec": {"f:replicas": {}}},
    "subresource": "scale",
}


def scale(**fields: Json) -> Json:
    return {"kind": "Scale", "apiVersion": "autoscaling/v1", "metadata": {"name": "a"}, "spec": {"replicas": 5}, **fields}


def replacing(value: Json, path: str = "") -> Respond:
    return patch({"op": "replace", "path": path, "value": value})


async def put(api: Admitting, body: Json, query: str = "fieldManager=me") -> Answer:
    return await api.ask("update", "a", body, subresource="scale", query=query)


def untimed(owners: Json) -> Json:
    return [{name: value for name, value in owner.items() if name != "time"} for owner in owners]


async def test_those_who_change_see_what_was_sent_with_the_owners_of_the_scale(api: Admitting) -> None:
    await api.create(spec={"heat": 1})
    await api.hook(allow, kind="Mutating", rules=[ALL])
    await put(api, scale(status={"replicas": 9}), "fieldManager=me&dryRun=All")
    (request,) = api.hooks.requests
    new, old = request["object"], request["oldObject"]
    assert (new["metadata"]["name"], new["metadata"].keys()) == ("a", {"name", "namespace", "managedFields"})
    assert (new["spec"], new["status"], old["status"]) == ({"replicas": 5}, {"replicas": 9}, {"replicas": 0})
    told = {"f:spec": {"f:replicas": {}}, "f:status": {"f:replicas": {}}}
    assert untimed(new["metadata"]["managedFields"]) == [{**OWNER, "fieldsV1": told}]
    assert [owner["apiVersion"] for owner in old["metadata"]["managedFields"]] == ["autoscaling/v1"]


async def test_those_who_judge_see_scales_as_they_are_answered(api: Admitting) -> None:
    await api.create(spec={})
    await api.hook(allow, rules=[ALL])
    answer = await put(api, scale(status={"replicas": 9}))
    (request,) = api.hooks.requests
    assert request["object"] == {**answer.body, "metadata": request["object"]["metadata"]}
    assert not {"managedFields"} & (request["object"]["metadata"].keys() | request["oldObject"]["metadata"].keys())
    assert (request["object"]["status"], request["oldObject"]["spec"]) == ({"replicas": 0}, {})


async def test_a_count_that_was_not_there_is_shown_as_the_least_there_is(api: Admitting) -> None:
    await api.create(spec={})
    await api.hook(allow, kind="Mutating", rules=[ALL])
    answer = await api.ask("patch", "a", {}, type=MERGE, subresource="scale")
    assert answer.message == 'the spec replicas field ".spec.heat" cannot be empty'
    assert api.hooks.requests[0]["object"]["spec"] == {"replicas": -2147483648}


async def test_a_scale_that_does_not_tell_its_type_is_shown_with_it(api: Admitting) -> None:
    await api.create(spec={"heat": 1})
    await api.hook(allow, kind="Mutating", rules=[ALL])
    await put(api, {"metadata": {"name": "a"}, "spec": {"replicas": 5}})
    shown = api.hooks.requests[0]["object"]
    assert (shown["kind"], shown["apiVersion"], shown["metadata"]) == ("Scale", "autoscaling/v1", {"name": "a", "namespace": "default"})


async def test_an_absent_time_is_told_by_earlier_versions(old_api: Admitting) -> None:
    await old_api.create(spec={"heat": 1})
    await old_api.hook(allow, kind="Mutating", rules=[ALL])
    await put(old_api, scale())
    assert old_api.hooks.requests[0]["object"]["metadata"]["creationTimestamp"] is None


@pytest.mark.parametrize(
    ("change", "code", "told"),
    [
        (replacing({"apiVersion": "x/v1", "kind": "Foo"}), 500, UNREGISTERED.format(82)),
        (replacing({"apiVersion": "v1", "kind": "ConfigMap"}), 500, "converting (v1.ConfigMap) to (v1.Scale): unknown conversion"),
        (replacing("", "/apiVersion"), 500, "Object 'apiVersion' is missing in 'unstructured object has no version'"),
        (replacing("a/b/c", "/apiVersion"), 500, "Internal error occurred: unexpected GroupVersion string: a/b/c"),
        (
            replacing(1.5, "/spec/replicas"),
            500,
            "unable to convert unstructured object to autoscaling/v1, Kind=Scale: cannot convert float64 to int32",
        ),
        (
            replacing(3000000000, "/spec/replicas"),
            422,
            'Kiln.example.com "a" is invalid: .spec.heat: Invalid value: -1294967296: should be a non-negative integer',
        ),
        (replacing(-2147483648, "/spec/replicas"), 400, 'the spec replicas field ".spec.heat" cannot be empty'),
        (patch(add("/extra", 1)), 200, ""),
        (replacing({"name": "other", "namespace": "elsewhere"}, "/metadata"), 200, ""),
    ],
)
async def test_what_was_made_of_a_scale_must_be_one(api: Admitting, change: Respond, code: int, told: str) -> None:
    await api.create(spec={"heat": 1})
    await api.hook(change, kind="Mutating", rules=[ALL])
    answer = await put(api, scale())
    assert (answer.code, answer.body.get("message", "")) == (code, told)


async def test_the_place_of_a_scheme_is_that_of_the_version(old_api: Admitting) -> None:
    await old_api.create(spec={"heat": 1})
    await old_api.hook(replacing({"apiVersion": "x/v1", "kind": "Foo"}), kind="Mutating", rules=[ALL])
    assert (await put(old_api, scale())).message == UNREGISTERED.format(84)


async def test_owners_that_admission_tells_of_count(api: Admitting) -> None:
    await api.create(spec={"heat": 1})
    await api.hook(replacing("hooked", "/metadata/managedFields/0/manager"), kind="Mutating", rules=[ALL])
    await put(api, scale())
    owners = (await api.ask("get", "a")).body["metadata"]["managedFields"]
    assert {owner["manager"]: owner["fieldsV1"] for owner in owners}["hooked"] == {"f:spec": {"f:heat": {}}}


async def test_a_revision_that_admission_tells_of_counts(api: Admitting) -> None:
    await api.create(spec={"heat": 1})
    await api.hook(patch(add("/metadata/resourceVersion", "5")), kind="Mutating", rules=[ALL])
    assert (await put(api, scale())).code == 409


async def test_a_patched_scale_is_always_another_one(api: Admitting) -> None:
    """A real server has it as an object without a type from then on."""
    await api.create(spec={"heat": 1})
    same = patch(add("/spec/replicas", 5))
    api.hooks.responses |= {"/first": allow, "/second": same}
    hooks = (
        webhook("/first", name="a.example.com", rules=[ALL], reinvocationPolicy="IfNeeded"),
        webhook("/second", name="b.example.com", rules=[ALL]),
    )
    await api.put_up(configuration(*hooks, kind="Mutating"))
    await put(api, scale())
    assert len(api.hooks.requests) == 3


async def test_a_patch_that_does_not_apply_tells_of_the_owners(api: Admitting) -> None:
    await api.create(spec={"heat": 1})
    operations = [{"op": "add", "path": "/spec/replicas", "value": "x"}]
    answer = await api.ask("patch", "a", operations, type="application/json-patch+json", subresource="scale")
    assert (
        '\\"managedFields\\":[{\\"manager\\":\\"unknown\\",\\"operation\\":\\"Update\\",\\"apiVersion\\":\\"autoscaling/v1\\",'
        in answer.message
    )
