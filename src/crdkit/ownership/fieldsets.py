"""Sets of fields, in the form that fieldsV1 has: a tree of path elements.

An empty node is a field that the set holds; a node with a ``"."`` is held too, and so are the fields below it that are listed;
a node without is only on the way to what is below. ``{"f:spec": {".": {}, "f:size": {}}}`` holds ``.spec`` and ``.spec.size``.
Nobody changes a set: what is made of sets shares their nodes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeAlias

from crdkit.meta.types import Json
from crdkit.ownership import elements
from crdkit.ownership.elements import Element, InvalidElement, UnknownElement

FieldSet: TypeAlias = dict[str, Any]
Path: TypeAlias = tuple[Element, ...]

SELF: Final = "."
LEAF: Final[FieldSet] = {}
EMPTY: Final[FieldSet] = {}
_MARK: Final[FieldSet] = {}


class InvalidFields(ValueError):
    """A text that is no set of fields."""


def of(*paths: Sequence[Element]) -> FieldSet:
    """The set of these paths."""
    found: FieldSet = {}
    for path in paths:
        node: FieldSet = LEAF
        for element in reversed(path):
            node = {element: node}
        found = union(found, node)
    return found


def is_member(node: FieldSet) -> bool:
    """Whether the node of an element makes that element itself part of the set."""
    return not node or SELF in node


def node_of(below: FieldSet, *, member: bool) -> FieldSet | None:
    """The node of an element which has ``below`` below it; None if there is nothing to say of it."""
    if not below:
        return LEAF if member else None
    return {SELF: _MARK, **below} if member else below


def below_of(node: FieldSet) -> FieldSet:
    """What a node has below it."""
    if SELF not in node:
        return node
    return {element: child for element, child in node.items() if element != SELF}


def union(one: FieldSet, other: FieldSet) -> FieldSet:
    """What is in either; ``one`` itself if there is no more than that."""
    if not other or one is other:
        return one
    if not one:
        return other
    both: FieldSet | None = None
    for element, node in other.items():
        held = one.get(element)
        if held is node or (held is not None and element == SELF):
            continue
        joined = node if held is None else _joined(held, node)
        if joined is not held:
            if both is None:
                both = dict(one)
            both[element] = joined
    return one if both is None else both


def _joined(one: FieldSet, other: FieldSet) -> FieldSet:
    joined = union(one, other)
    if joined and SELF not in joined and (not one or not other):
        return {SELF: _MARK, **joined}
    return joined


def intersection(one: FieldSet, other: FieldSet) -> FieldSet:
    """What is in both."""
    if len(one) > len(other):
        one, other = other, one
    both: FieldSet = {}
    for element, node in one.items():
        if element == SELF:
            continue
        held = other.get(element)
        if held is None:
            continue
        found = node_of(intersection(node, held), member=is_member(node) and is_member(held))
        if found is not None:
            both[element] = found
    return both


def difference(one: FieldSet, other: FieldSet) -> FieldSet:
    """What is in ``one`` and not in ``other``; a field stays if only its parent, or only its children, are in the other.

    ``one`` itself if nothing is taken from it.
    """
    if not one or not other:
        return one
    rest: FieldSet | None = None
    for element in other if len(other) < len(one) else one:
        node, held = one.get(element), other.get(element)
        if node is None or held is None or element == SELF:
            continue
        left = _node_without(node, held)
        if left is node:
            continue
        if rest is None:
            rest = dict(one)
        if left is None:
            del rest[element]
        else:
            rest[element] = left
    return one if rest is None else rest


def _node_without(node: FieldSet, held: FieldSet) -> FieldSet | None:
    """What is left of the node of an element, from which that of another set is taken; None if nothing is."""
    if not node:
        return None if is_member(held) else node
    rest = difference(node, held)
    if SELF not in rest:
        return rest or None
    if is_member(held):
        return below_of(rest) or None
    return rest if len(rest) > 1 else LEAF


def is_subset(one: FieldSet, other: FieldSet) -> bool:
    """Whether all that is in ``one`` is in ``other``."""
    for element, node in one.items():
        if element == SELF:
            continue
        held = other.get(element)
        if held is None or (is_member(node) and not is_member(held)):
            return False
        if node != held and not is_subset(node, held):
            return False
    return True


def without_trees(one: FieldSet, other: FieldSet) -> FieldSet:
    """What is in ``one`` and neither in ``other`` nor below a field in it; ``one`` itself if nothing is taken from it."""
    if not one or not other:
        return one
    rest: FieldSet | None = None
    for element, held in other.items():
        node = one.get(element)
        if node is None or element == SELF:
            continue
        left = None if is_member(held) else _trimmed(node, without_trees(node, held))
        if left is node:
            continue
        if rest is None:
            rest = dict(one)
        if left is None:
            del rest[element]
        else:
            rest[element] = left
    return one if rest is None else rest


def _trimmed(node: FieldSet, rest: FieldSet) -> FieldSet | None:
    """The node of an element of which ``rest`` is left; None if nothing is, not even the element itself."""
    if rest is node or len(rest) > 1 or (rest and SELF not in rest):
        return rest
    return LEAF if rest else None


def has(fields: FieldSet, path: Sequence[Element]) -> bool:
    """Whether a path is in the set."""
    node: FieldSet | None = fields
    for element in path:
        if node is None:
            return False
        node = node.get(element)
    return node is not None and is_member(node)


def paths(fields: FieldSet) -> Iterator[Path]:
    """All paths of a set: at each level those that end there come first, each group in the order of its elements."""
    ordered = sorted((element for element in fields if element != SELF), key=elements.rank)
    for element in ordered:
        if is_member(fields[element]):
            yield (element,)
    for element in ordered:
        for path in paths(fields[element]):
            yield (element, *path)


def shown_path(path: Path) -> str:
    """A path as error texts show it."""
    return "".join([elements.shown(element) for element in path])


def ordered(fields: FieldSet, known: FieldSet = EMPTY) -> FieldSet:
    """The same set in the order in which it is written: that of its texts. What is shared with ``known`` is in that order already."""
    if fields is known:
        return fields
    found: FieldSet = {}
    for element in sorted(fields):
        node, held = fields[element], known.get(element)
        if not node:
            found[element] = LEAF
        else:
            found[element] = node if node is held else ordered(node, held or EMPTY)
    return found


def decode(fields: Json) -> FieldSet:
    """Read a set that a client wrote. Elements of unknown kinds are left out. Raises `InvalidFields`."""
    if fields is None:
        return EMPTY
    if not isinstance(fields, dict):
        msg = f"expect {{ or n, but found {fields!r}"
        raise InvalidFields(msg)
    return below_of(_decode_node(fields))


def _decode_node(fields: FieldSet) -> FieldSet:
    found: FieldSet = {}
    for text, below in fields.items():
        if text == SELF:
            found[SELF] = _MARK
            continue
        try:
            element = elements.canonical(text)
        except UnknownElement:
            continue
        except InvalidElement as error:
            raise InvalidFields(str(error)) from error
        if below is not None and not isinstance(below, dict):
            msg = f"expect {{ or n, but found {below!r}"
            raise InvalidFields(msg)
        node = _decode_node(below or {})
        found[element] = _joined(found[element], node) if element in found else node
    return found if found.keys() - {SELF} else LEAF
