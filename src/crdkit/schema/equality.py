"""Equality as Go's reflect.DeepEqual has it for decoded JSON: 1, 1.0 and true are three different values."""

from __future__ import annotations

from crdkit.meta.types import Json


def same(left: Json, right: Json) -> bool:
    """Whether two values are equal in type and content, at every depth."""
    kind = left.__class__
    if kind is not right.__class__:
        return False
    if kind is dict:
        return len(left) == len(right) and all(key in right and same(value, right[key]) for key, value in left.items())
    if kind is list:
        return len(left) == len(right) and all(map(same, left, right))
    return bool(left == right)
