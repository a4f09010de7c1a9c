from __future__ import annotations

import pytest

from tests.cel.language import cost, evaluated, failure


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("sets.contains([1, 2], [2]) && sets.contains([], [])", True),
        ("sets.contains([1], [1, 2])", False),
        ("sets.contains([dyn(1), dyn('a')], [dyn(1.0)])", True),
        ("sets.equivalent([1, 2, 1], [2, 1])", True),
        ("sets.equivalent([1], [1, 2])", False),
        ("sets.intersects([[1], [2]], [[2]])", True),
        ("sets.intersects([], [1])", False),
    ],
)
def test_values(text: str, value: bool) -> None:
    assert evaluated(text) is value


def test_each_is_compared_with_each() -> None:
    assert cost("sets.contains([1, 2, 3], [1, 2])") == 7
    assert cost("sets.equivalent([1, 2, 3], [1, 2])") == 13


def test_what_is_no_list() -> None:
    assert failure("sets.contains(dyn(1), [1])") == ("no such overload: sets.contains(int, list)", 2)
