"""What comparing and merging mean, in the plainest words: values spread out into a table of paths, or into dictionaries of dictionaries."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

Schema = dict[str, Any]
Path = tuple[str, ...]

PARTS = "parts"
"""Stands for a value that is not one but has parts with owners of their own."""


def is_free(schema: Schema) -> bool:
    return bool(schema.get("x-kubernetes-preserve-unknown-fields") or schema.get("x-kubernetes-int-or-string"))


def parts(schema: Schema, value: Any) -> dict[str, tuple[Schema, Any]] | None:
    """The parts of a value by their names, each with its schema; None for a value that is one."""
    if isinstance(value, dict) and schema.get("x-kubernetes-map-type") != "atomic":
        fields = schema.get("properties", {})
        others = schema.get("additionalProperties") or {"x-kubernetes-preserve-unknown-fields": True}
        return {f"f:{name}": (fields.get(name, others), child) for name, child in value.items()}
    if isinstance(value, list) and not is_free(schema):
        kind = schema.get("x-kubernetes-list-type")
        if kind == "set":
            return {f"v:{json.dumps(item)}": (schema["items"], item) for item in value}
        if kind == "map":
            return {name_of(schema, item): (schema["items"], item) for item in value}
    return None


def name_of(schema: Schema, item: Any) -> str:
    fields = schema["items"]["properties"]
    keys = {key: item.get(key, fields[key].get("default")) for key in sorted(schema["x-kubernetes-list-map-keys"])}
    return f"k:{json.dumps(keys, separators=(',', ':'))}"


def table(schema: Schema, value: Any, at: Path = ()) -> dict[Path, Any]:
    """Every path of a value with what is there, as JSON (so that 1 is not true)."""
    below = parts(schema, value)
    text = json.dumps(value, sort_keys=True)
    found = {at: PARTS if below else f"{text} as one" if isinstance(value, list) and is_free(schema) else text}
    for name, (child_schema, child) in (below or {}).items():
        found |= table(child_schema, child, (*at, name))
    return found


class Changes(NamedTuple):
    removed: set[Path]
    modified: set[Path]
    added: set[Path]


def compare(schema: Schema, old: Any, new: Any) -> Changes:
    """What changed: a value with parts changes only through them, unless it becomes one that could never have any."""
    before, after = table(schema, old), table(schema, new)
    modified = {path for path in before.keys() & after.keys() if _is_other(before[path], after[path])}
    return Changes(before.keys() - after.keys(), modified, after.keys() - before.keys())


def _is_other(old: Any, new: Any) -> bool:
    empty = ("null", "{}", "[]")
    if PARTS in (old, new):
        return (new if old == PARTS else old) not in (*empty, PARTS)
    return bool(old != new)


def merge(schema: Schema, live: Any, applied: Any) -> Any:
    """Both together, as dictionaries of their parts: lists have lost their order."""
    ours, theirs = parts(schema, live), parts(schema, applied)
    if theirs is None:
        return applied
    if not theirs and not ours:
        return applied
    found = {name: plain(child_schema, child) for name, (child_schema, child) in (ours or {}).items()}
    for name, (child_schema, child) in theirs.items():
        found[name] = merge(child_schema, ours[name][1], child) if ours and name in ours else plain(child_schema, child)
    return found


def plain(schema: Schema, value: Any) -> Any:
    """A value as a dictionary of its parts."""
    below = parts(schema, value)
    return {name: plain(child_schema, child) for name, (child_schema, child) in below.items()} if below else value
