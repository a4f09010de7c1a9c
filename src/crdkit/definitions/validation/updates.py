"""What an update may not change, and what it may keep although a new definition could not have it."""

from __future__ import annotations

from collections.abc import Iterator

from crdkit.definitions.bundles import has_valid_bundle
from crdkit.definitions.conditions import is_true
from crdkit.definitions.decoding import written
from crdkit.definitions.validation.terms import Terms, known_rules
from crdkit.meta import errors
from crdkit.meta.errors import FieldError
from crdkit.meta.paths import FieldPath
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.schema.equality import same

_IMMUTABLE = "field is immutable"


def check_immutable(new: JsonObject, old: JsonObject, at: FieldPath) -> Iterator[FieldError]:
    """Group and plural never change; scope and kind do not once objects may be there."""
    spec, before = new["spec"], old["spec"]
    if is_true(old, "Established"):
        if spec["scope"] != before["scope"]:
            yield errors.invalid(at / "scope", spec["scope"], _IMMUTABLE)
        if spec["names"]["kind"] != before["names"]["kind"]:
            yield errors.invalid(at / "names" / "kind", spec["names"]["kind"], _IMMUTABLE)
    if spec["group"] != before["group"]:
        yield errors.invalid(at / "group", spec["group"], _IMMUTABLE)
    if spec["names"]["plural"] != before["names"]["plural"]:
        yield errors.invalid(at / "names" / "plural", spec["names"]["plural"], _IMMUTABLE)


def update_terms(new: JsonObject, old: JsonObject, *, kube: KubeVersion) -> Terms:
    """The terms for a changed definition."""
    conversion = old["spec"].get("conversion")
    was_fine = has_valid_bundle(conversion)
    return Terms(
        kube,
        check_bundle=is_true(old, "Established") and was_fine,
        known=known_rules(old),
        unchanged_versions=_unchanged_versions(new, old, kube),
    )


def _unchanged_versions(new: JsonObject, old: JsonObject, kube: KubeVersion) -> frozenset[str]:
    before = {version["name"]: version.get("schema") for version in written(old, kube=kube)["spec"]["versions"] or ()}
    after = written(new, kube=kube)["spec"]["versions"] or ()
    return frozenset(
        version["name"] for version in after if version["name"] in before and same(version.get("schema"), before[version["name"]])
    )
