"""What a webhook is told of a request."""

from __future__ import annotations

import pytest

from tests.admission.conftest import Admitting
from tests.admission.doubles import KILNS, add, allow, configuration, patch, respond, webhook
from tests.registry.conftest import MERGE, kiln

ALL = {**KILNS, "resources": ["kilns", "kilns/*"]}
KIND = {"group": "example.com", "version": "v1", "kind": "Kiln"}
RESOURCE = {"group": "example.com", "version": "v1", "resource": "kilns"}


async def test_a_create_is_told_with_the_object_as_it_will_be_stored(api: Admitting) -> None:
    await api.hook(allow)
    assert (await api.create(spec={"heat": 1}, query="fieldManager=me")).code == 201
    (review,) = api.hooks.asked
    request = review.pop("request")
    assert review == {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview"}
    metadata = request["object"].pop("metadata")
    assert metadata.keys() - {"managedFields"} == {"name", "namespace", "uid", "creationTimestamp", "generation"}
    del request["uid"]
    assert request == {
        "kind": KIND,
        "resource": RESOURCE,
        "requestKind": KIND,
        "requestResource": RESOURCE,
        "name": "a",
        "namespace": "default",
        "operation": "CREATE",
        "userInfo": {"username": "system:anonymous", "groups": ["system:unauthenticated"]},
        "dryRun": False,
        "options": {"apiVersion": "meta.k8s.io/v1", "kind": "CreateOptions", "fieldManager": "me"},
        "object": {"apiVersion": "example.com/v1", "kind": "Kiln", "spec": {"heat": 1, "lid": "on"}},
        "oldObject": None,
    }
    assert api.hooks.seconds == [10]


async def test_a_mutating_webhook_sees_the_object_before_the_server_sets_anything(api: Admitting) -> None:
    await api.hook(allow, kind="Mutating")
    assert (await api.create(spec={"heat": 1, "junk": 2})).code == 201
    (request,) = api.hooks.requests
    request["object"]["metadata"].pop("managedFields", None)
    assert request["object"] == {
        "apiVersion": "example.com/v1",
        "kind": "Kiln",
        "metadata": {"name": "a", "namespace": "default"},
        "spec": {"heat": 1, "lid": "on"},
    }


async def test_a_patch_is_told_as_an_update(api: Admitting) -> None:
    await api.create(spec={"heat": 1})
    await api.hook(allow)
    answer = await api.ask("patch", "a", {"spec": {"heat": 2}}, type=MERGE, query="dryRun=All")
    (request,) = api.hooks.requests
    assert (request["operation"], request["dryRun"]) == ("UPDATE", True)
    assert request["options"] == {"apiVersion": "meta.k8s.io/v1", "kind": "UpdateOptions", "dryRun": ["All"]}
    assert request["object"]["spec"]["heat"] == answer.body["spec"]["heat"] == 2
    assert request["object"]["metadata"]["generation"] == 2
    assert request["oldObject"]["spec"]["heat"] == 1


async def test_a_delete_is_told_with_what_is_deleted(api: Admitting) -> None:
    await api.create()
    await api.hook(allow)
    assert (await api.ask("delete", "a", {"propagationPolicy": "Background"})).code == 200
    (request,) = api.hooks.requests
    assert (request["operation"], request["object"], request["oldObject"]["metadata"]["name"]) == ("DELETE", None, "a")
    assert request["options"] == {"apiVersion": "meta.k8s.io/v1", "kind": "DeleteOptions", "propagationPolicy": "Background"}


async def test_the_objects_of_a_collection_are_asked_about_without_their_names(api: Admitting) -> None:
    await api.create("a")
    await api.create("b")
    await api.hook(lambda request: {"allowed": request["oldObject"]["metadata"]["name"] == "a"})
    answer = await api.ask("deletecollection")
    assert answer.message == 'admission webhook "check.example.com" denied the request without explanation'
    assert ["name" in request for request in api.hooks.requests] == [False, False]
    assert [(await api.ask("get", name)).code for name in ("a", "b")] == [404, 200]


async def test_the_status_is_a_part_of_the_object_and_the_scale_another_object(api: Admitting) -> None:
    await api.create(spec={"heat": 1})
    await api.hook(allow, rules=[ALL])
    await api.ask("patch", "a", {"status": {"phase": "Cold"}}, type=MERGE, subresource="status")
    await api.ask("patch", "a", {"spec": {"replicas": 5}}, type=MERGE, subresource="scale")
    status, scale = api.hooks.requests
    assert (status["subResource"], status["requestSubResource"], status["kind"]) == ("status", "status", KIND)
    assert status["object"]["status"] == {"phase": "Cold"}
    assert (scale["subResource"], scale["kind"]) == ("scale", {"group": "autoscaling", "version": "v1", "kind": "Scale"})
    assert scale["resource"] == RESOURCE
    assert (scale["object"]["spec"], scale["oldObject"]["spec"]) == ({"replicas": 5}, {"replicas": 1})


async def test_a_scale_may_be_changed(api: Admitting) -> None:
    await api.create(spec={"heat": 1})
    await api.hook(patch(add("/spec/replicas", 7)), kind="Mutating", rules=[ALL])
    answer = await api.ask("patch", "a", {"spec": {"replicas": 5}}, type=MERGE, subresource="scale")
    assert answer.body["spec"] == {"replicas": 7}
    assert (await api.ask("get", "a")).body["spec"]["heat"] == 7


async def test_a_generated_name_is_known_only_to_those_that_judge(api: Admitting) -> None:
    api.hooks.responses |= {"/change": allow, "/check": allow}
    await api.put_up(configuration(webhook("/change"), kind="Mutating"), configuration())
    answer = await api.ask("create", body={**kiln(), "metadata": {"generateName": "k-"}})
    change, check = api.hooks.requests
    assert "name" not in change
    assert check["name"] == answer.body["metadata"]["name"]


async def test_an_older_review_is_sent_to_those_that_want_it(api: Admitting) -> None:
    await api.hook(respond(uid="other"), admissionReviewVersions=["v9", "v1beta1", "v1"])
    assert (await api.create()).code == 201
    assert api.hooks.asked[0]["apiVersion"] == "admission.k8s.io/v1beta1"


async def test_a_namespace_stands_in_itself(api: Admitting) -> None:
    rule = {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["*"], "resources": ["namespaces"], "scope": "Cluster"}
    await api.hook(allow, rules=[rule], namespaceSelector={"matchLabels": {"kubernetes.io/metadata.name": "shed"}})
    shed = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shed"}}
    assert (await api.ask("create", body=shed, of=("", "v1", "namespaces"))).code == 201
    (request,) = api.hooks.requests
    assert (request["name"], request["namespace"], request["object"]["status"]) == ("shed", "shed", {"phase": "Active"})


@pytest.mark.parametrize(("wanted", "given"), [(None, 10), (3, 3)])
async def test_a_webhook_has_its_time(api: Admitting, wanted: int | None, given: int) -> None:
    await api.hook(allow, **({} if wanted is None else {"timeoutSeconds": wanted}))
    await api.create()
    assert api.hooks.seconds == [given]
