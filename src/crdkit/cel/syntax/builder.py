"""Makes nodes of what the parser reads, expands macros, and gathers what is wrong besides the syntax."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeVar

from crdkit.cel.ast import Broken, Call, Ident, Ids, ListLiteral, Literal, Node
from crdkit.cel.macros import Macro, MacroError, Maker
from crdkit.cel.source import BEFORE, Issue
from crdkit.cel.syntax import literals
from crdkit.cel.values import Value

MAX_DEPTH: Final = 250
_RESERVED: Final = frozenset(
    {
        "as", "break", "const", "continue", "else", "false", "for", "function", "if", "import", "in",
        "let", "loop", "package", "namespace", "null", "return", "true", "var", "void", "while",
    }
)  # fmt: skip
T = TypeVar("T")
Macros = Mapping[tuple[str, int, bool], Macro]


class TooDeep(Exception):
    """The expression nests too deeply; ``str`` is the error's text."""


class Builder:
    """One expression's nodes in the making."""

    def __init__(self, macros: Macros) -> None:
        self.ids = Ids()
        self.issues: list[Issue] = []
        self._macros = macros
        self._depths: dict[int, int] = {}

    def refuse(self, at: int, message: str) -> Node:
        """Note an error; gives what stands in for the expression."""
        self.issues.append(Issue(at, message))
        return self.broken(at)

    def broken(self, at: int = BEFORE) -> Node:
        """What stands where there is no expression."""
        return Broken(self.ids.next(), at)

    def literal(self, at: int, value: Value) -> Node:
        """A constant."""
        return Literal(self.ids.next(), at, value)

    def number(self, at: int, read: Callable[[str, str], Value], text: str, sign: str) -> Node:
        """An integer or double."""
        try:
            return self.literal(at, read(text, sign))
        except ValueError as error:
            return self.refuse(at, str(error))

    def unsigned(self, at: int, text: str) -> Node:
        """An unsigned integer."""
        try:
            return self.literal(at, literals.unsigned(text))
        except ValueError as error:
            return self.refuse(at, str(error))

    def string(self, at: int, text: str) -> Node:
        """A string; a wrong one is noted and stands as it is written."""
        try:
            return self.literal(at, literals.string(text))
        except ValueError as error:
            self.refuse(at, str(error))
            return self.literal(at, text)

    def byte_string(self, at: int, text: str) -> Node:
        """A bytes literal, likewise."""
        try:
            return self.literal(at, literals.byte_string(text[1:]))
        except ValueError as error:
            self.refuse(at, str(error))
            return self.literal(at, text.encode("utf-8", "surrogatepass"))

    def reserved(self, name: str) -> bool:
        """Whether a name may not be a variable or a global function."""
        return name in _RESERVED

    def ident(self, at: int, name: str, *, start: int, dot: str) -> Node:
        """A name; ``start`` is where its leading dot or else itself begins."""
        if name in _RESERVED:
            return self.refuse(start, f"reserved identifier: {name}")
        return Ident(self.ids.next(), at, dot + name)

    def list_literal(self, at: int, elements: list[Node], optional: frozenset[int]) -> Node:
        """A list literal."""
        return ListLiteral(self.ids.next(), at, elements, optional)

    def call(self, at: int, function: str, target: Node | None, arguments: list[Node]) -> Node:
        """A call, or what its macro makes of it."""
        macro = self._macros.get((function, len(arguments), target is not None))
        if macro is not None:
            try:
                expanded = macro.expand(Maker(self.ids, at), target or Broken(0, at), arguments)
            except MacroError as error:
                return self.refuse(error.node.at, str(error))
            if expanded is not None:
                return expanded
        return Call(self.ids.next(), at, function, target, arguments)

    def balanced(self, function: str, terms: Sequence[Node], operators: Sequence[int]) -> Node:
        """A chain of ``&&`` or ``||`` as a balanced tree; ``operators`` are the places of the operators."""
        if not operators:
            return terms[0]
        return self._balance(function, terms, operators, 0, len(operators) - 1)

    def _balance(self, function: str, terms: Sequence[Node], operators: Sequence[int], low: int, high: int) -> Node:
        middle = (low + high + 1) // 2
        left = terms[middle] if middle == low else self._balance(function, terms, operators, low, middle - 1)
        right = terms[middle + 1] if middle == high else self._balance(function, terms, operators, middle + 1, high)
        return Call(self.ids.next(), operators[middle], function, None, [left, right])
