from __future__ import annotations

import pytest

from tests.cel.language import cost, evaluated, failure, first_message, refusal


def test_values() -> None:
    assert evaluated("'%s has %d of %.1f'.format(['a', 2, 1.25])") == "a has 2 of 1.2"
    assert evaluated("'%s'.format([[dyn(1), dyn('a')]])") == '[1, "a"]'
    assert evaluated("dyn('%s').format(dyn(['a']))") == "a"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("'%s'.format([])", "index 0 out of range"),
        ("'%'.format([])", "unexpected end of string"),
        ("'%s'.format(['a', 'b'])", "too many arguments supplied to string.format (expected 1, got 2)"),
        ("'%q'.format([1])", 'could not parse formatting clause: unrecognized formatting clause "q"'),
        ("'%d'.format([1.5])", "error during formatting: decimal clause can only be used on integers, was given double"),
        (
            "'%s'.format([[optional.of(1)]])",
            (
                "error during formatting: string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, "
                "types, durations, and timestamps, was given optional_type"
            ),
        ),
    ],
)
def test_literals_are_checked(text: str, why: str) -> None:
    assert first_message(text) == why


def test_a_wrong_value_is_told_where_it_stands() -> None:
    assert refusal("'%s %d'.format([1, {'a': 1}])").endswith("\n | ...................^")


def test_what_is_no_literal_fails_when_it_is_evaluated() -> None:
    assert failure("'%d'.format([dyn('x')])")[0] == (
        "error during formatting: decimal clause can only be used on integers, was given string"
    )
    assert failure("('%' + 'z').format(['a'])")[0] == 'could not parse formatting clause: unrecognized formatting clause "z"'


def test_the_cost_is_that_of_the_text() -> None:
    assert cost(f"'{'a' * 99}'.format([])") == 10


def test_a_call_with_a_text_that_fails_is_not_charged() -> None:
    text = "string(1 / 0)"
    assert failure(f"{text}.format([1])")[1] == failure(text)[1]
