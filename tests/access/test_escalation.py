"""Nobody gives rights that he does not have."""

from __future__ import annotations

from typing import Any

import pytest

from crdkit.access.actions import ResourceAction
from crdkit.access.escalation import Escalation
from crdkit.access.rbac import RbacAuthorizer
from crdkit.access.user import User
from crdkit.meta.status import GroupResource, Refusal
from tests.access.conftest import RULE, Rights

ALICE = User("alice", ("dev", "system:authenticated"))
GROUP = "rbac.authorization.k8s.io"
ROLES, BINDINGS = GroupResource(GROUP, "roles"), GroupResource(GROUP, "rolebindings")
CREATE = ResourceAction("create", GROUP, "roles", "ns")
ATTEMPT = 'user "alice" (groups=["dev" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n'


@pytest.fixture
async def escalation(rights: Rights) -> Escalation:
    await rights.role("held", RULE, namespace="ns")
    await rights.bind("b", "held", {"kind": "User", "name": "alice"}, namespace="ns")
    return Escalation(rights.roles, RbacAuthorizer(rights.roles))


def role(*rules: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"metadata": {"name": "x"}, "rules": list(rules), **more}


def binding(name: str) -> dict[str, Any]:
    return {"metadata": {"name": "x"}, "roleRef": {"apiGroup": GROUP, "kind": "Role", "name": name}}


def test_what_is_held_may_be_given(escalation: Escalation) -> None:
    escalation.check_role(ALICE, CREATE, ROLES, role(RULE), None)


def test_more_may_not(escalation: Escalation) -> None:
    with pytest.raises(Refusal) as refused:
        escalation.check_role(ALICE, CREATE, ROLES, role({**RULE, "verbs": ["get", "delete", "patch"]}), None)
    told = '{APIGroups:["g"], Resources:["kites"], Verbs:["delete" "patch"]}'
    assert refused.value.status["message"] == f'roles.{GROUP} "x" is forbidden: {ATTEMPT}{told}'
    assert refused.value.status["details"] == {"name": "x", "group": GROUP, "kind": "roles"}


def test_aggregation_takes_everything(escalation: Escalation) -> None:
    with pytest.raises(Refusal) as refused:
        escalation.check_role(ALICE, CREATE, ROLES, role(aggregationRule={}, rules=[]) | {"aggregationRule": {"x": 1}}, None)
    assert refused.value.status["message"] == (
        f'roles.{GROUP} "x" is forbidden: must have cluster-admin privileges to use the aggregationRule: {ATTEMPT}'
        '{APIGroups:["*"], Resources:["*"], Verbs:["*"]}\n{NonResourceURLs:["*"], Verbs:["*"]}'
    )


async def test_the_verb_escalate_lets_everything_be_given(rights: Rights, escalation: Escalation) -> None:
    await rights.role("held", RULE, {"verbs": ["escalate"], "apiGroups": [GROUP], "resources": ["roles"]}, namespace="ns")
    escalation.check_role(ALICE, CREATE, ROLES, role({**RULE, "verbs": ["*"]}), None)


async def test_only_roles_within_what_is_held_may_be_bound(rights: Rights, escalation: Escalation) -> None:
    await rights.role("more", {**RULE, "resourceNames": ["a"], "verbs": ["delete"]}, namespace="ns")
    escalation.check_binding(ALICE, BINDINGS, binding("held"), "ns")
    with pytest.raises(Refusal) as refused:
        escalation.check_binding(ALICE, BINDINGS, binding("more"), "ns")
    told = '{APIGroups:["g"], Resources:["kites"], ResourceNames:["a"], Verbs:["delete"]}'
    assert refused.value.status["message"] == f'rolebindings.{GROUP} "x" is forbidden: {ATTEMPT}{told}'
    await rights.role("held", {"verbs": ["bind"], "apiGroups": [GROUP], "resources": ["roles"], "resourceNames": ["more"]}, namespace="ns")
    escalation.check_binding(ALICE, BINDINGS, binding("more"), "ns")


def test_a_missing_role_cannot_be_bound(escalation: Escalation) -> None:
    with pytest.raises(Refusal) as refused:
        escalation.check_binding(ALICE, BINDINGS, binding("gone"), "ns")
    assert (refused.value.code, refused.value.status["message"]) == (404, f'rolebindings.{GROUP} "gone" not found')


def test_masters_may_all_of_it(escalation: Escalation) -> None:
    root = User("root", ("system:masters",))
    escalation.check_role(root, CREATE, ROLES, role({**RULE, "verbs": ["*"]}), None)
    escalation.check_binding(root, BINDINGS, binding("gone"), "ns")
