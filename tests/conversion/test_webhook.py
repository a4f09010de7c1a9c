"""What a conversion webhook is asked, and the words for each answer that will not do."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest

from crdkit.conversion import review as review_room
from crdkit.conversion.converter import ConversionFailed
from crdkit.conversion.strategies import Strategies
from crdkit.meta.offload import SMALL_JSON
from crdkit.meta.version import V1_36
from tests.conversion.doubles import V1, V1BETA1, Webhook, conversion, converter, ferry
from tests.threads import threads_of

Json = Any
FAILED = "conversion webhook for example.com/v1beta1, Kind=Ferry failed: "
RETURNED = "conversion webhook for example.com/v1beta1, Kind=Ferry returned "


async def words(change: Any, *reviews: str) -> str:
    with pytest.raises(ConversionFailed) as failed:
        await converter(Webhook(change), *reviews).convert([ferry(hostPort="a:1", labels={"old": "1"})], V1)
    return str(failed.value)


async def test_both_ways():
    both = converter(Webhook())
    (there,) = await both.convert([ferry(hostPort="a:1")], V1)
    assert there == ferry(version=V1, host="a", port="1")
    assert await both.convert([there], V1BETA1) == [ferry(hostPort="a:1")]


async def test_the_review_that_is_sent():
    webhook = Webhook()
    obj = ferry(hostPort="a:1")
    await converter(webhook).convert([obj], V1)
    (review,) = webhook.asked
    assert review["request"].pop("uid")
    assert review == {
        "kind": "ConversionReview",
        "apiVersion": "apiextensions.k8s.io/v1",
        "request": {"desiredAPIVersion": V1, "objects": [obj]},
        "response": {"uid": "", "convertedObjects": None, "result": {"metadata": {}}},
    }


@pytest.mark.parametrize(
    ("reviews", "sent"), [(["v1", "v1beta1"], "v1"), (["v1beta1", "v1"], "v1beta1"), (["v9", "v1beta1"], "v1beta1"), (["v2", "v1"], "v1")]
)
async def test_the_first_known_version_of_reviews_is_sent(reviews, sent):
    webhook = Webhook()
    await converter(webhook, *reviews).convert([ferry()], V1)
    assert webhook.asked[0]["apiVersion"] == f"apiextensions.k8s.io/{sent}"


def response(**fields: Json) -> Any:
    """A change of the answer's response; None leaves a field out."""

    def change(review: Json) -> Json:
        for name, value in fields.items():
            if value is None:
                del review["response"][name]
            else:
                review["response"][name] = value
        return review

    return change


def review(**fields: Json) -> Any:
    """A change of the answer itself; None leaves a field out."""
    return lambda good: {name: value for name, value in {**good, **fields}.items() if value is not None}


def converted(change: Any) -> Any:
    """A change of the converted object."""

    def changed(good: Json) -> Json:
        good["response"]["convertedObjects"] = [change(obj) for obj in good["response"]["convertedObjects"]]
        return good

    return changed


