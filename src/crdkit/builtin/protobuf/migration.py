"""The messages of storagemigration.k8s.io/v1beta1."""

from __future__ import annotations

from typing import Final

from crdkit.builtin.protobuf.meta import META
from crdkit.meta.goprotobuf import MessageTable

V1BETA1: Final = MessageTable(
    {
        "StorageVersionMigration": {
            "metadata": "1 ObjectMeta",
            "spec": "2 StorageVersionMigrationSpec",
            "status": "3 StorageVersionMigrationStatus",
        },
        "StorageVersionMigrationList": {"metadata": "1 ListMeta", "items": "2 []StorageVersionMigration"},
        "StorageVersionMigrationSpec": {"resource": "1 GroupResource"},
        "StorageVersionMigrationStatus": {"conditions": "1 []Condition", "resourceVersion": "2 string"},
    },
    includes=(META,),
)
