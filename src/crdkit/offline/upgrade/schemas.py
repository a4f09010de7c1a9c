"""Making schemas structural where their meaning says how, and keeping unknown fields where these were kept."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from ruamel.yaml.comments import CommentedMap

from crdkit.offline.upgrade.notes import Notes
from crdkit.offline.upgrade.trees import fields

PRESERVE: Final = "x-kubernetes-preserve-unknown-fields"
INT_OR_STRING: Final = "x-kubernetes-int-or-string"
EMBEDDED: Final = "x-kubernetes-embedded-resource"
_SAYS_NOTHING: Final = frozenset(("description", "title", "example", "externalDocs", "nullable"))
_SHOWN: Final = 3
_JUNCTORS: Final = ("anyOf", "oneOf")


def make_structural(schema: Any, notes: Notes, *, keep_unknown: bool) -> None:
    """Rewrite a version's schema in place. ``keep_unknown`` marks all objects from which fields would be pruned that were kept before."""
    marked: list[str] = []
    typed: list[str] = []
    for node, at, is_metadata in _nodes(schema, "", is_resource=True):
        _merge_int_or_string(node)
        if _give_type(node):
            typed.append(at or "the root")
        if keep_unknown and not is_metadata and _would_be_pruned(node):
            node[PRESERVE] = True
            marked.append(at or "the root")
    if typed:
        notes.tell(f"v1 asks for types, and without one others passed too: type is set, as what is below implies, at {_some(typed)}")
    if marked:
        notes.tell(f"unknown fields were kept, and still are by {PRESERVE} (--prune lets them be dropped), at {_some(marked)}")


def _some(places: list[str]) -> str:
    shown = ", ".join(places[:_SHOWN])
    return f"{shown} and {len(places) - _SHOWN} more" if len(places) > _SHOWN else shown


def _nodes(node: Any, at: str, *, is_resource: bool = False, is_metadata: bool = False) -> Iterator[tuple[Any, str, bool]]:
    """The nodes of the structure, with their path, and whether it is that of an object's metadata."""
    if not isinstance(node, CommentedMap):
        return
    yield node, at, is_metadata
    for name, child in fields(node.get("properties")).items():
        has_metadata = name == "metadata" and (is_resource or bool(node.get(EMBEDDED)))
        yield from _nodes(child, f"{at}.{name}", is_metadata=has_metadata)
    yield from _nodes(node.get("items"), f"{at}[]")
    yield from _nodes(node.get("additionalProperties"), f"{at}.*")


def _merge_int_or_string(node: Any) -> None:
    """``oneOf: [{type: integer}, {type: string}]`` has an extension of its own."""
    for junctor in _JUNCTORS:
        branches = node.get(junctor)
        if "type" in node or not isinstance(branches, list):
            continue
        if sorted(str(branch) for branch in map(_only_type, branches)) == ["integer", "string"]:
            del node[junctor]
            node[INT_OR_STRING] = True


def _only_type(branch: Any) -> Any:
    return branch.get("type") if isinstance(branch, dict) and set(branch) == {"type"} else None


def _give_type(node: Any) -> bool:
    """Every node needs a type, but for those of an extension that says which values there are. Whether it got one."""
    if node.get("type") or node.get(INT_OR_STRING) or node.get(PRESERVE):
        return False
    if not node.keys() - _SAYS_NOTHING:
        node[PRESERVE] = True
        return False
    implied = "object" if {"properties", "additionalProperties"} & node.keys() else "array" if "items" in node else ""
    if implied:
        node.insert(0, "type", implied)
    return bool(implied)


def _would_be_pruned(node: Any) -> bool:
    """Whether an object loses fields that its schema does not name."""
    return node.get("type") == "object" and not node.get("additionalProperties") and not node.get(PRESERVE)
