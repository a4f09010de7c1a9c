from __future__ import annotations

import pytest

from crdkit.cel.errors import EvaluationError
from crdkit.cel.patterns import compile_pattern


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        ("a*", "baac", ["", "aa", ""]),
        ("", "hél", ["", "", "", ""]),
        (r"\b", "a b", ["", "", "", ""]),
        ("^a", "aaa", ["a"]),
        ("é", "éaé", ["é", "é"]),
        ("x", "abc", []),
    ],
)
def test_all_matches(pattern: str, text: str, found: list[str]) -> None:
    assert compile_pattern(pattern).find_all(text) == found


def test_a_limit() -> None:
    assert compile_pattern("a").find_all("aaa", 2) == ["a", "a"]
    assert compile_pattern("a").find_all("aaa", 0) == []


def test_the_first_match() -> None:
    assert compile_pattern("(a|b)+").find("xxabax") == "aba"
    assert compile_pattern("y").find("x") == ""
    assert compile_pattern("é").search("aé") == (1, 3)


def test_a_broken_pattern() -> None:
    with pytest.raises(EvaluationError, match=r"^error parsing regexp: missing closing \): `\(`$"):
        compile_pattern("(")
