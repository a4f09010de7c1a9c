"""The quick walk and the slow one agree: on what passes, and on what it costs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from crdkit.meta.paths import ROOT
from crdkit.meta.version import SUPPORTED, KubeVersion
from crdkit.schema.rules.plans import plan_rules
from crdkit.schema.rules.quick import DOUBTS, Broken, QuickRules
from crdkit.schema.rules.ruleset import BUDGET, SchemaRules
from crdkit.schema.structural import Structural, build
from tests.schema.rules.ruled import failures, rooted, ruled, rules_of
from tests.vectors.comparing import load

VECTORS = sorted((Path(__file__).parents[2] / "vectors" / "data").glob("*.jsonl"))
TEXT = {"type": "string"}


def ruled_nodes(path: Path) -> Iterator[tuple[str, Structural, Any, Any, bool]]:
    """The vectors of a file with rules, or with expressions that might be rules: schema, value, older value, whether it is a root."""
    for vector in load(path):
        schema, is_tree = vector.get("schema"), vector["mode"] == "tree"
        if schema is None or vector.get("self") is None or vector.get("vars") or vector.get("isRoot"):
            continue
        if vector["mode"] == "rule":
            rule = {name: vector[name] for name in ("rule", "optionalOldSelf") if name in vector}
            schema = {**schema, "x-kubernetes-validations": [rule]}
        elif not is_tree:
            if vector["want"].get("type") != "bool":
                continue
            schema = {**schema, "x-kubernetes-validations": [{"rule": vector["expr"]}]}
        old = vector.get("oldSelf") if vector.get("hasOldSelf", "oldSelf" in vector) else None
        yield vector["id"], build(schema), vector["self"], old, is_tree


@pytest.mark.parametrize("kube", SUPPORTED, ids=str)
@pytest.mark.parametrize("path", VECTORS, ids=lambda path: path.stem)
def test_they_agree_on_the_vectors(path: Path, kube: KubeVersion) -> None:
    for name, node, value, old, is_root in ruled_nodes(path):
        plan, rules = plan_rules(node, kube, is_root=is_root), SchemaRules.of(node, kube, is_root=is_root)
        if plan is None or rules is None:
            continue
        broken: list[Broken] = []
        try:
            cost = QuickRules(plan).walk(value, old, broken)
        except DOUBTS:
            continue
        slow = rules.examine(value, old, ROOT)
        assert (name, len(slow.errors), BUDGET - slow.budget) == (name, len(broken), cost)


def test_a_schema_that_is_used_often_still_tells_what_is_wrong() -> None:
    schema = rooted(v=ruled(TEXT, "self == 'y'"), w={"type": "array", "items": ruled(TEXT, "self != 'x' || self == oldSelf")})
    rules = rules_of(schema)
    for _ in range(30):
        assert rules.check({"spec": {"v": "y", "w": ["a"]}}).errors == []
        assert [error.path for error in rules.check({"spec": {"v": "x"}}).errors] == ["spec.v"]


@pytest.mark.parametrize("value", [1, [], None, {"spec": 1}])
def test_values_of_wrong_kinds_are_left_to_the_slow_walk(value: Any) -> None:
    rules = rules_of(rooted(v=ruled(TEXT, "self == 'y'")))
    for _ in range(20):
        assert rules.check({"spec": value}).errors == []


def test_deeply_nested_conditions_are_no_trouble() -> None:
    rule = "self == ''" + "".join(f" || (self == '{number}'" for number in range(120)) + ")" * 120
    rules = rules_of(rooted(v=ruled(TEXT, rule)))
    for _ in range(20):
        assert rules.check({"spec": {"v": "119"}}).errors == []
    assert failures(rooted(v=ruled(TEXT, rule)), {"v": "no"}) != []
