"""Whether two JSON values are the same to Go, to which 1, 1.0 and true are three things."""

from __future__ import annotations

from crdkit.meta.types import Json, JsonObject


def same(one: Json, other: Json) -> bool:
    """Deep equality that tells types apart."""
    return bool(one == other) and (one is other or _same_types(one, other))


def _same_types(one: Json, other: Json) -> bool:
    """Whether values that Python holds for equal have equal types throughout."""
    if one is other:
        return True
    kind = one.__class__
    if kind is not other.__class__:
        return False
    if kind is dict:
        for name, value in one.items():
            counterpart = other[name]
            if value is not counterpart and not _same_types(value, counterpart):
                return False
    elif kind is list:
        for value, counterpart in zip(one, other, strict=True):
            if value is not counterpart and not _same_types(value, counterpart):
                return False
    return True


def same_but_for_metadata(one: JsonObject, other: JsonObject) -> bool:
    """Whether the content of two objects is the same: all of them but their metadata."""
    names = one.keys() - {"metadata"}
    return names == other.keys() - {"metadata"} and all(same(one[name], other[name]) for name in names)


def same_but_for_owners(one: JsonObject, other: JsonObject) -> bool:
    """Whether two objects are the same, whoever owns their fields."""
    return same_but_for_metadata(one, other) and same(_without_owners(one), _without_owners(other))


def _without_owners(obj: JsonObject) -> JsonObject:
    return {name: value for name, value in obj["metadata"].items() if name != "managedFields"}
