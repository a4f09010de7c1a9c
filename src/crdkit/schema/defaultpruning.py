"""Defaults as they are filled in: without the fields that the schema does not know.

Mostly they have none, or the definition is refused; but nobody looks at those of a map's values, and below.
"""

from __future__ import annotations

import dataclasses
from typing import Final, TypeAlias

from crdkit.meta.copying import copied
from crdkit.meta.types import Json
from crdkit.schema.pruning import prune
from crdkit.schema.structural import Structural

_ANY_KEY: Final = "*"
_Path: TypeAlias = tuple[str | None, ...]
"""The fields that lead to a place; None stands for an item of a list."""


def with_pruned_defaults(schema: Structural) -> Structural:
    """The schema, or one like it where some defaults had to be pruned."""
    return _Pruning(schema).visit(schema, (), in_map=False) if _has_defaults_in_maps(schema, in_map=False) else schema


def _has_defaults_in_maps(node: Structural, *, in_map: bool) -> bool:
    if in_map and node.has_default:
        return True
    if node.items is not None and _has_defaults_in_maps(node.items, in_map=in_map):
        return True
    if node.values is not None and _has_defaults_in_maps(node.values, in_map=True):
        return True
    return any(_has_defaults_in_maps(child, in_map=in_map) for child in node.properties.values())


class _Pruning:
    def __init__(self, root: Structural) -> None:
        self._root = root

    def visit(self, node: Structural, path: _Path, *, in_map: bool) -> Structural:
        changes: dict[str, object] = {}
        if in_map and node.has_default and isinstance(node.default, dict | list):
            default = self._pruned(node.default, path)
            if default != node.default:
                changes["default"] = default
        properties = {name: self.visit(child, (*path, name), in_map=in_map) for name, child in node.properties.items()}
        if any(properties[name] is not child for name, child in node.properties.items()):
            changes["properties"] = properties
        if node.items is not None and (items := self.visit(node.items, (*path, None), in_map=in_map)) is not node.items:
            changes["items"] = items
        if node.values is not None and (values := self.visit(node.values, (*path, _ANY_KEY), in_map=True)) is not node.values:
            changes["additional_properties"] = values
        return dataclasses.replace(node, **changes) if changes else node  # type: ignore[arg-type]

    def _pruned(self, default: Json, path: _Path) -> Json:
        """A default pruned at its place within an object: what stands above may keep what it does not know."""
        value = holder = copied(default)
        for step in reversed(path):
            holder = [holder] if step is None else {step: holder}
        prune(self._root, holder, is_resource=True)
        return value
