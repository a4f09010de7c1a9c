"""Roles, cluster roles and their bindings (rbac.authorization.k8s.io/v1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from crdkit.builtin import label_selectors
from crdkit.builtin.behaviour import CORE_RULES, Behaviour, Check
from crdkit.builtin.common_fields import HEAD, META
from crdkit.meta import errors, golang, names
from crdkit.meta.errors import FieldError
from crdkit.meta.gostruct import StructTable
from crdkit.meta.paths import ROOT, FieldPath
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion

GROUP: Final = "rbac.authorization.k8s.io"
_SUBJECT_KINDS: Final = ("ServiceAccount", "User", "Group")

FIELDS: Final = StructTable(
    package="v1",
    structs={
        "Role": {**HEAD, "rules": "[]PolicyRule"},
        "ClusterRole": {**HEAD, "rules": "[]PolicyRule", "aggregationRule": "*AggregationRule?"},
        "RoleBinding": {**HEAD, "subjects": "[]Subject?", "roleRef": "RoleRef"},
        "ClusterRoleBinding": {**HEAD, "subjects": "[]Subject?", "roleRef": "RoleRef"},
        "PolicyRule": {
            "verbs": "[]string",
            "apiGroups": "[]string?",
            "resources": "[]string?",
            "resourceNames": "[]string?",
            "nonResourceURLs": "[]string?",
        },
        "AggregationRule": {"clusterRoleSelectors": "[]LabelSelector?"},
        "Subject": {"kind": "string", "apiGroup": "string?", "name": "string", "namespace": "string?"},
        "RoleRef": {"apiGroup": "string", "kind": "string", "name": "string"},
    },
    includes=(META,),
)


def default_role(obj: JsonObject) -> None:
    """Lists that are empty are as if they were not given."""
    obj["rules"] = obj["rules"] or None
    for rule in obj["rules"] or ():
        rule["verbs"] = rule["verbs"] or None


def default_binding(obj: JsonObject) -> None:
    """Users, groups and roles are of this group unless said otherwise."""
    obj["roleRef"]["apiGroup"] = obj["roleRef"]["apiGroup"] or GROUP
    if "subjects" in obj:
        obj["subjects"] = [_with_group(subject) for subject in obj["subjects"]]


def _with_group(subject: JsonObject) -> JsonObject:
    if subject.get("apiGroup") or subject["kind"] not in ("User", "Group"):
        return subject
    return {"kind": subject["kind"], "apiGroup": GROUP, **subject}


def _role_check(*, namespaced: bool) -> Check:
    def check(obj: JsonObject, kube: KubeVersion) -> Iterator[FieldError]:
        for index, rule in enumerate(obj["rules"] or ()):
            yield from _check_rule(rule, (ROOT / "rules").index(index), namespaced=namespaced)
        if (aggregation := obj.get("aggregationRule")) is not None:
            yield from _check_aggregation(aggregation, ROOT / "aggregationRule" / "clusterRoleSelectors", kube)

    return check


def _check_rule(rule: JsonObject, at: FieldPath, *, namespaced: bool) -> Iterator[FieldError]:
    if not rule["verbs"]:
        yield errors.required(at / "verbs", "verbs must contain at least one value")
    if urls := rule.get("nonResourceURLs"):
        if namespaced:
            yield errors.invalid(at / "nonResourceURLs", golang.strings(urls), "namespaced rules cannot apply to non-resource URLs")
        if rule.get("apiGroups") or rule.get("resources") or rule.get("resourceNames"):
            why = "rules cannot apply to both regular resources and non-resource URLs"
            yield errors.invalid(at / "nonResourceURLs", golang.strings(urls), why)
        return
    if not rule.get("apiGroups"):
        yield errors.required(at / "apiGroups", "resource rules must supply at least one api group")
    if not rule.get("resources"):
        yield errors.required(at / "resources", "resource rules must supply at least one resource")


def _check_aggregation(aggregation: JsonObject, at: FieldPath, kube: KubeVersion) -> Iterator[FieldError]:
    selectors = aggregation.get("clusterRoleSelectors") or ()
    if not selectors:
        yield errors.required(at, "at least one clusterRoleSelector required if aggregationRule is non-nil")
    for index, selector in enumerate(selectors):
        yield from label_selectors.check(selector, at.index(index), kube)


def _binding_check(*role_kinds: str, namespaced: bool) -> Check:
    def check(obj: JsonObject, kube: KubeVersion) -> Iterator[FieldError]:
        del kube
        role, at = obj["roleRef"], ROOT / "roleRef"
        if role["apiGroup"] != GROUP:
            yield errors.not_supported(at / "apiGroup", role["apiGroup"], (GROUP,))
        if role["kind"] not in role_kinds:
            yield errors.not_supported(at / "kind", role["kind"], role_kinds)
        if not role["name"]:
            yield errors.required(at / "name")
        yield from (errors.invalid(at / "name", role["name"], message) for message in names.path_segment(role["name"]))
        for index, subject in enumerate(obj.get("subjects") or ()):
            yield from _check_subject(subject, (ROOT / "subjects").index(index), namespaced=namespaced)

    return check


def _check_subject(subject: JsonObject, at: FieldPath, *, namespaced: bool) -> Iterator[FieldError]:
    kind, name, group = subject["kind"], subject["name"], subject.get("apiGroup", "")
    if not name:
        yield errors.required(at / "name")
    if kind == "ServiceAccount":
        yield from (errors.invalid(at / "name", name, message) for message in names.dns1123_subdomain(name) if name)
        if group:
            yield errors.not_supported(at / "apiGroup", group, ("",))
        if not namespaced and not subject.get("namespace"):
            yield errors.required(at / "namespace")
    elif kind not in _SUBJECT_KINDS:
        yield errors.not_supported(at / "kind", kind, _SUBJECT_KINDS)
    elif group != GROUP:
        yield errors.not_supported(at / "apiGroup", group, (GROUP,))


def check_binding_change(new: JsonObject, old: JsonObject, kube: KubeVersion) -> Iterator[FieldError]:
    """A binding stays one to the same role."""
    del kube
    role = new["roleRef"]
    if role != old["roleRef"]:
        fields = {"APIGroup": role["apiGroup"], "Kind": role["kind"], "Name": role["name"]}
        shown = ", ".join(f"{field}:{golang.quote(value)}" for field, value in fields.items())
        yield errors.invalid("roleRef", golang.Typed(golang.Ordered(fields), f"rbac.RoleRef{{{shown}}}"), "cannot change roleRef")


def _role(*, namespaced: bool) -> Behaviour:
    return Behaviour(
        fields=FIELDS,
        metadata=CORE_RULES,
        name_check=names.path_segment,
        default=default_role,
        check=_role_check(namespaced=namespaced),
        creates_on_update=True,
    )


def _binding(*role_kinds: str, namespaced: bool) -> Behaviour:
    return Behaviour(
        fields=FIELDS,
        metadata=CORE_RULES,
        name_check=names.path_segment,
        default=default_binding,
        check=_binding_check(*role_kinds, namespaced=namespaced),
        check_change=check_binding_change,
        creates_on_update=True,
    )


ROLE: Final = _role(namespaced=True)
CLUSTER_ROLE: Final = _role(namespaced=False)
ROLE_BINDING: Final = _binding("Role", "ClusterRole", namespaced=True)
CLUSTER_ROLE_BINDING: Final = _binding("ClusterRole", namespaced=False)
