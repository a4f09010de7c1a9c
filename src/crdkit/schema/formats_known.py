"""Formats that a schema declares and no server checks, about which whoever writes a definition is warned."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from crdkit.meta.types import JsonObject
from crdkit.meta.version import V1_36, KubeVersion
from crdkit.schema import formats
from crdkit.schema.differences import differences

WARNED_SINCE: Final = V1_36
NUMBER_FORMATS: Final = {"integer": frozenset(("int32", "int64")), "number": frozenset(("float", "double"))}
_TEXT_TYPES: Final = ("", "string")


def unrecognized_formats(schema: JsonObject, *, kube: KubeVersion) -> list[str]:
    """The formats to warn of, each once, in the order they appear; none before 1.36. Branches of junctors are looked at too.

    ``schema`` is a decoded openAPIV3Schema. Which type a format stands on counts: ``date`` is known for texts only.
    """
    if kube < WARNED_SINCE:
        return []
    found = (node["format"] for node in _nodes(schema) if node.get("format") and not is_known_format(node, kube))
    return list(dict.fromkeys(found))


def is_known_format(node: JsonObject, kube: KubeVersion) -> bool:
    """Whether a server of that version checks the format of a node."""
    declared, name = node.get("type", ""), node["format"]
    if declared in _TEXT_TYPES:
        return formats.normalize(name) in differences(kube).string_formats
    return name in NUMBER_FORMATS.get(declared, ())


def _nodes(schema: JsonObject) -> Iterator[JsonObject]:
    yield schema
    for keyword in ("items", "not", "additionalProperties"):
        if isinstance(child := schema.get(keyword), dict):
            yield from _nodes(child)
    for keyword in ("allOf", "anyOf", "oneOf"):
        for branch in schema.get(keyword) or ():
            yield from _nodes(branch)
    for child in (schema.get("properties") or {}).values():
        yield from _nodes(child)
