"""JSON merge patch (RFC 7386)."""

from __future__ import annotations

from crdkit.meta.types import Json, JsonObject


def merged(target: Json, patch: JsonObject) -> JsonObject:
    """The target with the patch applied; the target stays as it is, but shares what the patch does not touch."""
    result: JsonObject = dict(target) if type(target) is dict else {}
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        elif type(value) is dict:
            result[name] = merged(result.get(name), value)
        else:
            result[name] = without_nulls(value) if type(value) is list else value
    return result


def without_nulls(items: list[Json]) -> list[Json]:
    """The items of a list; objects in it lose the fields that are null, at any depth, as if they were merged into nothing."""
    found: list[Json] = []
    for item in items:
        if type(item) is dict:
            found.append(merged(None, item))
        else:
            found.append(without_nulls(item) if type(item) is list else item)
    return found