def metadata(**fields: Json) -> Any:
    return converted(lambda obj: {**obj, "metadata": {**obj["metadata"], **fields}})


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (response(result={"status": "Failed", "message": "no way"}), "no way"),
        (response(result={"status": "Failed"}), "response.result.status was 'Failed', not 'Success'"),
        (response(result={}), "response.result.status was '', not 'Success'"),
        (response(result=None), "response.result.status was '', not 'Success'"),
        (response(uid="x"), 'expected response.uid="{uid}", got "x"'),
        (response(uid=None), 'expected response.uid="{uid}", got ""'),
        (review(response=None), "no response provided"),
        (review(response=[]), "json: cannot unmarshal array into Go struct field ConversionReview.response of type v1.ConversionResponse"),
        (
            review(apiVersion=None),
            "expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got /, Kind=ConversionReview",
        ),
        (
            review(kind=None),
            "expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got apiextensions.k8s.io/v1, Kind=",
        ),
        (
            review(apiVersion="apiextensions.k8s.io/v1beta1"),
            "converting (v1beta1.ConversionReview) to (v1.ConversionReview): unknown conversion",
        ),
        (
            review(apiVersion="apiextensions.k8s.io/v7"),
            (
                'no kind "ConversionReview" is registered for version "apiextensions.k8s.io/v7" in scheme'
                ' "k8s.io/apiserver/pkg/util/webhook/client.go:71"'
            ),
        ),
        (
            review(kind="Pod"),
            'no kind "Pod" is registered for version "apiextensions.k8s.io/v1" in scheme "k8s.io/apiserver/pkg/util/webhook/client.go:71"',
        ),
        (review(kind="Status"), "converting (v1.Status) to (v1.ConversionReview): unknown conversion"),
        (review(kind="APIGroup", apiVersion="any/v9"), "converting (v1.APIGroup) to (v1.ConversionReview): unknown conversion"),
        (
            review(kind="ListOptions", apiVersion="apiextensions.k8s.io/v1beta1"),
            "converting (v1.ListOptions) to (v1.ConversionReview): unknown conversion",
        ),
        (
            review(apiVersion="apiextensions.k8s.io/__internal"),
            (
                'no kind "ConversionReview" is registered for the internal version of group "apiextensions.k8s.io" in scheme'
                ' "k8s.io/apiserver/pkg/util/webhook/client.go:71"'
            ),
        ),
        (
            review(apiVersion="apiextensions.k8s.io/v1beta1", response="x"),
            "json: cannot unmarshal string into Go struct field ConversionReview.response of type v1beta1.ConversionResponse",
        ),
        (
            response(result={"status": "Success", "details": True}),
            "json: cannot unmarshal bool into Go struct field Status.response.result.details of type v1.StatusDetails",
        ),
        (review(apiVersion="a/b/c"), "unexpected GroupVersion string: a/b/c"),
        (lambda _: b"", "0-length response with status code: 200 and content type: application/json"),
        (lambda _: b"{", "couldn't get version/kind; json parse error: unexpected end of JSON input"),
        (
            lambda _: b"<html>",
            (
                "couldn't get version/kind; json parse error: json: cannot unmarshal string into Go value of type"
                ' struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'
            ),
        ),
    ],
)
async def test_an_answer_that_is_no_success(change, told):
    seen = await words(change)
    uid = seen.partition('expected response.uid="')[2].partition('"')[0]
    assert seen == FAILED + told.replace("{uid}", uid)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (response(convertedObjects=[]), "0 objects, expected 1"),
        (response(convertedObjects=None), "0 objects, expected 1"),
        (response(convertedObjects=[1, 2]), "2 objects, expected 1"),
        (
            converted(lambda obj: {**obj, "apiVersion": "example.com/v7"}),
            "invalid object at index 0: invalid groupVersion (expected example.com/v1, received example.com/v7)",
        ),
        (
            converted(lambda obj: {name: obj[name] for name in obj if name != "apiVersion"}),
            "invalid object at index 0: invalid groupVersion (expected example.com/v1, received )",
        ),
        (
            converted(lambda obj: {**obj, "apiVersion": 7}),
            "invalid object at index 0: invalid groupVersion (expected example.com/v1, received )",
        ),
        (
            converted(lambda obj: {**obj, "apiVersion": "/v1"}),
            "invalid object at index 0: invalid groupVersion (expected example.com/v1, received v1)",
        ),
        (converted(lambda obj: {**obj, "kind": "Canoe"}), "invalid object at index 0: invalid kind (expected Ferry, received Canoe)"),
        (metadata(name="z"), "invalid object: must have the same name: a != z"),
        (metadata(namespace="z"), "invalid object: must have the same namespace: default != z"),
        (metadata(uid="z"), "invalid object: must have the same UID: uid-of-a != z"),
        (converted(lambda obj: {**obj, "metadata": "a"}), "invalid object: must have the same name: a != "),
        (metadata(labels={"a": 1}), "invalid metadata: metadata.labels[a] must be a string, but is int64 in converted object"),
        (metadata(labels={"a": 1.5}), "invalid metadata: metadata.labels[a] must be a string, but is float64 in converted object"),
        (metadata(labels="a"), "invalid metadata: invalid metadata.labels of type string in converted object"),
        (metadata(annotations=[]), "invalid metadata: invalid metadata.annotations of type []interface {} in converted object"),
        (
            metadata(annotations={"-": ""}),
            (
                'invalid metadata: metadata.annotation: Invalid value: "-": name part must consist of alphanumeric characters,'
                " '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc',"
                " regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
            ),
        ),
    ],
)
async def test_objects_that_are_not_those_asked_for(change, told):
    assert await words(change) == RETURNED + told


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (b"null", "unexpected end of JSON input"),
        (b'"x"', "json: cannot unmarshal string into Go value of type map[string]interface {}"),
        (b"[ ]", "json: cannot unmarshal array into Go value of type map[string]interface {}"),
        (b'{ "a": [1, {"b": "}"}] }', """Object 'Kind' is missing in '{ "a": [1, {"b": "}"}] }'"""),
        (b'{"kind":"Ferry","apiVersion":"a/b/c"}', """Object 'Kind' is missing in '{"kind":"Ferry","apiVersion":"a/b/c"}'"""),
    ],
)
async def test_what_is_no_object_is_told_as_it_stood_there(value, told):
    def change(good: Json) -> bytes:
        good["response"]["convertedObjects"] = ["HERE"]
        return json.dumps(good).encode().replace(b'"HERE"', value)

    assert await words(change) == told


