"""The fields of Namespaces (core/v1), and those that a cluster has from the start."""

from __future__ import annotations

from typing import Final

from crdkit.meta.gostruct import StructTable
from crdkit.meta.objectmeta_fields import OBJECT_META

INITIAL: Final = ("default", "kube-node-lease", "kube-public", "kube-system")
NAME_LABEL: Final = "kubernetes.io/metadata.name"
"""Every namespace has its name as a label, so that selectors can choose it."""
FINALIZER: Final = "kubernetes"
"""In ``spec.finalizers``: keeps a namespace that is being deleted until what it holds is gone."""
ACTIVE: Final = "Active"
TERMINATING: Final = "Terminating"

NAMESPACE_FIELDS: Final = StructTable(
    package="v1",
    structs={
        "Namespace": {
            "kind": "string?",
            "apiVersion": "string?",
            "metadata": "ObjectMeta",
            "spec": "NamespaceSpec",
            "status": "NamespaceStatus",
        },
        "NamespaceSpec": {"finalizers": "[]FinalizerName?"},
        "NamespaceStatus": {"phase": "NamespacePhase?", "conditions": "[]NamespaceCondition?"},
        "NamespaceCondition": {
            "type": "NamespaceConditionType",
            "status": "ConditionStatus",
            "lastTransitionTime": "Time",
            "reason": "string?",
            "message": "string?",
        },
    },
    aliases={
        "FinalizerName": "string",
        "NamespacePhase": "string",
        "NamespaceConditionType": "string",
        "ConditionStatus": "string",
    },
    includes=(OBJECT_META,),
)
