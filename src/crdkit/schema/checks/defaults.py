"""Whether the defaults of a schema are values that the schema itself lets pass."""

from __future__ import annotations

from crdkit.meta.errors import FieldError
from crdkit.meta.paths import FieldPath
from crdkit.meta.version import KubeVersion
from crdkit.schema.checks.places import RuleChecks
from crdkit.schema.structural import Structural


def check_defaults(root: Structural, at: FieldPath, *, kube: KubeVersion, rules: RuleChecks | None) -> list[FieldError]:
    return []
