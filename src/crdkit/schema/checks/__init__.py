"""Which schemas a definition may carry. `check_schema` is the way in; each file beside it holds one subject."""

from __future__ import annotations

from collections.abc import Iterator

from crdkit.meta.errors import FieldError, forbidden, invalid
from crdkit.meta.paths import FieldPath
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.schema.checks.defaults import check_defaults
from crdkit.schema.checks.keywords import KeywordChecks
from crdkit.schema.checks.places import NOTHING_KNOWN, KnownRules, Place, RuleChecks, Step
from crdkit.schema.checks.statusroot import check_status_root
from crdkit.schema.checks.structurality import check_structure
from crdkit.schema.structural import NotStructural, Structural, build

__all__ = ["NOTHING_KNOWN", "KnownRules", "Place", "RuleChecks", "Step", "check_schema"]


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
    empty or false). ``at`` is its path, for instance ``spec.validation.openAPIV3Schema``. ``status_subresource`` tells whether a version
    that has the schema has the status subresource.

    One thing of ``schema`` is changed, in place: metadata of resources within its defaults loses what is unknown or empty, and is to be
    stored like that.

    Rules are checked as texts; they are compiled, and run on defaults, only through ``rules``.

    The real server checks in phases, where one that fails hides later ones: structure, then defaults, then rules. The checks of single
    keywords always run; a keyword that no structural schema may have hides structure, defaults and rules.
    """
    found = [*(check_status_root(schema, at) if status_subresource else ()), *_check_root_nullable(schema, at)]
    try:
        root = build(schema)
    except NotStructural as error:
        # all but one of the keywords that end here have an error of their own, which then is told instead
        found += KeywordChecks(schema, at, structural=None, kube=kube).errors
        return found or [invalid(at, "", str(error))]
    return found + _check_tree(root, schema, at, kube, rules)


def _check_root_nullable(schema: JsonObject, at: FieldPath) -> Iterator[FieldError]:
    if schema.get("nullable"):
        yield forbidden(at / "nullable", "nullable cannot be true at the root")


def _check_tree(root: Structural, schema: JsonObject, at: FieldPath, kube: KubeVersion, rules: RuleChecks | None) -> list[FieldError]:
    errors = check_structure(root, at, kube=kube) or check_defaults(root, at, kube=kube, rules=rules)
    keywords = KeywordChecks(schema, at, structural=None if errors else root, kube=kube)
    compiled = rules.compile(keywords.places) if rules and not errors else []
    return [*errors, *keywords.errors, *compiled]
