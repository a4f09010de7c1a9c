"""What a definition tells of the migration of its objects to the storage version (a condition, and its storedVersions)."""

from __future__ import annotations

from typing import Final

from crdkit.definitions.conditions import Condition, find, with_conditions
from crdkit.meta.types import JsonObject

_TYPE: Final = "StorageMigrating"
_UPDATED: Final = "The migration has succeeded and the stored versions have been updated"
_CHANGED: Final = "The migration has succeeded but the stored versions have not been updated due to a generation mismatch"


def begin(definition: JsonObject, migration: str, now: str) -> JsonObject:
    """The definition while the migration of that name runs."""
    condition = Condition(_TYPE, "True", "MigrationRunning", f"Migration {migration} is running")
    return _observed(with_conditions(definition, condition, now=now))


def begun_at(definition: JsonObject) -> int | None:
    """The generation at which the migration that runs began; None if none does."""
    condition = find(definition, _TYPE)
    return condition.get("observedGeneration") if condition is not None and condition["status"] == "True" else None


def finish(definition: JsonObject, now: str, *, succeeded: bool, begun: int | None) -> JsonObject:
    """The definition after a migration that began at a generation of it (None: it was not there yet).

    Objects stand in the storage version alone then, unless that may be another one by now. A failed migration is taken for a finished one
    there, as a real server does.
    """
    is_same = begun == definition["metadata"].get("generation")
    reason, message = "MigrationFailed", "The migration has failed"
    if succeeded:
        reason, message = "MigrationSucceeded", _UPDATED if is_same else _CHANGED
    after = _observed(with_conditions(definition, Condition(_TYPE, "False", reason, message), now=now))
    if is_same:
        after["status"]["storedVersions"] = [version["name"] for version in after["spec"]["versions"] if version.get("storage")]
    return after


def _observed(definition: JsonObject) -> JsonObject:
    """The condition tells which generation it is about; the definition is a new one already."""
    condition = find(definition, _TYPE)
    assert condition is not None
    condition["observedGeneration"] = definition["metadata"].get("generation", 0)
    return definition
