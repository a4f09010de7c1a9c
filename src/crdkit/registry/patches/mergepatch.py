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
            result[name] = value
    return result
