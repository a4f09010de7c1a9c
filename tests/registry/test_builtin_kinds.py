"""Built-in kinds at the verbs."""

from __future__ import annotations

from typing import Any

import pytest

from tests.registry.conftest import MERGE, Api

CONFIG_MAPS = ("", "v1", "configmaps")
SECRETS = ("", "v1", "secrets")
ACCOUNTS = ("", "v1", "serviceaccounts")
LEASES = ("coordination.k8s.io", "v1", "leases")
EVENTS = ("", "v1", "events")
NEW_EVENTS = ("events.k8s.io", "v1", "events")
ROLES = ("rbac.authorization.k8s.io", "v1", "clusterroles")
REVIEWS = ("authorization.k8s.io", "v1", "selfsubjectaccessreviews")
HOOKS = ("admissionregistration.k8s.io", "v1", "validatingwebhookconfigurations")
STRATEGIC = "application/strategic-merge-patch+json"


async def test_a_configmap_is_kept_and_changed_without_a_revision(api: Api) -> None:
    created = await api.ask("create", body={"metadata": {"name": "a"}, "data": {"k": "1"}}, of=CONFIG_MAPS, namespace="default")
    assert (created.code, created.body["data"]) == (201, {"k": "1"})
    put = await api.ask("update", "a", {"metadata": {"name": "a"}, "data": {"k": "2"}}, of=CONFIG_MAPS, namespace="default")
    assert (put.code, put.body["data"]) == (200, {"k": "2"})
    assert (await api.ask("update", "b", {"metadata": {"name": "b"}}, of=CONFIG_MAPS, namespace="default")).code == 404


async def test_a_change_of_nothing_leaves_the_revision(api: Api) -> None:
    metadata = {"name": "a", "finalizers": ["example.com/hold"], "labels": {"a": "b"}}
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {"k": "v"}}
    created = await api.ask("create", body=body, of=CONFIG_MAPS, namespace="default")
    patched = await api.ask("patch", "a", {}, type="application/strategic-merge-patch+json", of=CONFIG_MAPS, namespace="default")
    assert (patched.code, patched.body) == (200, created.body)


async def test_the_order_of_keys_is_no_change(api: Api) -> None:
    body = {"metadata": {"name": "a", "labels": {"b": "1", "a": "2"}}, "data": {"y": "1", "x": "2"}}
    version = (await api.ask("create", body=body, of=CONFIG_MAPS, namespace="default")).body["metadata"]["resourceVersion"]
    ordered = {"metadata": {"name": "a", "labels": {"a": "2", "b": "1"}}, "data": {"x": "2", "y": "1"}}
    same = await api.ask("update", "a", ordered, of=CONFIG_MAPS, namespace="default")
    assert (same.code, same.body["metadata"]["resourceVersion"]) == (200, version)
    exchanged = {**ordered, "data": {"x": "1", "y": "2"}}
    changed = await api.ask("update", "a", exchanged, of=CONFIG_MAPS, namespace="default")
    assert (changed.body["data"], changed.body["metadata"]["resourceVersion"] > version) == ({"x": "1", "y": "2"}, True)


@pytest.mark.parametrize(
    ("api_version", "kind", "why"),
    [
        ("v1", "Secret", "converting (v1.Secret) to (core.ConfigMap): unknown conversion"),
        ("v1", "Pod", "converting (v1.Pod) to (core.ConfigMap): unknown conversion"),
        ("v1", "ConfigMapList", "converting (v1.ConfigMapList) to (core.ConfigMap): unknown conversion"),
        ("apps/v1", "Deployment", "converting (v1.Deployment) to (core.ConfigMap): unknown conversion"),
        (
            "apiextensions.k8s.io/v1",
            "CustomResourceDefinition",
            (
                'no kind "CustomResourceDefinition" is registered for version "apiextensions.k8s.io/v1" in scheme '
                '"k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30"'
            ),
        ),
    ],
)
async def test_another_kind_is_no_configmap(api: Api, api_version: str, kind: str, why: str) -> None:
    answer = await api.ask("create", body={"apiVersion": api_version, "kind": kind}, of=CONFIG_MAPS, namespace="default")
    assert (answer.code, answer.message) == (400, f'{kind} in version "v1" cannot be handled as a ConfigMap: {why}')


