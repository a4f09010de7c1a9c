"""All built-in types by their full names, as a server of one Kubernetes version publishes them in OpenAPI v3."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

from crdkit.builtin.kinds import BuiltinKind, kinds
from crdkit.builtin.schemas import (
    admission,
    apiextensions,
    autoscaling,
    common,
    coordination,
    core,
    events,
    meta,
    migration,
    rbac,
    reviews,
)
from crdkit.builtin.schemas.notation import META
from crdkit.meta.types import Json, JsonObject
from crdkit.meta.version import V1_33, KubeVersion

PACKAGES: Final = {
    ("", "v1"): core.V1,
    ("admissionregistration.k8s.io", "v1"): admission.V1,
    ("apiextensions.k8s.io", "v1"): apiextensions.V1,
    ("authentication.k8s.io", "v1"): reviews.AUTHENTICATION,
    ("authorization.k8s.io", "v1"): reviews.AUTHORIZATION,
    ("coordination.k8s.io", "v1"): coordination.V1,
    ("events.k8s.io", "v1"): events.V1,
    ("rbac.authorization.k8s.io", "v1"): rbac.V1,
    ("storagemigration.k8s.io", "v1beta1"): migration.V1BETA1,
}
"""Where the types of a group's version are found: the first part of their full names."""

_TABLES: Final = (
    admission,
    apiextensions,
    autoscaling,
    common,
    coordination,
    core,
    events,
    meta,
    migration,
    rbac,
    reviews,
)

_OPTION_GROUPS: Final = {
    "": "v1",
    "admissionregistration.k8s.io": "v1 v1alpha1 v1beta1",
    "apps": "v1 v1beta1 v1beta2",
    "authentication.k8s.io": "v1 v1alpha1 v1beta1",
    "authorization.k8s.io": "v1 v1beta1",
    "autoscaling": "v1 v2",
    "batch": "v1 v1beta1",
    "certificates.k8s.io": "v1 v1alpha1 v1beta1",
    "coordination.k8s.io": "v1 v1alpha2 v1beta1",
    "discovery.k8s.io": "v1 v1beta1",
    "events.k8s.io": "v1 v1beta1",
    "extensions": "v1beta1",
    "flowcontrol.apiserver.k8s.io": "v1 v1beta1 v1beta2 v1beta3",
    "internal.apiserver.k8s.io": "v1alpha1",
    "networking.k8s.io": "v1 v1beta1",
    "node.k8s.io": "v1 v1alpha1 v1beta1",
    "policy": "v1 v1beta1",
    "rbac.authorization.k8s.io": "v1 v1alpha1 v1beta1",
    "resource.k8s.io": "v1 v1alpha3 v1beta1 v1beta2",
    "scheduling.k8s.io": "v1 v1alpha2 v1beta1",
    "storage.k8s.io": "v1 v1alpha1 v1beta1",
    "storagemigration.k8s.io": "v1beta1",
}
"""The groups that know DeleteOptions: every group that a real server was built with, served or not."""

_OPTION_GROUPS_1_33: Final = {
    **_OPTION_GROUPS,
    "autoscaling": "v1 v2 v2beta1 v2beta2",
    "networking.k8s.io": "v1 v1alpha1 v1beta1",
    "resource.k8s.io": "v1alpha3 v1beta1 v1beta2",
    "scheduling.k8s.io": "v1 v1alpha1 v1beta1",
    "storagemigration.k8s.io": "v1alpha1",
}

_ZERO: Final[Mapping[str, Json]] = {"string": "", "integer": 0, "boolean": False}


def type_name(kind: BuiltinKind) -> str:
    """The full name of a kind's type."""
    return PACKAGES[kind.group, kind.version] + kind.kind


@cache
def types(kube: KubeVersion) -> Mapping[str, JsonObject]:
    """Every type by its full name. Shared by all who ask: nobody changes it."""
    found: dict[str, JsonObject] = {}
    for table in _TABLES:
        found |= table.TYPES
    if kube <= V1_33:
        found = dict(_of_1_33(found))
    for name, group_kinds in _group_kinds(kube).items():
        if name in found:
            found[name] = {**found[name], "x-kubernetes-group-version-kind": group_kinds}
    return found


def _group_kinds(kube: KubeVersion) -> dict[str, list[JsonObject]]:
    """What clients look a type up by, for the types that are kinds."""
    groups = _OPTION_GROUPS_1_33 if kube <= V1_33 else _OPTION_GROUPS
    found = {
        META + "DeleteOptions": [
            _group_kind(group, version, "DeleteOptions") for group, versions in groups.items() for version in versions.split()
        ],
        META + "Status": [_group_kind("", "v1", "Status")],
        autoscaling.V1 + "Scale": [_group_kind("autoscaling", "v1", "Scale")],
    }
    for kind in kinds(kube):
        found[type_name(kind)] = [_group_kind(kind.group, kind.version, kind.kind)]
        found[type_name(kind) + "List"] = [_group_kind(kind.group, kind.version, kind.list_kind)]
    return found


def _group_kind(group: str, version: str, kind: str) -> JsonObject:
    return {"group": group, "version": version, "kind": kind}


def _of_1_33(found: Mapping[str, JsonObject]) -> Iterator[tuple[str, JsonObject]]:
    """The types as 1.33 publishes them: elements have defaults, lists know nothing of shards, definitions of no generation observed."""
    for name, schema in found.items():
        if name == META + "ShardInfo":
            continue
        properties = {field: _with_element_default(value) for field, value in schema.get("properties", {}).items()}
        if name == META + "ListMeta":
            del properties["shardInfo"]
        if name.startswith(apiextensions.V1):
            properties.pop("observedGeneration", None)
        if name == META + "Status":
            properties["details"] = {**properties["details"], "x-kubernetes-list-type": "atomic"}
        if name == autoscaling.V1 + "ScaleSpec":
            properties["replicas"] = {key: value for key, value in properties["replicas"].items() if key != "default"}
        yield name, {**schema, "properties": properties} if properties else schema


def _with_element_default(schema: JsonObject) -> JsonObject:
    """A field whose elements, if it has some, name their zero value as default."""
    for key in ("items", "additionalProperties"):
        if key in schema:
            return {**schema, key: _with_default(_with_element_default(schema[key]))}
    return schema


def _with_default(element: JsonObject) -> JsonObject:
    if "$ref" in element:
        return {"allOf": [element], "default": {}}
    if element.get("type") in _ZERO:
        return {**element, "default": _ZERO[element["type"]]}
    return element
