"""What roles and their bindings allow."""

from __future__ import annotations

import pytest

from crdkit.access.actions import ResourceAction
from crdkit.access.authorization import ALLOWED, NO_OPINION, Decision
from crdkit.access.rbac import RbacAuthorizer
from crdkit.access.rules import Rule
from crdkit.access.user import User
from tests.access.conftest import RULE, Rights

ALICE = User("alice", ("dev", "system:authenticated"))
GET = ResourceAction("get", "g", "kites", "ns", "a")
EVERYWHERE = ResourceAction("list", "g", "kites")


def allowed(source: str) -> Decision:
    return Decision(allowed=True, reason=f"RBAC: allowed by {source}")


async def test_members_of_masters_may_everything_and_no_reason_is_told(rights: Rights) -> None:
    assert RbacAuthorizer(rights.roles).decide(User("root", ("system:masters",)), GET) == ALLOWED


async def test_nobody_else_may_anything_without_roles(rights: Rights) -> None:
    assert RbacAuthorizer(rights.roles).decide(ALICE, GET) == NO_OPINION


@pytest.mark.parametrize(
    ("subject", "source"),
    [
        ({"kind": "User", "name": "alice"}, 'RoleBinding "b/ns" of Role "r" to User "alice"'),
        ({"kind": "Group", "name": "dev"}, 'RoleBinding "b/ns" of Role "r" to Group "dev"'),
        ({"kind": "User", "name": "bob"}, ""),
        ({"kind": "Group", "name": "alice"}, ""),
        ({"kind": "ServiceAccount", "name": "alice"}, ""),
    ],
)
async def test_a_binding_gives_a_role_to_its_subjects(rights: Rights, subject: dict[str, str], source: str) -> None:
    await rights.role("r", RULE, namespace="ns")
    await rights.bind("b", "r", subject, namespace="ns")
    assert RbacAuthorizer(rights.roles).decide(ALICE, GET) == (allowed(source) if source else NO_OPINION)


@pytest.mark.parametrize(
    ("subject", "source"),
    [
        ({"kind": "ServiceAccount", "name": "robot"}, 'RoleBinding "b/ns" of Role "r" to ServiceAccount "robot/ns"'),
        ({"kind": "ServiceAccount", "name": "robot", "namespace": "ns"}, 'RoleBinding "b/ns" of Role "r" to ServiceAccount "robot/ns"'),
        ({"kind": "ServiceAccount", "name": "robot", "namespace": "other"}, ""),
    ],
)
async def test_service_accounts_are_of_the_bindings_namespace_unless_they_name_one(
    rights: Rights, subject: dict[str, str], source: str
) -> None:
    await rights.role("r", RULE, namespace="ns")
    await rights.bind("b", "r", subject, namespace="ns")
    robot = User("system:serviceaccount:ns:robot", ("system:serviceaccounts",))
    assert RbacAuthorizer(rights.roles).decide(robot, GET) == (allowed(source) if source else NO_OPINION)


async def test_a_role_binding_counts_in_its_namespace_alone(rights: Rights) -> None:
    await rights.role("r", RULE)
    await rights.bind("b", "r", {"kind": "User", "name": "alice"}, namespace="ns", kind="ClusterRole")
    authorizer = RbacAuthorizer(rights.roles)
    assert authorizer.decide(ALICE, GET) == allowed('RoleBinding "b/ns" of ClusterRole "r" to User "alice"')
    assert authorizer.decide(ALICE, EVERYWHERE) == NO_OPINION
    assert authorizer.decide(ALICE, ResourceAction("get", "g", "kites", "other", "a")) == NO_OPINION


async def test_a_cluster_role_binding_counts_everywhere(rights: Rights) -> None:
    await rights.role("r", RULE)
    await rights.bind("b", "r", {"kind": "Group", "name": "dev"})
    authorizer = RbacAuthorizer(rights.roles)
    told = allowed('ClusterRoleBinding "b" of ClusterRole "r" to Group "dev"')
    assert authorizer.decide(ALICE, GET) == told
    assert authorizer.decide(ALICE, EVERYWHERE) == told


async def test_bindings_to_missing_roles_are_told(rights: Rights) -> None:
    await rights.bind("b", "gone", {"kind": "User", "name": "alice"})
    await rights.bind("c", "away", {"kind": "User", "name": "alice"}, namespace="ns")
    authorizer = RbacAuthorizer(rights.roles)
    assert authorizer.decide(ALICE, EVERYWHERE).reason == 'RBAC: clusterrole.rbac.authorization.k8s.io "gone" not found'
    assert authorizer.decide(ALICE, GET).reason == (
        'RBAC: [clusterrole.rbac.authorization.k8s.io "gone" not found, role.rbac.authorization.k8s.io "away" not found]'
    )


async def test_a_change_counts_at_once(rights: Rights) -> None:
    await rights.role("r", RULE)
    await rights.bind("b", "r", {"kind": "User", "name": "alice"})
    authorizer = RbacAuthorizer(rights.roles)
    assert authorizer.decide(ALICE, EVERYWHERE).allowed
    await rights.role("r", {**RULE, "verbs": ["get"]})
    assert not authorizer.decide(ALICE, EVERYWHERE).allowed
    await rights.role("r", RULE)
    assert authorizer.decide(ALICE, EVERYWHERE).allowed
    await rights.drop("/registry/clusterrolebindings/b")
    assert not authorizer.decide(ALICE, EVERYWHERE).allowed


async def test_permissions_list_all_rules(rights: Rights) -> None:
    await rights.role("r", RULE)
    await rights.bind("b", "r", {"kind": "User", "name": "alice"})
    await rights.bind("c", "gone", {"kind": "User", "name": "alice"})
    found = RbacAuthorizer(rights.roles).permissions(ALICE, "ns")
    assert found.rules == [Rule(("get", "list"), ("g",), ("kites",))]
    assert found.problem == 'clusterrole.rbac.authorization.k8s.io "gone" not found'
