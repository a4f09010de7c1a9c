"""What differs between an object and the one that it was made of: found out once, and then all that a change has to look at."""

from __future__ import annotations

import enum
from typing import Final, NamedTuple, TypeAlias

from crdkit.meta.types import Json, JsonObject

_ABSENT: Final = object()
"""Is no value: a null differs from a field that is not there."""


class Whole(enum.Enum):
    """How a field differs that is not an object both before and after."""

    WRITTEN = "written"
    REMOVED = "removed"


WRITTEN: Final = Whole.WRITTEN
REMOVED: Final = Whole.REMOVED

Changes: TypeAlias = dict[str, "Changes | Places | Whole"]
"""The fields of an object that differ; of those that are objects before and after, their own fields that do.

All else is equal in type and content. Of what is named here some may be equal too, once a change has been worked on.
"""


class Places(NamedTuple):
    """A list in which every item has the place and the name (its keys) that it had: where there are others than before, and in what."""

    changes: dict[int, Changes | Whole]


class Changed(NamedTuple):
    """An object as something made it of another, and what differs then, where that is known."""

    new: JsonObject
    changes: Changes | None = None


def changes_of(new: JsonObject, old: JsonObject) -> Changes:
    """What differs."""
    found: Changes = {}
    added = 0
    for name, value in new.items():
        before = old.get(name, _ABSENT)
        if before is value:
            continue
        kind = value.__class__
        if kind is dict and before.__class__ is dict:
            if below := changes_of(value, before):
                found[name] = below
        elif before is _ABSENT:
            added += 1
            found[name] = WRITTEN
        elif kind is not before.__class__ or value != before or (kind is list and not _same_types(value, before)):
            found[name] = WRITTEN
    if len(new) - added < len(old):
        found.update((name, REMOVED) for name in old if name not in new)
    return found


def are_real(changes: Changes, new: JsonObject, old: JsonObject) -> bool:
    """Whether something differs indeed."""
    for name, below in changes.items():
        if isinstance(below, dict):
            if are_real(below, new[name], old[name]):
                return True
        elif not same(new.get(name, _ABSENT), old.get(name, _ABSENT)):
            return True
    return False


def same(one: Json, other: Json) -> bool:
    """Whether two values are equal in type and content."""
    return bool(one == other) and (one is other or _same_types(one, other))


def _same_types(one: Json, other: Json) -> bool:
    """Whether values that Python holds for equal have equal types throughout. What equals a text is one."""
    if one is other:
        return True
    kind = one.__class__
    if kind is not other.__class__:
        return False
    if kind is dict:
        for name, value in one.items():
            if value.__class__ is not str and not _same_types(value, other[name]):
                return False
    elif kind is list:
        for value, counterpart in zip(one, other, strict=True):
            if value.__class__ is not str and not _same_types(value, counterpart):
                return False
    return True