async def test_an_event_of_the_other_api_has_the_wrong_version(api: Api) -> None:
    answer = await api.ask("create", body={"apiVersion": "v1", "kind": "Event"}, of=NEW_EVENTS, namespace="default")
    assert (answer.code, answer.message) == (
        400,
        "the API version in the data (v1) does not match the expected API version (events.k8s.io/v1)",
    )


async def test_a_put_creates_a_lease_but_changes_none_without_its_revision(api: Api) -> None:
    lease = {"metadata": {"name": "a"}, "spec": {"holderIdentity": "me"}}
    assert (await api.ask("update", "a", lease, of=LEASES, namespace="default")).code == 201
    refused = await api.ask("update", "a", lease, of=LEASES, namespace="default")
    assert refused.message == (
        'leases.coordination.k8s.io "a" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update'
    )


@pytest.mark.parametrize(
    ("of", "go_type"),
    [
        (("example.com", "v1", "kilns"), "unstructured.UnstructuredList"),
        (CONFIG_MAPS, "core.ConfigMapList"),
        (NEW_EVENTS, "core.EventList"),
        (LEASES, "coordination.LeaseList"),
        (("apiextensions.k8s.io", "v1", "customresourcedefinitions"), "apiextensions.CustomResourceDefinitionList"),
    ],
)
async def test_a_list_is_no_object(api: Api, of: tuple[str, str, str], go_type: str) -> None:
    await api.define()
    namespace = "" if of[0] == "apiextensions.k8s.io" else "default"
    answer = await api.ask("list", of=of, namespace=namespace, form=("PartialObjectMetadata", "v1"))
    assert (answer.code, answer.message) == (
        406,
        f"you requested PartialObjectMetadata, but the requested object is a list (*{go_type})",
    )


async def test_an_object_is_no_list(api: Api) -> None:
    await api.ask("create", body={"metadata": {"name": "a"}}, of=CONFIG_MAPS, namespace="default")
    answer = await api.ask("get", "a", of=CONFIG_MAPS, namespace="default", form=("PartialObjectMetadataList", "v1"))
    assert (answer.code, answer.message) == (
        406,
        "you requested PartialObjectMetadataList, but the requested object is not a list (*core.ConfigMap)",
    )


async def test_an_account_that_is_newly_limited_is_warned_of(api: Api) -> None:
    metadata = {"name": "robot", "annotations": {"kubernetes.io/enforce-mountable-secrets": "true"}}
    created = await api.ask("create", body={"metadata": metadata}, of=ACCOUNTS, namespace="default")
    [warning] = created.warnings
    assert warning == (
        "metadata.annotations[kubernetes.io/enforce-mountable-secrets]: deprecated in v1.32+; "
        "prefer separate namespaces to isolate access to mounted secrets"
    )
    changed = await api.ask("patch", "robot", {"metadata": {"labels": {"a": "b"}}}, of=ACCOUNTS, namespace="default", type=MERGE)
    assert (changed.code, changed.warnings) == (200, [])


async def test_a_deleted_service_account_is_shown(api: Api) -> None:
    await api.ask("create", body={"metadata": {"name": "robot"}}, of=ACCOUNTS, namespace="default")
    gone = await api.ask("delete", "robot", of=ACCOUNTS, namespace="default")
    assert (gone.code, gone.body["kind"], gone.body["metadata"]["name"]) == (200, "ServiceAccount", "robot")


