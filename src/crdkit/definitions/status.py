"""What becomes of a definition after it was written: each function computes one write, or None if there is nothing to do.

A real server's controllers make these writes one by one, and a watch shows each. Whoever stores definitions calls `next_status` after a
write until it answers None.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from crdkit.definitions import names
from crdkit.definitions.approval import approval_condition
from crdkit.definitions.bundles import has_valid_bundle
from crdkit.definitions.conditions import Condition, find, is_true, says, with_conditions
from crdkit.definitions.definition import CLEANUP_FINALIZER
from crdkit.meta.types import JsonObject

_ESTABLISHED: Final = Condition("Established", "True", "InitialNamesAccepted", "the initial names have been accepted")
_INVALID_BUNDLE: Final = Condition("Established", "False", "InvalidCABundle", "The conversion webhook CABundle is invalid")
_PENDING: Final = Condition(
    "Terminating",
    "True",
    "InstanceDeletionPending",
    "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
)
_IN_PROGRESS: Final = Condition("Terminating", "True", "InstanceDeletionInProgress", "CustomResource deletion is in progress")
_COMPLETED: Final = Condition("Terminating", "False", "InstanceDeletionCompleted", "removed all instances")
_NEVER_ESTABLISHED: Final = Condition("Terminating", "False", "NeverEstablished", "resource was never established")

_NON_STRUCTURAL: Final = "NonStructuralSchema"


def next_status(definition: JsonObject, group: Iterable[JsonObject], now: str) -> JsonObject | None:
    """The next write that a stored definition needs: its names settled, established, its approval told. None: all is done.

    ``group`` are the stored definitions, this one among them. The result is a new object, the argument stays as it is.
    """
    return (
        names.settle(definition, group, now) or establish(definition, now) or tell_approval(definition, now) or untell_structure(definition)
    )


def establish(definition: JsonObject, now: str) -> JsonObject | None:
    """Established, once the names are accepted; not while the webhook's bundle of authorities is none."""
    if not is_true(definition, "NamesAccepted") or is_true(definition, "Established"):
        return None
    condition = _ESTABLISHED if has_valid_bundle(definition["spec"].get("conversion")) else _INVALID_BUNDLE
    if says(find(definition, "Established"), condition):
        return None
    return with_conditions(definition, condition, now=now)


def tell_approval(definition: JsonObject, now: str) -> JsonObject | None:
    """The condition of definitions in protected groups."""
    condition = approval_condition(definition)
    if condition is None or says(find(definition, condition.type), condition):
        return None
    return with_conditions(definition, condition, now=now)


def untell_structure(definition: JsonObject) -> JsonObject | None:
    """All schemas are structural here: who says otherwise by hand is corrected."""
    if find(definition, _NON_STRUCTURAL) is None:
        return None
    status = definition["status"]
    return {**definition, "status": {**status, "conditions": [each for each in status["conditions"] if each["type"] != _NON_STRUCTURAL]}}


def mark_for_deletion(definition: JsonObject, now: str) -> JsonObject:
    """The answer to a first DELETE: the deletion's time, the finalizer that waits for the objects, and Terminating."""
    metadata = dict(definition["metadata"])
    metadata["deletionTimestamp"] = now
    finalizers = metadata.get("finalizers") or []
    if CLEANUP_FINALIZER not in finalizers:
        metadata["finalizers"] = [*finalizers, CLEANUP_FINALIZER]
    return with_conditions({**definition, "metadata": metadata}, _PENDING, now=now)


def needs_cleanup(definition: JsonObject) -> bool:
    """Whether a definition is being deleted and its objects have not been looked after yet."""
    metadata = definition["metadata"]
    return bool(metadata.get("deletionTimestamp")) and CLEANUP_FINALIZER in (metadata.get("finalizers") or ())


def begin_cleanup(definition: JsonObject, now: str) -> JsonObject | None:
    """The write before the objects are deleted; None if it was made."""
    if says(find(definition, "Terminating"), _IN_PROGRESS):
        return None
    return with_conditions(definition, _IN_PROGRESS, now=now)


def fail_cleanup(definition: JsonObject, now: str, why: str) -> JsonObject | None:
    """Objects could not be listed or deleted; ``why`` begins with ``could not list instances: `` or ``could not issue all deletes: ``."""
    return _unless_said(definition, Condition("Terminating", "True", "InstanceDeletionFailed", why), now)


def await_cleanup(definition: JsonObject, now: str, why: str) -> JsonObject | None:
    """Objects are held by finalizers for longer than is waited for."""
    message = f"could not confirm zero CustomResources remaining: {why}"
    return _unless_said(definition, Condition("Terminating", "True", "InstanceDeletionCheck", message), now)


def _unless_said(definition: JsonObject, condition: Condition, now: str) -> JsonObject | None:
    if says(find(definition, condition.type), condition):
        return None
    return with_conditions(definition, condition, now=now)


def finish_cleanup(definition: JsonObject, now: str) -> JsonObject:
    """No objects are left: the finalizer goes, and with the last one the definition. One never established has no objects to delete."""
    condition = _COMPLETED if is_true(definition, "Established") else _NEVER_ESTABLISHED
    metadata = dict(definition["metadata"])
    finalizers = [finalizer for finalizer in metadata.get("finalizers") or () if finalizer != CLEANUP_FINALIZER]
    metadata.pop("finalizers", None)
    if finalizers:
        metadata["finalizers"] = finalizers
    return with_conditions({**definition, "metadata": metadata}, condition, now=now)
