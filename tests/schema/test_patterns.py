"""Patterns match as Go's do."""

from __future__ import annotations

import pytest

from crdkit.schema.patterns import Remembering, search


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        ("b", "abc", True),
        ("^a$", "a\n", False),
        ("^.$", "é", True),
        (r"^\d$", "٣", False),
        (r"^[\p{L}]{1,1000}$", "é" * 1000, True),
        (r"^[\p{L}]{1,1000}$", "é" * 1001, False),
        ("(a*)*b", "a" * 10_000, False),
        ("(?P<n>x)(?P<n>y)", "xy", True),
    ],
)
def test_search(pattern: str, text: str, *, found: bool) -> None:
    assert search(pattern)(text) is found
    assert search(pattern)(text) is found


def test_what_passed_is_remembered_within_bounds() -> None:
    asked: list[str] = []

    def check(text: str) -> bool:
        asked.append(text)
        return text != "bad"

    quick = Remembering(check)
    assert [quick("good"), quick("good"), quick("bad"), quick("bad")] == [True, True, False, False]
    assert asked == ["good", "bad", "bad"]
    assert all(quick(str(number)) for number in range(1000))
    assert quick("good")
    assert asked.count("good") == 2