async def test_an_event_is_seen_through_both_apis(api: Api) -> None:
    event = {"metadata": {"name": "e"}, "involvedObject": {"namespace": "default"}, "message": "it sank", "source": {"component": "c"}}
    await api.ask("create", body=event, of=EVENTS, namespace="default")
    seen = await api.ask("get", "e", of=NEW_EVENTS, namespace="default")
    assert (seen.body["note"], seen.body["deprecatedSource"]) == ("it sank", {"component": "c"})
    refused = await api.ask("patch", "e", {"note": "it floats"}, of=NEW_EVENTS, namespace="default", type=MERGE)
    assert refused.message == 'Event "e" is invalid: message: Invalid value: "it floats": field is immutable'
    changed = await api.ask("patch", "e", {"count": 2}, of=EVENTS, namespace="default", type=MERGE)
    assert changed.body["count"] == 2


@pytest.mark.parametrize(
    ("of", "field", "text"),
    [
        (CONFIG_MAPS, "data.k", '"data.k" is not a known field selector: only "metadata.name", "metadata.namespace"'),
        (SECRETS, "immutable", "field label not supported: immutable"),
        (EVENTS, "count", "field label not supported: count"),
        (NEW_EVENTS, "note", "field label not supported: note"),
    ],
)
async def test_fields_that_cannot_be_selected(api: Api, of: tuple[str, str, str], field: str, text: str) -> None:
    answer = await api.ask("list", of=of, namespace="default", query=f"fieldSelector={field}%3Dx")
    assert (answer.code, answer.message) == (400, text)


async def test_secrets_are_selected_by_type(api: Api) -> None:
    for name, kind in (("a", "Opaque"), ("b", "example.com/mine")):
        await api.ask("create", body={"metadata": {"name": name}, "type": kind}, of=SECRETS, namespace="default")
    found = await api.ask("list", of=SECRETS, namespace="default", query="fieldSelector=type%3Dexample.com/mine")
    assert [item["metadata"]["name"] for item in found.body["items"]] == ["b"]


async def test_webhooks_are_merged_by_name_and_counted(api: Api) -> None:
    def webhook(name: str, **more: Any) -> dict[str, Any]:
        client = {"url": "https://h.example.org/x"}
        return {"name": f"{name}.example.com", "clientConfig": client, "sideEffects": "None", "admissionReviewVersions": ["v1"], **more}

    created = await api.ask("create", body={"metadata": {"name": "a"}, "webhooks": [webhook("one"), webhook("two")]}, of=HOOKS)
    assert created.body["metadata"]["generation"] == 1
    patch = {"webhooks": [{"name": "two.example.com", "timeoutSeconds": 7}]}
    changed = await api.ask("patch", "a", patch, of=HOOKS, type=STRATEGIC)
    seconds = {webhook["name"]: webhook["timeoutSeconds"] for webhook in changed.body["webhooks"]}
    assert (seconds, changed.body["metadata"]["generation"]) == ({"one.example.com": 10, "two.example.com": 7}, 2)


async def test_roles_are_there_from_the_start(api: Api) -> None:
    admin = await api.ask("get", "cluster-admin", of=ROLES)
    assert admin.body["rules"] == [
        {"verbs": ["*"], "apiGroups": ["*"], "resources": ["*"]},
        {"verbs": ["*"], "nonResourceURLs": ["*"]},
    ]


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        ({}, "spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified"),
        (
            {"resourceAttributes": {}, "nonResourceAttributes": {"path": "/a"}},
            'spec.nonResourceAttributes: Invalid value: {"Path":"/a","Verb":""}: cannot be specified in combination with resourceAttributes',
        ),
    ],
)
async def test_a_review_asks_one_question(api: Api, spec: dict[str, Any], text: str) -> None:
    answer = await api.ask("create", body={"spec": spec}, of=REVIEWS)
    assert (answer.code, answer.message) == (422, f'.authorization.k8s.io "" is invalid: {text}')


async def test_a_review_is_answered_and_forgotten(api: Api) -> None:
    spec = {"resourceAttributes": {"verb": "get", "resource": "kites"}}
    answer = await api.ask("create", body={"spec": spec}, of=REVIEWS)
    assert answer.body == {
        "kind": "SelfSubjectAccessReview",
        "apiVersion": "authorization.k8s.io/v1",
        "metadata": {},
        "spec": spec,
        "status": {"allowed": True},
    }
    assert (await api.ask("list", of=REVIEWS)).code == 405
