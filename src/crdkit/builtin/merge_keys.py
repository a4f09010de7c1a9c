"""Which lists of built-in kinds a strategic merge patch merges, and by what: read from their published schemas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from crdkit.builtin.kinds import BuiltinKind
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion


@cache
def merge_keys(kind: BuiltinKind, kube: KubeVersion) -> Mapping[str, str]:
    """By the path of a list, items left out (``webhooks.matchConditions``): the field that tells its items apart.

    Empty for lists of plain values. Types that contain themselves are read once, down to where they begin again.
    """
    from crdkit.builtin.schemas.tables import type_name, types  # noqa: PLC0415 (large, and few requests patch strategically)

    return dict(_lists(type_name(kind), types(kube), "", ()))


def _lists(name: str, types: Mapping[str, JsonObject], at: str, above: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    if name in above or name not in types:
        return
    for field, schema in types[name].get("properties", {}).items():
        place = f"{at}.{field}" if at else field
        if "merge" in schema.get("x-kubernetes-patch-strategy", ""):
            yield place, schema.get("x-kubernetes-patch-merge-key", "")
        yield from _lists(_type_of(schema), types, place, (*above, name))


def _type_of(schema: JsonObject) -> str:
    """The type of a field's value, or of its items; empty for plain values."""
    inner: JsonObject = schema.get("items") or schema
    reference: str = next((part["$ref"] for part in (inner, *inner.get("allOf", ())) if "$ref" in part), "")
    return reference.rpartition("/")[2]
