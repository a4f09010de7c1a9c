"""What is checked once an expression has types: that literals are of one type, and literals given to functions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from crdkit.cel.ast import Call, ListLiteral, MapLiteral, Node, children, walk
from crdkit.cel.checking.checker import Checked
from crdkit.cel.declarations import Function
from crdkit.cel.source import Issue
from crdkit.cel.types import Kind, Type


def check_literals(checked: Checked, functions: Mapping[str, Function]) -> list[Issue]:
    """The errors about literals of an expression that has no others."""
    uniform = _Uniform(checked, functions)
    issues = [Issue(node.at, message) for node, message in _check_arguments(checked, functions)]
    uniform.visit(checked.root)
    return issues + uniform.lists + uniform.maps


def _check_arguments(checked: Checked, functions: Mapping[str, Function]) -> Iterator[tuple[Node, str]]:
    for node in walk(checked.root):
        if isinstance(node, Call):
            function = functions.get(node.function)
            if function is not None and function.check is not None:
                yield from function.check(node, checked.types)


class _Uniform:
    """List and map literals are of one type each, but within the arguments of some functions."""

    def __init__(self, checked: Checked, functions: Mapping[str, Function]) -> None:
        self.checked = checked
        self.functions = functions
        self.lists: list[Issue] = []
        self.maps: list[Issue] = []

    def visit(self, node: Node) -> None:
        if isinstance(node, Call):
            function = self.functions.get(node.function)
            if function is not None and function.mixed_literals:
                return
        elif isinstance(node, ListLiteral):
            self._list(node)
        elif isinstance(node, MapLiteral):
            self._map(node)
        for child in children(node):
            self.visit(child)

    def _list(self, node: ListLiteral) -> None:
        first: Type | None = None
        for index, element in enumerate(node.elements):
            type_ = self.checked.type(element)
            if index in node.optional:
                type_ = type_.parameters[0]
            if first is None:
                first = type_
            elif not _equivalent(first, type_):
                self.lists.append(_mismatch(element, first, type_))
                return

    def _map(self, node: MapLiteral) -> None:
        first: tuple[Type, Type] | None = None
        for entry in node.entries:
            key, value = self.checked.type(entry.key), self.checked.type(entry.value)
            if entry.optional:
                value = value.parameters[0]
            if first is None:
                first = key, value
                continue
            if not _equivalent(first[0], key):
                self.maps.append(_mismatch(entry.key, first[0], key))
            if not _equivalent(first[1], value):
                self.maps.append(_mismatch(entry.value, first[1], value))


def _equivalent(one: Type, other: Type) -> bool:
    """Whether two types are the same whatever their open parameters are called."""
    if one.kind is not other.kind or len(one.parameters) != len(other.parameters):
        return False
    if one.kind is not Kind.PARAMETER and one.name != other.name:
        return False
    return all(_equivalent(*pair) for pair in zip(one.parameters, other.parameters, strict=True))


def _mismatch(node: Node, wanted: Type, found: Type) -> Issue:
    return Issue(node.at, f"expected type '{wanted}' but found '{found}'")
