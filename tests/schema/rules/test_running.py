from __future__ import annotations

import logging
from typing import Any

import pytest

from crdkit.meta.offload import Impatient
from crdkit.meta.version import V1_33
from tests.schema.rules.ruled import Schema, failures, outcome, rooted, ruled, rules_of

TEXT = {"type": "string"}
NUMBER = {"type": "integer"}


class TestWording:
    def test_a_scalar_is_told_by_its_value_an_object_not_at_all(self) -> None:
        assert failures(rooted(v=ruled(TEXT, "self == 'y'")), {"v": "x"}) == ["spec.v: Invalid value: \"x\": failed rule: self == 'y'"]
        assert failures(rooted(v=ruled({"type": "object"}, "false")), {"v": {}}) == ["spec.v: Invalid value: failed rule: false"]

    def test_1_33_tells_the_type(self) -> None:
        assert failures(rooted(v=ruled(NUMBER, "self > 1")), {"v": 1}, kube=V1_33) == [
            'spec.v: Invalid value: "integer": failed rule: self > 1'
        ]

    @pytest.mark.parametrize(
        ("rule", "error"),
        [
            ({"message": " too small\n"}, "spec.v: Invalid value: 1: too small"),
            ({"messageExpression": "'not ' + string(self)"}, "spec.v: Invalid value: 1: not 1"),
            ({"messageExpression": "' '", "message": "m"}, "spec.v: Invalid value: 1: m"),
            ({"messageExpression": "'a\\nb'"}, "spec.v: Invalid value: 1: failed rule: self > 1"),
            ({"messageExpression": "string(1 / (self - 1))"}, "spec.v: Invalid value: 1: failed rule: self > 1"),
            ({"reason": "FieldValueForbidden"}, "spec.v: Forbidden: failed rule: self > 1"),
            ({"reason": "FieldValueRequired"}, "spec.v: Required value: failed rule: self > 1"),
            ({"reason": "FieldValueDuplicate"}, "spec.v: Duplicate value: 1"),
        ],
    )
    def test_messages_and_reasons(self, rule: Schema, error: str) -> None:
        assert failures(rooted(v=ruled(NUMBER, {"rule": "self > 1", **rule})), {"v": 1}) == [error]

    def test_a_field_path_leads_on(self) -> None:
        node = {"type": "object", "properties": {"m": {"type": "object", "additionalProperties": TEXT}}}
        assert failures(rooted(v=ruled(node, {"rule": "false", "fieldPath": ".m['a.b/c']"})), {"v": {}}) == [
            "spec.v.m[a.b/c]: Invalid value: failed rule: false"
        ]

    def test_what_an_evaluation_comes_to_grief_with(self) -> None:
        node = ruled(
            {"type": "object", "properties": {"a": TEXT, "p": {"x-kubernetes-int-or-string": True}}}, "self.a == 'x'", "self.p > 'a'"
        )
        assert failures(rooted(v=node), {"v": {"p": 1}}) == [
            "spec.v: Invalid value: \"object\": no such key: a evaluating rule: self.a == 'x'",
            (
                "spec.v: Invalid value: \"object\": 'no such overload': call arguments did not match a supported operator, function or macro"
                " signature for rule: self.p > 'a'"
            ),
        ]

    def test_a_message_that_fails_is_logged(self, caplog: pytest.LogCaptureFixture) -> None:
        with caplog.at_level(logging.WARNING):
            failures(rooted(v=ruled(NUMBER, {"rule": "false", "messageExpression": "string(1 / self)"})), {"v": 0})
        assert caplog.messages == ["spec.v: messageExpression 'string(1 / self)' failed: division by zero"]


class TestOrder:
    def test_a_node_comes_before_what_is_in_it(self) -> None:
        items = ruled({"type": "string"}, "self != 'x'")
        schema = rooted(v=ruled({"type": "array", "items": items}, "false", "self.size() > 9"), w=ruled(NUMBER, "self > 1"))
        assert failures(schema, {"v": ["x", "y", "x"], "w": 1}) == [
            "spec.v: Invalid value: failed rule: false",
            "spec.v: Invalid value: failed rule: self.size() > 9",
            "spec.v[0]: Invalid value: \"x\": failed rule: self != 'x'",
            "spec.v[2]: Invalid value: \"x\": failed rule: self != 'x'",
            "spec.w: Invalid value: 1: failed rule: self > 1",
        ]

    def test_null_has_no_rules(self) -> None:
        assert failures(rooted(v=ruled({**TEXT, "nullable": True}, "false")), {"v": None}) == []

    def test_the_values_of_maps_are_named_by_their_keys(self) -> None:
        assert failures(rooted(v={"type": "object", "additionalProperties": ruled(TEXT, "self != 'x'")}), {"v": {"k": "x"}}) == [
            "spec.v[k]: Invalid value: \"x\": failed rule: self != 'x'"
        ]


