"""Copies of JSON values."""

from __future__ import annotations

from crdkit.meta.types import Json


def copied(value: Json) -> Json:
    """A copy that shares no object or list with the value."""
    kind = type(value)
    if kind is dict:
        return {name: copied(item) if type(item) in (dict, list) else item for name, item in value.items()}
    if kind is list:
        return [copied(item) if type(item) in (dict, list) else item for item in value]
    return value
