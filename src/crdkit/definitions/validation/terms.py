"""On which terms a definition is judged: what follows from the Kubernetes version and from what stood there before."""

from __future__ import annotations

from collections.abc import Iterator

from crdkit.definitions.schemas import nodes, schemas_of
from crdkit.meta.errors import FieldError
from crdkit.meta.paths import FieldPath
from crdkit.meta.records import record
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.schema.checks import NOTHING_KNOWN, KnownRules, RuleChecks, check_schema


@record
class Terms:
    """Handed to every check. ``check_bundle`` tells whether the webhook's bundle of authorities must be one.

    The rules of ``unchanged_versions``, whose schemas are as they were, may cost what they like, each for itself.
    """

    kube: KubeVersion
    check_bundle: bool = False
    known: KnownRules = NOTHING_KNOWN
    unchanged_versions: frozenset[str] = frozenset()

    def check_schema(self, schema: JsonObject, at: FieldPath, *, version: str, status: bool) -> list[FieldError]:
        """Judge the schema of a version by the schema room."""
        rules = self._rules(version) if any("x-kubernetes-validations" in node for node in nodes(schema)) else None
        return check_schema(schema, at, kube=self.kube, status_subresource=status, rules=rules)

    def _rules(self, version: str) -> RuleChecks:
        from crdkit.schema.rules.checks import DefinitionRules  # noqa: PLC0415 (most servers see few definitions with rules)

        return DefinitionRules(self.kube, self.known, judge_costs=version not in self.unchanged_versions)


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
