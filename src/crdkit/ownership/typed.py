"""Objects with what this room knows of them: their type, and the version they are in."""

from __future__ import annotations

from crdkit.meta.records import record
from crdkit.meta.types import JsonObject
from crdkit.ownership.conformity import require
from crdkit.ownership.types import Type
from crdkit.ownership.versions import Versions


@record
class Typed:
    """An object in one version, of that version's type."""

    value: JsonObject
    type: Type
    api_version: str

    def with_value(self, value: JsonObject) -> Typed:
        return Typed(value, self.type, self.api_version)


async def convert(obj: Typed, api_version: str, versions: Versions) -> Typed:
    """The object in another version. Raises `ConversionFailed`, `UnknownVersion`, or `NotOfType` if it comes out as nothing of the kind."""
    if api_version == obj.api_version:
        return obj
    value = await versions.convert(obj.value, api_version)
    type_ = versions.type_in(api_version)
    require(type_, value, duplicates=False)
    return Typed(value, type_, api_version)
