from __future__ import annotations

import pytest

from crdkit.cel.values import Duration, Uint
from tests.cel.language import Rule, cost, evaluated, failure, refusal


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[1, 2, 2].isSorted() && !['b', 'a'].isSorted() && [].isSorted()", True),
        ("[1, 2].sum()", 3),
        ("[1u, 2u].sum()", Uint(3)),
        ("[1.5].sum()", 1.5),
        ("[duration('1s'), duration('1m')].sum()", Duration(61 * 10**9)),
        ("[].sum()", 0),
        ("[3, 1, 2].min() + [3, 1, 2].max()", 4),
        ("['b', 'a'].min() + ['b', 'a'].max()", "ab"),
        ("[1.0, 0.0 / 0.0].max()", 1.0),
        ("[dyn(1), dyn('a')].min()", 1),
        ("[1, 2, 2].indexOf(2) + [1, 2, 2].lastIndexOf(2) + [1].indexOf(3)", 2),
        ("dyn(['a']).max()", "a"),
    ],
)
def test_values(text: str, value: object) -> None:
    assert evaluated(text) == value


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[].min()", "min called on empty list"),
        ("[null].min()", "no such overload: min(list)"),
        ("[9223372036854775807, 1].sum()", "integer overflow"),
        ("[dyn(1), dyn(2.5)].sum()", "no such overload"),
        ("[dyn('a'), dyn(1)].sum()", "no such overload: sum(list)"),
        ("dyn(1).sum()", "no such overload: sum(int)"),
    ],
)
def test_errors(text: str, why: str) -> None:
    assert failure(text)[0] == why


def test_what_has_no_order_has_no_least() -> None:
    assert "found no matching overload for 'min'" in refusal("[[1]].min()")


def test_short_texts_cost_nothing_to_compare() -> None:
    assert cost("['a', 'b'].min()") == 0
    assert cost("[1, 2].min()") == 2


def test_estimates_count_elements_and_their_sizes() -> None:
    texts = {"type": "array", "maxItems": 3, "items": {"type": "string", "maxLength": 5}}
    assert Rule(texts, "self.isSorted()").estimate() == (1, 10)
    numbers = {"type": "array", "maxItems": 3, "items": {"type": "integer"}}
    assert Rule(numbers, "self.isSorted()").estimate() == (1, 4)
