from __future__ import annotations

import pytest

from crdkit.cel.errors import EvaluationError
from crdkit.cel.formatting import format_values
from crdkit.cel.types import INT
from crdkit.cel.values import Duration, LiteralMap, Optional, Timestamp, Uint, Value


@pytest.mark.parametrize(
    ("text", "values", "written"),
    [
        ("100%% of %s", ["é"], "100% of é"),
        ("%s %s %s %s", [1, Uint(2), 1e20, True], "1 2 1e+20 true"),
        ("%s %s %s", [b"ab", None, INT], "ab null int"),
        ("%s", [["a", b"b", 1.5, float("nan"), [None]]], '["a", b"b", 1.500000, "NaN", [null]]'),
        ("%s", [{"b": 1, "a": [True]}], '{"a":[true], "b":1}'),
        ("%s", [LiteralMap([(10, 1), (2, 2)])], "{10:1, 2:2}"),
        ("%s", [[Duration(1_500_000_000), Timestamp(0)]], '[duration("1.5s"), timestamp("1970-01-01T00:00:00Z")]'),
        ("%d %x %X %o %b", [-5, -255, Uint(255), 8, True], "-5 -ff FF 10 1"),
        ("%x %X", ["hé", b"\x01\xff"], "68c3a9 01FF"),
        ("%f %.2f %.0f", [1234.5, 2.005, 2.5], "1,234.500000 2.00 2"),
        ("%f %f %f", ["NaN", "Infinity", float("-inf")], "NaN ∞ -∞"),
        ("%e", [1052.033], "1.052033×10⁰³"),
        ("%e %.20e", [1e-100, 1.5], "1.000000×10⁻¹⁰⁰        1.500000×10⁰⁰"),
        ("%e %.3e", ["NaN", "-Infinity"], "   NaN  -∞"),
        ("%.256f", [0.5], "0.5"),
        ("%.258f", [0.5], "0.50"),
        ("%.2s%.1d", ["abc", 7], "abc7"),
    ],
)
def test_values(text: str, values: list[Value], written: str) -> None:
    assert format_values(text, values) == written


@pytest.mark.parametrize(
    ("text", "values", "why"),
    [
        ("%s", [], "index 0 out of range"),
        ("%s%", ["a"], "index 1 out of range"),
        ("%", ["a"], "unexpected end of string"),
        ("%q", [1], 'could not parse formatting clause: unrecognized formatting clause "q"'),
        ("%é", [1], 'could not parse formatting clause: unrecognized formatting clause "Ã"'),
        (
            "%.f",
            [1.0],
            (
                "could not parse formatting clause: error while parsing precision: "
                'error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax'
            ),
        ),
        ("%.5", [1.0], "could not parse formatting clause: error while parsing precision: could not find end of precision specifier"),
        ("%d", ["a"], "error during formatting: decimal clause can only be used on integers, was given string"),
        ("%f", [1], "error during formatting: fixed-point clause can only be used on doubles, was given int"),
        ("%s", [[Optional(1)]], "error during formatting: no formatting function for optional_type"),
        ("%s", [LiteralMap([(1.5, 1)])], "error during formatting: no formatting function for map key of type double"),
        (
            "%s",
            [b"\xff"],
            'error during formatting: could not convert argument "invalid UTF-8 in bytes, cannot convert to string" to string',
        ),
    ],
)
def test_errors(text: str, values: list[Value], why: str) -> None:
    with pytest.raises(EvaluationError) as failed:
        format_values(text, values)
    assert str(failed.value) == why
