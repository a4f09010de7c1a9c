"""Pruning: fields that a schema does not name are dropped from an object, and told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from crdkit.meta.types import Json, JsonObject
from crdkit.schema.structural import Structural

Prune: TypeAlias = Callable[[Json], Sequence[str]]
"""Prunes a list or an object in place; tells where fields went, as ``.field`` or ``[1].field`` below it."""

META_FIELDS: Final = frozenset(("apiVersion", "kind", "metadata"))
_NOTHING: Final = ()


def prune(schema: Structural, value: Json, *, is_resource: bool) -> list[str]:
    """Prune a value once; see `compile_pruning`."""
    return compile_pruning(schema, is_resource=is_resource)(value)


def compile_pruning(schema: Structural, *, is_resource: bool) -> Callable[[Json], list[str]]:
    """Build the function that drops unknown fields, in place, and returns their paths: the topmost unknown field of each subtree.

    A resource's apiVersion, kind and metadata are known without being named.
    """
    below = compile_node(schema, is_resource=is_resource or schema.embedded_resource)

    def prune_all(value: Json) -> list[str]:
        if value.__class__ is not dict and value.__class__ is not list:
            return []
        return [place.removeprefix(".") for place in below(value)]

    return prune_all


def compile_node(schema: Structural, *, is_resource: bool) -> Prune:
    """The same for what is a list or an object, with paths relative to it."""
    if schema.preserve_unknown_fields:
        return _compile_keeping(schema, is_resource=is_resource)
    prune_items = _child(schema.items) if schema.items is not None else prune_all_below
    known = _known_fields(schema, is_resource=is_resource)
    others = _others(schema)

    def prune_node(value: Json) -> Sequence[str]:
        if value.__class__ is list:
            return _prune_list(value, prune_items)
        return _prune_object(value, known, others)

    return prune_node


def _compile_keeping(schema: Structural, *, is_resource: bool) -> Prune:
    """Unknown fields stay, but named ones are pruned again, as are the values of a map; items keep what is unknown to them."""
    keep_items = _compile_keeping(schema.items, is_resource=schema.items.embedded_resource) if schema.items is not None else _keep_all
    known = _known_fields(schema, is_resource=is_resource)
    others = _others(schema) or _keep_all
    if not known and others is _keep_all and keep_items is _keep_all:
        return _keep_all

    def keep_node(value: Json) -> Sequence[str]:
        if value.__class__ is list:
            return _prune_list(value, keep_items)
        return _prune_object(value, known, others)

    return keep_node


def _child(schema: Structural) -> Prune:
    return compile_node(schema, is_resource=schema.embedded_resource)


def _known_fields(schema: Structural, *, is_resource: bool) -> dict[str, Prune]:
    known = {name: _child(child) for name, child in schema.properties.items()}
    return known | dict.fromkeys(META_FIELDS, _keep_all) if is_resource else known


def _others(schema: Structural) -> Prune | None:
    """What is done to fields without a name of their own: None drops them."""
    if schema.additional_properties is None:
        return None
    return _child(schema.values) if schema.values is not None else prune_all_below


def _prune_object(value: JsonObject, known: dict[str, Prune], others: Prune | None) -> Sequence[str]:
    """Prune an object; without ``others``, a function for fields that have no name in the schema, those are unknown."""
    found: list[str] | None = None
    if others is None and not known.keys() >= value.keys():
        unknown = [name for name in value if name not in known]
        found = [f".{name}" for name in unknown]
        for name in unknown:
            del value[name]
    for name, item in value.items():
        if item.__class__ is dict or item.__class__ is list:
            below = known.get(name, others)
            if below is not None and (places := below(item)):
                found = found or []
                found.extend(f".{name}{place}" for place in places)
    return found or _NOTHING


def _prune_list(value: list[Json], prune_item: Prune) -> Sequence[str]:
    found: list[str] | None = None
    for index, item in enumerate(value):
        if (item.__class__ is dict or item.__class__ is list) and (places := prune_item(item)):
            found = found or []
            found.extend(f"[{index}]{place}" for place in places)
    return found or _NOTHING


def _keep_all(_: Json) -> Sequence[str]:
    return _NOTHING


def prune_all_below(value: Json) -> Sequence[str]:
    """Without a schema no field of an object is known, however deep in lists it lies."""
    found: list[str] = []
    waiting = [("", value)]
    while waiting:
        place, item = waiting.pop()
        if item.__class__ is list:
            waiting.extend((f"{place}[{index}]", below) for index, below in enumerate(item))
        elif item.__class__ is dict:
            found.extend(f"{place}.{name}" for name in item)
            item.clear()
    return found
