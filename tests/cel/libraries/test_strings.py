from __future__ import annotations

import pytest

from crdkit.cel.environment import environment
from crdkit.cel.errors import EvaluationError
from crdkit.meta.version import V1_33
from tests.cel.language import Rule, compiled, cost, evaluated, failure, refusal


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("'hello'.charAt(4) + 'hello'.charAt(5)", "o"),
        ("'tacocat'.indexOf('ac') + 'tacocat'.indexOf('a', 2)", 6),
        ("'tacocat'.indexOf('', 9)", 9),
        ("'ab'.indexOf('b', 5)", -1),
        ("'tacocat'.lastIndexOf('a') + 'tacocat'.lastIndexOf('a', 4)", 6),
        ("'ab'.lastIndexOf('b', 5)", -1),
        ("''.lastIndexOf('x')", -1),
        ("'TacoCÆt'.lowerAscii() + 'æx'.upperAscii()", "tacocÆtæX"),
        ("' \\u3000a\\u001c '.trim()", "a\x1c"),
        ("'tacocat'.substring(4) + 'tacocat'.substring(0, 4)", "cattaco"),
        ("'hello'.replace('l', 'w', 1) + 'ab'.replace('', '-')", "hewlo-a-b-"),
        ("'a,b,c'.split(',', 2) + 'ab'.split('')", ["a", "b,c", "a", "b"]),
        ("'abc'.split('', 2) + 'a,b'.split(',', 0) + 'a,b'.split(',', -1)", ["a", "bc", "a", "b"]),
        ("['a', 'b'].join() + ['c', 'd'].join(', ')", "abc, d"),
        ("strings.quote('a\\n\"b\"')", '"a\\n\\"b\\""'),
    ],
)
def test_values(text: str, value: object) -> None:
    assert evaluated(text) == value


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("'ab'.charAt(3)", "index out of range: 3"),
        ("'ab'.indexOf('b', -1)", "index out of range: -1"),
        ("'ab'.substring(3)", "index out of range: 3"),
        ("'ab'.substring(2, 1)", "invalid substring range. start: 2, end: 1"),
        ("[dyn('a'), dyn(1)].join()", "join: invalid input: 1"),
        ("[dyn(1), dyn('a')].join()", "no such overload: join(list)"),
        ("dyn(1).trim()", "no such overload: trim(int)"),
    ],
)
def test_errors(text: str, why: str) -> None:
    assert failure(text)[0] == why


def test_an_empty_text_had_no_last_index_before() -> None:
    expression = environment(V1_33).compile("''.lastIndexOf('x')", {})
    with pytest.raises(EvaluationError, match=r"^index out of range: -1$"):
        expression.program().evaluate({})


def test_there_is_no_reverse_of_texts() -> None:
    assert "undeclared reference to 'reverse'" in refusal("'ab'.reverse()", V1_33)


def test_costs_follow_sizes() -> None:
    long = "a" * 100
    assert cost(f"'{long}'.trim()") == 10
    assert cost(f"'{long}'.replace('a', 'b')") == 20
    assert cost(f"['{long}', '{long}'].join()") == 40
    assert cost(f"'{long}'.indexOf('a')") == 10
    assert cost(f"'{'é' * 9}'.indexOf('é')") == 1
    assert cost("'abc'.charAt(1)") == 1


SCHEMA = {
    "type": "object",
    "properties": {
        "s": {"type": "string", "maxLength": 5},
        "l": {"type": "array", "maxItems": 3, "items": {"type": "string", "maxLength": 5}},
    },
}


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("self.s.trim() == ''", (2, 4)),
        ("self.s.replace('a', 'bcd') == 'x'", (3, 7)),
        ("self.s.split(',').size() == 1", (4, 8)),
        ("self.l.join(', ') == ''", (2, 9)),
        ("self.l.indexOf('a') == 1", (3, 12)),
        ("self.s.lastIndexOf('a') == 1", (3, 5)),
    ],
)
def test_estimates(text: str, bounds: tuple[int, int]) -> None:
    assert Rule(SCHEMA, text).estimate() == bounds


def test_a_text_of_unknown_size_is_expensive() -> None:
    assert compiled("string(1).trim() == 'a'").estimate().high > 10**17
