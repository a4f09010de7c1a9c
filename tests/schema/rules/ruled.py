"""The smallest schemas with rules, and what is told of them and of objects, as texts."""

from __future__ import annotations

from typing import Any

from crdkit.meta.paths import ROOT
from crdkit.meta.version import V1_36, KubeVersion
from crdkit.schema.checks import NOTHING_KNOWN, KnownRules, check_schema
from crdkit.schema.compiled import CompiledSchema
from crdkit.schema.rules.checks import DefinitionRules
from crdkit.schema.rules.ruleset import SchemaRules
from crdkit.schema.rules.running import Outcome

Schema = dict[str, Any]


def ruled(schema: Schema, *rules: str | Schema) -> Schema:
    """A node with rules; a rule may be given by its text."""
    written = [{"rule": rule} if isinstance(rule, str) else rule for rule in rules]
    return {**schema, "x-kubernetes-validations": written}


def rooted(**fields: Schema) -> Schema:
    """The schema of objects that have these fields in ``spec``."""
    return {"type": "object", "properties": {"spec": {"type": "object", "properties": fields}}}


def told(schema: Schema, *, kube: KubeVersion = V1_36, known: KnownRules = NOTHING_KNOWN, judge_costs: bool = True) -> list[str]:
    """What is wrong with a schema, whose path is written S."""
    rules = DefinitionRules(kube, known, judge_costs=judge_costs)
    found = check_schema(schema, ROOT / "S", kube=kube, status_subresource=False, rules=rules)
    return [error.text(kube) for error in found]


def rules_of(schema: Schema, kube: KubeVersion = V1_36) -> SchemaRules:
    """The rules of a schema."""
    rules = CompiledSchema(schema, kube=kube).rules
    assert rules is not None
    return rules


def outcome(schema: Schema, spec: Any, old: Any = None, *, kube: KubeVersion = V1_36) -> Outcome:
    """What the rules come to for an object of this ``spec``."""
    return rules_of(schema, kube).check({"spec": spec}, None if old is None else {"spec": old})


def failures(schema: Schema, spec: Any, old: Any = None, *, kube: KubeVersion = V1_36) -> list[str]:
    """What the rules say of an object of this ``spec``."""
    return [error.text(kube) for error in outcome(schema, spec, old, kube=kube).errors]
