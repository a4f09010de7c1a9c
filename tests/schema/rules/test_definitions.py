from __future__ import annotations

import pytest

from crdkit.meta.version import V1_33
from crdkit.schema.checks import KnownRules
from tests.schema.rules.ruled import Schema, rooted, ruled, told

V = "S.properties[spec].properties[v]"
RULE = f"{V}.x-kubernetes-validations[0]"
TEXT = {"type": "string", "maxLength": 9}


def struct(rule: str, message_expression: str = "") -> str:
    """A rule as 1.36 tells it."""
    return (
        f'{{"Rule":"{rule}","Message":"","MessageExpression":"{message_expression}","Reason":null,"FieldPath":"","OptionalOldSelf":null}}'
    )


def test_a_rule_that_does_not_compile_is_told_with_the_place_of_the_fault() -> None:
    assert told(rooted(v=ruled(TEXT, "self.x == 1"))) == [
        (
            f"{RULE}.rule: Invalid value: {struct('self.x == 1')}: compilation failed:"
            " ERROR: <input>:1:5: type 'string' does not support field selection\n | self.x == 1\n | ....^"
        )
    ]


def test_the_type_decides_which_keywords_rules_see() -> None:
    array = {"type": "array", "maxItems": 3, "items": TEXT, "properties": {"a": TEXT}}
    assert told(rooted(v=ruled(array, "self.all(x, x == 'a')"))) == []


def test_rules_of_a_default_without_a_type_cannot_be_run() -> None:
    node = ruled({"x-kubernetes-preserve-unknown-fields": True, "default": 1}, "true")
    detail = "rule compiler initialization error: failed to convert to declType for CEL validation rules"
    assert told(rooted(v=node)) == [f'{V}.default: Invalid value: "": {detail}']


def test_1_33_tells_rules_in_go_syntax() -> None:
    (error,) = told(rooted(v=ruled(TEXT, "self")), kube=V1_33)
    assert error.startswith(f'{RULE}.rule: Invalid value: apiextensions.ValidationRule{{Rule:"self", Message:""')
    assert error.endswith(": cel expression must evaluate to a bool")


@pytest.mark.parametrize(
    ("rule", "detail"),
    [
        ("self", "cel expression must evaluate to a bool"),
        (
            "self.matches('a{2,1}')",
            "compilation failed: ERROR: <input>:1:14: invalid matches argument\n | self.matches('a{2,1}')\n | .............^",
        ),
        ("int('x') == 1", "program instantiation failed: type conversion error from 'string' to 'int'"),
    ],
)
def test_what_makes_no_rule(rule: str, detail: str) -> None:
    assert told(rooted(v=ruled(TEXT, rule))) == [f"{RULE}.rule: Invalid value: {struct(rule)}: {detail}"]


@pytest.mark.parametrize(
    ("message", "detail"),
    [
        ("1", "messageExpression must evaluate to a string"),
        (
            "self.y",
            "messageExpression compilation failed: ERROR: <input>:1:5: type 'string' does not support field selection\n | self.y\n | ....^",
        ),
        ("string(int('x'))", "messageExpression instantiation failed: type conversion error from 'string' to 'int'"),
    ],
)
def test_what_makes_no_message(message: str, detail: str) -> None:
    rule = {"rule": "self != ''", "messageExpression": message}
    assert told(rooted(v=ruled(TEXT, rule))) == [
        f"{RULE}.messageExpression: Invalid value: {struct(chr(115) + 'elf != ' + chr(39) * 2, message)}: {detail}"
    ]


def test_a_message_is_not_compiled_where_its_rule_does_not() -> None:
    assert len(told(rooted(v=ruled(TEXT, {"rule": "self", "messageExpression": "1"})))) == 1


def test_rules_on_values_of_unknown_type_are_refused() -> None:
    hidden = {"x-kubernetes-preserve-unknown-fields": True}
    assert told(rooted(v=ruled(hidden, "true"))) == [
        (
            f"{V}.x-kubernetes-validations: Internal error: internal error: failed to construct type information for"
            " x-kubernetes-validations rules: unable to convert structural schema to CEL declarations"
        )
    ]


def test_rules_below_values_of_unknown_type_compile_unless_some_stand_above() -> None:
    hidden = {"x-kubernetes-preserve-unknown-fields": True, "properties": {"a": ruled(TEXT, "self != ''")}}
    assert told(rooted(v=hidden)) == []
    (error,) = told(ruled(rooted(v=hidden), "true"))
    assert error.startswith(f"{V}.properties[a].x-kubernetes-validations: Internal error: ")


def test_hidden_values_are_no_fields_of_the_rules_around() -> None:
    (error,) = told(rooted(v=ruled({"type": "object", "properties": {"h": {"x-kubernetes-preserve-unknown-fields": True}}}, "has(self.h)")))
    assert "undefined field 'h'" in error


