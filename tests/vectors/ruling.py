"""Our answers for rules of schemas: what a definition is told of them, and what they say of values."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from crdkit.meta.errors import FieldError
from crdkit.meta.paths import ROOT
from crdkit.meta.version import KubeVersion
from crdkit.schema.checks import check_schema
from crdkit.schema.rules.checks import DefinitionRules
from crdkit.schema.rules.compiling import NewEnvironments, Types, compile_rule
from crdkit.schema.rules.costs import most_in_a_request
from crdkit.schema.rules.described import describe
from crdkit.schema.rules.ruleset import BUDGET, SchemaRules
from crdkit.schema.structural import build

Answer = dict[str, Any]
_RULE_FIELDS = ("rule", "message", "messageExpression", "reason", "fieldPath", "optionalOldSelf")
_PARTS = {
    "compileError", "fieldPath", "maxCardinality", "maxCost", "messageExpressionError", "messageExpressionMaxCost", "usesOldSelf", "validate",
}  # fmt: skip
_TYPE_NAME = re.compile(r"selfType\d+")


def tree_answer(vector: Answer, kube: KubeVersion) -> Answer:
    """What a definition with this schema is told, and if that is nothing, what the rules say of an object."""
    schema = vector["schema"]
    found = check_schema(schema, ROOT / "$", kube=kube, status_subresource=False, rules=DefinitionRules(kube))
    answer: Answer = {"crdErrors": _sorted(_told(found, kube))}
    if not found and "self" in vector:
        answer["validate"] = _validated(vector, SchemaRules.of(build(schema), kube), ROOT, kube)
        answer["validate"]["errors"] = _sorted(answer["validate"]["errors"])
    return answer


def rule_answer(vector: Answer, kube: KubeVersion) -> Answer:
    """What a rule at the root of a schema comes to as part of a definition, and what it says of a value at ``spec``."""
    rule = {field: vector[field] for field in _RULE_FIELDS if field in vector}
    node = build({**vector["schema"], "x-kubernetes-validations": [rule]})
    types = Types(describe(node))
    compiled = compile_rule(rule, node, types, NewEnvironments(kube))
    answer: Answer = {"usesOldSelf": compiled.uses_old_self}
    if compiled.error:
        return {"compileError": _TYPE_NAME.sub("selfType0", compiled.error)}
    if compiled.message_error:
        answer["messageExpressionError"] = _TYPE_NAME.sub("selfType0", compiled.message_error)
    if not vector["rule"].strip():
        answer |= {"maxCardinality": 0, "maxCost": 0}
    if compiled.expression is not None:
        answer["maxCardinality"] = most_in_a_request(types.declared.min_size)
        answer["maxCost"] = compiled.expression.estimate(types.provider).high
    if compiled.message_expression is not None:
        answer["messageExpressionMaxCost"] = compiled.message_expression.estimate(types.provider).high
    if compiled.field_path:
        answer["fieldPath"] = compiled.field_path
    if "self" in vector:
        answer["validate"] = _validated(vector, SchemaRules.of(node, kube, is_root=False), ROOT / "spec", kube)
    return answer


def _validated(vector: Answer, rules: SchemaRules | None, at: Any, kube: KubeVersion) -> Answer:
    budget = vector.get("budget", BUDGET)
    if rules is None:
        return {"errors": [], "remaining": budget}
    old = vector.get("oldSelf") if vector.get("hasOldSelf", "oldSelf" in vector) else None
    outcome = rules.examine(vector["self"], old, at, budget=budget)
    return {"errors": _told(outcome.errors, kube), "remaining": outcome.budget}


def _told(errors: Iterable[FieldError], kube: KubeVersion) -> list[Answer]:
    return [{"error": _TYPE_NAME.sub("selfType0", error.text(kube)), "field": error.path, "type": error.kind.reason} for error in errors]


def _sorted(errors: list[Answer]) -> list[Answer]:
    return sorted(errors, key=lambda error: str(error["error"]))


def rule_differences(vector: Answer, want: Answer, kube: KubeVersion) -> dict[str, tuple[Any, Any]]:
    """The parts of the answer that differ: what a real server says, and what we say."""
    if vector["mode"] == "tree":
        got, names = tree_answer(vector, kube), {"crdErrors", "validate"}
    else:
        got, names = rule_answer(vector, kube), {"compileError"} if "compileError" in want else _PARTS
    return {name: (want.get(name), got.get(name)) for name in sorted(names) if want.get(name) != got.get(name)}
