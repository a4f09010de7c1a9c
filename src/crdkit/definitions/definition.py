"""A definition as the rooms above see it: one object per definition, one per version, their parts computed on first use."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from crdkit.definitions import versions
from crdkit.meta import json
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion

if TYPE_CHECKING:
    from crdkit.schema.compiled import CompiledSchema

CLEANUP_FINALIZER: Final = "customresourcecleanup.apiextensions.k8s.io"
"""Keeps a definition that is being deleted until its objects are gone."""


class Names(NamedTuple):
    """The names of a definition's resource and kind."""

    plural: str
    singular: str
    kind: str
    list_kind: str
    short_names: tuple[str, ...]
    categories: tuple[str, ...]

    @classmethod
    def of(cls, raw: JsonObject) -> Names:
        """The names as they stand under ``spec.names`` and ``status.acceptedNames``; absent ones are empty."""
        return cls(
            raw.get("plural", ""),
            raw.get("singular", ""),
            raw.get("kind", ""),
            raw.get("listKind", ""),
            tuple(raw.get("shortNames") or ()),
            tuple(raw.get("categories") or ()),
        )


class Scale(NamedTuple):
    """Where the scale subresource finds its parts: JSON paths such as ``.spec.replicas``."""

    spec_path: str
    status_path: str
    label_selector_path: str | None


class Column(NamedTuple):
    """A printer column of tables."""

    name: str
    type: str
    json_path: str
    format: str = ""
    description: str = ""
    priority: int = 0


AGE: Final = Column(
    name="Age",
    type="date",
    json_path=".metadata.creationTimestamp",
    description=(
        "CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in"
        " happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in"
        " UTC.\n\nPopulated by the system. Read-only. Null for lists. More info:"
        " https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata"
    ),
)
"""The one column of versions that name none."""


def without_schema(kube: KubeVersion) -> CompiledSchema:
    """What objects are read by whose version is not known."""
    from crdkit.schema.compiled import CompiledSchema  # noqa: PLC0415 (not needed before there is a definition)

    return CompiledSchema({}, kube=kube)


@dataclass(frozen=True, eq=False)
class DefinitionVersion:
    """One version of a definition. ``raw`` is its entry in ``spec.versions``; nobody changes it."""

    definition: Definition
    raw: JsonObject

    @property
    def name(self) -> str:
        name: str = self.raw["name"]
        return name

    @property
    def served(self) -> bool:
        return bool(self.raw.get("served"))

    @property
    def storage(self) -> bool:
        return bool(self.raw.get("storage"))

    @property
    def deprecated(self) -> bool:
        return bool(self.raw.get("deprecated"))

    @property
    def api_version(self) -> str:
        return f"{self.definition.group}/{self.name}"

    @cached_property
    def deprecation_warning(self) -> str | None:
        """What every request to a deprecated version is warned of; None for the others."""
        if not self.deprecated:
            return None
        given: str | None = self.raw.get("deprecationWarning")
        return self._default_warning() if given is None else given

    def _default_warning(self) -> str:
        group, kind = self.definition.group, self.definition.spec_names.kind
        text = f"{group}/{self.name} {kind} is deprecated"
        better = [
            version.name
            for version in self.definition.versions
            if version.served and not version.deprecated and versions.outranks(version.name, self.name)
        ]
        return f"{text}; use {group}/{versions.ranked(better)[0]} {kind}" if better else text

    @cached_property
    def schema(self) -> JsonObject:
        """The version's OpenAPI schema as it was written."""
        schema: JsonObject = (self.raw.get("schema") or {}).get("openAPIV3Schema") or {}
        return schema

    @cached_property
    def compiled(self) -> CompiledSchema:
        """The schema made ready for objects."""
        from crdkit.schema.compiled import CompiledSchema  # noqa: PLC0415 (likewise)

        return CompiledSchema(self.schema, kube=self.definition.kube, keeps_unknown=self._keeps_unknown)

    def forget_compiled(self) -> None:
        """Let go of what was made of the schema; who needs it makes it anew."""
        self.__dict__.pop("compiled", None)

    @property
    def _keeps_unknown(self) -> bool:
        return bool(self.definition.spec.get("preserveUnknownFields"))

    def take_over(self, former: DefinitionVersion) -> None:
        """Use what another state of this version has made of its schema, if the schema is the same."""
        made = former.__dict__.get("compiled")
        if made is None or self._keeps_unknown != former._keeps_unknown:
            return
        if json.encode(self.schema) == json.encode(former.schema):  # not by ==, which takes 1 for true
            self.__dict__["compiled"] = made

    @cached_property
    def _subresources(self) -> JsonObject:
        return self.raw.get("subresources") or {}

    @property
    def has_status(self) -> bool:
        return self._subresources.get("status") is not None

    @cached_property
    def scale(self) -> Scale | None:
        raw = self._subresources.get("scale")
        if raw is None:
            return None
        return Scale(raw.get("specReplicasPath", ""), raw.get("statusReplicasPath", ""), raw.get("labelSelectorPath"))

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """The columns of tables, after the name; only `AGE` where the version gives none."""
        return tuple(_column(raw) for raw in self.raw.get("additionalPrinterColumns") or ()) or (AGE,)

    @cached_property
    def selectable_fields(self) -> tuple[str, ...]:
        """The JSON paths (``.spec.color``) that field selectors may name."""
        return tuple(raw["jsonPath"] for raw in self.raw.get("selectableFields") or ())


