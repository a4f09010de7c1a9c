"""What of an object a rule looks at, where it holds as long as that stays the same."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from crdkit.cel.ast import Call, Fold, Ident, ListLiteral, Literal, Node, Select, children, walk
from crdkit.cel.environment import Expression
from crdkit.cel.types import Kind, Type
from crdkit.schema.rules.compiling import OLD_SELF, SELF

_NUMBERS: Final = frozenset((Kind.INT, Kind.UINT, Kind.DOUBLE, Kind.DYN, Kind.ANY, Kind.PARAMETER))
_OF_ANYTHING: Final = frozenset(("size", "_[_]"))
"""Calls to which it makes no difference what is in a list or map."""
_OF_TYPES: Final = frozenset(("apiVersion", "kind", "metadata"))
"""Fields of objects that change by other means than the rest."""
_WHOLE: Final = re.compile(r"\b(?:self|oldSelf)\b(?!\.(?:metadata\.(?:name|generateName)\b|(?!metadata\b|opt|or|value|hasValue)\w))")
"""Self where a rule of a resource may look at the metadata of it beyond its name: as a part of the whole, or as such."""


def sees_metadata(texts: Iterable[str]) -> bool:
    """Whether it may make a difference to one of the rules of a resource what is in its metadata, its owners among it. A yes may be wrong."""
    return any(map(_WHOLE.search, texts))


def fields_seen(expression: Expression) -> frozenset[str] | None:
    """The fields of self, if it is an object, that an expression looks at; None where it may come to something else although they stay the same.

    That is where it looks at oldSelf. And an object is judged before it is stored, where its maps are put in order and 1.0 becomes 1:
    nothing may depend on that.
    """
    try:
        return _Look(expression).fields()
    except RecursionError:
        return None


class _Unsteady(Exception):
    """The expression may come to something else for the same fields."""


class _Look:
    def __init__(self, expression: Expression) -> None:
        self._expression = expression
        self._checked = expression.checked
        self._found: set[str] = set()

    def fields(self) -> frozenset[str] | None:
        try:
            self._visit(self._checked.root)
        except _Unsteady:
            return None
        return None if self._found & _OF_TYPES else frozenset(self._found)

    def _visit(self, node: Node) -> None:
        match node:
            case Ident():
                name = node.name.removeprefix(".")
                if name == OLD_SELF or (name == SELF and self._type(node).kind is Kind.OBJECT):
                    raise _Unsteady
            case Select(operand=Ident(name=name)) if name == SELF:
                self._note(node)
                return
            case Fold():
                if self._type(node.range).kind is not Kind.LIST:
                    raise _Unsteady
            case Call():
                self._check_call(node)
            case Select() | Literal() | ListLiteral():
                pass
            case _:
                raise _Unsteady
        for child in children(node):
            self._visit(child)

    def _note(self, node: Select) -> None:
        type_, layout = self._type(node.operand), self._expression.layout
        name = layout.json_name(type_.name, node.field) if layout is not None and type_.kind is Kind.OBJECT else None
        if name is None:
            raise _Unsteady
        self._found.add(name)

    def _check_call(self, node: Call) -> None:
        if node.function == "_?_:_" and any(self._type(part).kind in _NUMBERS for part in walk(node.arguments[0])):
            raise _Unsteady  # of a number that is none to the rule before it is stored, the other arm may cost more than was known
        if node.function not in _OF_ANYTHING and any(map(self._holds_numbers, node.operands())):
            raise _Unsteady

    def _holds_numbers(self, node: Node) -> bool:
        """Whether a value may have numbers in it, which are compared without being read."""
        if isinstance(node, ListLiteral) and all(isinstance(element, Literal) for element in node.elements):
            return False
        return _may_hold_numbers(self._type(node))

    def _type(self, node: Node) -> Type:
        return self._checked.type(node)


def _may_hold_numbers(type_: Type) -> bool:
    return type_.kind is Kind.OBJECT or any(below.kind in _NUMBERS or _may_hold_numbers(below) for below in type_.parameters)
