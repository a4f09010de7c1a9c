"""On which terms a definition is judged: what follows from the Kubernetes version and from what stood there before."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from crdkit.definitions.schemas import nodes, schemas_of
from crdkit.meta.errors import FieldError
from crdkit.meta.paths import FieldPath
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.schema.checks import RuleChecks, check_schema


@dataclass(frozen=True, slots=True)
class KnownRules:
    """The rules that an older definition had: these were accepted once, and are judged as stored ones.

    ``unchanged_schema`` tells that the whole schema is as it was, so that what its rules may cost is not judged again.
    """

    rules: frozenset[str] = frozenset()
    message_expressions: frozenset[str] = frozenset()
    unchanged_schema: bool = False


RulesOf: TypeAlias = Callable[[KnownRules], RuleChecks]
"""Makes what checks the rules of one schema."""


@dataclass(frozen=True, slots=True)
class Terms:
    """Handed to every check. ``check_bundle`` tells whether the webhook's bundle of authorities must be one."""

    kube: KubeVersion
    rules_of: RulesOf | None = None
    check_bundle: bool = False
    known: KnownRules = KnownRules()
    unchanged_versions: frozenset[str] = frozenset()

    def check_schema(self, schema: JsonObject, at: FieldPath, *, version: str, status: bool) -> list[FieldError]:
        """Judge the schema of a version by the schema room."""
        rules = None
        if self.rules_of is not None:
            known = self.known
            unchanged = version in self.unchanged_versions
            rules = self.rules_of(KnownRules(known.rules, known.message_expressions, unchanged))
        return check_schema(schema, at, kube=self.kube, status_subresource=status, rules=rules)


def known_rules(definition: JsonObject) -> KnownRules:
    """The rules that a definition has anywhere in its schemas."""
    rules = list(_rules(definition))
    return KnownRules(
        frozenset(rule["rule"] for rule in rules),
        frozenset(expression for rule in rules if (expression := rule.get("messageExpression"))),
    )


def _rules(definition: JsonObject) -> Iterator[JsonObject]:
    for schema in schemas_of(definition):
        for node in nodes(schema):
            yield from node.get("x-kubernetes-validations") or ()
