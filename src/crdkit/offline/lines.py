"""Where in a text a field stands, by its path as errors print it."""

from __future__ import annotations

import re
from typing import Any, Final

_INDEX: Final = re.compile(r"\[(\d+)\]")
_VALIDATED: Final = re.compile(r'"([^"]+)" must validate')
_METADATA_FIELD: Final = re.compile(r"Go struct field ObjectMeta\.([\w.]+)")


def find(root: Any, path: str) -> int:
    """The line (from 0) of the field at a path such as ``spec.ports[1].name`` or ``properties[spec]``, below a YAML node.

    Where the path leads to nothing, it is the line of the last thing on its way: of a missing field, the object that lacks it.
    """
    if root is None:
        return 0
    node, line, rest = root, int(root.start_mark.line), path
    while rest:
        step = _item(node, rest) if isinstance(node.value, list) and node.id == "sequence" else _field(node, rest)
        if step is None:
            break
        line, node, rest = step
    return line


def _item(node: Any, rest: str) -> tuple[int, Any, str] | None:
    match = _INDEX.match(rest)
    if match is None or int(match[1]) >= len(node.value):
        return None
    item = node.value[int(match[1])]
    return int(item.start_mark.line), item, rest[match.end() :]


def _field(node: Any, rest: str) -> tuple[int, Any, str] | None:
    """The field of the longest name that the path may begin with: names have dots."""
    if node.id != "mapping":
        return None
    rest = rest.removeprefix(".")
    best: tuple[int, Any, str] | None = None
    for key, value in node.value:
        after = _after(str(key.value), rest)
        if after is not None and (best is None or len(after) <= len(best[2])):
            best = int(key.start_mark.line), value, after
    return best


def _after(name: str, rest: str) -> str | None:
    """What is left of a path after a field of that name, if it begins with one."""
    if rest.startswith(f"[{name}]"):
        return rest[len(name) + 2 :]
    if rest.startswith(name) and (len(rest) == len(name) or rest[len(name)] in ".["):
        return rest[len(name) :]
    return None


def path_told(path: str, message: str) -> str:
    """The path that an error is about. Errors of the whole object may name a place in their text."""
    if path not in ("", "<nil>"):
        return path
    if named := _VALIDATED.search(message):
        return named[1]
    if field := _METADATA_FIELD.search(message):
        return f"metadata.{field[1]}"
    return ""
