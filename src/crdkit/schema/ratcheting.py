"""Ratcheting: on an update, what was wrong before may stay wrong as long as it does not change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from crdkit.meta import golang
from crdkit.meta.types import Json, JsonObject
from crdkit.schema.equality import same
from crdkit.schema.structural import Structural
from crdkit.schema.validation.examination import examine
from crdkit.schema.validation.faults import Report
from crdkit.schema.validation.reading import Reading

_TYPE_FIELDS: Final = ("apiVersion", "kind")


def examine_update(schema: Structural, value: Json, old: Json, reading: Reading) -> Report:
    """Validate a value that takes the place of ``old``, as `examine` does, but without the faults of what has not changed."""
    return _examine(schema, Correlated(schema, value, old), "", reading)


def _examine(schema: Structural, node: Correlated, name: str, reading: Reading) -> Report:
    def descend(step: str | int, child: Structural, item: Json, child_name: str) -> Report:
        correlated = node.child(step)
        if correlated is None or (not name and step in _TYPE_FIELDS):
            return examine(child, item, child_name, reading)
        return _examine(child, correlated, child_name, reading)

    report = examine(schema, node.value, name, reading, descend)
    if report.faults and node.is_unchanged():
        report.faults = {}
    return report


class Correlated:
    """A value beside the old one that it stands for, found by the way the schema says: fields by name, items of map lists by key."""

    def __init__(self, schema: Structural, value: Json, old: Json) -> None:
        self.schema = schema
        self.value = value
        self.old = old
        self._children: dict[str | int, Correlated] = {}
        self._unchanged: bool | None = None
        self._old_items: dict[object, JsonObject] | None = None

    def child(self, step: str | int) -> Correlated | None:
        """The child at a key or index; None where no old value stands for it, or the schema does not know it."""
        found = self._children.get(step)
        if found is None:
            found = self._field(step) if isinstance(step, str) else self._item(step)
            if found is not None:
                self._children[step] = found
        return found

    def _field(self, name: str) -> Correlated | None:
        if not isinstance(self.value, dict) or not isinstance(self.old, dict) or name not in self.value or name not in self.old:
            return None
        schema = self.schema.properties.get(name) or self.schema.values
        return None if schema is None else Correlated(schema, self.value[name], self.old[name])

    def _item(self, index: int) -> Correlated | None:
        if self.schema.items is None or self.schema.list_type != "map" or not isinstance(self.old, list):
            return None
        item = self.value[index]
        old = self._old_by_key().get(self._identity(item))
        return None if old is None else Correlated(self.schema.items, item, old)

    def _old_by_key(self) -> dict[object, JsonObject]:
        if self._old_items is None:
            self._old_items = {}
            for item in self.old if self.schema.type == "array" else ():
                identity = self._identity(item)
                if identity is not None:
                    self._old_items.setdefault(identity, item)
        return self._old_items

    def _identity(self, item: Json) -> object:
        """What tells an item of a map list from others; None where a key is missing or no scalar."""
        keys = self.schema.list_map_keys
        if not isinstance(item, dict) or any(type(item.get(key)) not in _KEY_TEXTS for key in keys):
            return None
        if len(keys) == 1:
            value = item[keys[0]]
            return type(value), value
        return tuple(_KEY_TEXTS[type(item[key])](item[key]) for key in keys)

    def is_unchanged(self) -> bool:
        """Whether the value equals the old one. A field that the schema does not know counts as changed; the order of a map list does not."""
        if self._unchanged is None:
            self._unchanged = self._compare()
        return self._unchanged

    def _compare(self) -> bool:
        value, old = self.value, self.old
        if type(value) is not type(old):
            return False
        if isinstance(value, dict):
            return len(value) == len(old) and all(self._is_child_unchanged(name) for name in value)
        if isinstance(value, list) and self.schema.list_type == "map":
            return len(value) == len(old) and all(self._is_child_unchanged(index) for index in range(len(value)))
        return same(value, old)

    def _is_child_unchanged(self, step: str | int) -> bool:
        child = self.child(step)
        return child is not None and child.is_unchanged()


_KeyText: TypeAlias = Callable[[Json], str]
_KEY_TEXTS: Final[dict[type, _KeyText]] = {
    bool: lambda value: "true" if value else "false",
    float: lambda value: f"{value:f}",
    int: str,
    str: golang.quote,
}
"""How the parts of a key of several fields are told apart."""
