from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crdkit.cel.errors import EvaluationError
from crdkit.cel.quantities import Quantity, QuantityError, of_int, parse

EXPONENTS = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("1", "1"),
        ("+1", "+1"),
        ("1.5", "1500m"),
        ("1.5Gi", "1536Mi"),
        ("0.5Ki", "512"),
        ("1024Ki", "1Mi"),
        ("1000k", "1M"),
        ("12e6", "12e6"),
        ("1e4", "10e3"),
        ("0.0000000001", "1n"),
        ("-0.0000000001", "-1n"),
        ("9999999999999999999Ki", "9223372036854775807"),
        ("k", "0"),
        ("-", "0"),
        (".", "0"),
        ("1E", "1E"),
        ("1000E", "1"),
        ("1e4294967297", "10"),
    ],
)
def test_how_it_is_written(text: str, written: str) -> None:
    assert str(parse(text)) == written


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"),
        ("1 ", "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"),
        ("1.2.3", "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"),
        ("1K", "unable to parse quantity's suffix"),
        ("1e", "unable to parse quantity's suffix"),
        ("1+5", "unable to parse quantity's suffix"),
        ("1e99999999999999999999", "unable to parse quantity's suffix"),
        (".e-10", "unable to parse numeric part of quantity"),
        ("1" * 100_001, "unable to parse numeric part of quantity"),
    ],
)
def test_what_is_none(text: str, why: str) -> None:
    with pytest.raises(QuantityError) as refused:
        parse(text)
    assert str(refused.value) == why


numbers = st.decimals(min_value=-(10**20), max_value=10**20, places=3, allow_nan=False, allow_infinity=False)
texts = st.tuples(numbers, st.sampled_from(sorted(EXPONENTS)))


def exact(number: Decimal, suffix: str) -> Decimal:
    return number.scaleb(EXPONENTS[suffix]).quantize(Decimal("1e-9"), rounding="ROUND_UP")


def value(quantity: Quantity) -> Decimal:
    return Decimal(quantity.number).scaleb(quantity.exponent)


@given(texts, texts)
def test_order_and_sums_are_those_of_the_numbers(one: tuple[Decimal, str], other: tuple[Decimal, str]) -> None:
    first, second = (parse(f"{number:f}{suffix}") for number, suffix in (one, other))
    a, b = value(first), value(second)
    assert first.compare(second) == (a > b) - (a < b)
    assert value(first.plus(second)) == a + b
    assert value(first.minus(second)) == a - b


@given(texts)
def test_the_canonical_text_means_the_same(text: tuple[Decimal, str]) -> None:
    number, suffix = text
    quantity = parse(f"{number:f}{suffix}")
    if abs(value(quantity)) < 10**20:
        assert value(parse(str(quantity))) == value(quantity)


def test_integers_are_those_that_need_no_reckoning() -> None:
    assert parse("1Ki").integer() == 1024
    assert parse("2e3").integer() == 2000
    assert parse("1.0").integer() is None
    assert parse("0.5").plus(parse("0.5")).integer() is None
    assert parse("9223372036854775807").integer() is None


def test_comparing_with_a_long_number_makes_one_of_it() -> None:
    quantity = parse("5")
    assert quantity.compare(parse("9223372036854775808")) == -1
    assert quantity.integer() is None


def test_a_sum_is_equal_on_the_left_only() -> None:
    total = parse("1").plus(of_int(1))
    assert total.equals(parse("2"))
    with pytest.raises(EvaluationError, match=r"^no such overload$"):
        parse("2").equals(total)


def test_numbers_without_end_are_compared_but_not_added() -> None:
    huge = parse("1e1000000000")
    assert huge.compare(parse("1")) == 1
    assert str(parse("1e-1000000000")) == "1e-9"
    with pytest.raises(EvaluationError, match="too many digits"):
        huge.plus(parse("1"))


def test_doubles_are_near() -> None:
    assert parse("1.5").approximate() == 1.5
    assert parse("1e400").approximate() == float("inf")
    assert parse("100m").approximate() == 0.1
