"""From text to tokens: the longest match wins, and what matches nothing is reported and skipped."""

from __future__ import annotations

import re
from typing import Final

from crdkit.cel.source import Issue
from crdkit.cel.syntax.tokens import SYMBOLS, Kind, Token
from crdkit.meta.records import record

_ESCAPE: Final = r"""\\(?:[abfnrtv"'\\?`]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})"""
_STRING: Final = rf"""
    [rR](?:\"\"\"(?s:.*?)\"\"\"|'''(?s:.*?)'''|"[^"\n\r]*"|'[^'\n\r]*')
  | \"\"\"(?:{_ESCAPE}|[^\\])*?\"\"\"
  | '''(?:{_ESCAPE}|[^\\])*?'''
  | "(?:{_ESCAPE}|[^\\"\n\r])*"
  | '(?:{_ESCAPE}|[^\\'\n\r])*'
"""
_TOKEN: Final = re.compile(
    rf"""
    (?P<hidden>[\t\x20\r\n\f]+|//[^\n]*)
  | (?P<bytes>[bB](?:{_STRING}))
  | (?P<string>{_STRING})
  | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
  | (?P<escaped>`[A-Za-z0-9_./\x20-]+`)
  | (?P<uint>(?:0x[0-9a-fA-F]+|[0-9]+)[uU])
  | (?P<float>[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?)
  | (?P<int>0x[0-9a-fA-F]+|[0-9]+)
  | (?P<symbol>[=!<>]=|&&|\|\||[<>\[\]{{}}().,\-!?:+*/%])
    """,
    re.VERBOSE,
)
_KINDS: Final = {
    "bytes": Kind.BYTES,
    "string": Kind.STRING,
    "escaped": Kind.ESCAPED,
    "uint": Kind.UINT,
    "float": Kind.FLOAT,
    "int": Kind.INT,
}
_PREFIX: Final = {
    "'": re.compile(rf"'(?:{_ESCAPE}|[^\\'\n\r])*"),
    '"': re.compile(rf'"(?:{_ESCAPE}|[^\\"\n\r])*'),
    "`": re.compile(r"`[A-Za-z0-9_./ -]*"),
}
_ESCAPE_PREFIX: Final = re.compile(r"\\(?:[xX][0-9a-fA-F]?|u[0-9a-fA-F]{0,3}|U[0-9a-fA-F]{0,7}|[0-3][0-7]?)?")


@record
class Lexed:
    """The tokens of a text, the last of kind EOF, and the pieces between that could not be read."""

    text: str
    tokens: list[Token]
    unread: list[tuple[int, int]]

    def issues(self) -> list[Issue]:
        """The errors of the pieces that could not be read."""
        pieces = ((start, self.text[start:end]) for start, end in self.unread)
        return [Issue(start, f"Syntax error: token recognition error at: '{piece}'") for start, piece in pieces]

    def between(self, start: int, end: int) -> str:
        """The text between two offsets without what could not be read."""
        parts = []
        for skipped, following in self.unread:
            if start <= skipped < end:
                parts.append(self.text[start:skipped])
                start = following
        return "".join(parts) + self.text[start:end]


def tokenize(text: str) -> Lexed:
    """Read a whole text."""
    tokens: list[Token] = []
    unread: list[tuple[int, int]] = []
    position, end = 0, len(text)
    match = _TOKEN.match
    while position < end:
        found = match(text, position)
        if found is None:
            failed = _failure(text, position)
            unread.append((position, failed))
            position = failed
            continue
        group = found.lastgroup
        if group != "hidden":
            piece = found.group()
            tokens.append(Token(_kind(group or "", piece), piece, position))
        position = found.end()
    tokens.append(Token(Kind.EOF, "<EOF>", end))
    return Lexed(text, tokens, unread)


def _kind(group: str, text: str) -> Kind:
    if group == "name":
        return SYMBOLS.get(text, Kind.IDENTIFIER)
    return _KINDS.get(group) or SYMBOLS[text]


def _failure(text: str, start: int) -> int:
    """The offset behind the first character that no token beginning at ``start`` can have."""
    char = text[start]
    if prefix := _PREFIX.get(char):
        found = prefix.match(text, start)
        position = found.end() if found else start + 1
        if char != "`" and (partial := _ESCAPE_PREFIX.match(text, position)):
            position = partial.end()
        return min(position + 1, len(text))
    if char in "=&|":
        return min(start + 2, len(text))
    return start + 1
