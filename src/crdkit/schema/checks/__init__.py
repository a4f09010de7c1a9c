"""Which schemas a definition may carry. `check_schema` is the way in; each file beside it holds one subject."""

from __future__ import annotations

from crdkit.meta.errors import FieldError
from crdkit.meta.paths import FieldPath
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.schema.checks.places import Place, RuleChecks, Step

__all__ = ["Place", "RuleChecks", "Step", "check_schema"]


def check_schema(
    schema: JsonObject,
    at: FieldPath,
    *,
    kube: KubeVersion,
    status_subresource: bool,
    rules: RuleChecks | None = None,
) -> list[FieldError]:
    """Tell all that is wrong with the schema of a version, or of all versions at once.

    ``schema`` is the decoded openAPIV3Schema: JSON types are right, unknown keys and nulls are gone, the rest stands as sent (also what is
    empty or false). It is not changed. ``at`` is its path, for instance ``spec.validation.openAPIV3Schema``. ``status_subresource`` tells
    whether a version that has the schema has the status subresource.

    Rules are checked as texts; they are compiled, and run on defaults, only through ``rules``.

    The real server checks in phases, where one that fails hides later ones: structure, then defaults, then rules. The checks of single
    keywords always run; a keyword that no structural schema may have hides structure, defaults and rules.
    """
    raise NotImplementedError
