"""What the checks say of a schema, as a client reads it."""

from __future__ import annotations

from crdkit.meta.paths import ROOT
from crdkit.meta.types import JsonObject
from crdkit.meta.version import V1_36, KubeVersion
from crdkit.schema.checks import RuleChecks, check_schema


def told(schema: JsonObject, *, kube: KubeVersion = V1_36, status: bool = False, rules: RuleChecks | None = None) -> list[str]:
    """The errors of a schema at ``S``, sorted."""
    errors = check_schema(schema, ROOT / "S", kube=kube, status_subresource=status, rules=rules)
    return sorted(error.text(kube) for error in errors)


def spec(node: JsonObject) -> JsonObject:
    """A schema whose objects have ``node`` as their spec."""
    return {"type": "object", "properties": {"spec": node}}


def field(node: JsonObject) -> JsonObject:
    """A schema whose objects have ``node`` as ``spec.v``."""
    return spec({"type": "object", "properties": {"v": node}})
