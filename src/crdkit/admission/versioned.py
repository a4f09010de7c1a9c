"""A request's objects in the versions that webhooks and policies want to see them in."""

from __future__ import annotations

from dataclasses import field

from crdkit.admission.attributes import Attributes, Kind, Target
from crdkit.meta.records import record
from crdkit.meta.types import JsonObject


@record(frozen=False)
class Versions:
    """The objects of a request that nobody changes any more, each converted at most once."""

    attributes: Attributes
    _known: dict[Kind, tuple[JsonObject | None, JsonObject | None]] = field(default_factory=dict)

    async def objects(self, kind: Kind) -> tuple[JsonObject | None, JsonObject | None]:
        """The object and the old one. Raises `ConversionFailed`."""
        found = self._known.get(kind)
        if found is None:
            target = self.attributes.target
            old = await converted(target, self.attributes.old, kind)
            found = self._known[kind] = await converted(target, self.attributes.obj, kind), old
        return found


@record(frozen=False)
class Changing:
    """The object of a request as one mutation after the other changes it, always in the version that the last one wanted."""

    attributes: Attributes
    kind: Kind
    obj: JsonObject | None
    old: JsonObject | None
    changed: bool = False

    @classmethod
    def of(cls, attributes: Attributes) -> Changing:
        return cls(attributes, attributes.target.variant.kind, attributes.obj, attributes.old)

    async def turn_to(self, kind: Kind) -> None:
        """Raises `ConversionFailed`."""
        if kind == self.kind:
            return
        target, attributes = self.attributes.target, self.attributes
        self.old = await converted(target, attributes.old, kind)
        await self._write_back()
        self.obj = await converted(target, attributes.obj, kind)
        self.kind = kind

    @property
    def is_retyped_by_patch(self) -> bool:
        """Whether the next patch makes another object of it, whatever it says."""
        return self.attributes.target.loses_type and not self.changed

    def replace(self, obj: JsonObject) -> None:
        self.obj, self.changed = obj, True

    async def finish(self) -> None:
        """Leave what has become of the object with the request. Raises `ConversionFailed`."""
        await self._write_back()

    async def _write_back(self) -> None:
        if self.changed and self.obj is not None:
            self.attributes.obj = await self.attributes.target.restore(self.obj)
            self.changed = False


async def converted(target: Target, obj: JsonObject | None, wanted: Kind) -> JsonObject | None:
    """An object in another version, if it is in another. Raises `ConversionFailed`."""
    if obj is None or obj.get("apiVersion") == wanted.api_version:
        return obj
    return await target.convert(obj, wanted)
