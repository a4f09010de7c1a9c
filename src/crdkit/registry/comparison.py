"""Whether two objects are the same to Go, to which 1, 1.0 and true are three things."""

from __future__ import annotations

from typing import Final

from crdkit.meta import json
from crdkit.meta.changes import Changes, changes_of, same
from crdkit.meta.types import JsonObject

_METADATA: Final = "metadata"
_OWNERS: Final = "managedFields"


def changes_between(new: JsonObject, old: JsonObject) -> Changes:
    """What differs between two objects, whoever owns their fields."""
    found = changes_of({**new, _METADATA: None}, {**old, _METADATA: None})
    if below := changes_of(_without_owners(new), _without_owners(old)):
        found[_METADATA] = below
    return found


def is_reordered(one: bytes, other: bytes) -> bool:
    """Whether two texts tell the same object: in Go's maps, and so in built-in kinds, the order of keys is nothing."""
    return len(one) == len(other) and same(json.decode(one), json.decode(other))


def same_but_for_metadata(one: JsonObject, other: JsonObject) -> bool:
    """Whether the content of two objects is the same: all of them but their metadata."""
    names = one.keys() - {_METADATA}
    return names == other.keys() - {_METADATA} and all(same(one[name], other[name]) for name in names)


def same_but_for_owners(one: JsonObject, other: JsonObject) -> bool:
    """Whether two objects are the same, whoever owns their fields."""
    return same_but_for_metadata(one, other) and same(_without_owners(one), _without_owners(other))


def _without_owners(obj: JsonObject) -> JsonObject:
    return {name: value for name, value in obj[_METADATA].items() if name != _OWNERS}
