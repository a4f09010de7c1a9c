"""What becomes of owners who all speak in words of one version: nothing has to be converted, so a look at what differs tells."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from crdkit.meta.types import JsonObject
from crdkit.ownership import capping, entries, fieldsets
from crdkit.ownership.comparison import Comparison
from crdkit.ownership.entries import Identity, Managers, Owned
from crdkit.ownership.extraction import fields_of
from crdkit.ownership.fieldsets import FieldSet
from crdkit.ownership.ownable import ownable
from crdkit.ownership.shapes import Shape, compile_shape
from crdkit.ownership.tracking import Change, Tracking
from crdkit.ownership.types import Type

_NOTHING_OWNED: Final = Owned(fieldsets.EMPTY, "")


@dataclass(frozen=True)
class OneVersion:
    """A kind in one version, seen whole or through a subresource."""

    api_version: str
    kind: str
    subresource: str
    type: Type
    tracking: Tracking

    @cached_property
    def shape(self) -> Shape:
        """Gives the shape of an object."""
        return compile_shape(self.type)

    def identity(self, manager: str, operation: str) -> Identity:
        """The owner who changes something here."""
        return entries.identity(manager or "unknown", operation, self.api_version, self.subresource)

    def is_spoken_by(self, managers: Managers) -> bool:
        """Whether all owners speak in words of this version."""
        return {owned.api_version for owned in managers.values()} <= {self.api_version}

    def settable(self, fields: FieldSet) -> FieldSet:
        """What of these fields can be set here."""
        return self.tracking.settable(fields, self.api_version)

    def fields_of(self, config: JsonObject) -> FieldSet:
        """The fields that an applied configuration sets. Raises `Unnameable`."""
        return self.settable(fields_of(self.type, config))

    def after_update(self, managers: Managers, compared: Comparison, owner: Identity, now: str) -> Managers:
        """The owners after one of them changed an object."""
        held = self.tracking.reconciled_here(self.type, managers)
        change = self.tracking.change_in(self.api_version, compared)
        self.tracking.take_here(change, held, owner)
        return self.with_change(held, change, owner, managers.get(owner), now)

    def with_change(self, managers: Managers, change: Change, owner: Identity, known: Owned | None, now: str) -> Managers:
        """The owners with what one of them wrote and removed, which was taken from the others; ``known`` is how his set is written."""
        held = managers.get(owner, _NOTHING_OWNED)
        written = ownable(change.written)
        kept = fieldsets.difference(held.fields, change.removed)
        if written is not change.written:
            kept = fieldsets.difference(kept, fieldsets.difference(change.written, written))
        if written:
            fields = fieldsets.ordered(fieldsets.union(kept, written), known.fields if known else fieldsets.EMPTY)
            managers[owner] = Owned(fields, self.api_version, now)
        elif kept is not held.fields:
            managers[owner] = held._replace(fields=kept)
        managers = {key: owned for key, owned in managers.items() if owned.fields}
        capping.cap(managers)
        return managers

    def after_apply(
        self, managers: Managers, compared: Comparison, fields: FieldSet, owner: Identity, *, force: bool, now: str
    ) -> Managers | None:
        """The owners after one of them applied these fields; without a time, his stays. None where he gives some up, or others own some."""
        held = self.tracking.reconciled_here(self.type, managers)
        last, known = held.get(owner, _NOTHING_OWNED), managers.get(owner, _NOTHING_OWNED)
        change = self.tracking.change_in(self.api_version, compared)
        if not fieldsets.is_subset(last.fields, fields) or not (force or self.tracking.is_free(change, held, owner)):
            return None
        self.tracking.take_here(change, held, owner)
        fields = ownable(fields)
        fields = known.fields if known.fields == fields else fieldsets.ordered(fields, known.fields)
        held[owner] = Owned(fields, self.api_version, now or last.time)
        return held