async def test_reviews_of_v1beta1_may_say_less():
    def change(good: Json) -> Json:
        del good["apiVersion"], good["kind"], good["response"]["uid"]
        return good

    assert await converter(Webhook(change), "v1beta1").convert([ferry(hostPort="a:1")], V1) == [ferry(version=V1, host="a", port="1")]
    assert await words(review(response=None), "v1beta1") == FAILED + "no response provided"


async def test_labels_and_annotations_are_the_webhooks_and_nothing_else():
    change = metadata(labels={"new": "1"}, annotations=None, finalizers=["x/y"], generation=9, creationTimestamp="never")
    obj = ferry(labels={"old": "1"})
    obj["metadata"]["annotations"] = {"old": "1"}
    (after,) = await converter(Webhook(change)).convert([obj], V1)
    assert after["metadata"] == {"name": "a", "namespace": "default", "uid": "uid-of-a", "generation": 1, "labels": {"new": "1"}}


async def test_labels_that_were_bad_before_may_stay():
    (after,) = await converter(Webhook()).convert([ferry(labels={"bad label": "!"})], V1)
    assert after["metadata"]["labels"] == {"bad label": "!"}


async def test_the_objects_given_stay_as_they_are():
    obj = ferry(hostPort="a:1", labels={"a": "b"})
    before = json.dumps(obj)
    await converter(Webhook(metadata(labels=None))).convert([obj], V1)
    assert json.dumps(obj) == before


async def test_an_answer_in_yaml():
    def change(good: Json) -> bytes:
        (obj,) = good["response"]["convertedObjects"]
        answer = f"apiVersion: {good['apiVersion']}\nkind: ConversionReview\nresponse: {{uid: {good['response']['uid']}, "
        return f"{answer}result: {{status: Success}}, convertedObjects: [{json.dumps(obj)}]}}\n".encode()

    assert await converter(Webhook(change)).convert([ferry(hostPort="a:1")], V1) == [ferry(version=V1, host="a", port="1")]


@pytest.mark.parametrize(
    ("change", "failure"),
    [
        (lambda good: good, ""),
        (lambda _: b"{", "conversion_webhook_call_failure"),
        (review(kind="Pod"), "conversion_webhook_call_failure"),
        (response(uid="x"), "conversion_webhook_malformed_response_failure"),
        (response(result={"status": "Failed"}), "conversion_webhook_malformed_response_failure"),
        (response(convertedObjects=[]), "conversion_webhook_partial_response_failure"),
        (metadata(name="z"), "conversion_webhook_invalid_converted_object_failure"),
    ],
)
async def test_calls_are_counted_by_how_they_went(change, failure):
    strategies = Strategies(Webhook(change))
    with suppress(ConversionFailed):
        await strategies.converter("ferries.example.com", conversion(), V1_36).convert([ferry()], V1)
    ((key, series),) = strategies.calls.series().items()
    assert key == ("ferries.example.com", "v1beta1", "v1", failure)
    assert series.count == sum(series.buckets) == 1


async def test_many_objects_in_one_call():
    webhook = Webhook()
    many = Strategies(webhook, batch_size=10).converter("ferries.example.com", conversion(), V1_36)
    after = await many.convert([ferry(name, hostPort="h:1") for name in "abc"], V1)
    assert [obj["metadata"]["name"] for obj in after] == ["a", "b", "c"]
    assert len(webhook.asked) == 1


async def test_the_bad_one_of_many_is_told():
    def change(good: Json) -> Json:
        good["response"]["convertedObjects"][1]["metadata"]["name"] = "z"
        return good

    with pytest.raises(ConversionFailed) as failed:
        await converter(Webhook(change)).convert([ferry("a"), ferry("b")], V1)
    assert str(failed.value) == RETURNED + "invalid converted object at index 1: must have the same name: b != z"


async def test_without_a_webhook_only_the_version_changes():
    none = Strategies(Webhook()).converter("ferries.example.com", {"strategy": "None"}, V1_36)
    assert await none.convert([ferry(hostPort="a:1")], V1) == [ferry(version=V1, hostPort="a:1")]


async def test_a_long_answer_is_read_in_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    threads = threads_of(monkeypatch, review_room, "read_document")
    for text in ("a", "a" * SMALL_JSON):
        obj = ferry(hostPort=f"{text}:1")
        assert await converter(Webhook()).convert([obj], V1) == [ferry(version=V1, host=text, port="1")]
    assert threads == [True, False]
