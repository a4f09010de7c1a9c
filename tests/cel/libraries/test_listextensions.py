from __future__ import annotations

import pytest

from crdkit.cel.costs import MAX
from crdkit.cel.errors import CostLimitExceeded, Panicked
from crdkit.meta.version import V1_33
from tests.cel.language import Rule, compiled, cost, evaluated, failure, refusal


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[1, 2, 3].slice(0, 2)", [1, 2]),
        ("[[1], [2]].flatten()", [1, 2]),
        ("[dyn(1), dyn([dyn(2), dyn([3])])].flatten(2)", [1, 2, 3]),
        ("[2, 1].sort()", [1, 2]),
        ("dyn(['b', 'a']).sort()", ["a", "b"]),
        ("[{'n': 2}, {'n': 1}].sortBy(e, e.n)", [{"n": 1}, {"n": 2}]),
        ("['b', 'a'].sortBy(e, e)", ["a", "b"]),
        ("[1, 2, 1].distinct()", [1, 2]),
        ("[dyn(1), dyn(1.0), dyn('a')].distinct()", [1, "a"]),
        ("[1, 2].reverse()", [2, 1]),
        ("lists.range(3)", [0, 1, 2]),
        ("lists.range(-1)", []),
    ],
)
def test_values(text: str, value: object) -> None:
    assert evaluated(text) == value


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[1].slice(0, 2)", "cannot slice(0, 2), list is length 1"),
        ("[1].slice(1, 0)", "cannot slice(1, 0), start index must be less than or equal to end index"),
        ("[1].slice(-1, 0)", "cannot slice(-1, 0), negative indexes not supported"),
        ("[].flatten(-1)", "level must be non-negative"),
        ("[null].sort()", "list elements must be comparable"),
        ("[dyn(1), dyn('a')].sort()", "list elements must have the same type"),
    ],
)
def test_errors(text: str, why: str) -> None:
    assert failure(text)[0] == why


def test_they_came_with_1_34() -> None:
    assert "undeclared reference to 'distinct'" in refusal("[1].distinct()", V1_33)


def test_a_failing_key_ends_the_evaluation_as_it_crashes_the_real_server() -> None:
    with pytest.raises(Panicked, match="missing method Add"):
        compiled("[0, 1].sortBy(x, 1 / x) == [] || true").program().evaluate({})


def test_a_range_beyond_what_may_be_paid_is_not_made() -> None:
    with pytest.raises(CostLimitExceeded):
        compiled("lists.range(9223372036854775807).size() > 0").program().evaluate({})


def test_costs_grow_with_the_square() -> None:
    assert cost("[1, 2, 3].sort()") == 18 + 11
    assert cost("['a', 'b'].sort()") == 8 + 11
    assert cost("lists.range(5)") == 5 + 11


def test_estimates() -> None:
    schema = {"type": "array", "maxItems": 10, "items": {"type": "integer"}}
    assert Rule(schema, "self.sort() == []").estimate() == (22, 222)
    assert Rule(schema, "self.slice(1, 3) == []").estimate() == (24, 24)
    assert compiled("lists.range(int('1'))").estimate().high == MAX
