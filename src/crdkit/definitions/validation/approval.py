"""The rule that definitions in Kubernetes' own groups need an approval."""

from __future__ import annotations

from collections.abc import Iterator

from crdkit.definitions.approval import ANNOTATION, ApprovalState, approval_of, is_protected
from crdkit.meta import errors
from crdkit.meta.errors import FieldError
from crdkit.meta.paths import ROOT
from crdkit.meta.types import JsonObject


def check_approval(new: JsonObject, old: JsonObject | None) -> Iterator[FieldError]:
    """On update only a change of state is judged, so that what was without approval may stay so."""
    if not is_protected(new["spec"]["group"]):
        return
    state, text = approval_of(new["metadata"])
    if old is not None and approval_of(old["metadata"]).state == state:
        return
    at = (ROOT / "metadata" / "annotations").key(ANNOTATION)
    if state is ApprovalState.MISSING:
        yield errors.required(at, text)
    elif state is ApprovalState.INVALID:
        yield errors.invalid(at, new["metadata"]["annotations"][ANNOTATION], text)
