"""E-mail addresses, as Go's net/mail reads one: RFC 5322 with a display name, quoted texts and comments."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, TypeAlias

_ATOM: Final = r"(?:[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~]|[^\x00-\x7f])+"
_dot_atom: Final = re.compile(rf"{_ATOM}(?:\.{_ATOM})*").match
_loose_atom: Final = re.compile(rf"(?:\.|{_ATOM})+").match
_quoted: Final = re.compile(r'"(?:[^"\\\x00-\x08\x0a-\x1f\x7f]|\\[\x20-\x7e\t]|\\[^\x00-\x7f])*"').match
_literal: Final = re.compile(r"\[([^\[\]\\\x00-\x20\x7f]*)\]").match
_Pattern: TypeAlias = Callable[[str, int], re.Match[str] | None]
_BLANKS: Final = " \t"


class _NoAddress(Exception):
    """The text is no address."""


def is_address(text: str) -> bool:
    """Whether a text is one address, ``ann@example.org`` or ``Ann <ann@example.org>``."""
    reader = _Reader(text)
    try:
        reader.address()
        reader.skip()
    except _NoAddress:
        return False
    return reader.at_end()


class _Reader:
    """Reads an address from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0

    def at_end(self) -> bool:
        return self.position >= len(self.text)

    def peek(self) -> str:
        return self.text[self.position : self.position + 1]

    def expect(self, mark: str) -> None:
        if self.peek() != mark:
            raise _NoAddress
        self.position += 1

    def skip(self) -> None:
        """Go past blanks and comments."""
        while True:
            while self.peek() and self.peek() in _BLANKS:
                self.position += 1
            if self.peek() != "(":
                return
            self.comment()

    def comment(self) -> None:
        self.expect("(")
        depth = 1
        while depth:
            char = self.peek()
            if not char:
                raise _NoAddress
            self.position += 2 if char == "\\" else 1
            depth += {"(": 1, ")": -1}.get(char, 0)

    def address(self) -> None:
        self.skip()
        if self.at_end():
            raise _NoAddress
        start = self.position
        try:
            self.specification()
        except _NoAddress:
            self.position = start
        else:
            return
        if self.peek() != "<":
            self.display_name()
        self.skip()
        self.expect("<")
        self.specification()
        self.skip()
        self.expect(">")

    def specification(self) -> None:
        """``local@domain``."""
        self.skip()
        if self.at_end():
            raise _NoAddress
        if self.peek() == '"':
            if self.quoted() == '""':
                raise _NoAddress
        else:
            self.take(_dot_atom)
        self.expect("@")
        self.skip()
        if self.peek() == "[":
            self.take(_literal)
        else:
            self.take(_dot_atom)

    def display_name(self) -> None:
        words = 0
        while True:
            self.skip()
            if self.at_end() or self.peek() == "<":
                break
            if self.peek() == '"':
                self.quoted()
            else:
                self.take(_loose_atom)
            words += 1
        if not words:
            raise _NoAddress

    def quoted(self) -> str:
        return self.take(_quoted)

    def take(self, pattern: _Pattern) -> str:
        found = pattern(self.text, self.position)
        if found is None:
            raise _NoAddress
        self.position = found.end()
        return found.group()
