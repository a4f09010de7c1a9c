from __future__ import annotations

import pytest

from crdkit.cel.errors import CostLimitExceeded, EvaluationError, ProgramError
from crdkit.cel.types import INT, STRING, list_of
from crdkit.cel.values import NONE, Duration, Optional, Timestamp, Uint
from tests.cel.language import compiled, cost, evaluated, failure


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7 / -2", -3),
        ("-7 % 3", -1),
        ("2u - 1u", Uint(1)),
        ("1.0 / 0.0", float("inf")),
        ("'a' + 'b'", "ab"),
        ("b'a' + b'b'", b"ab"),
        ("[1] + [2]", [1, 2]),
        ("1 in [1, 2] && !(3 in [1, 2])", True),
        ("'a' in {'a': 1}", True),
        ("dyn(1) == dyn(1.0) && dyn(1u) == dyn(1)", True),
        ("dyn(1) == dyn('1')", False),
        ("dyn([1]) == dyn([1.0])", True),
        ("{'a': 1} == {'a': 1}", True),
        ("dyn({1: 'a'}) == dyn({1.0: 'a'})", False),
        ("{1: 'a'}[dyn(1.0)]", "a"),
        ("1 < 1.5", True),
        ("'b' > 'a'", True),
        ("false < true", True),
        ("size('é') + 'abc'.size() + size([1]) + size({'a': 1}) + size(b'ab')", 8),
        ("true || 1 / 0 > 0", True),
        ("1 / 0 > 0 || true", True),
        ("false && 1 / 0 > 0", False),
        ("true ? 1 : 1 / 0", 1),
        ("[1, 2].all(x, x > 0) && [1, 2].exists(x, x > 1) && [1, 2].exists_one(x, x > 1)", True),
        ("[1, 2, 3].filter(x, x > 1).map(x, x * 2)", [4, 6]),
        ("[1, 2].map(x, x > 1, x)", [2]),
        ("{'a': 1}.map(k, k)", ["a"]),
        ("['a', 'b'].transformList(i, v, v + string(i))", ["a0", "b1"]),
        ("{'a': 1, 'b': 2}.transformMap(k, v, v > 1, v * 2)", {"b": 4}),
        ("{'a': 'b'}.transformMapEntry(k, v, {v: k})", {"b": "a"}),
        ("[[1, 2], [3]].map(l, l.map(x, x + size(l)))", [[3, 4], [4]]),
        ("has({'a': 1}.a) && !has({'a': 1}.b)", True),
        ("{'a': 1}.?b.orValue(2) + {'a': 1}[?'a'].orValue(2)", 3),
        ("optional.of(1).optMap(x, x + 1).value()", 2),
        ("[?optional.none(), 1]", [1]),
        ("{?'a': optional.of(1)}", {"a": 1}),
        ("optional.ofNonZeroValue('')", NONE),
        ("type(1) == int && type([]) == list && type(type(1)) == type", True),
        ("int('-42') + int(3.9) + int(2u)", -37),
        ("double('1e3')", 1000.0),
        ("string(1.0) + string(1e20) + string(true) + string(b'x')", "11e+20truex"),
        ("timestamp('2024-02-29T12:00:00Z') + duration('36h')", Timestamp(1709337600 * 10**9)),
        ("timestamp('2024-01-02T00:00:00Z') - timestamp('2024-01-01T00:00:00Z')", Duration(86400 * 10**9)),
        ("timestamp('2024-02-29T12:00:00Z').getHours('Europe/Berlin')", 13),
        ("timestamp('2024-02-29T12:00:00Z').getDayOfYear()", 59),
        ("duration('90m').getHours()", 1),
        ("'abc'.matches('^a.c$')", True),
    ],
)
def test_values(text: str, value: object) -> None:
    assert evaluated(text) == value


