"""The messages of coordination.k8s.io/v1."""

from __future__ import annotations

from typing import Final

from crdkit.builtin.protobuf.meta import META
from crdkit.meta.goprotobuf import MessageTable

V1: Final = MessageTable(
    {
        "Lease": {"metadata": "1 ObjectMeta", "spec": "2 LeaseSpec"},
        "LeaseList": {"metadata": "1 ListMeta", "items": "2 []Lease"},
        "LeaseSpec": {
            "holderIdentity": "1 *string",
            "leaseDurationSeconds": "2 *int32",
            "acquireTime": "3 *MicroTime",
            "renewTime": "4 *MicroTime",
            "leaseTransitions": "5 *int32",
            "strategy": "6 *string",
            "preferredHolder": "7 *string",
        },
    },
    includes=(META,),
)
