from __future__ import annotations

import pytest

from crdkit.cel.costs import MAX
from tests.cel.language import Rule, compiled

BOUNDED = {
    "type": "object",
    "properties": {
        "s": {"type": "string", "maxLength": 10},
        "e": {"type": "string", "enum": ["ab", "abcd"]},
        "l": {"type": "array", "maxItems": 5, "items": {"type": "string", "maxLength": 3}},
        "m": {"type": "object", "maxProperties": 4, "additionalProperties": {"type": "integer"}},
        "i": {"type": "integer"},
    },
}


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("self.i > 5", (3, 3)),
        ("self.i == 5", (2, 2)),
        ("self.s == 'abc'", (3, 3)),
        ("self.s == self.s", (5, 8)),
        ("self.s + self.s == ''", (4, 12)),
        ("self.e == 'abcdefghijk'", (3, 3)),
        ("has(self.s)", (1, 1)),
        ("self.l.all(x, x == 'abc')", (3, 28)),
        ("self.l.exists(x, x.startsWith('a'))", (3, 33)),
        ("self.m.all(k, self.m[k] > 0)", (3, 35)),
        ("self.i > 0 && self.i < 5", (3, 6)),
        ("self.i > 0 ? self.s == '' : true", (3, 5)),
        ("'a' in self.l", (2, 7)),
        ("self.s.matches('a+')", (3, 7)),
        ("[1, 2, 3].map(x, x * 2).size() == 3", (65, 65)),
        ("dyn(self.i) == 1", (3, 3)),
    ],
)
def test_bounds(text: str, bounds: tuple[int, int]) -> None:
    assert Rule(BOUNDED, text).estimate() == bounds


def test_what_nothing_bounds_is_unbounded() -> None:
    assert compiled("optional.of('a').value() == 'a'").estimate().high < MAX
    assert compiled("[string(1)].map(x, x + x)[0] == dyn('')").estimate().high > 10**17


def test_a_schema_without_bounds_is_bounded_by_the_request() -> None:
    unbounded = {"type": "object", "properties": {"s": {"type": "string"}}}
    assert Rule(unbounded, "self.s == self.s").estimate() == (5, 314577)
