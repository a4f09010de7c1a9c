"""Who refers to the parameters of policies must be able to read them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from crdkit.access.actions import Action
from crdkit.access.authorization import ALLOWED, Decision, Permissions
from crdkit.access.user import MASTERS, User
from crdkit.meta.version import V1_36
from crdkit.registry.paramrights import ParamRights
from crdkit.registry.registry import Registry
from tests.registry.conftest import Api

ALICE = User("alice", ("dev", "system:authenticated"), "alice-uid", {"b": ("2",), "a": ("1", "x")})
PRINTED = "&{alice alice-uid [dev system:authenticated] map[a:[1 x] b:[2]]}"
CONFIG_MAP = {"apiVersion": "v1", "kind": "ConfigMap"}
GROUP = "admissionregistration.k8s.io"


@dataclass
class Asked:
    """Allows what it is told to, and remembers what it was asked."""

    allowed: bool = False
    actions: list[tuple[str, ...]] = field(default_factory=list)

    def decide(self, user: User, action: Action) -> Decision:
        del user
        self.actions.append((action.verb, action.group, action.resource, action.namespace, action.name))
        return ALLOWED if self.allowed else Decision(allowed=False, reason="")

    def permissions(self, user: User, namespace: str) -> Permissions:
        raise NotImplementedError


@pytest.fixture
def asked() -> Asked:
    return Asked()


@pytest.fixture
def rights(api: Api, asked: Asked) -> ParamRights:
    return ParamRights(asked, api.registry.cache, api.registry._find_kind)


def test_a_kind_of_parameters_must_be_readable(rights: ParamRights, asked: Asked) -> None:
    (found,) = rights.check_policy(ALICE, {"paramKind": CONFIG_MAP}, None)
    why = f'user {PRINTED} must have "get" permission on all objects of the referenced paramKind (kind=ConfigMap, apiVersion=v1)'
    assert found.text(V1_36) == f"spec.paramKind: Forbidden: {why}"
    assert asked.actions == [("get", "", "configmaps", "*", "*")]
    rights.check_policy(ALICE, {"paramKind": {"apiVersion": "x.org/v1", "kind": "Unknown"}}, {"paramKind": CONFIG_MAP})
    assert asked.actions[1:] == [("get", "x.org", "*", "*", "*")]
    asked.allowed = True
    assert rights.check_policy(ALICE, {"paramKind": CONFIG_MAP}, None) == []


@pytest.mark.parametrize(
    ("user", "spec", "before"),
    [
        (User("root", (MASTERS,)), {"paramKind": CONFIG_MAP}, None),
        (ALICE, {}, None),
        (ALICE, {"paramKind": CONFIG_MAP}, {"paramKind": CONFIG_MAP}),
    ],
)
def test_mostly_nobody_is_asked(rights: ParamRights, asked: Asked, user: User, spec: Any, before: Any) -> None:
    assert rights.check_policy(user, spec, before) == []
    assert asked.actions == []


async def policy(api: Api, kind: str, plural: str, param: Any) -> None:
    rule = {"operations": ["CREATE"], "apiGroups": ["g"], "apiVersions": ["v1"], "resources": ["kilns"]}
    spec: Any = {"matchConstraints": {"resourceRules": [rule]}, "paramKind": param}
    if kind == "ValidatingAdmissionPolicy":
        spec["validations"] = [{"expression": "true"}]
    else:
        spec |= {"reinvocationPolicy": "Never", "mutations": [{"patchType": "JSONPatch", "jsonPatch": {"expression": "[JSONPatch{}]"}}]}
    body = {"apiVersion": f"{GROUP}/v1", "kind": kind, "metadata": {"name": "p"}, "spec": spec}
    answer = await api.ask("create", body=body, of=(GROUP, "v1", plural))
    assert answer.code == 201, answer.body


async def test_parameters_of_a_binding_must_be_readable(api: Api, rights: ParamRights, asked: Asked) -> None:
    await policy(api, "ValidatingAdmissionPolicy", "validatingadmissionpolicies", CONFIG_MAP)
    named = {"policyName": "p", "paramRef": {"name": "c", "namespace": "n"}}
    (found,) = rights.check_validating_binding(ALICE, named, named)
    assert found.detail == f'user {PRINTED} does not have "get" permission on the object referenced by paramRef'
    (found,) = rights.check_validating_binding(ALICE, {"policyName": "p", "paramRef": {"selector": {}}}, None)
    assert found.detail == f'user {PRINTED} does not have "list" permission on the object referenced by paramRef'
    assert asked.actions == [("get", "", "configmaps", "n", "c"), ("list", "", "configmaps", "", "")]


async def test_what_a_binding_refers_to_may_be_unknown(api: Api, rights: ParamRights, asked: Asked) -> None:
    await policy(api, "ValidatingAdmissionPolicy", "validatingadmissionpolicies", {"apiVersion": "x.org/v1", "kind": "Unknown"})
    lacks = (
        f'determine minimum required permissions and user {PRINTED} does not have "list" permission for all groups, versions and resources'
    )
    (found,) = rights.check_validating_binding(ALICE, {"policyName": "none", "paramRef": {"selector": {}}}, None)
    assert found.detail == f"unable to get policy none to {lacks}"
    (found,) = rights.check_validating_binding(ALICE, {"policyName": "p", "paramRef": {"selector": {}}}, None)
    assert found.detail == f"unable to resolve paramKind &{{x.org/v1 Unknown}} to {lacks}"
    assert asked.actions == [("list", "*", "*", "", ""), ("list", "x.org", "*", "", "")]


async def test_of_a_mutating_binding_it_is_told_the_wrong_way_round(api: Api, rights: ParamRights) -> None:
    await policy(api, "MutatingAdmissionPolicy", "mutatingadmissionpolicies", CONFIG_MAP)
    (found,) = rights.check_mutating_binding(ALICE, {"policyName": "p", "paramRef": {"name": "c"}}, None)
    assert found.detail == f'user get does not have "{PRINTED}" permission on the object referenced by paramRef'


async def test_a_registry_refuses_what_may_not_be_read(api: Api) -> None:
    from crdkit.access.gate import Gate

    registry = Registry(api.registry.cache, api.registry.kube, gate=Gate(Asked()))
    ref = {"policyName": "p", "validationActions": ["Deny"], "paramRef": {"name": "c", "parameterNotFoundAction": "Deny"}}
    body = {"apiVersion": f"{GROUP}/v1", "kind": "ValidatingAdmissionPolicyBinding", "metadata": {"name": "b"}, "spec": ref}
    place = (GROUP, "v1", "validatingadmissionpolicybindings")
    answer = await Api(registry).ask("create", body=body, of=place)
    assert (answer.code, answer.body["details"]["causes"][0]["reason"]) == (422, "FieldValueForbidden")
    assert answer.causes[0].startswith("spec.paramRef: Forbidden: unable to get policy p to")
    assert (await api.ask("create", body=body, of=place)).code == 201
    label = {"metadata": {"labels": {"a": "b"}}}
    answer = await Api(registry).ask("patch", "b", label, of=place, type="application/merge-patch+json")
    assert answer.code == 422


async def test_a_told_status_is_checked(api: Api) -> None:
    await policy(api, "ValidatingAdmissionPolicy", "validatingadmissionpolicies", CONFIG_MAP)
    status = {
        "typeChecking": {"expressionWarnings": [{"fieldRef": " ", "warning": ""}]},
        "conditions": [{"type": "Odd one", "status": "Perhaps", "reason": "", "message": ""}],
    }
    place = (GROUP, "v1", "validatingadmissionpolicies")
    answer = await api.ask("patch", "p", {"status": status}, of=place, type="application/merge-patch+json", subresource="status")
    assert answer.code == 422
    assert [cause.partition(": ")[0] for cause in answer.causes] == [
        "status.typeChecking.expressionWarnings[0].warning",
        "status.typeChecking.expressionWarnings[0].fieldRef",
        "status.conditions[0].type",
        "status.conditions[0].status",
        "status.conditions[0].lastTransitionTime",
        "status.conditions[0].reason",
    ]
