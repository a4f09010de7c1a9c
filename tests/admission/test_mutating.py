"""Webhooks that change objects: what becomes of the changes, and who is asked again."""

from __future__ import annotations

from typing import Any

import pytest

from crdkit.admission import review
from crdkit.meta import jsonpatch
from crdkit.meta.offload import SMALL_JSON
from tests.admission.conftest import Admitting
from tests.admission.doubles import add, allow, configuration, patch, trace, webhook
from tests.registry.conftest import MERGE, kiln
from tests.threads import threads_of

Json = Any


def changing(*hooks: Json, name: str = "c") -> Json:
    return configuration(*hooks, kind="Mutating", name=name)


async def test_what_a_webhook_sets_is_stored(api: Admitting) -> None:
    await api.hook(patch(add("/spec", {"glaze": "red", "junk": 1})), kind="Mutating")
    answer = await api.create()
    assert answer.body["spec"] == {"glaze": "red", "lid": "on"}
    assert (await api.ask("get", "a")).body == answer.body


async def test_what_a_webhook_sets_is_judged(api: Admitting) -> None:
    await api.hook(patch(add("/spec", {"heat": "high"})), kind="Mutating")
    answer = await api.create()
    assert answer.causes == [
        'spec.heat: Invalid value: "string": spec.heat in body must be of type integer: "string"',
        ".spec.heat: Invalid value: 0: .spec.heat accessor error: high is of the type string, expected int64",
    ]


async def test_a_webhook_may_mend_an_object_that_is_not_in_order(api: Admitting) -> None:
    await api.hook(patch(add("/spec/heat", 3)), kind="Mutating")
    assert (await api.create(spec={"heat": "high"})).body["spec"]["heat"] == 3


async def test_those_that_judge_see_unknown_fields_that_others_set(api: Admitting) -> None:
    api.hooks.responses |= {
        "/change": patch(add("/spec", {"junk": 1})),
        "/check": lambda request: {"allowed": "junk" in request["object"]["spec"]},
    }
    await api.put_up(changing(webhook("/change")), configuration())
    answer = await api.create()
    assert (answer.code, answer.body["spec"]) == (201, {"lid": "on"})


async def test_the_name_is_taken_from_a_webhook_but_not_the_namespace(api: Admitting) -> None:
    await api.hook(patch(add("/metadata/name", "b")), kind="Mutating")
    assert (await api.create("a")).body["metadata"]["name"] == "b"
    await api.ask("delete", "c", of=("admissionregistration.k8s.io", "v1", "mutatingwebhookconfigurations"))
    await api.hook(patch(add("/metadata/namespace", "shed")), kind="Mutating")
    answer = await api.create("a")
    told = "the namespace of the provided object does not match the namespace sent on the request"
    assert (answer.code, answer.message) == (400, told)


@pytest.mark.parametrize(
    ("operation", "code", "told"),
    [
        (add("/kind", "Oven"), 422, 'Oven.example.com "a" is invalid: kind: Invalid value: "Oven": must be Kiln'),
        (add("/apiVersion", "example.com/v9"), 500, "request to convert CR from an invalid group/version: example.com/v9"),
        (add("/apiVersion", "x/v1"), 500, 'x/v1, Kind=Kiln is unstructured and is not suitable for converting to "example.com/v1"'),
        (add("/apiVersion", None), 500, '/, Kind=Kiln is unstructured and is not suitable for converting to "example.com/v1"'),
        (add("/apiVersion", "a/b/c"), 500, "Internal error occurred: unexpected GroupVersion string: a/b/c"),
        (
            add("/kind", 7),
            500,
            (
                "Internal error occurred: couldn't get version/kind; json parse error: "
                "json: cannot unmarshal number into Go struct field .kind of type string"
            ),
        ),
    ],
)
async def test_an_object_stays_what_it_is(api: Admitting, operation: Json, code: int, told: str) -> None:
    await api.hook(patch(operation), kind="Mutating")
    answer = await api.create()
    assert (answer.code, answer.message) == (code, told)


