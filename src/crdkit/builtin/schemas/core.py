"""The types of the core group, ``v1``, as far as their kinds are served."""

from __future__ import annotations

from typing import Final

from crdkit.builtin.schemas.notation import META, kind, list_of, many, one, ref, string, struct

V1: Final = "io.k8s.api.core.v1."

TYPES: Final = {
    V1 + "Namespace": kind(
        "Namespace is a scope for names: objects of namespaced kinds live in one.",
        {
            "spec": one(V1 + "NamespaceSpec", "spec is how the namespace is to behave."),
            "status": one(V1 + "NamespaceStatus", "status is where the namespace stands in its life."),
        },
    ),
    V1 + "NamespaceCondition": struct(
        "NamespaceCondition tells how far the deletion of a namespace has come.",
        {
            "lastTransitionTime": one(META + "Time", "lastTransitionTime is when the status last changed.", optional=True),
            "message": string("message tells people more about the last change."),
            "reason": string("reason is one word, in CamelCase, for why the status changed."),
            "status": string("status is True, False or Unknown.", default=""),
            "type": string("type is what the condition is about, such as NamespaceContentRemaining.", default=""),
        },
        required=("type", "status"),
    ),
    V1 + "NamespaceList": list_of(V1 + "Namespace", "NamespaceList is a list of namespaces.", "items are the namespaces."),
    V1 + "NamespaceSpec": struct(
        "NamespaceSpec is how a namespace is to behave.",
        {
            "finalizers": many(
                string(),
                "finalizers have to be gone before the namespace goes; `kubernetes` stands for the deletion of what lives in it.",
                list_type="atomic",
            )
        },
    ),
    V1 + "NamespaceStatus": struct(
        "NamespaceStatus is where a namespace stands in its life.",
        {
            "conditions": many(
                ref(V1 + "NamespaceCondition"),
                "conditions tell how far a deletion has come.",
                list_type="map",
                keys=("type",),
                merge_key="type",
            ),
            "phase": string("phase is Active, or Terminating once the namespace is being deleted."),
        },
    ),
}
