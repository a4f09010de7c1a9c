"""The Go structs of object metadata (apimachinery's meta/v1), which all kinds share."""

from __future__ import annotations

from typing import Final

from crdkit.meta.gostruct import StructTable

OBJECT_META: Final = StructTable(
    package="v1",
    structs={
        "ObjectMeta": {
            "name": "string?",
            "generateName": "string?",
            "namespace": "string?",
            "selfLink": "string?",
            "uid": "types.UID?",
            "resourceVersion": "string?",
            "generation": "int64?",
            "creationTimestamp": "Time!",
            "deletionTimestamp": "*Time?",
            "deletionGracePeriodSeconds": "*int64?",
            "labels": "map[string]string?",
            "annotations": "map[string]string?",
            "ownerReferences": "[]OwnerReference?",
            "finalizers": "[]string?",
            "managedFields": "[]ManagedFieldsEntry?",
        },
        "OwnerReference": {
            "apiVersion": "string",
            "kind": "string",
            "name": "string",
            "uid": "types.UID",
            "controller": "*bool?",
            "blockOwnerDeletion": "*bool?",
        },
        "ManagedFieldsEntry": {
            "manager": "string?",
            "operation": "ManagedFieldsOperationType?",
            "apiVersion": "string?",
            "time": "*Time?",
            "fieldsType": "string?",
            "fieldsV1": "*FieldsV1?",
            "subresource": "string?",
        },
        "ListMeta": {
            "selfLink": "string?",
            "resourceVersion": "string?",
            "continue": "string?",
            "remainingItemCount": "*int64?",
        },
    },
    aliases={
        "types.UID": "string",
        "ManagedFieldsOperationType": "string",
    },
)
"""The types that other tables include; ``OBJECT_META.decode("ObjectMeta", …)`` reads the metadata of any object."""