async def test_an_object_must_tell_its_kind(api: Admitting) -> None:
    await api.hook(patch({"op": "remove", "path": "/kind"}), kind="Mutating")
    answer = await api.create()
    told = 'Internal error occurred: Object \'Kind\' is missing in \'{"apiVersion":"example.com/v1","metadata":{'
    assert (answer.code, answer.message[: len(told)]) == (500, told)


async def test_metadata_of_wrong_types_is_dropped(api: Admitting) -> None:
    await api.hook(patch(add("/metadata/labels", "x"), add("/metadata/generation", 1.5)), kind="Mutating")
    answer = await api.create()
    assert (answer.code, answer.body["metadata"]["generation"], "labels" in answer.body["metadata"]) == (201, 1, False)


@pytest.mark.parametrize("value", ["x", {"a": 1}, None, {}])
async def test_others_are_told_metadata_as_it_comes(api: Admitting, value: Json) -> None:
    api.hooks.responses |= {"/change": patch(add("/metadata/labels", value)), "/after": allow, "/check": allow}
    await api.put_up(changing(webhook("/change"), webhook("/after", "after.example.com")), configuration())
    answer = await api.create()
    assert (answer.code, "labels" in answer.body["metadata"]) == (201, False)
    _, after, check = api.hooks.requests
    assert after["object"]["metadata"]["labels"] == value
    assert check["object"]["metadata"]["labels"] == value
    assert check["object"]["metadata"]["generation"] == 1


async def test_labels_that_are_no_texts_choose_nothing(api: Admitting) -> None:
    api.hooks.responses |= {"/change": patch(add("/metadata/labels", {"a": "x", "b": 1})), "/after": allow}
    chosen = webhook("/after", "after.example.com", objectSelector={"matchLabels": {"a": "x"}})
    await api.put_up(changing(webhook("/change"), chosen))
    assert (await api.create()).code == 201
    assert len(api.hooks.requests) == 1


@pytest.mark.parametrize("value", [None, 5])
async def test_a_new_object_needs_room_for_what_the_server_sets(api: Admitting, value: Json) -> None:
    await api.hook(patch({"op": "replace", "path": "/metadata", "value": value}), kind="Mutating")
    answer = await api.create()
    assert (answer.code, answer.message) == (500, "Internal error occurred: system metadata was not initialized")


async def test_a_revision_that_a_webhook_sets_on_what_is_applied_is_overlooked(api: Admitting) -> None:
    await api.hook(patch(add("/metadata/resourceVersion", "1")), kind="Mutating")
    assert (await api.create()).code == 500
    answer = await api.ask("patch", "b", kiln("b"), type="application/apply-patch+yaml", query="fieldManager=me")
    assert answer.code == 201
    assert answer.body["metadata"]["resourceVersion"] != "1"


async def test_a_null_that_a_webhook_sets_is_judged(api: Admitting) -> None:
    await api.hook(patch(add("/spec/heat", None)), kind="Mutating")
    answer = await api.create(spec={"heat": 1})
    assert (answer.code, answer.body["details"]["causes"][0]["field"]) == (422, "spec.heat")


async def test_the_whole_document_may_not_become_a_list(api: Admitting) -> None:
    await api.hook(patch({"op": "replace", "path": "", "value": [1]}), kind="Mutating")
    told = "couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string"
    assert f"Internal error occurred: {told}" in (await api.create()).message


async def test_what_cannot_be_set_is_put_back(api: Admitting) -> None:
    await api.hook(patch(add("/status", {"phase": "Hot"}), add("/metadata/uid", "mine")), kind="Mutating")
    answer = await api.create(spec={"heat": 1})
    assert "status" not in answer.body
    assert answer.body["metadata"]["uid"] != "mine"


async def test_an_update_that_a_webhook_takes_back_writes_nothing(api: Admitting) -> None:
    before = (await api.create(spec={"heat": 1})).body
    await api.hook(patch(add("/spec/heat", 1)), kind="Mutating")
    answer = await api.ask("patch", "a", {"spec": {"heat": 2}}, type=MERGE)
    assert answer.body == before