def _column(raw: JsonObject) -> Column:
    return Column(
        raw.get("name", ""),
        raw.get("type", ""),
        raw.get("jsonPath", ""),
        raw.get("format", ""),
        raw.get("description", ""),
        raw.get("priority", 0),
    )


@dataclass(frozen=True, eq=False)
class Definition:
    """A stored CustomResourceDefinition. A changed definition makes a new one; ``raw`` is the stored object, nobody changes it."""

    raw: JsonObject
    revision: int
    kube: KubeVersion

    @cached_property
    def name(self) -> str:
        name: str = self.raw["metadata"]["name"]
        return name

    @cached_property
    def uid(self) -> str:
        uid: str = self.raw["metadata"].get("uid", "")
        return uid

    @cached_property
    def spec(self) -> JsonObject:
        spec: JsonObject = self.raw["spec"]
        return spec

    @cached_property
    def status(self) -> JsonObject:
        status: JsonObject = self.raw.get("status") or {}
        return status

    @cached_property
    def group(self) -> str:
        group: str = self.spec["group"]
        return group

    @property
    def scope(self) -> str:
        scope: str = self.spec["scope"]
        return scope

    @cached_property
    def namespaced(self) -> bool:
        return self.scope == "Namespaced"

    @cached_property
    def names(self) -> Names:
        """The accepted names: those that are served, looked up and shown by discovery."""
        return Names.of(self.status.get("acceptedNames") or {})

    @cached_property
    def fully_named(self) -> bool:
        """Whether all names are accepted that objects cannot do without: one established by hand, or renamed by it, may lack some."""
        names = self.names
        return bool(names.plural and names.singular and names.kind and names.list_kind)

    @cached_property
    def spec_names(self) -> Names:
        """The names asked for."""
        return Names.of(self.spec.get("names") or {})

    @cached_property
    def versions(self) -> tuple[DefinitionVersion, ...]:
        """All versions, in the order of the spec."""
        return tuple(DefinitionVersion(self, raw) for raw in self.spec.get("versions") or ())

    @cached_property
    def _by_name(self) -> dict[str, DefinitionVersion]:
        return {version.name: version for version in self.versions}

    def version(self, name: str) -> DefinitionVersion | None:
        """The version of that name, served or not."""
        return self._by_name.get(name)

    def take_over(self, former: Definition) -> None:
        """Use what was made of the schemas of a former state of this definition, where they are the same."""
        for version in self.versions:
            if (before := former.version(version.name)) is not None:
                version.take_over(before)

    @cached_property
    def storage_version(self) -> DefinitionVersion:
        """The version that objects are stored in: a valid definition has exactly one."""
        return next(version for version in self.versions if version.storage)

    @cached_property
    def served_versions(self) -> tuple[DefinitionVersion, ...]:
        """The served versions, in the order in which discovery lists them."""
        names = versions.ranked([version.name for version in self.versions if version.served])
        return tuple(self._by_name[name] for name in names)

    def condition(self, kind: str) -> JsonObject | None:
        """The status condition of that type."""
        return next((entry for entry in self.status.get("conditions") or () if entry.get("type") == kind), None)

    def _is_true(self, kind: str) -> bool:
        found = self.condition(kind)
        return found is not None and found.get("status") == "True"

    @cached_property
    def established(self) -> bool:
        """Whether discovery shows the resource."""
        return self._is_true("Established")

    @cached_property
    def names_accepted(self) -> bool:
        return self._is_true("NamesAccepted")

    @cached_property
    def served(self) -> bool:
        """Whether requests for the resource are answered at all. The path's version must be served besides."""
        return self.established or self.names_accepted

    @cached_property
    def terminating(self) -> bool:
        """Whether the objects of the definition are being deleted, so that no new ones may be created."""
        return self._is_true("Terminating")

    @cached_property
    def conversion(self) -> JsonObject:
        """``spec.conversion``: its strategy and, if that is Webhook, the webhook."""
        conversion: JsonObject = self.spec.get("conversion") or {"strategy": "None"}
        return conversion
