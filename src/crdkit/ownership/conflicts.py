"""What an apply may not take from others unless it is forced to, and how that is told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from crdkit.meta.status import Refusal, failure
from crdkit.meta.types import JsonObject
from crdkit.ownership import fieldsets
from crdkit.ownership.entries import Identity
from crdkit.ownership.fieldsets import FieldSet, Path


class Conflict(NamedTuple):
    """A field that another owns, with another value."""

    owner: Identity
    path: Path

    @property
    def where(self) -> str:
        return fieldsets.shown_path(self.path)


class Conflicts(Exception):
    """An apply would change fields that others own."""

    def __init__(self, conflicts: list[Conflict]) -> None:
        super().__init__(message_of(conflicts))
        self.conflicts = conflicts

    @classmethod
    def of(cls, owned: Mapping[Identity, FieldSet]) -> Conflicts:
        """All fields of these sets, by owner."""
        owners = sorted(owned, key=lambda owner: owner.text)
        return cls([Conflict(owner, path) for owner in owners for path in fieldsets.paths(owned[owner])])

    def refusal(self) -> Refusal:
        causes = [
            {"reason": "FieldManagerConflict", "message": f"conflict with {conflict.owner.shown}", "field": conflict.where}
            for conflict in self.conflicts
        ]
        details: JsonObject = {"causes": causes}
        return Refusal(failure(409, "Conflict", str(self), details))


def message_of(conflicts: list[Conflict]) -> str:
    if len(conflicts) == 1:
        only = conflicts[0]
        return f"Apply failed with 1 conflict: conflict with {only.owner.shown}: {only.where}"
    lines: list[str] = []
    owner = None
    for conflict in conflicts:
        if conflict.owner != owner:
            owner = conflict.owner
            lines.append(f"conflicts with {owner.shown}:")
        lines.append(f"- {conflict.where}")
    return f"Apply failed with {len(conflicts)} conflicts: " + "\n".join(lines)
