"""Approval of definitions in Kubernetes' own groups: who needs one, what the annotation says, the condition that tells it."""

from __future__ import annotations

import enum
from typing import Final, NamedTuple

from crdkit.definitions.conditions import Condition
from crdkit.meta import golang, gourl
from crdkit.meta.types import JsonObject

ANNOTATION: Final = "api-approved.kubernetes.io"
_PROTECTED: Final = ("k8s.io", "kubernetes.io")
_SEE: Final = "see https://github.com/kubernetes/enhancements/pull/1111"


class ApprovalState(enum.Enum):
    """What the annotation amounts to, with the condition's status and reason."""

    INVALID = ("False", "InvalidAnnotation")
    APPROVED = ("True", "ApprovedAnnotation")
    BYPASSED = ("False", "UnapprovedAnnotation")
    MISSING = ("False", "MissingAnnotation")


class Approval(NamedTuple):
    state: ApprovalState
    text: str


def is_protected(group: str) -> bool:
    """Whether a group is Kubernetes' own."""
    return group in _PROTECTED or group.endswith((".k8s.io", ".kubernetes.io"))


def approval_of(metadata: JsonObject) -> Approval:
    """What a definition's annotation says: a URL approves it, a text that begins with "unapproved" goes without."""
    annotation = (metadata.get("annotations") or {}).get(ANNOTATION, "")
    if not annotation:
        return Approval(ApprovalState.MISSING, f'protected groups must have approval annotation "{ANNOTATION}", {_SEE}')
    if annotation.startswith("unapproved"):
        return Approval(ApprovalState.BYPASSED, f"not approved: {golang.quote(annotation)}")
    if _is_url(annotation):
        return Approval(ApprovalState.APPROVED, f"approved in {annotation}")
    text = f'protected groups must have approval annotation "{ANNOTATION}" with either a URL or a reason starting with "unapproved", {_SEE}'
    return Approval(ApprovalState.INVALID, text)


def _is_url(text: str) -> bool:
    try:
        url = gourl.parse_request_uri(text)
    except gourl.UrlError:
        return False
    return bool(url.host and url.scheme)


def approval_condition(definition: JsonObject) -> Condition | None:
    """The condition that a definition of a protected group has; None for the others."""
    if not is_protected(definition["spec"]["group"]):
        return None
    state, text = approval_of(definition["metadata"])
    status, reason = state.value
    return Condition("KubernetesAPIApprovalPolicyConformant", status, reason, text)
