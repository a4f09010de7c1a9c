from __future__ import annotations

from crdkit.cel.source import NOWHERE, Issue, Source


def test_places_are_lines_and_columns_of_code_points() -> None:
    source = Source("aé\n\r\nb")
    assert [source.position(at) for at in range(6)] == [(1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (3, 0)]
    assert source.position(NOWHERE) == (-1, -1)
    assert [source.line(number) for number in range(5)] == [None, "aé", "\r", "b", None]


def test_a_report_shows_the_line_with_tabs_as_blanks() -> None:
    assert Source("\ta").report([Issue(1, "wrong")]) == "ERROR: <input>:1:2: wrong\n |  a\n | .^"


def test_no_line_is_shown_that_is_too_long() -> None:
    assert Source("x" * 16385).report([Issue(0, "wrong")]) == "ERROR: <input>:1:1: wrong"


def test_an_error_behind_the_text_is_marked_there() -> None:
    assert Source("ab").report([Issue(2, "end")]) == "ERROR: <input>:1:3: end\n | ab\n | ..^"
