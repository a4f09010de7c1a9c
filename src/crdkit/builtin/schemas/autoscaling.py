"""The scale subresource, described as real servers publish it."""

from __future__ import annotations

from typing import Final

from crdkit.builtin.schemas.notation import API_VERSION, KIND, META, integer, one, string, struct

V1: Final = "io.k8s.api.autoscaling.v1."

TYPES: Final = {
    V1 + "Scale": struct(
        "Scale represents a scaling request for a resource.",
        {
            "apiVersion": string(API_VERSION),
            "kind": string(KIND),
            "metadata": one(
                META + "ObjectMeta",
                (
                    "Standard object metadata; More info:"
                    " https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata."
                ),
            ),
            "spec": one(
                V1 + "ScaleSpec",
                (
                    "spec defines the behavior of the scale. More info:"
                    " https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#spec-and-status."
                ),
            ),
            "status": one(
                V1 + "ScaleStatus",
                (
                    "status is the current status of the scale. More info:"
                    " https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#spec-and-status."
                    " Read-only."
                ),
            ),
        },
    ),
    V1 + "ScaleSpec": struct(
        "ScaleSpec describes the attributes of a scale subresource.",
        {
            "replicas": integer("replicas is the desired number of instances for the scaled object.", default=0),
        },
    ),
    V1 + "ScaleStatus": struct(
        "ScaleStatus represents the current status of a scale subresource.",
        {
            "replicas": integer("replicas is the actual number of observed instances of the scaled object.", default=0),
            "selector": string(
                "selector is the label query over pods that should match the replicas count. This is same as the label selector"
                " but in the string format to avoid introspection by clients. The string will be in the same format as the"
                " query-param syntax. More info about label selectors:"
                " https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/"
            ),
        },
        required=("replicas",),
    ),
}
