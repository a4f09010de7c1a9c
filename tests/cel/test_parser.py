from __future__ import annotations

import pytest

from crdkit.cel import macros
from crdkit.cel.errors import CompileError
from crdkit.cel.syntax.parser import parse
from tests.cel.printing import printed

MACROS = {macro.key: macro for macro in (*macros.STANDARD, *macros.OPTIONAL, *macros.TWO_VARIABLES)}


def tree(text: str) -> str:
    return printed(parse(text, MACROS).root)


def refused(text: str) -> str:
    with pytest.raises(CompileError) as error:
        parse(text, MACROS)
    return str(error.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + 2 * 3 - 4", "_-_(_+_(1, _*_(2, 3)), 4)"),
        ("a == b == c", "_==_(_==_(a, b), c)"),
        ("a ? b : c ? d : e", "_?_:_(a, b, _?_:_(c, d, e))"),
        ("a && b && c && d", "_&&_(_&&_(a, b), _&&_(c, d))"),
        ("a || b || c", "_||_(_||_(a, b), c)"),
        ("!a.b[0].c(1, 2)", "!_(_[_](a.b, 0).c(1, 2))"),
        ("!!a", "a"),
        ("--1", "1"),
        ("- 1", "-1"),
        ("-a", "-_(a)"),
        ("---a", "-_(a)"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("a.?b[?c]", "_[?_](_?._(a, 'b'), c)"),
        ("[1, ?a,]", "[1, ?a]"),
        ("{'a': 1, ?'b': c,}", "{'a': 1, ?'b': c}"),
        ("[,]", "[]"),
        (".a.b{c: 1, ?d: 2}", ".a.b{c: 1, ?d: 2}"),
        ("a.b.c", "a.b.c"),
        (".a(1)", ".a(1)"),
        ("1u + 0x1Fu", "_+_(1u, 31u)"),
        ("x in [1]", "@in(x, [1])"),
        ("has(a.b)", "has(a.b)"),
    ],
)
def test_precedence_and_shape(text: str, expected: str) -> None:
    assert tree(text) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("as", "1:1: reserved identifier: as"),
        ("a + while(1)", "1:5: reserved identifier: while"),
        ("9223372036854775808", "1:1: invalid int literal"),
        ("18446744073709551616u", "1:1: invalid uint literal"),
        ("1e999", "1:1: invalid double literal"),
        (r"'\ud800'", "1:1: invalid unicode code point"),
        (r"b'\u0041'", "1:1: unable to unescape string"),
        ("a.`b`", "1:3: unsupported syntax: '`'"),
    ],
)
def test_what_is_wrong_besides_the_syntax(text: str, message: str) -> None:
    assert refused(text).split("\n")[0] == f"ERROR: <input>:{message}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(" * 260 + "1" + ")" * 260, "expression recursion limit exceeded: 250"),
        ("[" * 260, "expression recursion limit exceeded: 250"),
        ("+".join("1" * 300), "max recursion depth exceeded"),
        ("a" + ".b" * 300, "max recursion depth exceeded"),
        ("x" * 100_001, "expression code point size exceeds limit: size: 100001, limit 100000"),
    ],
)
def test_limits_have_no_place(text: str, message: str) -> None:
    assert refused(text) == f"ERROR: <input>:-1:0: {message}"


def test_long_chains_of_logic_are_balanced() -> None:
    assert tree(" && ".join("a" * 1000)).count("_&&_") == 999
