"""Of an object that breaks rules the same is told whether all rules are run one by one, or only those that the quick walk found broken."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crdkit.meta.offload import Impatient
from crdkit.meta.version import SUPPORTED, KubeVersion
from crdkit.schema.rules import ruleset
from crdkit.schema.rules.ruleset import SchemaRules
from crdkit.schema.rules.running import Outcome, Run
from tests.schema.rules.drawn import OBJECTS, schemas
from tests.schema.rules.ruled import rooted, ruled, rules_of

Json = Any
TEXT = {"type": "string"}


def warm(rules: SchemaRules) -> SchemaRules:
    """Rules that have seen so many objects that they are compiled for speed."""
    for _ in range(ruleset._OFTEN):
        rules.check({})
    return rules


def told(outcome: Outcome, kube: KubeVersion) -> tuple[list[str], list[str]]:
    return [error.text(kube) for error in outcome.errors], [error.text(kube) for error in outcome.warnings]


@settings(max_examples=30, deadline=None)
@given(schemas(), OBJECTS, st.one_of(st.none(), OBJECTS), st.sampled_from(SUPPORTED))
def test_the_same_is_told(schema: Json, new: Json, old: Json, kube: KubeVersion) -> None:
    try:
        rules = rules_of(schema, kube)
    except AssertionError:
        return
    slow, quick = rules.check(new, old), warm(rules).check(new, old)
    assert told(quick, kube) == told(slow, kube)
    if slow.errors or slow.warnings:
        assert quick.budget == slow.budget


def outcome_of(schema: Json, spec: Json, old: Json = None) -> Outcome:
    """What is told of an object without running a single rule on its own."""
    rules = warm(rules_of(schema))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Run, "_run_rule", None)
        return rules.check({"spec": spec}, None if old is None else {"spec": old})


def test_no_other_rule_is_run_again() -> None:
    items = {
        "type": "array",
        "items": ruled(TEXT, "self != 'x'", {"rule": "self.size() < 2", "messageExpression": "self + ' is too long'"}),
    }
    schema = rooted(v=ruled(TEXT, "self == 'y'"), w=items, m={"type": "object", "additionalProperties": ruled(TEXT, "self != 'x'")})
    found = outcome_of(schema, {"w": ["a", "x", "long"], "m": {"b.c": "x"}, "v": "z"})
    assert [error.text() for error in found.errors] == [
        "spec.w[1]: Invalid value: \"x\": failed rule: self != 'x'",
        'spec.w[2]: Invalid value: "long": long is too long',
        "spec.m[b.c]: Invalid value: \"x\": failed rule: self != 'x'",
        "spec.v: Invalid value: \"z\": failed rule: self == 'y'",
    ]


def test_what_an_update_may_keep_is_a_warning_still() -> None:
    schema = rooted(v=ruled(TEXT, "self == 'y'"), w=TEXT)
    found = outcome_of(schema, {"v": "z", "w": "b"}, {"v": "z", "w": "a"})
    assert (found.errors, [error.path for error in found.warnings]) == ([], ["spec.v"])


DEAR = {"type": "array", "items": TEXT}
PAIRS = "self.all(a, self.all(b, self.all(c, a == b || b == c || true)))"


def test_a_dear_message_takes_patience() -> None:
    rule = {"rule": "self.size() == 0", "messageExpression": f"{PAIRS} ? 'none' : ''"}
    rules, obj = warm(rules_of(rooted(v=ruled(DEAR, rule)))), {"spec": {"v": ["a"] * 30}}
    assert [error.detail for error in rules.check(obj).errors] == ["none"]
    with pytest.raises(Impatient):
        rules.check(obj, patience=10_000)


def test_a_budget_that_messages_use_up_is_told_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ruleset, "BUDGET", 50_000)
    rule = {"rule": "self.size() == 0", "messageExpression": f"{PAIRS} ? 'none' : ''"}
    schema = rooted(v={"type": "object", "additionalProperties": ruled(DEAR, rule)})
    rules, obj = rules_of(schema), {"spec": {"v": {str(number): ["a"] * 10 for number in range(20)}}}
    slow, quick = rules.check(obj), warm(rules).check(obj)
    assert slow.budget < 0
    assert (quick.errors, quick.budget) == (slow.errors, slow.budget)
    assert "running out of cost budget" in slow.errors[-1].detail
