"""The messages of rbac.authorization.k8s.io/v1."""

from __future__ import annotations

from typing import Final

from crdkit.builtin.protobuf.meta import META
from crdkit.meta.goprotobuf import MessageTable

_BINDING: Final = {"metadata": "1 ObjectMeta", "subjects": "2 []Subject", "roleRef": "3 RoleRef"}

V1: Final = MessageTable(
    {
        "Role": {"metadata": "1 ObjectMeta", "rules": "2 []PolicyRule"},
        "RoleList": {"metadata": "1 ListMeta", "items": "2 []Role"},
        "ClusterRole": {"metadata": "1 ObjectMeta", "rules": "2 []PolicyRule", "aggregationRule": "3 *AggregationRule"},
        "ClusterRoleList": {"metadata": "1 ListMeta", "items": "2 []ClusterRole"},
        "RoleBinding": _BINDING,
        "RoleBindingList": {"metadata": "1 ListMeta", "items": "2 []RoleBinding"},
        "ClusterRoleBinding": _BINDING,
        "ClusterRoleBindingList": {"metadata": "1 ListMeta", "items": "2 []ClusterRoleBinding"},
        "PolicyRule": {
            "verbs": "1 []string",
            "apiGroups": "2 []string",
            "resources": "3 []string",
            "resourceNames": "4 []string",
            "nonResourceURLs": "5 []string",
        },
        "AggregationRule": {"clusterRoleSelectors": "1 []LabelSelector"},
        "Subject": {"kind": "1 string", "apiGroup": "2 string", "name": "3 string", "namespace": "4 string"},
        "RoleRef": {"apiGroup": "1 string", "kind": "2 string", "name": "3 string"},
    },
    includes=(META,),
)
