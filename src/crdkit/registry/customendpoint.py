"""The paths of custom objects: what a body is read as, how a change is prepared and judged, for the whole and for its status."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from crdkit.admission.attributes import Kind, Place, Variant
from crdkit.definitions.definition import without_schema
from crdkit.meta import objectmeta
from crdkit.meta.changes import Changes, are_real
from crdkit.meta.copying import copied
from crdkit.meta.errors import FieldError
from crdkit.meta.status import internal_error
from crdkit.meta.types import JsonObject
from crdkit.ownership import kinds
from crdkit.ownership.manager import FieldManager
from crdkit.ownership.types import Type
from crdkit.registry import bodies, fieldvalidation, scalefields
from crdkit.registry.comparison import same_but_for_metadata
from crdkit.registry.endpoint import Endpoint, Undecodable
from crdkit.registry.metadata import metadata_of
from crdkit.registry.options import IGNORE, STRICT, WriteOptions
from crdkit.registry.owners import set_owners
from crdkit.registry.request import Request
from crdkit.registry.tables import Table

if TYPE_CHECKING:
    from crdkit.registry.customresource import CustomResource
    from crdkit.schema.compiled import CompiledSchema
    from crdkit.schema.survey import Survey

_STATUS: Final = frozenset(("status",))
_METADATA: Final = frozenset(("metadata",))
_FREE_METADATA: Final = frozenset(("labels", "annotations"))
"""What of metadata is changed without a word, and without consequences."""


class CustomEndpoint(Endpoint):
    """Custom objects themselves."""

    resource: CustomResource

    def __init__(self, resource: CustomResource) -> None:
        super().__init__(resource)
        self.kind, self.api_version = resource.kind, resource.api_version
        self.settles = resource.is_stored_version

    @property
    def table(self) -> Table:  # type: ignore[override]
        return self.resource.table

    def decode(self, request: Request, options: WriteOptions) -> JsonObject:
        return self._read(request, options, _complete)[0]

    def take_in(self, request: Request, options: WriteOptions) -> tuple[JsonObject, Survey | None]:
        return self._read(request, options, _take_in)

    def _read(self, request: Request, options: WriteOptions, complete: Complete) -> tuple[JsonObject, Survey | None]:
        resource = self.resource
        strict = options.field_validation != IGNORE
        body = bodies.read_own(request, resource.kind, resource.api_version, strict=strict)
        if body is None:
            body = bodies.read(request, resource.kind, strict=strict)
        if not body.kind:
            raise bodies.unrecognized(resource.kind, bodies.missing_kind(request.body), request.body)
        obj = bodies.as_object(body)
        if obj.get("apiVersion", "") is None:
            why = ".apiVersion accessor error: <nil> is of the type <nil>, expected string"
            raise bodies.unhandled(body.kind, "", resource.kind, why)
        try:
            unknown, survey = complete(resource, obj)
        except ValueError as error:
            raise bodies.unhandled(body.kind, body.api_version, resource.kind, str(error)) from error
        if strict and (unknown or body.duplicates):
            problems = body.duplicates + _told(unknown)
            if options.field_validation == STRICT:
                raise bodies.unhandled(body.kind, body.api_version, resource.kind, fieldvalidation.strict_text(problems))
            request.warnings += fieldvalidation.warnings_of(problems)
        if body.api_version != resource.api_version:
            raise bodies.wrong_version(body.api_version, resource.api_version)
        return obj, survey

    def redecode(self, patched: JsonObject, options: WriteOptions, *, converted: bool = False) -> list[str]:
        del converted
        _require_kind(patched)
        if not patched.get("apiVersion"):
            raise internal_error("Object 'apiVersion' is missing in 'object has no apiVersion field'")
        try:
            unknown, _ = _complete(self.resource, patched)
        except ValueError as error:
            raise Undecodable(str(error)) from error
        return _told(unknown) if options.field_validation != IGNORE else []

    def redecode_beside(self, patched: JsonObject, changes: Changes) -> bool:
        return self.resource.compiled.complete_beside(patched, changes)

    def variants(self) -> Sequence[Variant]:
        resource = self.resource
        return [
            Variant(Place(resource.group, version.name, resource.plural), Kind(resource.group, version.name, self.kind))
            for version in resource.definition.served_versions
            if not self.subresource or version.has_status
        ]

    def completed(self, patched: JsonObject) -> JsonObject:
        """Fields that are not known stay until the object is stored, nulls to be judged, and metadata is as it comes."""
        _require_kind(patched)
        known = self._schema_of(patched)
        if known is not None:
            known.fill(patched)
        return patched

    def taken(self, view: JsonObject) -> JsonObject:
        """Metadata of wrong types is dropped."""
        known = self._schema_of(view)
        metadata_of(view)
        (without_schema(self.resource.kube) if known is None else known).coerce_applied(view)
        return view

    def prune(self, obj: JsonObject) -> None:
        self.resource.compiled.prune(obj)

    def type_in(self, api_version: str) -> Type | None:
        version = self.resource.definition.version(api_version.rpartition("/")[2])
        if version is None:
            return None
        from crdkit.ownership import typebuilding  # noqa: PLC0415 (not all servers merge objects)

        return typebuilding.of_structural(version.compiled.structural, self.resource.kube)

    def fill(self, view: JsonObject) -> None:
        """An applied null stays, to be judged."""
        compiled = self.resource.compiled
        compiled.coerce_applied(view)
        compiled.fill(view)

    def as_applied(self, view: JsonObject) -> JsonObject:
        hidden = {"metadata", "status"} if self.resource.has_status else {"metadata"}
        return {"metadata": view.get("metadata"), **self._content_as_applied(view, view.keys() - hidden)}

    def _content_as_applied(self, view: JsonObject, settable: Collection[str]) -> JsonObject:
        """The content as it is before the metadata of embedded resources is read; where there are none, there is no need to know."""
        compiled = self.resource.compiled
        if not compiled.has_embedded:
            return {}
        content: JsonObject = copied({name: view[name] for name in settable})
        compiled.fill(content)
        return {name: content[name] for name in settable}

    def fill_beside(self, view: JsonObject, changes: Changes) -> bool:
        return self.resource.compiled.fill_beside(view, changes)

    def field_manager(self) -> FieldManager:
        resource = self.resource
        return kinds.custom(resource.served, resource.in_version_of_owners, subresource=self.subresource)

    def _schema_of(self, obj: JsonObject) -> CompiledSchema | None:
        """The schema of the version that an object says it is of, if it is of this kind at all."""
        group, _, name = (obj.get("apiVersion") or "").rpartition("/")
        if group != self.resource.group or obj.get("kind") != self.kind:
            return None
        version = self.resource.definition.version(name)
        return None if version is None else version.compiled

    def prepare(self, new: JsonObject, old: JsonObject) -> None:
        if self.resource.has_status:
            if "status" in old:
                new["status"] = old["status"]
            else:
                new.pop("status", None)
        if not same_but_for_metadata(new, old):
            new["metadata"]["generation"] = old["metadata"].get("generation", 0) + 1

    def prepare_beside(self, new: JsonObject, old: JsonObject, changes: Changes) -> Changes:
        if "status" in changes and self.resource.has_status:
            self.prepare(new, old)
            return {name: below for name, below in changes.items() if name != "status"}
        content = changes.copy()
        content.pop("metadata", None)
        if are_real(content, new, old):
            new["metadata"]["generation"] = old["metadata"].get("generation", 0) + 1
        return changes

    def is_sound(self, new: JsonObject, old: JsonObject, changes: Changes | None) -> bool:
        resource = self.resource
        if not self._keeps_valid_metadata(new, old, changes) or not resource.compiled.is_valid(new, changes):
            return False
        scale = resource.served.scale
        if scale is None or (changes is not None and scalefields.keeps_valid(new, scale, changes)):
            return True
        return not scalefields.check_all(new, scale)

    @property
    def rules_see_owners(self) -> bool:  # type: ignore[override]
        return self.resource.compiled.has_rules_on_metadata

    def settle(self, new: JsonObject, old: JsonObject, changes: Changes, *, applied: bool) -> bool:
        below = changes.get("metadata")
        if below is not None and not (isinstance(below, dict) and below.keys() <= _FREE_METADATA):
            return False
        if ("status" in changes and self.resource.has_status) or not self._settle_content(new, changes, applied=applied):
            return False
        if below is not None and not objectmeta.keeps_valid(new["metadata"], old["metadata"], below):
            return False
        if changes.keys() != _METADATA:
            new["metadata"] = {**new["metadata"], "generation": old["metadata"].get("generation", 0) + 1}
        return True

    def _settle_content(self, new: JsonObject, changes: Changes, *, applied: bool) -> bool:
        version = self.resource.served
        scale = version.scale
        return version.compiled.settle(new, changes, keep_nulls=applied) and (scale is None or scalefields.keeps_valid(new, scale, changes))

    def _keeps_valid_metadata(self, new: JsonObject, old: JsonObject, changes: Changes | None) -> bool:
        """Whether the metadata is valid, of which what is shared was so."""
        below = {} if changes is None else changes.get("metadata", {})
        if changes is not None and isinstance(below, dict) and objectmeta.keeps_valid(new["metadata"], old["metadata"], below):
            return True
        return not self.resource.check_common_metadata(new, old)

    def check(self, new: JsonObject, old: JsonObject) -> list[FieldError]:
        resource = self.resource
        found = resource.check_metadata_update(new, old)
        if wrong := resource.check_type(new):
            return found + wrong
        found += resource.compiled.validate(new, old)
        if (scale := resource.served.scale) is not None:
            found += scalefields.check_all(new, scale)
        return found

    def warnings(self, new: JsonObject, old: JsonObject | None) -> list[str]:
        finalizers = new["metadata"].get("finalizers")
        if not finalizers:
            return []
        before = old["metadata"].get("finalizers") or [] if old else []
        return objectmeta.finalizer_warnings(sorted(set(finalizers)), before)

    def is_clean(self, made: JsonObject) -> bool:
        return self.resource.compiled.is_clean(made)

    def is_plain(self, made: JsonObject) -> bool:
        """What is of another type by its own account was not completed by this one's schema."""
        return self.resource.is_stored_version and made.get("kind") == self.kind and made.get("apiVersion") == self.api_version


