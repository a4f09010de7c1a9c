"""The types of ``storagemigration.k8s.io/v1beta1``: having objects written anew in the version they are stored in."""

from __future__ import annotations

from typing import Final

from crdkit.builtin.schemas.notation import META, kind, list_of, many, one, ref, string, struct

V1BETA1: Final = "io.k8s.api.storagemigration.v1beta1."

TYPES: Final = {
    V1BETA1 + "StorageVersionMigration": kind(
        "StorageVersionMigration has all objects of a resource written anew, so that they stand in the current storage version.",
        {
            "spec": one(V1BETA1 + "StorageVersionMigrationSpec", "spec is what to migrate. It cannot be changed."),
            "status": one(V1BETA1 + "StorageVersionMigrationStatus", "status is how far the migration has come."),
        },
    ),
    V1BETA1 + "StorageVersionMigrationList": list_of(
        V1BETA1 + "StorageVersionMigration", "StorageVersionMigrationList is a list of migrations.", "items are the migrations."
    ),
    V1BETA1 + "StorageVersionMigrationSpec": struct(
        "StorageVersionMigrationSpec is what to migrate.",
        {"resource": one(META + "GroupResource", "resource is the resource whose objects are migrated.")},
        required=("resource",),
    ),
    V1BETA1 + "StorageVersionMigrationStatus": struct(
        "StorageVersionMigrationStatus is how far a migration has come.",
        {
            "conditions": many(
                ref(META + "Condition"),
                "conditions are Running, Succeeded and Failed.",
                list_type="map",
                keys=("type",),
                merge_key="type",
            ),
            "resourceVersion": string(
                "resourceVersion is the state up to which objects are migrated; later ones are in order by themselves."
            ),
        },
    ),
}
