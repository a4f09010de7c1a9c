"""Custom objects: read, completed, judged and stored by one version of their definition."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

from crdkit.conversion.converter import ConversionFailed, Converter
from crdkit.conversion.none import NoneConverter
from crdkit.definitions.definition import Definition, DefinitionVersion
from crdkit.meta import errors, golang, json, names, objectmeta
from crdkit.meta.changes import Changes
from crdkit.meta.errors import FieldError
from crdkit.meta.golang import quote
from crdkit.meta.offload import Impatient
from crdkit.meta.paths import ROOT
from crdkit.meta.status import Refusal, failure, forbidden, unknown
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.ownership import versions
from crdkit.registry import scalefields
from crdkit.registry.columns import custom_table
from crdkit.registry.customendpoint import CustomEndpoint, StatusEndpoint
from crdkit.registry.endpoint import Endpoint
from crdkit.registry.jsonpath import LookupFailed, Path, PathError
from crdkit.registry.rendering import Known, Parts
from crdkit.registry.resource import ALL_VERBS, Resource, Stale
from crdkit.registry.scale import ScaleEndpoint
from crdkit.registry.sharedreading import SharedReading
from crdkit.registry.tables import Table
from crdkit.storage.types import Entry, Guard, Revision

if TYPE_CHECKING:
    from crdkit.registry.foreign import ForeignObjects
    from crdkit.schema.compiled import CompiledSchema
    from crdkit.schema.rules.ruleset import SchemaRules
    from crdkit.schema.survey import Survey

NONE: Final = NoneConverter()
_RULES_NOT_RUN: Final = (
    "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation"
)
DEFINITIONS: Final = "/registry/apiextensions.k8s.io/customresourcedefinitions/"
FORBIDDEN_WHILE_TERMINATING: Final = KubeVersion(1, 34)
"""From here on nothing may be created under a definition that goes (403); before, the verb was not allowed (405), but a patch could."""

Current = Callable[[str], Definition | None]
"""Finds the definition of a name as it stands now."""


class CustomResource(Resource):
    """One served version of a definition. It outlives changes of the definition's status, not of its spec or names."""

    main: CustomEndpoint
    owns_late = True

    def __init__(
        self,
        version: DefinitionVersion,
        current: Current,
        converter: Converter = NONE,
        *,
        stored: Callable[[], CustomResource | None] = lambda: None,
    ) -> None:
        definition = version.definition
        accepted = definition.names
        super().__init__(
            kube=definition.kube,
            group=definition.group,
            version=version.name,
            plural=accepted.plural,
            singular=accepted.singular,
            kind=accepted.kind,
            list_kind=accepted.list_kind,
            namespaced=definition.namespaced,
            prefix=f"/registry/{definition.group}/{definition.spec_names.plural}/",
            short_names=accepted.short_names,
            categories=accepted.categories,
            verbs=ALL_VERBS,
            stored_version=definition.storage_version.name,
        )
        self.definition = definition
        self.served = version
        self._current = current
        self._converter = converter
        self._stored_resource = stored
        self._is_by_webhook = definition.conversion.get("strategy") == "Webhook"
        self._own_head = self.style.head(self.api_version, self.kind)
        self._shared = SharedReading(self._read_foreign, self.renderings, batch_size=converter.batch_size)
        self._guard = Guard(DEFINITIONS + definition.name, Revision(definition.revision))
        self.has_status = version.has_status
        self.has_scale = version.scale is not None
        self.is_stored_version = self.dumps_at_once = version.storage
        self.main = CustomEndpoint(self)
        self.creates_plain = version.storage and not (self.has_status and self._status_has_default)
        self._endpoints: dict[str, Endpoint] = {"": self.main}
        if version.has_status:
            self._endpoints["status"] = StatusEndpoint(self)
        if version.scale is not None:
            self._endpoints["scale"] = ScaleEndpoint(self, version.scale)

    @property
    def compiled(self) -> CompiledSchema:
        return self.served.compiled

    def make_ready(self) -> Iterator[None]:
        """Make what a first object needs, in steps of which none takes long."""
        yield from self.compiled.make_ready()
        self.main.owners.make_ready()

    def forget_ready(self) -> None:
        """Let go of that; who needs it makes it anew."""
        self.served.forget_compiled()
        self.main.forget_owners()

    @cached_property
    def _status_has_default(self) -> bool:
        """Whether an object without status is read with one."""
        status = (self.served.schema.get("properties") or {}).get("status") or {}
        return status.get("default") is not None

    @cached_property
    def table(self) -> Table:
        return custom_table(self.served.columns)

    def endpoint(self, subresource: str) -> Endpoint | None:
        return self._endpoints.get(subresource)

    # Objects and bytes

    async def load(self, value: bytes) -> JsonObject:
        obj = self.load_stored(value)
        if obj["apiVersion"] != self.api_version:
            (obj,) = await self._converted([obj], self.served)
        return obj

    def load_stored(self, value: bytes) -> JsonObject:
        """Stored bytes as an object of the version they were stored in."""
        obj: JsonObject = json.decode(value)
        stored = self._stored_schema(obj)
        obj["kind"] = self.kind
        stored.complete(obj, drop_invalid=True)
        if not obj["metadata"].get("generation"):
            obj["metadata"]["generation"] = 1
        return obj

    async def _converted(self, objects: Sequence[JsonObject], version: DefinitionVersion) -> list[JsonObject]:
        """Objects of another version as they are in this one; those given are not used any more. Raises a `Refusal`."""
        try:
            converted = await self._converter.convert(objects, version.api_version)
            for obj in converted:
                version.compiled.read(obj)
        except (ConversionFailed, ValueError) as error:
            raise unknown(str(error)) from error
        return converted

    def _stored_schema(self, obj: JsonObject) -> CompiledSchema:
        """The schema of the version that an object was stored in. Raises a `Refusal` if the definition has it no more."""
        group, _, name = obj["apiVersion"].rpartition("/")
        version = self.definition.version(name) if group == self.group else None
        if version is None:
            raise unknown(f"request to convert CR from an invalid group/version: {obj['apiVersion']}")
        return version.compiled

    async def dump(self, obj: JsonObject) -> Parts:
        if not self.is_stored_version:
            copy: JsonObject = json.decode(json.encode(obj))
            copy["metadata"].pop("resourceVersion", None)
            (obj,) = await self._converted([copy], self.definition.storage_version)
        return await super().dump(obj)

    async def in_version(self, obj: JsonObject, api_version: str) -> JsonObject:
        group, _, name = (obj.get("apiVersion") or "").rpartition("/")
        if group != self.group:
            msg = f"{group}/{name}, Kind={obj['kind']} is unstructured and is not suitable for converting to {quote(api_version)}"
            raise ConversionFailed(msg)
        if self.definition.version(name) is None:
            msg = f"request to convert CR from an invalid group/version: {obj['apiVersion']}"
            raise ConversionFailed(msg)
        (converted,) = await self._converter.convert([obj], api_version)
        return converted

    async def in_version_of_owners(self, obj: JsonObject, api_version: str) -> JsonObject:
        """An object as it is in the version in which some owner wrote: nothing is pruned or filled in."""
        try:
            (converted,) = await self._converter.convert([obj], api_version)
        except ConversionFailed as error:
            raise versions.ConversionFailed(str(error)) from error
        return converted

    # Reading by way of a webhook

    @property
    def waits(self) -> bool:
        return not isinstance(self._converter, NoneConverter)

    def is_foreign(self, entry: Entry) -> bool:
        return self._is_by_webhook and not entry.value.startswith(self._own_head)

    @cached_property
    def _foreign(self) -> ForeignObjects | None:
        if (by_text := self._converter.by_text) is None:
            return None
        from crdkit.registry.foreign import ForeignObjects  # noqa: PLC0415 (few definitions have a webhook)

        return ForeignObjects(self, self._stored_resource, by_text)

    async def _read_foreign(self, entries: Sequence[Entry]) -> list[Parts]:
        if self._foreign is not None:
            return await self._foreign.read(entries)
        return [self.style.parts(await self.load(entry.value)) for entry in entries]

    async def read(self, entry: Entry, revision: int | None = None) -> JsonObject:
        if self.is_foreign(entry):
            obj: JsonObject = json.decode(await self.render_at(entry, entry.revision if revision is None else revision))
            return obj
        return await super().read(entry, revision)

    async def look_ahead(self, entries: Sequence[Entry]) -> None:
        await self._read_ahead(entries)

    async def _read_ahead(self, entries: Sequence[Entry]) -> dict[str, Known]:
        if not self._is_by_webhook:
            return {}
        foreign = [entry for entry in entries if self.is_foreign(entry) and self.renderings.find(entry) is None]
        return await self._shared.all(foreign) if foreign else {}

    async def shown(self, entries: Sequence[Entry]) -> list[Known]:
        read = await self._read_ahead(entries)
        if not read:
            return await super().shown(entries)
        find = self.renderings.find
        return [read.get(entry.key) or find(entry) or await self.find_out(entry) for entry in entries]

    async def find_out(self, entry: Entry) -> Known:
        return await (self._shared.one(entry) if self.is_foreign(entry) else super().find_out(entry))

    # Selectors

    @cached_property
    def _selectable(self) -> dict[str, Path | None]:
        return {path.removeprefix("."): _path(path) for path in self.served.selectable_fields}

    def supports_field(self, field: str) -> bool:
        return super().supports_field(field) or field in self._selectable

    def field_text(self, obj: JsonObject, field: str) -> str:
        if field not in self._selectable:
            return super().field_text(obj, field)
        path = self._selectable[field]
        try:
            found = path.find(obj) if path else []
        except LookupFailed:
            return ""
        return golang.to_text(found[0]) if found and found[0] is not None else ""

    # Writing

    def guards(self) -> list[Guard]:
        current = self._current(self.definition.name)
        if self.retired or current is None:
            raise Stale
        if self._guard.revision != current.revision:
            self._guard = Guard(self._guard.key, Revision(current.revision))
        return [self._guard]

    def check_open(self, name: str, verb: str) -> None:
        current = self._current(self.definition.name)
        if current is None or not current.terminating:
            return
        why = "create not allowed while custom resource definition is terminating"
        if self.kube >= FORBIDDEN_WHILE_TERMINATING:
            raise forbidden(self.about, name, why)
        if verb == "create":
            raise Refusal(failure(405, "MethodNotAllowed", why, {"group": self.group, "kind": self.plural}))

    def creates_quickly(self, obj: JsonObject) -> bool:
        asked = self._questions
        return asked is not None and (not asked or all(question(obj) for question in asked))

    @cached_property
    def _questions(self) -> tuple[scalefields.Question, ...] | None:
        """What its schema leaves open of a new object without status; None where there is no quick way."""
        if not self.dumps_at_once or not self.creates_plain or self.compiled.has_rules_on_metadata:
            return None
        scale = self.served.scale
        return () if scale is None else scalefields.open_questions(scale, self.compiled)

    def prepare_create(self, obj: JsonObject) -> None:
        if self.has_status:
            obj.pop("status", None)
        obj["metadata"]["generation"] = 1

    def check_create(self, obj: JsonObject) -> list[FieldError]:
        return self.check_new(obj, None)

    def check_new(self, obj: JsonObject, survey: Survey | None) -> list[FieldError]:
        if wrong := self.check_type(obj):
            return wrong
        found = objectmeta.check_create(
            obj["metadata"], ROOT / "metadata", namespaced=self.namespaced, name_check=names.dns1123_subdomain, kube=self.kube
        )
        if survey is None or not survey.is_valid:
            found += self.served.compiled.validate_new(obj, survey)
        if (scale := self.served.scale) is not None:
            found += scalefields.check_all(obj, scale)
        return found

    def check_type(self, obj: JsonObject) -> list[FieldError]:
        """The kind and version of an object are those of its path; nothing else of it is looked at if they are not."""
        found: list[FieldError] = []
        if obj.get("kind") == self.kind and obj.get("apiVersion") == self.api_version:
            return found
        if (kind := obj.get("kind") or "") != self.kind:
            found.append(errors.invalid("kind", kind, f"must be {self.kind}"))
        if (version := obj.get("apiVersion") or "") != self.api_version:
            found.append(errors.invalid("apiVersion", version, f"must be {self.api_version}"))
        return found

    def broken_by_new(self, obj: JsonObject, *, patience: int) -> list[FieldError] | None:
        compiled = self.served.compiled
        if not compiled.has_rules:
            return []
        rules: SchemaRules | None = compiled.__dict__.get("rules")
        outcome = rules.check_new(obj, patience=patience) if rules is not None else None
        return None if outcome is None else outcome.errors

    def with_rules(
        self,
        found: list[FieldError],
        new: JsonObject,
        old: JsonObject | None,
        warnings: list[str],
        *,
        changes: Changes | None = None,
        patience: int | None = None,
    ) -> list[FieldError]:
        """The schema's rules are not run on an object of wrong types or sizes."""
        compiled = self.served.compiled
        if not compiled.has_rules:
            return found
        # Whether an object has a name is looked at outside of what is judged of a change of its kind.
        judged = found if old is None else [error for error in found if error.path != "metadata.name"]
        if judged and compiled.blocks_rules(judged):
            return [*found, errors.invalid(ROOT, None, _RULES_NOT_RUN)]
        if patience is not None and compiled.has_cold_rules:
            raise Impatient
        if (rules := compiled.rules) is None:
            return found
        outcome = rules.check(new, old, changes=changes, patience=patience)
        if outcome.warnings:
            warnings += [error.text(self.kube) for error in outcome.warnings]
        return found + outcome.errors


def _path(text: str) -> Path | None:
    try:
        return Path(text)
    except PathError:
        return None
