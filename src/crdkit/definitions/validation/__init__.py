"""What is wrong with a definition. Each file beside this one holds one subject; the order of errors is the real server's."""

from __future__ import annotations

from collections.abc import Iterator

from crdkit.definitions.internal import InternalSpec
from crdkit.definitions.schemas import nodes, schemas_of
from crdkit.definitions.validation.approval import check_approval
from crdkit.definitions.validation.conversion import check_conversion
from crdkit.definitions.validation.names import check_group, check_names, check_required, check_scope, definition_name
from crdkit.definitions.validation.status import check_status, check_stored_versions
from crdkit.definitions.validation.terms import Terms
from crdkit.definitions.validation.updates import check_immutable, update_terms
from crdkit.definitions.validation.versions import check_common, check_schemas_given, check_versions
from crdkit.meta import errors, objectmeta
from crdkit.meta.errors import FieldError
from crdkit.meta.paths import ROOT, FieldPath
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion

__all__ = ["validate_create", "validate_status_update", "validate_update"]


def validate_create(definition: JsonObject, *, kube: KubeVersion) -> list[FieldError]:
    """Judge a new definition, which is decoded, defaulted and prepared (`preparing.prepare_create`), its name generated if need be."""
    name_check = definition_name(definition["spec"])
    found = objectmeta.check_create(definition["metadata"], ROOT / "metadata", namespaced=False, name_check=name_check, kube=kube)
    found += _check_spec(definition, ROOT / "spec", Terms(kube))
    found += _check_rest(definition, None)
    return found


def validate_update(new: JsonObject, old: JsonObject, *, kube: KubeVersion) -> list[FieldError]:
    """Judge a changed definition, which is decoded, defaulted and prepared, beside the stored one."""
    found = objectmeta.check_update(new["metadata"], old["metadata"], ROOT / "metadata", kube=kube)
    found += _check_spec(new, ROOT / "spec", update_terms(new, old, kube=kube))
    found += check_immutable(new, old, ROOT / "spec")
    found += _check_rest(new, old)
    return found


def validate_status_update(new: JsonObject, old: JsonObject, *, kube: KubeVersion) -> list[FieldError]:
    """Judge a definition written through its status: conditions and stored versions are free."""
    found = objectmeta.check_update(new["metadata"], old["metadata"], ROOT / "metadata", kube=kube)
    found += check_status(new["status"], ROOT / "status")
    return found


def _check_spec(definition: JsonObject, at: FieldPath, terms: Terms) -> Iterator[FieldError]:
    raw = definition["spec"]
    spec = InternalSpec.of(definition, kube=terms.kube)
    yield from check_group(raw["group"], at / "group")
    yield from check_scope(raw["scope"], at / "scope")
    yield from check_schemas_given(spec, at, terms)
    if raw.get("preserveUnknownFields") and _has_defaults(definition):
        yield errors.invalid(at / "preserveUnknownFields", True, "must be false in order to use defaults in the schema")
    yield from check_versions(spec, at, terms)
    yield from check_required(raw["names"], at / "names")
    yield from check_names(raw["names"], at / "names")
    yield from check_common(spec, at, terms)
    conversion = raw["conversion"]
    if raw.get("preserveUnknownFields") and conversion["strategy"] != "None":
        detail = "must be None if spec.preserveUnknownFields is true"
        yield errors.invalid(at / "conversion" / "strategy", conversion["strategy"], detail)
    yield from check_conversion(conversion, at / "conversion", check_bundle=terms.check_bundle, kube=terms.kube)


def _has_defaults(definition: JsonObject) -> bool:
    return any("default" in node for schema in schemas_of(definition) for node in nodes(schema))


def _check_rest(new: JsonObject, old: JsonObject | None) -> Iterator[FieldError]:
    status = new["status"]
    yield from check_status(status, ROOT / "status")
    yield from check_stored_versions(status["storedVersions"], new["spec"]["versions"], ROOT / "status" / "storedVersions")
    yield from check_approval(new, old)
    if new["spec"].get("preserveUnknownFields") and not (old or {}).get("spec", {}).get("preserveUnknownFields"):
        detail = "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead"
        yield errors.invalid(ROOT / "spec" / "preserveUnknownFields", True, detail)