def test_rules_see_little_of_metadata() -> None:
    assert told(ruled(rooted(v=TEXT), "self.metadata.name != '' && self.kind != '' && !has(self.metadata.generateName)")) == []
    (error,) = told(ruled(rooted(v=TEXT), "has(self.metadata.labels)"))
    assert "undefined field 'labels'" in error


def test_errors_of_children_come_first() -> None:
    schema = rooted(v=ruled(TEXT, "self"))
    schema["properties"]["spec"] = ruled(schema["properties"]["spec"], "self")
    assert [error.partition(": ")[0] for error in told(schema)] == [f"{RULE}.rule", "S.properties[spec].x-kubernetes-validations[0].rule"]


class TestOldSelf:
    def test_it_needs_a_counterpart_in_the_older_object(self) -> None:
        items = ruled({"type": "object", "properties": {"a": TEXT}}, "self == oldSelf")
        assert told(rooted(v={"type": "array", "maxItems": 2, "items": items})) == [
            (
                f'{V}.items.x-kubernetes-validations[0].rule: Invalid value: "self == oldSelf":'
                f" oldSelf cannot be used on the uncorrelatable portion of the schema within {V}"
            )
        ]

    @pytest.mark.parametrize("kind", [{"x-kubernetes-map-type": "atomic"}, {"x-kubernetes-map-type": "granular"}, {}])
    def test_fields_always_have_one(self, kind: Schema) -> None:
        assert told(rooted(v={"type": "object", "properties": {"a": ruled(TEXT, "self == oldSelf")}, **kind})) == []

    def test_any_variable_of_that_name_counts(self) -> None:
        rule = {"rule": "[1].all(oldSelf, oldSelf > 0)", "optionalOldSelf": True}
        assert told(rooted(v=ruled(TEXT, rule))) == []

    @pytest.mark.parametrize("value", [True, False])
    def test_an_optional_one_must_be_used(self, value: bool) -> None:
        rule = {"rule": "self != ''", "optionalOldSelf": value}
        assert told(rooted(v=ruled(TEXT, rule))) == [
            f"{RULE}.optionalOldSelf: Invalid value: {str(value).lower()}: may not be set if oldSelf is not used in rule"
        ]


class TestCosts:
    def test_a_rule_may_be_too_dear_for_itself(self) -> None:
        assert told(rooted(v={"type": "array", "maxItems": 40, "items": ruled({"type": "string"}, "self.contains('xyz')")})) == [
            (
                f"{V}.items.x-kubernetes-validations[0].rule: Forbidden: estimated rule cost exceeds budget by factor of 1.258296x"
                " (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)"
            )
        ]

    def test_an_unchanged_schema_is_not_judged_again(self) -> None:
        schema = rooted(v={"type": "array", "maxItems": 40, "items": ruled({"type": "string"}, "self.contains('xyz')")})
        assert len(told(schema)) == 1
        assert told(schema, judge_costs=False) == []

    def test_all_rules_together_may_be_too_dear(self) -> None:
        field = ruled({"type": "array", "maxItems": 30, "items": {"type": "string"}}, "self.all(x, x.contains('xyz'))")
        found = told(rooted(**{f"v{number}": field for number in range(12)}))
        assert len(found) == 5
        assert found[0] == (
            "S.properties[spec].properties[v0].x-kubernetes-validations[0].rule: Forbidden:"
            " contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema"
        )
        assert found[-1].startswith(
            "S: Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of 1.1"
        )

    def test_a_message_counts_once_however_often_its_rule_runs(self) -> None:
        rule = {"rule": "true", "messageExpression": "'bad: ' + self"}
        assert told(rooted(v={"type": "array", "items": ruled({"type": "string"}, rule)})) == []


def test_functions_that_are_new_in_a_version_are_for_rules_accepted_before() -> None:
    rule = "isSemver(self)"
    schema = rooted(v=ruled(TEXT, rule))
    assert len(told(schema, kube=V1_33)) == 1
    assert told(schema, kube=V1_33, known=KnownRules(frozenset({rule}))) == []


class TestDefaults:
    def test_a_default_must_obey_the_rules_of_its_node_and_below(self) -> None:
        node = {"type": "object", "default": {"a": "x"}, "properties": {"a": ruled(TEXT, "self == 'y'")}}
        assert told(rooted(v=node)) == [f"{V}.default.a: Invalid value: \"x\": failed rule: self == 'y'"]

    def test_it_is_tried_as_its_own_successor_and_as_new(self) -> None:
        rule = {"rule": "oldSelf.hasValue()", "optionalOldSelf": True}
        assert told(rooted(v=ruled({**TEXT, "default": "x"}, rule))) == [
            f'{V}.default: Invalid value: "x": failed rule: oldSelf.hasValue()'
        ]


def test_rules_on_items_of_what_is_no_list_are_refused_where_some_stand_above() -> None:
    odd = {"type": "object", "items": ruled(TEXT, "self != ''")}
    assert told(rooted(v=odd)) == []
    assert told(rooted(v=ruled(odd, "true"))) == [
        f"{V}.items.x-kubernetes-validations: Internal error: failed to convert to declType for CEL validation rules"
    ]
