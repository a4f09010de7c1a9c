from __future__ import annotations

import pytest

from crdkit.cel.environment import environment
from crdkit.meta.version import V1_33
from tests.cel.language import compiled, cost, evaluated


@pytest.mark.parametrize(
    ("name", "valid", "invalid"),
    [
        ("dns1123Label", "a-1", "a.b"),
        ("dns1123Subdomain", "a.b", "A"),
        ("dns1035Label", "a-1", "1a"),
        ("qualifiedName", "a.b/C_d", "a/b/c"),
        ("dns1123LabelPrefix", "a-", "-a"),
        ("dns1123SubdomainPrefix", "a.b-", "a..b"),
        ("dns1035LabelPrefix", "a-", "1a-"),
        ("labelValue", "", "a b"),
        ("uri", "http://a/b", "a"),
        ("uuid", "123e4567-e89b-12d3-a456-426614174000", "123"),
        ("byte", "aGVsbG8=", "aGVsbG8"),
        ("date", "2024-02-29", "2023-02-29"),
        ("datetime", "2024-02-29T00:00:00Z", "2024-02-29"),
    ],
)
def test_formats(name: str, valid: str, invalid: str) -> None:
    assert evaluated(f"format.{name}().validate('{valid}').hasValue()") is False
    assert evaluated(f"format.named('{name}').value().validate('{invalid}').hasValue()") is True


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("format.uri().validate('a')", ['parse "a": invalid URI for request']),
        ("format.uuid().validate('a')", ["does not match the UUID format"]),
        ("format.byte().validate('a')", ["invalid base64"]),
        ("format.date().validate('a')", ["invalid date"]),
        ("format.datetime().validate('a')", ["invalid datetime"]),
        (f"format.labelValue().validate('{'a' * 64}')", ["must be no more than 63 bytes"]),
    ],
)
def test_messages(text: str, messages: list[str]) -> None:
    assert evaluated(f"{text}.value()") == messages


def test_labels_were_told_otherwise_before() -> None:
    expression = environment(V1_33).compile(f"format.labelValue().validate('{'a' * 64}').value()", {})
    assert expression.program().evaluate({})[0] == ["must be no more than 63 characters"]


def test_an_unknown_name_has_no_format() -> None:
    assert evaluated("format.named('x').hasValue()") is False


def test_formats_are_equal_by_name() -> None:
    assert evaluated("format.uri() == format.named('uri').value()") is True


def test_costs_go_by_a_pattern() -> None:
    assert cost(f"format.dns1123Label().validate('{'a' * 99}')") == 1 + 10 * 8
    assert cost("format.uri().validate('/a')") == 277
    assert compiled(f"format.uri().validate('{'a' * 100}')").estimate() == (321, 321)
    assert compiled("format.uri() == format.uri()").estimate() == (3, 9)