class StatusEndpoint(CustomEndpoint):
    """The status of custom objects: all else of what is sent is overlooked."""

    subresource = "status"

    def as_applied(self, view: JsonObject) -> JsonObject:
        return self._content_as_applied(view, view.keys() & _STATUS)

    def prepare(self, new: JsonObject, old: JsonObject) -> None:
        status = new.get("status")
        has_status = "status" in new
        owners = new["metadata"].get("managedFields")
        new.clear()
        new.update(old)
        new["metadata"] = dict(old["metadata"])
        set_owners(new, owners)
        if has_status:
            new["status"] = status
        else:
            new.pop("status", None)

    def prepare_beside(self, new: JsonObject, old: JsonObject, changes: Changes) -> Changes:
        self.prepare(new, old)
        return {"status": changes["status"]} if "status" in changes else {}

    def settle(self, new: JsonObject, old: JsonObject, changes: Changes, *, applied: bool) -> bool:
        del old
        return changes.keys() <= _STATUS and self._settle_content(new, changes, applied=applied)

    def check(self, new: JsonObject, old: JsonObject) -> list[FieldError]:
        resource = self.resource
        found = resource.check_metadata_update(new, old)
        found += resource.compiled.validate_status(new, old)
        if (scale := resource.served.scale) is not None:
            found += scalefields.check_status(new, scale)
        return found

    def warnings(self, new: JsonObject, old: JsonObject | None) -> list[str]:
        del new, old
        return []


