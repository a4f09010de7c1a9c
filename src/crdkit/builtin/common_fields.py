"""The Go types that several built-in kinds share (core/v1 and meta/v1)."""

from __future__ import annotations

from typing import Final

from crdkit.meta.gostruct import StructTable
from crdkit.meta.objectmeta_fields import OBJECT_META

HEAD: Final = {"kind": "string?", "apiVersion": "string?", "metadata": "ObjectMeta"}
"""How every kind begins."""

META: Final = StructTable(
    package="v1",
    structs={
        "LabelSelector": {"matchLabels": "map[string]string?", "matchExpressions": "[]LabelSelectorRequirement?"},
        "LabelSelectorRequirement": {"key": "string", "operator": "LabelSelectorOperator", "values": "[]string?"},
        "Condition": {
            "type": "string",
            "status": "ConditionStatus",
            "observedGeneration": "int64?",
            "lastTransitionTime": "Time",
            "reason": "string",
            "message": "string",
        },
    },
    aliases={"LabelSelectorOperator": "string", "ConditionStatus": "string"},
    includes=(OBJECT_META,),
)

CORE: Final = StructTable(
    package="v1",
    structs={
        "ObjectReference": {
            "kind": "string?",
            "namespace": "string?",
            "name": "string?",
            "uid": "types.UID?",
            "apiVersion": "string?",
            "resourceVersion": "string?",
            "fieldPath": "string?",
        },
        "LocalObjectReference": {"name": "string?"},
        "EventSource": {"component": "string?", "host": "string?"},
    },
    includes=(META,),
)
