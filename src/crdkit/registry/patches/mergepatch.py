"""JSON merge patch (RFC 7386)."""

from __future__ import annotations

from typing import Final

from crdkit.meta.changes import REMOVED, WRITTEN, Changes, same
from crdkit.meta.types import Json, JsonObject

_ABSENT: Final = object()


def merged(target: Json, patch: JsonObject) -> JsonObject:
    """The target with the patch applied; the target stays as it is, but shares what the patch does not touch."""
    result: JsonObject = dict(target) if type(target) is dict else {}
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        elif type(value) is dict:
            result[name] = merged(result.get(name), value)
        else:
            result[name] = _replacing(result.get(name), value)
    return result


def merged_into(target: JsonObject, patch: JsonObject) -> tuple[JsonObject, Changes]:
    """The same, and what differs then. What comes out as it was is shared, even where the patch names it."""
    result: JsonObject = dict(target)
    changes: Changes = {}
    for name, value in patch.items():
        before = target.get(name, _ABSENT)
        if value is None:
            if before is not _ABSENT:
                del result[name]
                changes[name] = REMOVED
        elif value.__class__ is dict and before.__class__ is dict:
            new, below = merged_into(before, value)
            if below:
                result[name], changes[name] = new, below
        else:
            whole = merged(None, value) if value.__class__ is dict else _replacing(before, value)
            if not same(whole, before):
                result[name], changes[name] = whole, WRITTEN
    return result, changes


def _replacing(before: Json, value: Json) -> Json:
    """What a scalar or list puts in place of what was there: a list that replaces an object is taken as it is, with all its nulls."""
    return without_nulls(value) if value.__class__ is list and before.__class__ is not dict else value


def without_nulls(items: list[Json]) -> list[Json]:
    """The items of a list; objects in it lose the fields that are null, at any depth, as if they were merged into nothing."""
    found: list[Json] = []
    for item in items:
        if type(item) is dict:
            found.append(merged(None, item))
        else:
            found.append(without_nulls(item) if type(item) is list else item)
    return found
