"""What is to be done about one object, given how its owners stand: a pure function."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Final, NamedTuple

from crdkit.meta.objectmeta import FOREGROUND_DELETION, ORPHAN
from crdkit.meta.records import record
from crdkit.meta.types import JsonObject
from crdkit.registry.deleteoptions import FOREGROUND


class Standing(Enum):
    """How an owner stands, as its dependent sees it."""

    LIVING = "living"
    """It is there, or nothing can be told of its kind."""
    WAITING = "waiting"
    """It is being deleted, in the foreground: it waits for its dependents to go."""
    ABSENT = "absent"
    IMPOSSIBLE = "impossible"
    """A namespaced owner of an object in no namespace: such an object is never collected."""


class Owner(NamedTuple):
    """One reference to an owner."""

    uid: str
    standing: Standing


class Dependents(NamedTuple):
    """What counts of an object's own dependents."""

    some: bool = False
    blocking: bool = False
    """Whether one of them keeps it from going."""
    waiting: bool = False
    """Whether one of them waits for its own dependents: then the two may wait for each other."""


@record
class Keep:
    """Nothing."""


@record
class Delete:
    """Ask for its deletion; without a ``propagation`` its finalizers tell what becomes of its dependents.

    With ``unblock`` it lets go of its owners first, so that they do not wait for it.
    """

    propagation: str | None = None
    unblock: bool = False


@record
class Release:
    """Take these owners from its references."""

    uids: frozenset[str]


@record
class Finish:
    """Take a finalizer away; ``orphan`` tells that its dependents are to lose it as their owner before."""

    finalizer: str
    orphan: bool = False


Decision = Keep | Delete | Release | Finish

KEEP: Final = Keep()


def waits_for_dependents(metadata: JsonObject) -> bool:
    """Whether an object is being deleted in the foreground."""
    return metadata.get("deletionTimestamp") is not None and FOREGROUND_DELETION in (metadata.get("finalizers") or ())


def orphans_dependents(metadata: JsonObject) -> bool:
    """Whether an object is being deleted and leaves its dependents behind."""
    return metadata.get("deletionTimestamp") is not None and ORPHAN in (metadata.get("finalizers") or ())


def decide(metadata: JsonObject, owners: Sequence[Owner], dependents: Dependents) -> Decision:
    """What is to be done about an object; ``owners`` stand in the order of its references."""
    if metadata.get("deletionTimestamp") is not None:
        return _end(metadata, dependents)
    standings = [owner.standing for owner in owners]
    if not owners or Standing.IMPOSSIBLE in standings:
        return KEEP
    if Standing.LIVING in standings:
        lost = frozenset(owner.uid for owner in owners if owner.standing is not Standing.LIVING)
        return Release(lost) if lost else KEEP
    if Standing.WAITING in standings and dependents.some:
        return Delete(FOREGROUND, unblock=dependents.waiting)
    return Delete()


def _end(metadata: JsonObject, dependents: Dependents) -> Decision:
    """What is to be done about an object that is being deleted."""
    if orphans_dependents(metadata):
        return Finish(ORPHAN, orphan=True)
    if waits_for_dependents(metadata) and not dependents.blocking:
        return Finish(FOREGROUND_DELETION)
    return KEEP
