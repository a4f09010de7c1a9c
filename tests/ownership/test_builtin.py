"""Built-in kinds, whose types are those that a real server publishes."""

from __future__ import annotations

from typing import Any

import pytest

from crdkit.builtin.kinds import kinds as builtin_kinds
from crdkit.meta.version import V1_33, V1_36, KubeVersion
from crdkit.ownership import kinds
from crdkit.ownership.manager import FieldManager
from tests.ownership.stories import refused, run

NOW = "2026-01-01T00:00:00Z"


def manager(kind: str, kube: KubeVersion = V1_36, *, subresource: str = "", empty: Any = None) -> FieldManager:
    found = next(each for each in builtin_kinds(kube) if each.kind == kind)
    return kinds.builtin(found, kube, subresource=subresource, empty=empty)


def config(**more: Any) -> Any:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, **more}


def fields(made: Any) -> Any:
    return [each["fieldsV1"] for each in made["metadata"].get("managedFields") or []]


def test_a_config_map_has_an_owner_for_each_key() -> None:
    made = config(data={"a": "1"}, immutable=True)
    manager("ConfigMap").create(made, "upd", NOW)
    assert fields(made) == [{"f:data": {".": {}, "f:a": {}}, "f:immutable": {}}]


def test_an_unknown_field_of_a_built_in_kind_is_refused() -> None:
    work = manager("ConfigMap").apply(None, config(nope=1), "ann", force=False, now=NOW)
    assert refused(lambda: run(work)) == (
        500,
        "failed to create typed patch object (/a; /v1, Kind=ConfigMap): .nope: field not declared in schema",
    )


def test_owner_references_have_one_owner_each() -> None:
    reference = {"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "u"}
    work = manager("ConfigMap").apply(None, config(metadata={"name": "a", "ownerReferences": [reference]}), "ann", force=False, now=NOW)
    assert fields(run(work).new) == [{"f:metadata": {"f:ownerReferences": {'k:{"uid":"u"}': {}}}}]


def test_what_go_always_writes_is_nobodys() -> None:
    made = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "a"}, "spec": {"finalizers": ["kubernetes"]}, "status": {}}
    manager("Namespace", empty={"spec": {}, "status": {}}).create(made, "upd", NOW)
    assert fields(made) == [{"f:spec": {"f:finalizers": {}}}]


@pytest.mark.parametrize(("kube", "tracked"), [(V1_36, True), (V1_33, False)])
def test_labels_of_a_definition_sent_to_its_status(kube: KubeVersion, tracked: bool) -> None:
    live: Any = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "a"}}
    new = {**live, "metadata": {"name": "a", "labels": {"a": "b"}}, "status": {"storedVersions": ["v1"]}}
    run(manager("CustomResourceDefinition", kube, subresource="status").update(live, new, "upd", NOW))
    assert ("f:metadata" in fields(new)[0]) is tracked


def test_owners_in_versions_that_are_gone_are_forgotten() -> None:
    gone = {"manager": "old", "operation": "Update", "apiVersion": "v0", "fieldsType": "FieldsV1", "fieldsV1": {"f:data": {"f:a": {}}}}
    live = config(data={"a": "1"}, metadata={"name": "a", "uid": "u", "managedFields": [gone]})
    new = config(data={"a": "2"}, metadata={"name": "a", "uid": "u"})
    run(manager("ConfigMap").update(live, new, "upd", NOW))
    assert [each["manager"] for each in new["metadata"]["managedFields"]] == ["upd"]


def test_who_sets_only_what_go_always_writes_teaches_nothing_about_others() -> None:
    owners = manager("ClusterRoleBinding", empty={"roleRef": {"apiGroup": "", "kind": "", "name": ""}})
    for name in ("", "admin"):
        role = {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": name}
        made = {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding", "metadata": {"name": "a"}, "roleRef": role}
        owners.create(made, "upd", NOW)
        assert fields(made) == [{"f:roleRef": {}}]
    owners = manager("Lease", empty={"spec": {"holderIdentity": ""}})
    for holder, owned in (("", {"f:leaseTransitions": {}}), ("me", {"f:holderIdentity": {}, "f:leaseTransitions": {}})):
        spec = {"holderIdentity": holder, "leaseTransitions": 1}
        made = {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": "a"}, "spec": spec}
        owners.create(made, "upd", NOW)
        assert fields(made) == [{"f:spec": owned}]
