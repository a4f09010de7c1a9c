"""Lists of type set and map: no item, or no item's key, may come twice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from crdkit.meta import errors, golang
from crdkit.meta.errors import FieldError
from crdkit.meta.paths import FieldPath
from crdkit.meta.types import Json, JsonObject
from crdkit.schema.structural import Structural

_UNSPECIFIED: Final = object()


def check_list_types(schema: Structural, value: Json, at: FieldPath) -> Iterator[FieldError]:
    """Every duplicate in a value and below it; where something comes more often, its second appearance is told."""
    if isinstance(value, list):
        if schema.list_type == "set":
            yield from (errors.duplicate(at.index(index), value[index]) for index in repeated(value))
        elif schema.list_type == "map":
            yield from _check_keys(value, schema.list_map_keys, at)
        if schema.items is not None:
            for index, item in enumerate(value):
                yield from check_list_types(schema.items, item, at.index(index))
    elif isinstance(value, dict):
        # A schema has named fields or a map's values, hardly ever both: then a value is checked by each.
        if (values := schema.values) is not None:
            for key, item in value.items():
                yield from check_list_types(values, item, at.key(key))
        for key, item in value.items():
            if (child := schema.properties.get(key)) is not None:
                yield from check_list_types(child, item, at / key)


def _check_keys(items: list[Json], keys: Sequence[str], at: FieldPath) -> Iterator[FieldError]:
    for index, item in enumerate(items):
        if item is not None and not isinstance(item, dict):
            yield errors.invalid(at.index(index), item, "must be an object for an array of list-type map")
            return
    found = [key_of(item, keys) for item in items]
    # One key alone is compared as a value, so that 1 and 1.0 differ; several are compared as JSON, where they do not.
    identities = [item.get(keys[0], _UNSPECIFIED) for item in found] if len(keys) == 1 else found
    yield from (errors.duplicate(at.index(index), found[index]) for index in repeated(identities))


def key_of(item: JsonObject | None, keys: Sequence[str]) -> JsonObject:
    """The fields of an item that make its key; one that is not there is no part of it."""
    return {key: item[key] for key in keys if key in item} if item else {}


def repeated(items: Sequence[Json]) -> list[int]:
    """The indexes at which an item comes for the second time. Scalars differ by type too, lists and objects by their JSON."""
    seen: dict[object, int] = {}
    indexes = []
    for index, item in enumerate(items):
        compound = isinstance(item, dict | list)
        identity = (type(item), golang.to_json(item)) if compound else (type(item), item)
        times = seen[identity] = seen.get(identity, 0) + 1
        if times == 2:
            indexes.append(index)
    return indexes
