"""Defaults: what a schema says a field is where an object does not."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from crdkit.meta.types import Json
from crdkit.schema.structural import Structural

Default: TypeAlias = Callable[[Json], None]


def compile_defaulting(schema: Structural) -> Default | None:
    """Build the function that fills defaults in, in place. None: there is nothing to fill in anywhere.

    A field that is missing, or null where it must not be, takes its default, which is then filled in below like any value;
    a null among a map's values or in a list takes the default of those. (Without one a null there stays null.)
    """
    fills = [(name, _copier(child.default), child.nullable) for name, child in schema.properties.items() if child.has_default]
    fields = [(name, below) for name, child in schema.properties.items() if (below := compile_defaulting(child)) is not None]
    fill_values = _compile_children(schema.values)
    fill_items = _compile_children(schema.items)
    if not fills and not fields and fill_values is None and fill_items is None:
        return None
    named = schema.properties.keys()

    def fill(value: Json) -> None:
        if value.__class__ is dict:
            for name, default, nullable in fills:
                if name not in value or (value[name] is None and not nullable):
                    value[name] = default()
            for name, below in fields:
                if name in value:
                    below(value[name])
            if fill_values is not None:
                for name in value.keys() - named:
                    fill_values(value, name)
        elif value.__class__ is list and fill_items is not None:
            for index in range(len(value)):
                fill_items(value, index)

    return fill


def _compile_children(schema: Structural | None) -> Callable[[Json, str | int], None] | None:
    """What is done to each value of a map or item of a list, given the container and the place."""
    if schema is None:
        return None
    below = compile_defaulting(schema)
    default = _copier(schema.default) if schema.has_default and not schema.nullable else None
    if below is None and default is None:
        return None

    def fill_child(container: Json, place: str | int) -> None:
        if default is not None and container[place] is None:
            container[place] = default()
        if below is not None:
            below(container[place])

    return fill_child


def _copier(default: Json) -> Callable[[], Json]:
    """Each object gets a value of its own, since the next owner may change it."""
    if isinstance(default, dict | list):
        return lambda: copy_json(default)
    return lambda: default


def copy_json(value: Json) -> Json:
    """A deep copy of a JSON value."""
    if value.__class__ is dict:
        return {name: copy_json(item) for name, item in value.items()}
    if value.__class__ is list:
        return [copy_json(item) for item in value]
    return value
