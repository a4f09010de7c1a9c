"""Roles and bindings, and label selectors."""

from __future__ import annotations

from typing import Any

import pytest

from crdkit.builtin import label_selectors
from crdkit.builtin.rbac import CLUSTER_ROLE, CLUSTER_ROLE_BINDING, ROLE, ROLE_BINDING
from crdkit.meta.paths import ROOT
from crdkit.meta.version import V1_33, V1_36, KubeVersion
from tests.builtin.judging import change_faults, faults, read

GROUP = "rbac.authorization.k8s.io"
RULE = {"verbs": ["get"], "apiGroups": [""], "resources": ["a"]}
ROLE_REF = {"apiGroup": GROUP, "kind": "Role", "name": "r"}


@pytest.mark.parametrize(
    ("rule", "texts"),
    [
        (RULE, []),
        ({**RULE, "verbs": []}, ["rules[0].verbs: Required value: verbs must contain at least one value"]),
        ({**RULE, "apiGroups": []}, ["rules[0].apiGroups: Required value: resource rules must supply at least one api group"]),
        ({**RULE, "resources": []}, ["rules[0].resources: Required value: resource rules must supply at least one resource"]),
        (
            {**RULE, "nonResourceURLs": ["/a"]},
            [
                'rules[0].nonResourceURLs: Invalid value: ["/a"]: namespaced rules cannot apply to non-resource URLs',
                'rules[0].nonResourceURLs: Invalid value: ["/a"]: rules cannot apply to both regular resources and non-resource URLs',
            ],
        ),
    ],
)
def test_rules(rule: dict[str, Any], texts: list[str]) -> None:
    assert faults(ROLE, "Role", {"rules": [rule]}) == texts


def test_cluster_roles_may_be_about_paths() -> None:
    assert faults(CLUSTER_ROLE, "ClusterRole", {"rules": [{"verbs": ["get"], "nonResourceURLs": ["/a"]}]}) == []


def test_empty_lists_are_as_if_not_given() -> None:
    assert read(ROLE, "Role", {"rules": []})["rules"] is None


def test_aggregation_needs_selectors() -> None:
    told = "aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil"
    assert faults(CLUSTER_ROLE, "ClusterRole", {"aggregationRule": {}}) == [told]


def test_bindings_are_of_this_group() -> None:
    found = read(ROLE_BINDING, "RoleBinding", {"subjects": [{"kind": "User", "name": "a"}], "roleRef": {"kind": "Role", "name": "r"}})
    assert found["subjects"] == [{"kind": "User", "apiGroup": GROUP, "name": "a"}]
    assert found["roleRef"] == ROLE_REF


@pytest.mark.parametrize(
    ("subject", "texts"),
    [
        ({"kind": "User", "name": "a"}, []),
        ({"kind": "ServiceAccount", "name": "a"}, []),
        ({"kind": "Pod", "name": "a"}, ['subjects[0].kind: Unsupported value: "Pod": supported values: "ServiceAccount", "User", "Group"']),
        ({"kind": "Group", "name": ""}, ["subjects[0].name: Required value"]),
        ({"kind": "User", "name": "a", "apiGroup": "x"}, [f'subjects[0].apiGroup: Unsupported value: "x": supported values: "{GROUP}"']),
    ],
)
def test_subjects(subject: dict[str, str], texts: list[str]) -> None:
    assert faults(ROLE_BINDING, "RoleBinding", {"subjects": [subject], "roleRef": ROLE_REF}) == texts


def test_cluster_role_bindings_need_cluster_roles_and_namespaces() -> None:
    obj = {"subjects": [{"kind": "ServiceAccount", "name": "a"}], "roleRef": ROLE_REF}
    assert faults(CLUSTER_ROLE_BINDING, "ClusterRoleBinding", obj) == [
        'roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"',
        "subjects[0].namespace: Required value",
    ]


@pytest.mark.parametrize(
    ("kube", "shown"),
    [
        (V1_36, f'{{"APIGroup":"{GROUP}","Kind":"Role","Name":"other"}}'),
        (V1_33, f'rbac.RoleRef{{APIGroup:"{GROUP}", Kind:"Role", Name:"other"}}'),
    ],
)
def test_a_binding_keeps_its_role(kube: KubeVersion, shown: str) -> None:
    new = {"roleRef": {**ROLE_REF, "name": "other"}}
    told = change_faults(ROLE_BINDING, "RoleBinding", {"roleRef": ROLE_REF}, new, kube)
    assert told == [f"roleRef: Invalid value: {shown}: cannot change roleRef"]


@pytest.mark.parametrize(
    ("requirement", "texts"),
    [
        ({"key": "a", "operator": "In", "values": ["x"]}, []),
        ({"key": "a", "operator": "Near"}, ['s.matchExpressions[0].operator: Invalid value: "Near": not a valid selector operator']),
        (
            {"key": "a", "operator": "In"},
            ["s.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'"],
        ),
        (
            {"key": "a", "operator": "Exists", "values": ["x"]},
            ["s.matchExpressions[0].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'"],
        ),
    ],
)
def test_label_selectors(requirement: dict[str, Any], texts: list[str]) -> None:
    assert [error.text() for error in label_selectors.check({"matchExpressions": [requirement]}, ROOT / "s", V1_36)] == texts


@pytest.mark.parametrize(
    ("selector", "chosen"),
    [
        ({}, True),
        ({"matchLabels": {"a": "1"}}, True),
        ({"matchLabels": {"a": "2"}}, False),
        ({"matchExpressions": [{"key": "a", "operator": "In", "values": ["1", "2"]}]}, True),
        ({"matchExpressions": [{"key": "a", "operator": "NotIn", "values": ["1"]}]}, False),
        ({"matchExpressions": [{"key": "b", "operator": "NotIn", "values": ["1"]}]}, True),
        ({"matchExpressions": [{"key": "b", "operator": "Exists"}]}, False),
        ({"matchExpressions": [{"key": "b", "operator": "DoesNotExist"}]}, True),
    ],
)
def test_what_selectors_choose(selector: dict[str, Any], chosen: bool) -> None:
    assert label_selectors.chooses(selector, {"a": "1"}) is chosen
