from __future__ import annotations

import pytest

from crdkit.cel.syntax.lexer import tokenize
from crdkit.cel.syntax.tokens import Kind


def kinds(text: str) -> list[str]:
    return [token.kind.name for token in tokenize(text).tokens]


def errors(text: str) -> list[tuple[int, str]]:
    return [(issue.at, issue.message.removeprefix("Syntax error: token recognition error at: ")) for issue in tokenize(text).issues()]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a.b", ["IDENTIFIER", "DOT", "IDENTIFIER", "EOF"]),
        ("in inside", ["IN", "IDENTIFIER", "EOF"]),
        ("1 1u 0xFu 1.5 1e3 .5 0x1F", ["INT", "UINT", "UINT", "FLOAT", "FLOAT", "FLOAT", "INT", "EOF"]),
        ("1.a", ["INT", "DOT", "IDENTIFIER", "EOF"]),
        ("'a' \"b\" r'\\q' b'c' bR\"d\" '''e\n'''", ["STRING"] * 3 + ["BYTES"] * 2 + ["STRING", "EOF"]),
        ("rb'x'", ["IDENTIFIER", "STRING", "EOF"]),
        ("a // comment\n&& b", ["IDENTIFIER", "AND", "IDENTIFIER", "EOF"]),
        ("<= < == != >= >", ["LESS_EQUALS", "LESS", "EQUALS", "NOT_EQUALS", "GREATER_EQUALS", "GREATER", "EOF"]),
        ("`a.b-c`", ["ESCAPED", "EOF"]),
    ],
)
def test_the_longest_token_wins(text: str, expected: list[str]) -> None:
    assert kinds(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a & b", [(2, "'& '")]),
        ("a = b", [(2, "'= '")]),
        ("@x", [(0, "'@'")]),
        ("'abc", [(0, "''abc'")]),
        (r"'\q'", [(0, r"''\q'"), (3, "'''")]),
        (r"'\x4'", [(0, r"''\x4''")]),
        ("'a\nb'", [(0, "''a\n'"), (4, "'''")]),
        ("'''abc", [(2, "''abc'")]),
        ("é", [(0, "'é'")]),
        (r"`a\x4", [(0, r"'`a\'")]),
    ],
)
def test_what_no_token_begins_with_is_told_up_to_the_character_that_does_not_fit(text: str, expected: list[tuple[int, str]]) -> None:
    assert errors(text) == expected


def test_the_last_token_is_the_end() -> None:
    last = tokenize("ab ").tokens[-1]
    assert (last.kind, last.at, last.text) == (Kind.EOF, 3, "<EOF>")
