"""The tokens of the language, numbered as the grammar lists them: sets of them are printed in that order."""

from __future__ import annotations

from enum import IntEnum, auto
from typing import Final, NamedTuple


class Kind(IntEnum):
    """What a token is; ``EPSILON`` stands in sets for the end of a rule."""

    EPSILON = -2
    EOF = -1
    EQUALS = auto()
    NOT_EQUALS = auto()
    IN = auto()
    LESS = auto()
    LESS_EQUALS = auto()
    GREATER_EQUALS = auto()
    GREATER = auto()
    AND = auto()
    OR = auto()
    LBRACKET = auto()
    RBRACKET = auto()
    LBRACE = auto()
    RBRACE = auto()
    LPAREN = auto()
    RPAREN = auto()
    DOT = auto()
    COMMA = auto()
    MINUS = auto()
    EXCLAM = auto()
    QUESTION = auto()
    COLON = auto()
    PLUS = auto()
    STAR = auto()
    SLASH = auto()
    PERCENT = auto()
    TRUE = auto()
    FALSE = auto()
    NULL = auto()
    FLOAT = auto()
    INT = auto()
    UINT = auto()
    STRING = auto()
    BYTES = auto()
    IDENTIFIER = auto()
    ESCAPED = auto()


SYMBOLS: Final = {
    "==": Kind.EQUALS,
    "!=": Kind.NOT_EQUALS,
    "in": Kind.IN,
    "<": Kind.LESS,
    "<=": Kind.LESS_EQUALS,
    ">=": Kind.GREATER_EQUALS,
    ">": Kind.GREATER,
    "&&": Kind.AND,
    "||": Kind.OR,
    "[": Kind.LBRACKET,
    "]": Kind.RBRACKET,
    "{": Kind.LBRACE,
    "}": Kind.RBRACE,
    "(": Kind.LPAREN,
    ")": Kind.RPAREN,
    ".": Kind.DOT,
    ",": Kind.COMMA,
    "-": Kind.MINUS,
    "!": Kind.EXCLAM,
    "?": Kind.QUESTION,
    ":": Kind.COLON,
    "+": Kind.PLUS,
    "*": Kind.STAR,
    "/": Kind.SLASH,
    "%": Kind.PERCENT,
    "true": Kind.TRUE,
    "false": Kind.FALSE,
    "null": Kind.NULL,
}

NAMES: Final = {
    **{kind: f"'{symbol}'" for symbol, kind in SYMBOLS.items()},
    Kind.EOF: "<EOF>",
    Kind.FLOAT: "NUM_FLOAT",
    Kind.INT: "NUM_INT",
    Kind.UINT: "NUM_UINT",
    Kind.STRING: "STRING",
    Kind.BYTES: "BYTES",
    Kind.IDENTIFIER: "IDENTIFIER",
    Kind.ESCAPED: "ESC_IDENTIFIER",
}

RELATIONS: Final = {
    Kind.EQUALS: "_==_",
    Kind.NOT_EQUALS: "_!=_",
    Kind.IN: "@in",
    Kind.LESS: "_<_",
    Kind.LESS_EQUALS: "_<=_",
    Kind.GREATER_EQUALS: "_>=_",
    Kind.GREATER: "_>_",
}
SUMS: Final = {Kind.PLUS: "_+_", Kind.MINUS: "_-_"}
PRODUCTS: Final = {Kind.STAR: "_*_", Kind.SLASH: "_/_", Kind.PERCENT: "_%_"}

PRIMARY: Final = frozenset(
    {
        Kind.LBRACKET, Kind.LBRACE, Kind.LPAREN, Kind.DOT, Kind.MINUS, Kind.TRUE, Kind.FALSE, Kind.NULL,
        Kind.FLOAT, Kind.INT, Kind.UINT, Kind.STRING, Kind.BYTES, Kind.IDENTIFIER,
    }
)  # fmt: skip
"""What can begin an operand of ``!``."""
EXPRESSION: Final = PRIMARY | {Kind.EXCLAM}
"""What can begin an expression."""


class Token(NamedTuple):
    """A piece of the text, or one made up where it was missing."""

    kind: Kind
    text: str
    at: int

    @property
    def end(self) -> int:
        """The offset behind it."""
        return self.at + len(self.text)