def map_list(*rules: str | Schema) -> Schema:
    items = {"type": "object", "required": ["k"], "properties": {"k": TEXT, "n": NUMBER}}
    return {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"], "items": ruled(items, *rules)}


class TestTransitions:
    def test_a_new_value_has_none(self) -> None:
        schema = rooted(v=ruled(NUMBER, "self >= oldSelf"))
        assert failures(schema, {"v": 1}) == []
        assert failures(schema, {"v": 1}, {}) == []
        assert failures(schema, {"v": 1}, {"v": 2}) == ["spec.v: Invalid value: 1: failed rule: self >= oldSelf"]

    @pytest.mark.parametrize("rule", ["oldSelf.value() == self", "oldSelf.orValue('z') != self"])
    def test_an_older_value_of_another_type_is_there_but_cannot_be_taken(self, rule: str) -> None:
        schema = rooted(v=ruled({"type": "string"}, {"rule": rule, "optionalOldSelf": True}))
        detail = "unsupported conversion to ref.Val: (*errors.errorString)invalid data, expected string, got int64"
        assert failures(schema, {"v": "a"}, {"v": 1}) == [f'spec.v: Invalid value: "string": {detail} evaluating rule: {rule}']
        there = rooted(v=ruled({"type": "string"}, {"rule": "oldSelf.hasValue()", "optionalOldSelf": True}))
        assert failures(there, {"v": "a"}, {"v": 1}) == []

    def test_an_older_list_with_items_of_another_type_tells_of_the_first(self) -> None:
        schema = rooted(v=ruled({"type": "array", "items": {"type": "string"}}, "self.all(x, x in oldSelf)"))
        detail = "invalid data, expected string, got int64 evaluating rule: self.all(x, x in oldSelf)"
        assert failures(schema, {"v": ["a"]}, {"v": [1, True]}) == [f'spec.v: Invalid value: "array": {detail}']
        assert failures(schema, {"v": ["a"]}, {"v": [1, "a"]}) == []

    def test_an_optional_older_value_is_asked_for(self) -> None:
        schema = rooted(v=ruled(NUMBER, {"rule": "oldSelf.hasValue() && self >= oldSelf.value()", "optionalOldSelf": True}))
        assert len(failures(schema, {"v": 1})) == 1
        assert failures(schema, {"v": 1}, {"v": 1}) == []

    def test_items_of_map_lists_are_found_by_their_keys(self) -> None:
        schema = rooted(v=map_list("self.n >= oldSelf.n"))
        old = {"v": [{"k": "a", "n": 1}, {"k": "b", "n": 5}]}
        assert failures(schema, {"v": [{"k": "b", "n": 4}, {"k": "a", "n": 1}, {"k": "c", "n": 0}]}, old) == [
            "spec.v[0]: Invalid value: failed rule: self.n >= oldSelf.n"
        ]


class TestRatcheting:
    def told(self, schema: Schema, spec: Any, old: Any) -> tuple[list[str], list[str]]:
        found = outcome(schema, spec, old)
        return [error.text() for error in found.errors], [error.text() for error in found.warnings]

    def test_a_failure_that_has_not_changed_becomes_a_warning(self) -> None:
        schema = rooted(v=ruled(NUMBER, {"rule": "self < 5", "message": "five at most"}), w=NUMBER)
        assert self.told(schema, {"v": 10, "w": 2}, {"v": 10, "w": 1}) == ([], ["spec.v: Invalid value: 10: five at most"])
        assert self.told(schema, {"v": 11, "w": 2}, {"v": 10, "w": 1}) == (["spec.v: Invalid value: 11: five at most"], [])

    def test_rules_that_look_back_are_never_held_back(self) -> None:
        schema = rooted(v=ruled(NUMBER, "self > oldSelf"))
        assert self.told(schema, {"v": 1}, {"v": 1}) == (["spec.v: Invalid value: 1: failed rule: self > oldSelf"], [])

    def test_nor_are_evaluations_that_fail(self) -> None:
        schema = rooted(v=ruled({"type": "object", "properties": {"a": TEXT}}, "self.a == ''"))
        errors, warnings = self.told(schema, {"v": {}}, {"v": {}})
        assert (len(errors), warnings) == (1, [])

    def test_items_of_an_unchanged_list_are_unchanged(self) -> None:
        schema = rooted(v={"type": "array", "items": ruled(TEXT, "self != 'x'")}, w=NUMBER)
        assert self.told(schema, {"v": ["x"], "w": 2}, {"v": ["x"], "w": 1})[0] == []
        assert len(self.told(schema, {"v": ["x", "y"]}, {"v": ["x"]})[0]) == 1

    def test_items_of_map_lists_are_judged_one_by_one(self) -> None:
        schema = rooted(v=map_list("self.n < 5"))
        new, old = [{"k": "b", "n": 1}, {"k": "a", "n": 9}], [{"k": "a", "n": 9}]
        assert self.told(schema, {"v": new}, {"v": old}) == ([], ["spec.v[1]: Invalid value: failed rule: self.n < 5"])


class TestBudgets:
    LONG = "self.all(a, self.all(b, a + b >= 0))"

    def test_one_evaluation_may_cost_a_million(self) -> None:
        schema = rooted(v=ruled({"type": "array", "items": NUMBER}, self.LONG, "false"))
        assert failures(schema, {"v": [1] * 500}) == [
            (
                "spec.v: Invalid value: \"array\": 'operation cancelled: actual cost limit exceeded': no further validation rules will be run due"
                f" to call cost exceeds limit for rule: {self.LONG}"
            )
        ]

    def test_an_object_ten_million(self) -> None:
        lists = {"type": "array", "items": ruled({"type": "array", "items": NUMBER}, self.LONG)}
        assert failures(rooted(v=lists), {"v": [[1] * 300] * 20}) == [
            'spec.v[15]: Invalid value: "array": validation failed due to running out of cost budget, no further validation rules will be run'
        ]

    def test_who_does_not_want_to_wait_is_told_so(self) -> None:
        schema = rooted(v=ruled({"type": "array", "items": NUMBER}, self.LONG))
        rules = rules_of(schema)
        for _ in range(20):
            assert rules.check({"spec": {"v": [1] * 10}}, patience=50_000).errors == []
            with pytest.raises(Impatient):
                rules.check({"spec": {"v": [1] * 300}}, patience=50_000)
        assert rules.check({"spec": {"v": [1] * 300}}).errors == []
