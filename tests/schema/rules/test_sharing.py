"""What is compiled of a rule is used again where the same rule stands over the same schema, and nowhere else."""

from __future__ import annotations

from typing import Any

import pytest

from crdkit.meta.version import V1_33, V1_36
from crdkit.schema.rules import compiling
from crdkit.schema.rules.compiling import NewEnvironments, StoredEnvironments, compile_rule, types_of
from crdkit.schema.structural import Structural

NODE = Structural()


def schema(**size: Any) -> Any:
    return {"type": "object", "properties": {"size": {"type": "integer", **size}}}


def compiled(rule: Any, over: Any, environments: Any = None) -> compiling.Compiled:
    return compile_rule(rule, NODE, types_of(over), environments or StoredEnvironments(V1_36))


def test_a_rule_that_was_checked_is_not_compiled_anew_to_be_run() -> None:
    checked = compiled({"rule": "self.size > 4", "message": "a"}, schema(), NewEnvironments(V1_36))
    assert compiled({"rule": "self.size > 4", "message": "b"}, schema()) is checked


@pytest.mark.parametrize(
    ("rule", "over"),
    [
        ({"rule": "self.size > 5"}, schema()),
        ({"rule": "self.size > 3"}, schema(maximum=1)),
        ({"rule": "self.size > 3", "optionalOldSelf": True}, schema()),
        ({"rule": "self.size > 3", "messageExpression": "'a'"}, schema()),
    ],
)
def test_another_rule_is(rule: Any, over: Any) -> None:
    assert compiled(rule, over) is not compiled({"rule": "self.size > 3"}, schema())


def test_what_stored_rules_may_call_is_not_known_to_new_ones() -> None:
    rule = {"rule": "semver('1.2.3').major() > self.size"}
    assert "undeclared reference" in compiled(rule, schema(), NewEnvironments(V1_33)).error
    assert compiled(rule, schema(), StoredEnvironments(V1_33)).error == ""


def test_paths_of_fields_are_a_rules_own() -> None:
    node = Structural(type="object", properties={"size": Structural(type="integer")})
    plain = compiled({"rule": "self.size > 2"}, schema())
    told = compile_rule({"rule": "self.size > 2", "fieldPath": ".size"}, node, types_of(schema()), StoredEnvironments(V1_36))
    assert (plain.field_path, told.field_path) == ("", "size")
    assert told.program is plain.program


def test_not_more_is_remembered_than_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "MOST_RULES", 3)
    types = types_of(schema(minimum=7))
    for number in range(10):
        compile_rule({"rule": f"self.size > {number}"}, NODE, types, StoredEnvironments(V1_36))
        assert len(types.compiled) <= 3