async def test_webhooks_are_asked_in_order_and_see_what_others_changed(api: Admitting) -> None:
    for name in ("a1", "b1", "b2"):
        api.hooks.responses[f"/{name}"] = trace(name)
    await api.put_up(
        changing(webhook("/b1", "z.example.com"), webhook("/b2", "a.example.com"), name="b"), changing(webhook("/a1"), name="a")
    )
    assert (await api.create(spec={})).body["spec"]["trace"] == ["a1", "b1", "b2"]


@pytest.mark.parametrize(
    ("again", "traced"),
    [
        ((False, False), ["one", "two"]),
        ((True, False), ["one", "two", "one"]),
        ((False, True), ["one", "two"]),
        ((True, True), ["one", "two", "one", "two"]),
    ],
)
async def test_those_before_a_change_are_asked_again_if_they_want(api: Admitting, again: tuple[bool, bool], traced: list[str]) -> None:
    hooks = []
    for name, wanted in zip(("one", "two"), again, strict=True):
        api.hooks.responses[f"/{name}"] = trace(name)
        hooks.append(webhook(f"/{name}", f"{name}.example.com", reinvocationPolicy="IfNeeded" if wanted else "Never"))
    await api.put_up(changing(*hooks))
    assert (await api.create(spec={})).body["spec"]["trace"] == traced


async def test_a_definition_is_changed_and_served_as_it_became(api: Admitting) -> None:
    rule = {"apiGroups": ["*"], "apiVersions": ["*"], "operations": ["CREATE"], "resources": ["customresourcedefinitions"]}
    await api.hook(patch(add("/spec/names/shortNames", ["ov"])), kind="Mutating", rules=[rule])
    names = {"plural": "ovens", "kind": "Oven"}
    one = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {"type": "object"}}}
    body = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "ovens.example.com"},
        "spec": {"group": "example.com", "scope": "Namespaced", "names": names, "versions": [one]},
    }
    answer = await api.ask("create", body=body, of=("apiextensions.k8s.io", "v1", "customresourcedefinitions"))
    assert answer.body["spec"]["names"]["shortNames"] == ["ov"]
    (request,) = api.hooks.requests
    assert request["object"]["spec"]["names"]["singular"] == "oven"
    oven = {**kiln(), "kind": "Oven"}
    assert (await api.ask("create", body=oven, of=("example.com", "v1", "ovens"))).code == 201


async def test_built_in_kinds_are_changed_too(api: Admitting) -> None:
    rule = {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["configmaps"]}
    await api.hook(patch(add("/data", {"a": "b"}), add("/junk", 1)), kind="Mutating", rules=[rule])
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "m"}}
    answer = await api.ask("create", body=body, of=("", "v1", "configmaps"), namespace="default")
    assert (answer.code, answer.body["data"], "junk" in answer.body) == (201, {"a": "b"}, False)


async def test_managers_that_a_webhook_spoils_become_what_they_were(api: Admitting) -> None:
    await api.hook(patch(add("/metadata/managedFields", [{"manager": "me", "operation": "Grow"}])), kind="Mutating")
    answer = await api.create(spec={"heat": 1})
    told = (
        "this could be caused by an outdated mutating admission controller; please fix your requests: operation must be `Apply` or `Update`"
    )
    assert answer.warnings == [f".metadata.managedFields was in an invalid state after admission; {told}"]
    assert all(entry["manager"] != "me" for entry in answer.body["metadata"].get("managedFields", []))


async def test_a_long_answer_is_read_and_done_in_a_thread(api: Admitting, monkeypatch: pytest.MonkeyPatch) -> None:
    reviews, patches = threads_of(monkeypatch, review, "read_document"), threads_of(monkeypatch, jsonpatch, "patched")
    for name, glaze in (("a", "red"), ("b", "r" * SMALL_JSON)):
        api.hooks.responses["/check"] = patch(add("/spec", {"glaze": glaze}))
        if name == "a":
            await api.put_up(changing(webhook()))
        assert (await api.create(name)).body["spec"] == {"glaze": glaze, "lid": "on"}
    assert (reviews, patches) == ([True, False], [True, False])
