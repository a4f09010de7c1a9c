"""Rules of versions: their names, storage, schemas, and what each has for itself."""

from __future__ import annotations

from collections.abc import Iterator

from crdkit.definitions.gotypes import versions_struct
from crdkit.definitions.internal import InternalSpec, has_status
from crdkit.definitions.validation.columns import check_columns
from crdkit.definitions.validation.deprecation import check_deprecation_warning
from crdkit.definitions.validation.scale import check_subresources
from crdkit.definitions.validation.selectable import check_selectable_fields
from crdkit.definitions.validation.terms import Terms
from crdkit.definitions.validation.wordings import wordings
from crdkit.meta import errors, names
from crdkit.meta.errors import FieldError
from crdkit.meta.paths import FieldPath
from crdkit.meta.types import JsonObject


def check_schemas_given(spec: InternalSpec, at: FieldPath, terms: Terms) -> Iterator[FieldError]:
    """Each version needs a schema, served or not."""
    if (spec.schema or {}).get("openAPIV3Schema") is not None:
        return
    for position, version in enumerate(spec.versions or ()):
        if (version.get("schema") or {}).get("openAPIV3Schema") is None:
            place = (at / "versions").index(position) / "schema" / "openAPIV3Schema"
            yield errors.required(place, wordings(terms.kube).schema_missing)


def check_versions(spec: InternalSpec, at: FieldPath, terms: Terms) -> Iterator[FieldError]:
    """All versions, each with what it has for itself, and what they must be together."""
    versions = spec.versions or []
    at_versions = at / "versions"
    for position, version in enumerate(versions):
        place = at_versions.index(position)
        if found := names.dns1035_label(version["name"]):
            yield errors.invalid(place / "name", version["name"], ",".join(found))
        yield from _check_version(version, place, terms, status=has_status(spec.subresources_of(version)))
    if len({version["name"] for version in versions}) < len(versions):
        yield errors.invalid(at_versions, versions_struct(spec.versions), "must contain unique version names")
    if sum(version["storage"] for version in versions) != 1:
        yield errors.invalid(at_versions, versions_struct(spec.versions), "must have exactly one version marked as storage version")
    if spec.version and (found := names.dns1035_label(spec.version)):
        yield errors.invalid(at / "version", spec.version, ",".join(found))


def _check_version(version: JsonObject, at: FieldPath, terms: Terms, *, status: bool) -> Iterator[FieldError]:
    yield from check_deprecation_warning(version, at / "deprecationWarning")
    yield from check_validation(version.get("schema"), at / "schema", terms, version=version["name"], status=status)
    yield from check_subresources(version.get("subresources"), at / "subresources")
    yield from check_columns(version.get("additionalPrinterColumns"), at / "additionalPrinterColumns")
    fields = version.get("selectableFields")
    if not fields:
        return
    root = (version.get("schema") or {}).get("openAPIV3Schema")
    if root is None:
        yield errors.invalid(at / "selectableFields", "", wordings(terms.kube).selectable_without_own_schema)
    else:
        schema_at = at / "schema" / "openAPIV3Schema"
        yield from check_selectable_fields(fields, root, at / "selectableFields", schema_at=schema_at, kube=terms.kube)


def check_common(spec: InternalSpec, at: FieldPath, terms: Terms) -> Iterator[FieldError]:
    """What all versions have in common."""
    status = any(has_status(spec.subresources_of(version)) for version in spec.versions or ())
    yield from check_validation(spec.schema, at / "validation", terms, version=spec.version, status=status)
    yield from check_subresources(spec.subresources, at / "subresources")
    yield from check_columns(spec.columns, at / "additionalPrinterColumns")
    if not spec.selectable_fields:
        return
    if spec.schema is None:
        yield errors.invalid(at / "selectableFields", "", wordings(terms.kube).selectable_without_schema)
    elif (root := spec.schema.get("openAPIV3Schema")) is not None:
        schema_at = at / "schema" / "openAPIV3Schema"
        yield from check_selectable_fields(spec.selectable_fields, root, at / "selectableFields", schema_at=schema_at, kube=terms.kube)


def check_validation(validation: JsonObject | None, at: FieldPath, terms: Terms, *, version: str, status: bool) -> list[FieldError]:
    """A schema, if there is one, judged by the schema room."""
    root = (validation or {}).get("openAPIV3Schema")
    if root is None:
        return []
    return terms.check_schema(root, at / "openAPIV3Schema", version=version, status=status)
