"""Where a JSONPath leads in a schema."""

from __future__ import annotations

import enum
import re
from typing import Final

from crdkit.meta.types import JsonObject

_STEP: Final = re.compile(r"\.?(?P<name>(?:\\.|[^.\[\]\\])+)|\[(?P<inside>[^\]]*(?:\([^)]*\)[^\]]*)?)\]")
_QUOTED: Final = re.compile(r"['\"](.*)['\"]\Z")
_ALWAYS_THERE: Final = ("apiVersion", "kind", "metadata")


class Outcome(enum.Enum):
    """What is known of a path that has no schema of its own."""

    NOWHERE = "leads to no field of the schema"
    ANYTHING = "leads to where anything may stand"


def find(root: JsonObject, path: str) -> JsonObject | Outcome:
    """The schema of the values that a path such as ``.status.conditions[?(@.type=="Ready")].status`` leads to."""
    node: JsonObject = root
    if ".." in path:
        return Outcome.ANYTHING
    for position, step in enumerate(_STEP.finditer(path.strip().removeprefix("$"))):
        name = _name(step)
        if position == 0 and name in _ALWAYS_THERE:
            return Outcome.ANYTHING
        below = _below(node, name)
        if isinstance(below, Outcome):
            return below
        node = below
    return node


def _name(step: re.Match[str]) -> str | None:
    """The field that a step goes to; None for the items of a list."""
    if step["name"] is not None:
        return re.sub(r"\\(.)", r"\1", step["name"])
    quoted = _QUOTED.match(step["inside"])
    return quoted[1] if quoted else None


def _below(node: JsonObject, name: str | None) -> JsonObject | Outcome:
    declared, values = node.get("properties") or {}, node.get("additionalProperties")
    if name is None:
        child = node.get("items")
        if child is None and isinstance(values, dict):
            child = values
    else:
        child = declared.get(name, values if isinstance(values, dict) else None)
    if child is not None:
        return child or Outcome.ANYTHING
    is_open = node.get("x-kubernetes-preserve-unknown-fields") or node.get("x-kubernetes-embedded-resource") or values is True
    return Outcome.ANYTHING if is_open or name == "*" else Outcome.NOWHERE
