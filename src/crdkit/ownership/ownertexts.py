"""Owners as text: what becomes of them is looked up by the sort of the change, and they are read only for the first of a sort.

It comes to what `FieldManager.follow` and `FieldManager.apply` make of the same owners, or to nothing where that takes more.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import NamedTuple

from crdkit.meta import json
from crdkit.meta.changes import Changes
from crdkit.meta.types import JsonObject
from crdkit.ownership import lastapplied, outcomes
from crdkit.ownership.comparison import Comparison, compare_changes
from crdkit.ownership.conformity import conforms
from crdkit.ownership.entries import APPLY, UPDATE, Managers
from crdkit.ownership.fieldsets import FieldSet
from crdkit.ownership.items import Unnameable
from crdkit.ownership.merging import merge_object
from crdkit.ownership.oneversion import OneVersion
from crdkit.ownership.outcomes import Outcomes, OwnersText
from crdkit.ownership.shapes import ByShape


class Applied(NamedTuple):
    """What applying makes of an object: that without its owners, what differs, and the owners' text."""

    new: JsonObject
    changes: Changes
    owners: bytes


class OwnerTexts:
    """The owners of objects of a kind that are seen whole, or through their status. Objects lack their owners here."""

    def __init__(self, version: OneVersion) -> None:
        self._version = version
        self._outcomes = Outcomes()
        self._applied: ByShape[tuple[FieldSet, Hashable]] = ByShape()

    def taken_apart(self, text: bytes) -> OwnersText | None:
        """The owners of a stored object, as the following take them; None where those are of no help."""
        return self._outcomes.taken_apart(text)

    def follow(self, owners: OwnersText, live: JsonObject, new: JsonObject, changes: Changes, manager: str, *, now: str) -> bytes | None:
        """The text of the owners after a change of ``live``, which is of the type. None where that takes a look at them."""
        version = self._version
        try:
            compared = compare_changes(version.type, live, new, changes)
        except Unnameable:
            return None
        owner = version.identity(manager, UPDATE)
        key = (owner, _text_of(compared), owners.sort)
        return self._looked_up(key, owners, now, lambda managers: version.after_update(managers, compared, owner, outcomes.NOW))

    def apply(self, owners: OwnersText, live: JsonObject, config: JsonObject, manager: str, *, force: bool, now: str) -> Applied | None:
        """Merge a configuration into ``live``, which is of the type. None where it takes more than a look at what differs, or is wrong."""
        version = self._version
        if not self._is_ordinary(config):
            return None
        try:
            new, changes = merge_object(version.type, live, config)
            compared = compare_changes(version.type, live, new, changes, conforms=True)
            fields, sort = self._fields_of(config)
        except Unnameable:
            return None
        if (changes and compared.is_same) or (manager == lastapplied.KUBECTL and lastapplied.has_annotation(new)):
            return None
        owner = version.identity(manager, APPLY)
        key = (owner, force, sort, _text_of(compared), owners.sort)
        time = outcomes.NOW if changes else ""
        text = self._looked_up(
            key, owners, now, lambda managers: version.after_apply(managers, compared, fields, owner, force=force, now=time)
        )
        return None if text is None else Applied(new, changes, text)

    def _looked_up(self, key: Hashable, owners: OwnersText, now: str, left_by: Callable[[Managers], Managers | None]) -> bytes | None:
        """The text of the owners that a change of some sort leaves, worked out if none of the sort came before; None if that takes more."""
        outcome = self._outcomes.find(key)
        if outcome is None:
            managers = self._outcomes.marked(owners, self._version.api_version)
            outcome = self._outcomes.keep(key, None if managers is None else left_by(managers))
        return outcome.text(owners.times, now.encode())

    def _is_ordinary(self, config: JsonObject) -> bool:
        """Whether a configuration is of this kind and of the type, and has nothing to say of owners."""
        version = self._version
        if config.get("apiVersion") != version.api_version or config.get("kind") != version.kind:
            return False
        return conforms(version.type, config, duplicates=False) and "managedFields" not in (config.get("metadata") or ())

    def _fields_of(self, config: JsonObject) -> tuple[FieldSet, Hashable]:
        """The fields that a configuration sets, and something that stands for them. Raises `Unnameable`."""
        shape: Hashable = None
        try:
            shape = self._version.shape(config)
            if (known := self._applied.get(shape)) is not None:
                return known
        except (TypeError, AttributeError):
            shape = None  # what null stands for in an applied object has no shape
        fields = self._version.fields_of(config)
        found = fields, json.encode_without_floats(fields)
        self._applied.keep(shape, fields, found)
        return found


def _text_of(compared: Comparison) -> bytes:
    """All that a comparison found, as something to look it up by."""
    return json.encode_without_floats(list(compared))
