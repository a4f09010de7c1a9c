"""Denials and failures of webhooks, in full."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from crdkit.registry.request import Request
from crdkit.webhooks.caller import CallFailed
from tests.admission.conftest import Admitting
from tests.admission.doubles import Respond, add, allow, configuration, deny, patch, respond, webhook
from tests.registry.conftest import kiln

Json = Any
DENIED = 'admission webhook "check.example.com" denied the request'
FAILED = 'failed calling webhook "check.example.com": '
INVALID = f"{FAILED}received invalid webhook response: "


async def test_a_denial_is_told_as_the_webhook_words_it(api: Admitting) -> None:
    await api.hook(deny("too hot", code=418, reason="Teapot", details={"retryAfterSeconds": 3}))
    assert (await api.create()).body == {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Failure",
        "message": f"{DENIED}: too hot",
        "reason": "Teapot",
        "details": {"retryAfterSeconds": 3},
        "code": 418,
    }
    assert (await api.ask("get", "a")).code == 404


@pytest.mark.parametrize(
    ("status", "code", "told"),
    [
        (None, 400, f"{DENIED} without explanation"),
        ({}, 400, f"{DENIED} without explanation"),
        ({"reason": "Because"}, 400, f"{DENIED}: Because"),
        ({"message": "m", "reason": "r"}, 400, f"{DENIED}: m"),
        ({"code": 200, "status": "Success"}, 400, f"{DENIED} without explanation"),
        ({"code": 999}, 599, f"{DENIED} without explanation"),
    ],
)
async def test_a_denial_always_has_a_code_and_a_message(api: Admitting, status: Json, code: int, told: str) -> None:
    await api.hook(lambda _: {"allowed": False, **({} if status is None else {"status": status})})
    answer = await api.create()
    assert (answer.code, answer.body["code"], answer.message, answer.body["status"]) == (code, code, told, "Failure")


FAILURES = [
    (lambda _: CallFailed("EOF"), f"{FAILED}failed to call webhook: EOF"),
    (lambda _: None, f"{INVALID}webhook response was absent"),
    (
        lambda _: b'{"apiVersion":"admission.k8s.io/v1beta1","kind":"AdmissionReview","response":{}}',
        f"{FAILED}failed to call webhook: converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion",
    ),
    (
        respond(allowed="yes"),
        f"{FAILED}failed to call webhook: json: cannot unmarshal string into Go struct field AdmissionResponse.response.allowed of type bool",
    ),
    (respond(patch="W10="), f"{INVALID}validating webhook may not return response.patch"),
    (respond(patchType="JSONPatch"), f"{INVALID}validating webhook may not return response.patchType"),
]


@pytest.mark.parametrize(("answer", "told"), FAILURES)
async def test_a_failed_call_refuses_the_request(api: Admitting, answer: Respond, told: str) -> None:
    await api.hook(answer)
    refused = await api.create()
    assert refused.body == {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Failure",
        "message": f"Internal error occurred: {told}",
        "reason": "InternalError",
        "details": {"causes": [{"message": told}]},
        "code": 500,
    }


@pytest.mark.parametrize("answer", [answer for answer, _ in FAILURES])
async def test_a_webhook_that_may_fail_does_not(api: Admitting, answer: Respond) -> None:
    await api.hook(answer, failurePolicy="Ignore")
    assert (await api.create()).code == 201


async def test_an_answer_to_another_question_is_a_failure(api: Admitting) -> None:
    await api.hook(respond(uid="other"))
    asked = (await api.create()).message
    uid = api.hooks.requests[0]["uid"]
    assert asked == f'Internal error occurred: {INVALID}expected response.uid="{uid}", got "other"'


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (respond(patch="W10="), f"{INVALID}webhook returned response.patch but not response.patchType"),
        (respond(patchType="JSONPatch"), f"{INVALID}webhook returned response.patchType but not response.patch"),
        (respond(patch="W10=", patchType=""), f'{INVALID}webhook returned invalid response.patchType of ""'),
        (patch(add("/spec", {}), patchType="MergePatch"), f'{FAILED}unsupported patch type "MergePatch"'),
        (
            respond(patch=base64.b64encode(b'{"op":"add"}').decode(), patchType="JSONPatch"),
            f"{FAILED}received undecodable patch in webhook response: json: cannot unmarshal object into Go value of type jsonpatch.Patch",
        ),
    ],
)
async def test_a_patch_must_be_one(api: Admitting, answer: Respond, told: str) -> None:
    await api.hook(answer, kind="Mutating")
    assert (await api.create()).message == f"Internal error occurred: {told}"


async def test_before_1_34_an_unreadable_patch_is_no_failure_that_may_be_ignored(old_api: Admitting) -> None:
    text = base64.b64encode(b'{"op":"add"}').decode()
    await old_api.hook(respond(patch=text, patchType="JSONPatch"), kind="Mutating", failurePolicy="Ignore")
    told = "Internal error occurred: json: cannot unmarshal object into Go value of type jsonpatch.Patch"
    assert (await old_api.create()).message == told


@pytest.mark.parametrize(
    ("operation", "told"),
    [
        ({"op": "remove", "path": "/spec/no"}, "error in remove for path: '/spec/no': Unable to remove nonexistent key: no: missing value"),
        ({"op": "test", "path": "/spec/heat", "value": 9}, "testing value /spec/heat failed: test failed"),
        ({"op": "jump"}, "Unexpected kind: jump"),
        ({"op": "replace", "path": "", "value": "x"}, "replace operation value must be object or array: %!w(<nil>)"),
    ],
)
async def test_a_patch_that_does_not_fit_is_refused_whatever_the_failure_policy(api: Admitting, operation: Json, told: str) -> None:
    await api.hook(patch(operation), kind="Mutating", failurePolicy="Ignore")
    answer = await api.create(spec={"heat": 1})
    assert (answer.code, answer.message) == (500, f"Internal error occurred: {told}")


async def test_what_is_deleted_cannot_be_changed(api: Admitting) -> None:
    await api.create()
    await api.hook(patch(add("/spec/heat", 1)), kind="Mutating")
    told = 'admission webhook "check.example.com" attempted to modify the object, which is not supported for this operation'
    assert (await api.ask("delete", "a")).message == f"Internal error occurred: {told}"


async def test_a_webhook_with_side_effects_is_not_asked_in_dry_runs(api: Admitting) -> None:
    await api.hook(allow)
    key = "/registry/validatingwebhookconfigurations/c"
    entry = api.registry.cache.get(key)
    assert entry is not None
    await api.registry.cache.put(key, entry.value.replace(b'"sideEffects":"None"', b'"sideEffects":"Some"'), expected=entry.revision)
    answer = await api.create(query="dryRun=All")
    assert (answer.code, answer.message) == (400, 'admission webhook "check.example.com" does not support dry run')
    assert (await api.create()).code == 201


async def test_authorities_that_are_none_keep_a_webhook_from_being_called(api: Admitting) -> None:
    bundle = base64.b64encode(b"garbage").decode()
    await api.hook(allow, clientConfig={"url": "https://hooks.example/check", "caBundle": bundle})
    why = "could not get REST client: unable to load root certificates: unable to parse bytes as PEM block"
    assert (await api.create()).message == f"Internal error occurred: {FAILED}{why}"


async def test_warnings_come_in_the_order_of_the_webhooks_and_with_denials(api: Admitting) -> None:
    api.hooks.responses |= {"/one": respond(warnings=["first"]), "/two": lambda _: {"allowed": False, "warnings": ["second"]}}
    await api.put_up(configuration(webhook("/one", "one.example.com"), webhook("/two", "two.example.com")))
    answer = await api.create()
    assert (answer.code, answer.warnings) == (400, ["first", "second"])


async def test_objects_that_are_not_in_order_are_not_asked_about(api: Admitting) -> None:
    await api.hook(deny("asked"))
    assert (await api.create(spec={"heat": "high"})).code == 422
    assert api.hooks.asked == []


async def test_a_name_that_is_taken_is_asked_about_first(api: Admitting) -> None:
    await api.create()
    await api.hook(deny("asked"))
    assert (await api.create()).message == f"{DENIED}: asked"


async def test_audits_are_told_what_webhooks_note(api: Admitting) -> None:
    await api.hook(respond(auditAnnotations={"seen": "yes"}))
    request = Request("create", "example.com", "v1", "kilns", namespace="default", content_type="application/json")
    request.body = json.dumps(kiln()).encode()
    await api.registry.handle(request)
    assert request.annotations == {"check.example.com/seen": "yes"}