@pytest.mark.parametrize(
    ("text", "message", "charged"),
    [
        ("1 / 0", "division by zero", 1),
        ("1 % 0", "modulus by zero", 1),
        ("9223372036854775807 + 1", "integer overflow", 1),
        ("1u - 2u", "unsigned integer overflow", 1),
        ("dyn(1) + 'a'", "no such overload", 1),
        ("dyn({}) + 1", "no such overload: _+_", 1),
        ("dyn(1).size()", "no such overload: size", 1),
        ("{'a': 1}.b", "no such key: b", 2),
        ("[1][1]", "index out of bounds: 1", 2),
        ("[1][dyn('a')]", "unsupported index type 'string' in list", 2),
        ("dyn('a') && true", "no such overload", 0),
        ("0.0 / 0.0 < 1.0", "NaN values cannot be ordered", 2),
        ("optional.none().value()", "optional.none() dereference", 2),
        ("dyn(1).all(x, true)", "got 'types.Int', expected iterable type", 0),
        ("['x', 'x'].transformMapEntry(i, v, {v: i})", "insert failed: key x already exists", 69),
        ("timestamp('2024-01-01T00:00:00Z').getHours('Nowhere')", "unknown time zone Nowhere", 1),
        ("[1 / 0, 2]", "division by zero", 11),
        ("1 / 0 + 1 / 0", "division by zero", 3),
    ],
)
def test_failures_are_charged(text: str, message: str, charged: int) -> None:
    assert failure(text) == (message, charged)


@pytest.mark.parametrize(
    ("text", "charged"),
    [
        ("1 + 1", 1),
        ("[1, 2]", 0),
        ("[1 + 1, 2]", 11),
        ("{'a': 1 + 1}", 31),
        ("'a' in ['a', 'b']", 0),
        ("'abcdefghijk' == 'abcdefghijk'", 2),
        ("'' == 'a'", 0),
        ("int('1')", 0),
        ("has({'a': 1}.a)", 1),
        ("{'a': 1}.a", 2),
        ("[1, 2].all(x, x > 0)", 11),
        ("[1, 2].map(x, x)", 27),
    ],
)
def test_costs(text: str, charged: int) -> None:
    assert cost(text) == charged


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("int('x')", "type conversion error from 'string' to 'int'"),
        ("uint(-1)", "unsigned integer overflow"),
        ("[1][dyn(b'a')]", "invalid qualifier type: types.Bytes"),
        ("matches('a', '(')", "error parsing regexp: missing closing ): `(`"),
    ],
)
def test_constant_parts_that_fail_refuse_the_program(text: str, message: str) -> None:
    with pytest.raises(ProgramError) as refused:
        compiled(text).program()
    assert str(refused.value) == message


def test_a_variable_without_a_value_is_no_attribute() -> None:
    with pytest.raises(EvaluationError) as failed:
        compiled("x + 1", x=INT).program().evaluate({})
    assert (str(failed.value), failed.value.cost) == ("no such attribute(s): x", 2)


def test_the_limit_stops_an_evaluation_whatever_surrounds_it() -> None:
    program = compiled("l.all(x, x > 0) || true", l=list_of(INT)).program()
    with pytest.raises(CostLimitExceeded) as stopped:
        program.evaluate({"l": list(range(1, 10_000))}, limit=1000)
    assert str(stopped.value) == "operation cancelled: actual cost limit exceeded"
    assert stopped.value.cost == 1001


def test_an_accumulator_that_grows_in_place_is_a_plain_list_in_the_end() -> None:
    assert type(evaluated("[1].map(x, x)")) is list
    assert type(evaluated("[1].transformMap(i, v, v)")) is not dict
    assert type(evaluated("{'a': 1}.transformMap(k, v, v)")) is dict


def test_optionals_pass_selections_on() -> None:
    assert evaluated("optional.of({'a': {'b': 1}}).a.b.value()") == 1
    assert evaluated("optional.of({'a': 1}).b") is NONE
    assert isinstance(evaluated("{'a': 1}.?a"), Optional)


def test_variables_are_given_by_name() -> None:
    program = compiled("a + b", a=STRING, b=STRING).program()
    assert program.evaluate({"a": "x", "b": "y"}) == ("xy", 3)
