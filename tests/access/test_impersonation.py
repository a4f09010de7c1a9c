"""Acting as somebody else."""

from __future__ import annotations

from typing import Any

import pytest

from crdkit.access.actions import PathAction, ResourceAction
from crdkit.access.authorization import AlwaysAllow
from crdkit.access.impersonation import impersonate
from crdkit.access.rbac import RbacAuthorizer
from crdkit.access.user import User
from crdkit.meta.status import PlainRefusal, Refusal
from crdkit.meta.version import V1_33, V1_36, KubeVersion
from tests.access.conftest import Rights

ALICE = User("alice", ("dev", "system:authenticated"))
LIST = ResourceAction("list", "g", "kites", "ns")


@pytest.mark.parametrize(
    ("headers", "user"),
    [
        ([("impersonate-user", "carol")], User("carol", ("system:authenticated",))),
        ([("impersonate-user", "carol"), ("impersonate-group", "x")], User("carol", ("x", "system:authenticated"))),
        ([("impersonate-user", "system:anonymous")], User("system:anonymous", ("system:unauthenticated",))),
        (
            [("impersonate-user", "system:serviceaccount:ns:robot")],
            User("system:serviceaccount:ns:robot", ("system:serviceaccounts", "system:serviceaccounts:ns", "system:authenticated")),
        ),
        (
            [("impersonate-user", "carol"), ("impersonate-uid", "7"), ("impersonate-extra-a%2fb", "1"), ("impersonate-extra-a%2fb", "2")],
            User("carol", ("system:authenticated",), "7", {"a/b": ("1", "2")}),
        ),
    ],
)
def test_who_one_becomes(headers: list[tuple[str, str]], user: User) -> None:
    assert impersonate(ALICE, headers, LIST, AlwaysAllow(), V1_36) == user


@pytest.mark.parametrize(
    ("kube", "message"),
    [
        (
            V1_36,
            'kites.g is forbidden: User "alice" cannot impersonate-on:user-info:list resource "kites" in API group "g" in the namespace "ns"',
        ),
        (V1_33, 'users "carol" is forbidden: User "alice" cannot impersonate resource "users" in API group "" at the cluster scope'),
    ],
)
async def test_who_may_not_is_refused(rights: Rights, kube: KubeVersion, message: str) -> None:
    with pytest.raises(Refusal) as refused:
        impersonate(ALICE, [("impersonate-user", "carol")], LIST, RbacAuthorizer(rights.roles), kube)
    assert refused.value.status["message"] == message


async def test_each_name_must_be_allowed(rights: Rights) -> None:
    await rights.role("r", {"verbs": ["impersonate"], "apiGroups": [""], "resources": ["users"], "resourceNames": ["carol"]})
    await rights.bind("b", "r", {"kind": "User", "name": "alice"})
    authorizer = RbacAuthorizer(rights.roles)
    assert impersonate(ALICE, [("impersonate-user", "carol")], LIST, authorizer, V1_36).name == "carol"
    for headers in ([("impersonate-user", "dave")], [("impersonate-user", "carol"), ("impersonate-group", "x")]):
        with pytest.raises(Refusal):
            impersonate(ALICE, headers, LIST, authorizer, V1_36)


@pytest.mark.parametrize(
    ("headers", "shown"),
    [
        ([("impersonate-group", "x")], 'UID:"", Groups:[]string{"x"}, Extra:map[string][]string(nil)'),
        ([("impersonate-uid", "7")], 'UID:"7", Groups:[]string(nil), Extra:map[string][]string(nil)'),
        ([("impersonate-extra-k", "v")], 'UID:"", Groups:[]string(nil), Extra:map[string][]string{"k":{"v"}}'),
    ],
)
def test_groups_uids_and_extras_need_a_user(headers: list[tuple[str, str]], shown: str) -> None:
    with pytest.raises(Refusal) as refused:
        impersonate(ALICE, headers, PathAction("get", "/version"), AlwaysAllow(), V1_36)
    text = f'requested &user.DefaultInfo{{Name:"", {shown}}} without impersonating a user name'
    assert (refused.value.code, refused.value.status["message"]) == (400, text)


def test_in_1_33_that_was_an_internal_error() -> None:
    with pytest.raises(PlainRefusal) as refused:
        impersonate(ALICE, [("impersonate-group", "x")], PathAction("get", "/version"), AlwaysAllow(), V1_33)
    text = 'Internal Server Error: "/version": requested [{Group  x    }] without impersonating a user\n'
    assert (refused.value.code, refused.value.text) == (500, text)


@pytest.mark.parametrize(
    ("rules", "headers", "groups"),
    [
        (
            [{"verbs": ["impersonate:serviceaccount"], "apiGroups": ["authentication.k8s.io"], "resources": ["serviceaccounts"]}],
            [("impersonate-user", "system:serviceaccount:ns:robot")],
            ("system:serviceaccounts", "system:serviceaccounts:ns", "system:authenticated"),
        ),
        (
            [{"verbs": ["impersonate:arbitrary-node"], "apiGroups": ["authentication.k8s.io"], "resources": ["nodes"]}],
            [("impersonate-user", "system:node:n1")],
            ("system:nodes", "system:authenticated"),
        ),
        (
            [{"verbs": ["impersonate:user-info"], "apiGroups": ["authentication.k8s.io"], "resources": ["users", "groups"]}],
            [("impersonate-user", "carol"), ("impersonate-group", "x")],
            ("x", "system:authenticated"),
        ),
    ],
)
async def test_constrained_rights_are_enough(
    rights: Rights, rules: list[dict[str, Any]], headers: list[tuple[str, str]], groups: tuple[str, ...]
) -> None:
    mode = rules[0]["verbs"][0].partition(":")[2]
    on = {"verbs": [f"impersonate-on:{mode}:list"], "apiGroups": ["g"], "resources": ["kites"]}
    await rights.role("r", *rules, on)
    await rights.bind("b", "r", {"kind": "User", "name": "alice"})
    authorizer = RbacAuthorizer(rights.roles)
    assert impersonate(ALICE, headers, LIST, authorizer, V1_36).groups == groups
    with pytest.raises(Refusal):
        impersonate(ALICE, headers, ResourceAction("delete", "g", "kites", "ns"), authorizer, V1_36)
    with pytest.raises(Refusal):
        impersonate(ALICE, headers, LIST, authorizer, V1_33)
