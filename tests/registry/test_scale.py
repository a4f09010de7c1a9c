"""The scale subresource."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import MERGE, Api, kiln

PATHS = {"specReplicasPath": ".spec.pots", "statusReplicasPath": ".status.pots", "labelSelectorPath": ".status.chooser"}


@pytest.fixture
async def scaled(api: Api) -> Api:
    schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    subresources: dict[str, Any] = {"status": {}, "scale": PATHS}
    await api.define(
        versions=[{"name": "v1", "served": True, "storage": True, "subresources": subresources, "schema": {"openAPIV3Schema": schema}}]
    )
    return api


async def test_counts_are_read_where_the_definition_says(scaled: Api) -> None:
    await scaled.ask("create", body=kiln(spec={"pots": 3}))
    scale = (await scaled.ask("get", "a", subresource="scale")).body
    assert (scale["apiVersion"], scale["kind"]) == ("autoscaling/v1", "Scale")
    assert (scale["spec"], scale["status"]) == ({"replicas": 3}, {"replicas": 0})


async def test_a_count_is_written_there(scaled: Api) -> None:
    await scaled.ask("create", body=kiln(spec={"pots": 3}))
    await scaled.ask("patch", "a", {"spec": {"replicas": 5}}, type=MERGE, subresource="scale")
    kept = (await scaled.ask("get", "a")).body
    assert (kept["spec"], kept["metadata"]["generation"]) == ({"pots": 5}, 2)


async def test_a_negative_count_is_refused_on_every_path(scaled: Api) -> None:
    await scaled.ask("create", body=kiln(spec={"pots": 3}))
    wrong = [".spec.pots: Invalid value: -1: should be a non-negative integer"]
    assert (await scaled.ask("patch", "a", {"spec": {"replicas": -1}}, type=MERGE, subresource="scale")).causes == wrong
    assert (await scaled.ask("create", body=kiln("b", spec={"pots": -1}))).causes == wrong


async def test_an_object_without_a_count_has_no_scale(scaled: Api) -> None:
    await scaled.ask("create", body=kiln())
    answer = await scaled.ask("get", "a", subresource="scale")
    assert (answer.code, answer.message) == (500, 'Internal error occurred: the spec replicas field ".spec.pots" does not exist')


@pytest.mark.parametrize("body", [b"", b"[]", b'{"kind": 5}', b'{"spec": {"replicas": "x"}}', b'{"kind": "Scale", "apiVersion": "a/b/c"}'])
async def test_whatever_is_wrong_with_a_scale_is_told_alike(scaled: Api, body: bytes) -> None:
    await scaled.ask("create", body=kiln(spec={"pots": 3}))
    answer = await scaled.ask("update", "a", body, subresource="scale")
    assert answer.code == 400
    assert answer.message.startswith("no kind is registered for the type v1.Scale in scheme ")


@pytest.mark.parametrize(
    ("patch", "why"),
    [
        ({"kind": "Foo"}, 'no kind "Foo" is registered for version "autoscaling/v1" in scheme "k8s.io/client-go/scale/util.go:146"'),
        ({"apiVersion": "x/y"}, 'no kind "Scale" is registered for version "x/y" in scheme "k8s.io/client-go/scale/util.go:146"'),
        ({"apiVersion": "a/b/c"}, "unexpected GroupVersion string: a/b/c"),
        ({"spec": []}, "json: cannot unmarshal array into Go struct field Scale.spec of type v1.ScaleSpec"),
    ],
)
async def test_a_patched_scale_is_one_still_and_told_in_the_order_of_its_fields(scaled: Api, patch: object, why: str) -> None:
    await scaled.ask("create", body=kiln(spec={"pots": 3}))
    answer = await scaled.ask("patch", "a", patch, type=MERGE, subresource="scale")
    assert (answer.code, answer.message.endswith(f": {why}")) == (422, True)
    assert '\\"metadata\\":{\\"name\\":\\"a\\",\\"namespace\\":\\"default\\",\\"uid\\"' in answer.message
    assert '{\\"apiVersion\\":' in answer.message


@pytest.mark.parametrize("field", ["apiVersion", "kind"])
async def test_a_scale_need_not_tell_what_it_is(scaled: Api, field: str) -> None:
    await scaled.ask("create", body=kiln(spec={"pots": 3}))
    assert (await scaled.ask("patch", "a", {field: None, "spec": {"replicas": 5}}, type=MERGE, subresource="scale")).code == 200