def _require_kind(obj: JsonObject) -> None:
    """Raises `Undecodable` for what does not tell its kind."""
    try:
        bodies.require_kind(obj)
    except bodies.Unreadable as error:
        raise Undecodable(str(error)) from error


Complete: TypeAlias = Callable[["CustomResource", JsonObject], tuple[list[str], "Survey | None"]]
"""Brings a decoded object into form, in place: metadata typed, unknown fields dropped, defaults filled in. Of other kinds, the metadata alone.

Gives the paths of unknown fields, and what was found out about the object. Raises `ValueError` for metadata of wrong types.
"""


def _complete(resource: CustomResource, obj: JsonObject) -> tuple[list[str], Survey | None]:
    group, _, version = (obj.get("apiVersion") or "").rpartition("/")
    if group != resource.group or obj.get("kind") != resource.kind:
        return resource.compiled.coerce_metadata(obj), None
    known = resource.definition.version(version)
    schema = known.compiled if known is not None else without_schema(resource.kube)
    return schema.complete(obj), None


def _take_in(resource: CustomResource, obj: JsonObject) -> tuple[list[str], Survey | None]:
    if obj.get("apiVersion") == resource.api_version and obj.get("kind") == resource.kind:
        return resource.served.compiled.take_in(obj)
    return _complete(resource, obj)


def _told(unknown: list[str]) -> list[str]:
    """Unknown fields in the words of strict decoding."""
    return [f'unknown field "{path}"' for path in unknown]
