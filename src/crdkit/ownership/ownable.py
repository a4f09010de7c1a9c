"""What of an object anybody owns: all but what identifies it, and what the server alone writes."""

from __future__ import annotations

from typing import Final

from crdkit.ownership import fieldsets
from crdkit.ownership.fieldsets import FieldSet

_SYSTEM_FIELDS: Final = (
    "name",
    "namespace",
    "creationTimestamp",
    "selfLink",
    "uid",
    "clusterName",
    "generation",
    "managedFields",
    "resourceVersion",
)
_NEVER_OWNED: Final = fieldsets.of(
    ("f:apiVersion",), ("f:kind",), ("f:metadata",), *(("f:metadata", f"f:{name}") for name in _SYSTEM_FIELDS)
)


def ownable(fields: FieldSet) -> FieldSet:
    """Those of the fields that somebody may own; the same set if all may be."""
    return fieldsets.difference(fields, _NEVER_OWNED)
