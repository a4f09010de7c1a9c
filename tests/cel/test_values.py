from __future__ import annotations

import math

import pytest

from crdkit.cel import types
from crdkit.cel.comparing import compare, equal
from crdkit.cel.costs import MAX, Interval, by_sizes, scale, tenths, traversal
from crdkit.cel.errors import EvaluationError
from crdkit.cel.types import Type, list_of, map_of, optional_of, wrapper_of
from crdkit.cel.values import MISSING, NONE, Duration, Optional, Timestamp, Uint, find, make_map, size_of, type_of


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (1, 1.0, True),
        (1, Uint(1), True),
        (Uint(1), 1.0, True),
        (1, True, False),
        (math.nan, math.nan, False),
        (2**53, float(2**53 + 1), True),
        ("a", b"a", False),
        (None, None, True),
        (None, 0, False),
        ([1, 2], [1.0, Uint(2)], True),
        ([1], [1, 2], False),
        ({"a": 1}, {"a": 1.0}, True),
        (NONE, Optional(None), False),
        (Optional(1), Optional(1.0), True),
        (Timestamp(1, 3600), Timestamp(1), True),
        (types.INT, types.INT, True),
        (types.LIST, list_of(types.INT), True),
    ],
)
def test_equality_reaches_across_kinds_of_numbers(one: object, other: object, expected: bool) -> None:
    assert equal(one, other) is expected


def test_order() -> None:
    assert compare(1, 1.5) < 0 < compare(Uint(2), 1)
    assert compare("a", "b") < 0 == compare(Duration(1), Duration(1))
    with pytest.raises(EvaluationError, match="NaN values cannot be ordered"):
        compare(1, math.nan)
    with pytest.raises(EvaluationError, match="no such overload"):
        compare(True, 1)


def test_keys_of_literal_maps_are_told_apart_by_kind_and_found_by_number() -> None:
    literal = make_map([(1, "int"), (True, "bool"), (Uint(1), "uint"), (1.0, "double")])
    assert len(literal) == 4
    assert [find(literal, key) for key in (1, True, Uint(1), 1.0)] == ["int", "bool", "uint", "double"]
    assert find(make_map([(1, "int")]), 1.0) == "int"
    assert find(make_map([(1.0, "double")]), 1) is MISSING
    assert make_map([("a", 1), ("a", 2)]) == {"a": 2}


def test_sizes_and_types_while_evaluating() -> None:
    assert [size_of(value) for value in ("é", b"ab", [1], {}, 5, None, Optional("abc"))] == [1, 2, 1, 0, 1, 1, 3]
    assert [type_of(value).name for value in (True, 1, Uint(1), "", None, [], {}, NONE, types.INT)] == [
        "bool", "int", "uint", "string", "null_type", "list", "map", "optional_type", "type",
    ]  # fmt: skip


def test_types_as_messages_print_them() -> None:
    printed = [types.NULL, types.TIMESTAMP, map_of(types.STRING, list_of(types.DYN)), optional_of(types.INT), wrapper_of(types.INT)]
    assert [str(type_) for type_ in printed] == ["null", "timestamp", "map(string, list(dyn))", "optional_type(int)", "wrapper(int)"]
    assert Type(types.Kind.ERROR, "!error!") == types.ERROR


def test_costs_round_up_and_saturate() -> None:
    assert [tenths(size) for size in (0, 1, 10, 11)] == [0, 1, 1, 2]
    assert scale(MAX, 2.0) == MAX
    assert Interval(1, MAX).plus(Interval(1, 1)) == (2, MAX)
    assert Interval(2, MAX).times(Interval(3, 2)) == (6, MAX)
    assert Interval(2, 5).union(Interval(1, 3)) == (1, 5)


def test_one_rule_serves_both_times() -> None:
    cost = by_sizes(lambda text, part: tenths(text) * tenths(part))
    assert cost.actual(["a" * 20, "b" * 11], None) == 4
    assert traversal(1).actual(["", "a" * 11], None) == 2
