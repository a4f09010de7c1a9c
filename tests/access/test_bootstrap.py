"""The roles that exist from the start."""

from __future__ import annotations

import pytest

from crdkit.access import bootstrap
from crdkit.access.actions import PathAction, ResourceAction
from crdkit.access.rules import Rule, allows
from crdkit.builtin.rbac import CLUSTER_ROLE, CLUSTER_ROLE_BINDING, FIELDS
from crdkit.meta.version import DEFAULT


def rules_of(group: str) -> list[Rule]:
    """What is given to everybody in a group."""
    bound = {
        binding["roleRef"]["name"]
        for binding in bootstrap.cluster_role_bindings()
        if any(subject["name"] == group for subject in binding["subjects"])
    }
    return [Rule.of(rule) for role in bootstrap.cluster_roles() if role["metadata"]["name"] in bound for rule in role["rules"] or ()]


@pytest.mark.parametrize(
    ("path", "groups"),
    [
        ("/version", {"system:authenticated", "system:unauthenticated"}),
        ("/healthz", {"system:authenticated", "system:unauthenticated"}),
        ("/apis/example.com/v1", {"system:authenticated"}),
        ("/openapi/v3", {"system:authenticated"}),
        ("/metrics", set()),
        ("/healthz/etcd", set()),
    ],
)
def test_who_may_see_paths(path: str, groups: set[str]) -> None:
    may = {
        group
        for group in ("system:authenticated", "system:unauthenticated")
        if any(allows(rule, PathAction("get", path)) for rule in rules_of(group))
    }
    assert may == groups


def test_everybody_known_may_ask_what_he_may() -> None:
    action = ResourceAction("create", "authorization.k8s.io", "selfsubjectaccessreviews")
    assert any(allows(rule, action) for rule in rules_of("system:authenticated"))
    assert not any(allows(rule, action) for rule in rules_of("system:unauthenticated"))


def test_all_are_in_order() -> None:
    for role in bootstrap.cluster_roles():
        assert FIELDS.decode("ClusterRole", role).value == role
        assert not list(CLUSTER_ROLE.check(role, DEFAULT))
    for binding in bootstrap.cluster_role_bindings():
        assert FIELDS.decode("ClusterRoleBinding", binding).value == binding
        assert not list(CLUSTER_ROLE_BINDING.check(binding, DEFAULT))
