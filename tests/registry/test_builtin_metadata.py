"""The metadata of built-in kinds: which finalizers they take, and how often a real server tells of what it finds."""

from __future__ import annotations

from typing import Final

import pytest

from crdkit.meta.types import JsonObject

from .conftest import MERGE, Api

PLAIN_NAME: Final = "name is neither a standard finalizer name nor is it fully qualified"
CORE_KINDS: Final = (("", "v1", "configmaps"), ("", "v1", "secrets"), ("", "v1", "serviceaccounts"), ("", "v1", "namespaces"))
HOOKS: Final = ("admissionregistration.k8s.io", "v1", "validatingwebhookconfigurations")
LEASES: Final = ("coordination.k8s.io", "v1", "leases")


async def refused(api: Api, of: tuple[str, str, str], metadata: JsonObject) -> list[tuple[str, str]]:
    """Create an object and change its metadata; the causes given against the change."""
    namespace = "" if of[2] in ("namespaces", HOOKS[2]) else "default"
    await api.ask("create", body={"metadata": {"name": "a"}}, of=of, namespace=namespace)
    answer = await api.ask("patch", "a", {"metadata": metadata}, of=of, namespace=namespace, type=MERGE)
    assert answer.code == 422
    return [(cause["field"], cause["message"]) for cause in answer.body["details"]["causes"]]


@pytest.mark.parametrize("of", CORE_KINDS)
async def test_core_kinds_take_finalizers_that_are_known_or_have_a_domain(api: Api, of: tuple[str, str, str]) -> None:
    namespace = "" if of[2] == "namespaces" else "default"
    finalizers = ["orphan", "kubernetes", "example.com/hold", "hold"]
    answer = await api.ask("create", body={"metadata": {"name": "b", "finalizers": finalizers}}, of=of, namespace=namespace)
    assert answer.code == 422
    assert [(cause["field"], cause["message"]) for cause in answer.body["details"]["causes"]] == [
        ("metadata.finalizers[3]", f'Invalid value: "hold": {PLAIN_NAME}')
    ]
    assert await refused(api, of, {"finalizers": finalizers}) == [("metadata.finalizers[3]", f'Invalid value: "hold": {PLAIN_NAME}')] * 2


async def test_leases_take_any_finalizer(api: Api) -> None:
    answer = await api.ask("create", body={"metadata": {"name": "b", "finalizers": ["hold"]}}, of=LEASES, namespace="default")
    assert answer.code == 201


@pytest.mark.parametrize(("of", "owners", "uids"), [(CORE_KINDS[0], 4, 2), (CORE_KINDS[3], 4, 2), (LEASES, 3, 2), (HOOKS, 3, 1)])
async def test_a_fault_is_told_as_often_as_it_is_looked_for(api: Api, of: tuple[str, str, str], owners: int, uids: int) -> None:
    owner = {"apiVersion": "v1", "kind": "ConfigMap", "name": "x", "uid": ""}
    found = await refused(api, of, {"ownerReferences": [owner], "uid": "other"})
    assert found.count(("metadata.ownerReferences.uid", 'Invalid value: "": must not be empty')) == owners
    assert [field for field, _ in found].count("metadata.uid") == uids


@pytest.mark.parametrize(
    "plural",
    ["validatingwebhookconfigurations", "mutatingwebhookconfigurations", "validatingadmissionpolicybindings"],
)
async def test_an_update_of_what_admits_needs_the_version_it_is_based_on(api: Api, plural: str) -> None:
    of = (HOOKS[0], "v1", plural)
    spec = {"spec": {"policyName": "p", "validationActions": ["Deny"]}} if plural.endswith("bindings") else {}
    created = await api.ask("create", body={"metadata": {"name": "a"}, **spec}, of=of)
    assert created.code == 201
    answer = await api.ask("update", "a", {"metadata": {"name": "a"}, **spec}, of=of)
    assert (answer.code, answer.message) == (
        422,
        f'{plural}.{of[0]} "a" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    )
    assert (await api.ask("update", "a", created.body, of=of)).code == 200
