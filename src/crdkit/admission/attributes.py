"""What admission is told of a request: the operation, the object as it was and as it is to be, who asks, and what is known of the kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Final, NamedTuple, Protocol

from crdkit.access.user import User
from crdkit.meta.records import record
from crdkit.meta.status import GroupResource
from crdkit.meta.types import JsonObject
from crdkit.ownership.types import Type

CREATE: Final = "CREATE"
UPDATE: Final = "UPDATE"
DELETE: Final = "DELETE"


class Kind(NamedTuple):
    """A kind in a version of its group."""

    group: str
    version: str
    kind: str

    @property
    def api_version(self) -> str:
        return f"{self.group}/{self.version}" if self.group else self.version

    def json(self) -> JsonObject:
        return {"group": self.group, "version": self.version, "kind": self.kind}


class Place(NamedTuple):
    """A resource in a version of its group."""

    group: str
    version: str
    resource: str

    def json(self) -> JsonObject:
        return {"group": self.group, "version": self.version, "resource": self.resource}


class Variant(NamedTuple):
    """A version in which a resource is served, and the kind of its objects there."""

    place: Place
    kind: Kind


class Target(Protocol):
    """The resource that a request is about, as far as admission has to know it."""

    variant: Variant
    """The version that the request names."""
    equivalents: Sequence[Variant]
    """All versions that the resource is served in, for the subresource asked for."""

    loses_type: bool
    """Whether a patched object is of another type in the real server's memory, and so always another one, until it is restored."""

    async def restore(self, obj: JsonObject) -> JsonObject:
        """An object that was changed, in whatever version it is, as one of the version that the request names. Raises `ConversionFailed`."""
        ...

    async def convert(self, obj: JsonObject, wanted: Kind) -> JsonObject:
        """An object in another version. Raises `ConversionFailed`."""
        ...

    def complete(self, obj: JsonObject) -> JsonObject:
        """A patched object with its defaults, in whatever version it is. Raises a `Refusal` for what is no such object."""
        ...

    def type_of(self, kind: Kind) -> Type | None:
        """How the parts of an object in that version are merged; None if that is not known."""
        ...


@record(frozen=False)
class Attributes:
    """One request as admission sees it. ``warnings`` and ``annotations`` grow; ``obj`` is replaced by what mutations make of it."""

    target: Target
    operation: str
    name: str
    namespace: str
    subresource: str
    obj: JsonObject | None
    old: JsonObject | None
    options: JsonObject
    dry_run: bool
    user: User
    warnings: list[str] = field(default_factory=list)
    annotations: dict[str, str] = field(default_factory=dict)
    """For audits."""

    @property
    def about(self) -> GroupResource:
        place = self.target.variant.place
        return GroupResource(place.group, place.resource)

    @property
    def is_about_namespaces(self) -> bool:
        return self.target.variant.place[::2] == ("", "namespaces")
