from __future__ import annotations

import pytest

from tests.cel.language import compiled, cost, evaluated, failure, refusal


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("quantity('1.5Gi').isGreaterThan(quantity('1G')) && quantity('1M').isLessThan(quantity('1Mi'))", True),
        ("quantity('200M').compareTo(quantity('0.2G'))", 0),
        ("quantity('200M') == quantity('0.2G')", True),
        ("quantity('50k').add(20).sub(quantity('100k')).sub(-50000) == quantity('20')", True),
        ("quantity('1Ki').asInteger() + sign(quantity('-5'))", 1023),
        ("quantity('1.5').isInteger()", False),
        ("quantity('1.5').asApproximateFloat()", 1.5),
        ("isQuantity('1Mi') && !isQuantity('1mi')", True),
        ("quantity('1') in [quantity('1000m')]", True),
    ],
)
def test_values(text: str, value: object) -> None:
    assert evaluated(text) == value


def test_errors() -> None:
    assert failure("quantity('1K')")[0] == "unable to parse quantity's suffix"
    assert failure("quantity('1.5').asInteger()")[0] == "cannot convert value to integer"
    assert failure("quantity('1').add(dyn('1'))")[0] == "no such overload: add(kubernetes.Quantity, string)"


def test_sign_is_no_member() -> None:
    assert "found no matching overload for 'sign'" in refusal("quantity('1').sign()")


def test_costs() -> None:
    assert cost(f"quantity('{'1' * 11}')") == 2
    assert compiled("quantity('1') == quantity('2')").estimate() == (3, 3)
    assert compiled("dyn(quantity('1')) != dyn(quantity('2'))").estimate().high > 10**17
