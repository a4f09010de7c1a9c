"""x-kubernetes-list-type, -list-map-keys and -map-type: which lists may be sets and maps, and what their items must be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from crdkit.meta import golang
from crdkit.meta.errors import FieldError, forbidden, invalid, not_supported, required
from crdkit.meta.paths import FieldPath
from crdkit.meta.types import JsonObject
from crdkit.schema.gotypes import items_struct

LIST_TYPES: Final = ("atomic", "set", "map")
MAP_TYPES: Final = ("atomic", "granular")

_LIST_TYPE: Final = "x-kubernetes-list-type"
_LIST_MAP_KEYS: Final = "x-kubernetes-list-map-keys"
_MAP_TYPE: Final = "x-kubernetes-map-type"


def check_list_and_map_types(schema: JsonObject, at: FieldPath) -> Iterator[FieldError]:
    """Check the three keywords of one node."""
    map_type, list_type = schema.get(_MAP_TYPE), schema.get(_LIST_TYPE)
    if map_type is not None:
        yield from _check_type(schema, at, "object", _MAP_TYPE)
        if map_type not in MAP_TYPES:
            yield not_supported(at / _MAP_TYPE, map_type, MAP_TYPES)
    if list_type is not None:
        yield from _check_type(schema, at, "array", _LIST_TYPE)
        if list_type not in LIST_TYPES:
            yield not_supported(at / _LIST_TYPE, list_type, LIST_TYPES)
    keys = schema.get(_LIST_MAP_KEYS)
    if keys and list_type is None:
        yield required(at / _LIST_TYPE, "must be map if x-kubernetes-list-map-keys is non-empty")
    elif keys and list_type != "map":
        yield invalid(at / _LIST_TYPE, list_type, "must be map if x-kubernetes-list-map-keys is non-empty")
    if list_type == "map":
        yield from _check_map_list(schema, keys or (), at)
    if list_type == "set":
        yield from _check_set(schema, at)
    if list_type in ("set", "map") and _single_items(schema).get("nullable"):
        yield forbidden(at / "items" / "nullable", f"cannot be nullable when x-kubernetes-list-type is {list_type}")


def _single_items(schema: JsonObject) -> JsonObject:
    items = schema.get("items")
    return items if isinstance(items, dict) else {}


def _check_type(schema: JsonObject, at: FieldPath, wanted: str, keyword: str) -> Iterator[FieldError]:
    found = schema.get("type", "")
    if found == wanted:
        return
    detail = f"must be {wanted} if {keyword} is specified"
    yield invalid(at / "type", found, detail) if found else required(at / "type", detail)


def _check_set(schema: JsonObject, at: FieldPath) -> Iterator[FieldError]:
    """Items that are no scalars must be atomic. Where the list itself has another type, nothing is said of its items."""
    if schema.get("type") != "array":
        return
    items = _single_items(schema)
    list_type = items.get(_LIST_TYPE)
    detail = "must be atomic as item of a list with x-kubernetes-list-type=set"
    if items.get("type") == "array" and list_type not in (None, "atomic"):
        yield invalid(at / "items" / _LIST_TYPE, list_type, detail)
    if items.get("type") == "object" and items.get(_MAP_TYPE) != "atomic":
        # the real server tells the items' list type here
        yield invalid(at / "items" / _MAP_TYPE, list_type, detail)


def _check_map_list(schema: JsonObject, keys: Sequence[str], at: FieldPath) -> Iterator[FieldError]:
    if not keys:
        yield required(at / _LIST_MAP_KEYS, "must not be empty if x-kubernetes-list-type is map")
    items = schema.get("items")
    if items is None:
        yield required(at / "items", "must have a schema if x-kubernetes-list-type is map")
    elif not isinstance(items, dict):
        yield invalid(at / "items", items_struct(items), "must only have a single schema if x-kubernetes-list-type is map")
    elif items.get("type") != "object":
        yield invalid(at / "items" / "type", items.get("type", ""), "must be object if parent array's x-kubernetes-list-type is map")
    else:
        yield from _check_keys(items, keys, at)
    yield from _check_key_values(_single_items(schema), keys, at / "items")


def _check_keys(items: JsonObject, keys: Sequence[str], at: FieldPath) -> Iterator[FieldError]:
    properties = items.get("properties") or {}
    told = golang.strings(list(keys))
    for index, key in enumerate(keys):
        if key not in properties:
            yield invalid(at / _LIST_MAP_KEYS, told, "entries must all be names of item properties")
        elif properties[key].get("type") in ("array", "object"):
            # the real server tells the items' type here
            detail = "must be a scalar type if parent array's x-kubernetes-list-type is map"
            yield invalid((at / "items" / "properties").key(key) / "type", items["type"], detail)
        if key in keys[:index]:
            yield invalid(at / _LIST_MAP_KEYS, told, "must not contain duplicate entries")


def _check_key_values(items: JsonObject, keys: Sequence[str], at: FieldPath) -> Iterator[FieldError]:
    """Each item must have a value for each key."""
    properties, always_there = items.get("properties") or {}, items.get("required") or ()
    for key in keys:
        if key not in properties:
            continue
        place = (at / "properties").key(key)
        if key not in always_there and properties[key].get("default") is None:
            detail = "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property"
            yield required(place / "default", detail)
        if properties[key].get("nullable"):
            yield forbidden(place / "nullable", "this property is in x-kubernetes-list-map-keys, so it cannot be nullable")
