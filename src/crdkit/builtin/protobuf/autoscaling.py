"""The messages of autoscaling/v1."""

from __future__ import annotations

from typing import Final

from crdkit.builtin.protobuf.meta import META
from crdkit.meta.goprotobuf import MessageTable

V1: Final = MessageTable(
    {
        "Scale": {"metadata": "1 ObjectMeta", "spec": "2 ScaleSpec", "status": "3 ScaleStatus"},
        "ScaleSpec": {"replicas": "1 int32"},
        "ScaleStatus": {"replicas": "1 int32", "selector": "2 string"},
    },
    includes=(META,),
)
