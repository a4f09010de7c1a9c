from __future__ import annotations

import pytest

from crdkit.cel.types import BOOL, DYN, INT, STRING, list_of, map_of
from crdkit.meta.version import V1_33
from tests.cel.language import Rule, compiled, evaluated, first_message, refusal


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("1 + 1", "int"),
        ("[1, 2]", "list(int)"),
        ("[]", "list(dyn)"),
        ("[[], [1]]", "list(list(int))"),
        ("{'a': 1.5}", "map(string, double)"),
        ("{}", "map(dyn, dyn)"),
        ("null", "null"),
        ("type(1)", "type(int)"),
        ("int", "type(int)"),
        ("timestamp('2024-01-01T00:00:00Z')", "timestamp"),
        ("optional.of(1)", "optional_type(int)"),
        ("[1].map(x, string(x))", "list(string)"),
        ("{'a': 1}.map(k, k)", "list(string)"),
        ("dyn(1) + 1", "int"),
        ("dyn(1) + dyn(1)", "dyn"),
        ("true ? 1 : 2", "int"),
        ("{'a': 1}.?b", "optional_type(int)"),
        ("[1].transformMap(i, v, v)", "map(int, int)"),
    ],
)
def test_types(text: str, type_: str) -> None:
    assert str(compiled(text).type) == type_


def test_a_leading_dot_does_not_pass_the_variables_of_folds_over() -> None:
    assert evaluated("[1, 2].all(x, .x > 0)") is True
    assert first_message("[1].all(x, .x.y == 1)", x=map_of(STRING, INT)) == "type 'int' does not support field selection"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x", "undeclared reference to 'x' (in container '')"),
        ("f(1)", "undeclared reference to 'f' (in container '')"),
        ("1 + 'a'", "found no matching overload for '_+_' applied to '(int, string)'"),
        ("1 == 1.0", "found no matching overload for '_==_' applied to '(int, double)'"),
        ("'a'.startsWith(1)", "found no matching overload for 'startsWith' applied to 'string.(int)'"),
        ("(1).a", "type 'int' does not support field selection"),
        ("1 && true", "expected type 'bool' but found 'int'"),
        ("true ? 1 : 'a'", "found no matching overload for '_?_:_' applied to '(bool, int, string)'"),
        ("1.all(x, true)", "expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)"),
        ("[1, 'a']", "expected type 'int' but found 'string'"),
        ("{'a': 1, 2: 2}", "expected type 'string' but found 'int'"),
        ("[?1]", "expected type 'optional_type(int)' but found 'int'"),
        ("int{}", "'int' is not a message type"),
        ("Foo{}", "undeclared reference to 'Foo' (in container '')"),
        ("duration('x')", "invalid duration argument"),
        ("timestamp('x')", "invalid timestamp argument"),
        ("'a'.matches('(')", "invalid matches argument"),
        ("[1].all(2, true)", "argument must be a simple name"),
        ("[1].map(2, true)", "argument is not an identifier"),
        ("[1].all(__result__, true)", "iteration variable overwrites accumulator variable"),
        ("[1].all(i, i, true)", "duplicate variable name: i"),
        ("has(1)", "invalid argument to has() macro"),
        ("optional.of(1).optMap(1, 1)", "optMap() variable name must be a simple identifier"),
    ],
)
def test_messages(text: str, message: str) -> None:
    assert first_message(text) == message


def test_errors_stand_in_the_order_of_their_places() -> None:
    assert refusal("f(y) +\n  x") == (
        "ERROR: <input>:1:2: undeclared reference to 'f' (in container '')\n | f(y) +\n | .^\n"
        "ERROR: <input>:1:3: undeclared reference to 'y' (in container '')\n | f(y) +\n | ..^\n"
        "ERROR: <input>:2:3: undeclared reference to 'x' (in container '')\n |   x\n | ..^"
    )


def test_marks_under_wide_characters_are_wide() -> None:
    assert refusal("'é' + x") == "ERROR: <input>:1:7: undeclared reference to 'x' (in container '')\n | 'é' + x\n | .\uff0e....^"


def test_the_101st_error_is_only_counted() -> None:
    text = refusal("[" + ",".join(f"x{i}" for i in range(102)) + "]")
    assert text.endswith("\n2 more errors were truncated")
    assert text.count("ERROR") == 100


def test_a_name_of_a_fold_hides_a_variable() -> None:
    assert compiled("[true].all(x, x)", x=INT).type == BOOL


def test_dotted_names_are_functions_before_members() -> None:
    assert str(compiled("optional.none()").type) == "optional_type(dyn)"


def test_numbers_compare_across_types_but_for_equality() -> None:
    assert compiled("1 < 1.5 && 1u >= 1").type == BOOL


def test_a_variable_of_an_object_type_has_only_its_fields() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}, "namespace": {"type": "integer"}}}
    assert str(Rule(schema, "self.namespace").expression.type) == "int"
    assert str(Rule(schema, "self.__namespace__").expression.type) == "int"
    with pytest.raises(Exception, match="undefined field 'b'"):
        Rule(schema, "self.b")


def test_what_a_version_does_not_know_is_undeclared() -> None:
    assert compiled("l.sort()", l=list_of(INT)).type == list_of(INT)
    assert "undeclared reference to 'sort'" in refusal("l.sort()", V1_33, l=list_of(INT))


def test_unification_reaches_into_maps() -> None:
    assert compiled("m['a'] == s", m=map_of(STRING, STRING), s=STRING).type == BOOL
    assert compiled("d.a.b", d=DYN).type == DYN
