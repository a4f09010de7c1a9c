"""Who depends on whom: an index by the owners' UIDs, kept write by write. It tells which objects a write makes worth a look."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from crdkit.controllers.garbagecollection.decision import Dependents, orphans_dependents, waits_for_dependents
from crdkit.meta.records import record
from crdkit.meta.types import JsonObject


@record(frozen=False)
class _Owner:
    dependents: dict[str, bool] = field(default_factory=dict)
    """Their keys, and whether they block the owner's deletion in the foreground."""
    blocking: int = 0
    gone: bool = False
    """Whether its deletion was seen."""
    waiting_at: str = ""
    """Its key, while it waits for its dependents to go."""


class Index:
    """Knows the objects that have owners or wait for dependents, by their keys, and nothing of all others."""

    def __init__(self) -> None:
        self._owners: dict[str, _Owner] = {}
        self._references: dict[str, tuple[str, ...]] = {}
        self._waiting: dict[str, str] = {}

    def __len__(self) -> int:
        """How many things are remembered."""
        return len(self._owners) + len(self._references) + len(self._waiting)

    def knows(self, key: str) -> bool:
        return key in self._references or key in self._waiting

    def saw_deletion(self, uid: str) -> bool:
        """Whether an owner is known to be gone; remembered while it has dependents."""
        owner = self._owners.get(uid)
        return owner is not None and owner.gone

    def dependents(self, uid: str) -> list[str]:
        """The keys of the objects that name an owner."""
        owner = self._owners.get(uid)
        return list(owner.dependents) if owner is not None else []

    def about(self, uid: str) -> Dependents:
        owner = self._owners.get(uid)
        if owner is None or not owner.dependents:
            return Dependents()
        waiting = bool(self._waiting) and any(key in self._waiting for key in owner.dependents)
        return Dependents(some=True, blocking=owner.blocking > 0, waiting=waiting)

    def put(self, key: str, metadata: JsonObject) -> Iterable[str]:
        """Take up an object as it is now; gives the keys that are worth a look."""
        due: dict[str, None] = {}
        references = {
            reference.get("uid", ""): bool(reference.get("blockOwnerDeletion")) for reference in metadata.get("ownerReferences") or ()
        }
        for uid in self._references.get(key, ()):
            if uid not in references:
                self._leave(uid, key, due)
        for uid, blocks in references.items():
            self._join(uid, key, blocks=blocks, due=due)
        if references:
            self._references[key] = tuple(references)
            due[key] = None
        else:
            self._references.pop(key, None)
        self._note_waiting(key, metadata, due)
        if orphans_dependents(metadata):
            due[key] = None
        return due

    def remove(self, key: str, uid: str) -> Iterable[str]:
        """Forget an object that has been deleted; gives the keys that are worth a look."""
        due: dict[str, None] = {}
        for owner_uid in self._references.pop(key, ()):
            self._leave(owner_uid, key, due)
        self._waiting.pop(key, None)
        if (owner := self._owners.get(uid)) is not None:
            owner.gone, owner.waiting_at = True, ""
            due |= dict.fromkeys(owner.dependents)
            self._drop_if_idle(uid, owner)
        return due

    def _join(self, uid: str, key: str, *, blocks: bool, due: dict[str, None]) -> None:
        owner = self._owners.get(uid)
        if owner is None:
            owner = self._owners[uid] = _Owner()
        before = owner.dependents.get(key, False)
        owner.dependents[key] = blocks
        owner.blocking += blocks - before
        if before and not blocks:
            self._look_at_waiting(owner, due)

    def _leave(self, uid: str, key: str, due: dict[str, None]) -> None:
        owner = self._owners[uid]
        owner.blocking -= owner.dependents.pop(key)
        self._look_at_waiting(owner, due)
        self._drop_if_idle(uid, owner)

    @staticmethod
    def _look_at_waiting(owner: _Owner, due: dict[str, None]) -> None:
        if owner.waiting_at and not owner.blocking:
            due[owner.waiting_at] = None

    def _drop_if_idle(self, uid: str, owner: _Owner) -> None:
        if not owner.dependents and not owner.waiting_at:
            del self._owners[uid]

    def _note_waiting(self, key: str, metadata: JsonObject, due: dict[str, None]) -> None:
        """An object begins to wait for its dependents, or is made to stop: both concern them."""
        uid = metadata.get("uid", "")
        if waits_for_dependents(metadata) == (key in self._waiting):
            return
        owner = self._owners.setdefault(uid, _Owner())
        if key in self._waiting:
            del self._waiting[key]
            owner.waiting_at = ""
        else:
            self._waiting[key] = uid
            owner.waiting_at = key
            due[key] = None
        due |= dict.fromkeys(owner.dependents)
        self._drop_if_idle(uid, owner)
