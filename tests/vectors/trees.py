"""Our answers for whole schemas with rules in them, and for objects that are held to them."""

from __future__ import annotations

import copy
from typing import Any

from crdkit.meta.errors import FieldError
from crdkit.meta.paths import ROOT
from crdkit.meta.version import KubeVersion
from crdkit.schema.checks import check_schema
from crdkit.schema.rules.checks import DefinitionRules
from crdkit.schema.rules.ruleset import BUDGET, SchemaRules
from crdkit.schema.structural import build

Answer = dict[str, Any]
_AT = ROOT / "spec" / "validation" / "openAPIV3Schema"
_SHOWN = "$"


def answer_tree(vector: Answer, kube: KubeVersion) -> Answer:
    """What a definition with that schema is refused for, or what an object is."""
    schema = copy.deepcopy(vector["schema"])
    found = check_schema(schema, _AT, kube=kube, status_subresource=False, rules=DefinitionRules(kube))
    errors = sorted((_told(error, kube) for error in found), key=lambda told: told["error"])
    if errors or "self" not in vector:
        return {"crdErrors": errors}
    return {"crdErrors": errors, "validate": _validate(vector, kube)}


def _validate(vector: Answer, kube: KubeVersion) -> Answer:
    rules = SchemaRules.of(build(vector["schema"]), kube)
    if rules is None:
        return {"errors": [], "remaining": vector.get("budget", BUDGET)}
    old = vector.get("oldSelf") if vector.get("hasOldSelf") else None
    outcome = rules.examine(copy.deepcopy(vector["self"]), old, ROOT, budget=vector.get("budget", BUDGET))
    errors = sorted((_told(error, kube) for error in outcome.errors), key=lambda told: told["error"])
    return {"errors": errors, "remaining": max(outcome.budget, -1)}


def _told(error: FieldError, kube: KubeVersion) -> Answer:
    text, path = error.text(kube), error.path
    for shown in (str(_AT), "spec.validation.openAPIV3Schema"):
        text, path = text.replace(shown, _SHOWN), path.replace(shown, _SHOWN)
    return {"error": text, "field": path, "type": error.kind.reason}
