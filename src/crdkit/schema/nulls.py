"""Nulls where a schema allows none and has no default: they are dropped, as if the field had not been sent."""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import TypeAlias

from crdkit.meta.types import Json, JsonObject
from crdkit.schema.structural import Structural

DropNulls: TypeAlias = Callable[[Json], None]


def compile_null_dropping(schema: Structural) -> DropNulls | None:
    """Build the function that drops them, in place, from objects and maps at every depth; those in lists stay. None: there is nothing to do."""
    fields = {name: compile_null_dropping(child) for name, child in schema.properties.items()}
    droppable = frozenset(name for name, child in schema.properties.items() if _is_droppable(child))
    values = schema.values
    drop_in_values = compile_null_dropping(values) if values is not None else None
    drop_values = values is not None and _is_droppable(values)
    drop_in_items = compile_null_dropping(schema.items) if schema.items is not None else None
    descents = [(name, drop) for name, drop in fields.items() if drop is not None]
    if not descents and not droppable and not drop_values and drop_in_values is None and drop_in_items is None:
        return None

    def drop_nulls(value: Json) -> None:
        if value.__class__ is dict:
            if None in value.values():
                _drop(value, droppable, fields if drop_values else None)
            for name, drop in descents:
                if name in value:
                    drop(value[name])
            if drop_in_values is not None:
                for name, item in value.items():
                    if name not in fields:
                        drop_in_values(item)
        elif value.__class__ is list and drop_in_items is not None:
            for item in value:
                drop_in_items(item)

    return drop_nulls


def _drop(value: JsonObject, droppable: Container[str], named: Container[str] | None) -> None:
    """Drop the nulls of droppable fields and, where the named ones are given, of all others."""
    for name in [name for name, item in value.items() if item is None]:
        if name in droppable or (named is not None and name not in named):
            del value[name]


def _is_droppable(schema: Structural) -> bool:
    return not schema.nullable and not schema.has_default
