"""Which kinds a real server's one scheme of built-in groups knows: more than are served here, and told otherwise than kinds unknown."""

from __future__ import annotations

from typing import Final

from crdkit.builtin.kinds import KINDS

_ELSEWHERE: Final = "apiextensions.k8s.io"
"""A group that is served by a server of its own, with a scheme of its own."""
_WITH_LISTS: Final = {
    "v1": (
        "ComponentStatus", "ConfigMap", "Endpoints", "Event", "LimitRange", "Namespace", "Node", "PersistentVolume",
        "PersistentVolumeClaim", "Pod", "PodTemplate", "ReplicationController", "ResourceQuota", "Secret", "Service", "ServiceAccount",
    ),
    "apps/v1": ("ControllerRevision", "DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"),
    "autoscaling/v1": ("HorizontalPodAutoscaler",),
    "batch/v1": ("CronJob", "Job"),
}  # fmt: skip
_ALONE: Final = {"v1": ("Binding", "PodStatusResult", "RangeAllocation", "SerializedReference")}


def _all() -> frozenset[tuple[str, str]]:
    found = {(api_version, kind) for api_version, kinds in _WITH_LISTS.items() for kind in kinds}
    found |= {(row.api_version, row.kind) for row in KINDS if row.group != _ELSEWHERE}
    found |= {(api_version, f"{kind}List") for api_version, kind in found}
    return frozenset(found | {(api_version, kind) for api_version, kinds in _ALONE.items() for kind in kinds})


REGISTERED: Final = _all()
"""``apiVersion`` and ``kind`` of each."""
