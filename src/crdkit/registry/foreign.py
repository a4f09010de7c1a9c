"""Stored objects of other versions, many in one go, by way of a converter that takes texts: as they are answered in one version."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from crdkit.conversion.converter import ConversionFailed, TextConverter
from crdkit.conversion.metadata import CHANGEABLE
from crdkit.conversion.texts import Text, take_fields
from crdkit.meta import json
from crdkit.meta.json import JsonError
from crdkit.meta.status import unknown
from crdkit.meta.types import JsonObject
from crdkit.registry.rendering import Parts
from crdkit.storage.types import Entry

if TYPE_CHECKING:
    from crdkit.registry.customresource import CustomResource

_TYPE_AND_METADATA: Final = ("apiVersion", "kind", "metadata")


class _Source(NamedTuple):
    """An object as it is sent away. ``metadata`` is its text, where that is in order as it stands; then the head need not have all of it."""

    head: JsonObject
    text: Text
    metadata: Parts | None = None


class ForeignObjects:
    """Reads stored objects in the version of a resource; ``stored`` gives the resource of the version that is stored now."""

    def __init__(self, resource: CustomResource, stored: Callable[[], CustomResource | None], converter: TextConverter) -> None:
        self._resource, self._stored, self._converter = resource, stored, converter

    async def read(self, entries: Sequence[Entry]) -> list[Parts]:
        """How entries are answered. Raises a `Refusal`."""
        by_version: dict[str, dict[int, _Source]] = {}
        for position, source in enumerate(self._sources(entries)):
            by_version.setdefault(source.head["apiVersion"], {})[position] = source
        found: dict[int, Parts] = {}
        for api_version, sources in by_version.items():
            if api_version == self._resource.api_version:
                found |= {position: self._resource.style.parts(self._resource.load_stored(entries[position].value)) for position in sources}
            else:
                found |= zip(sources, await self._converted(list(sources.values())), strict=True)
        return [found[position] for position in range(len(entries))]

    def _sources(self, entries: Sequence[Entry]) -> list[_Source]:
        stored = self._stored()
        if stored is None or stored is self._resource:
            return [self._completed(entry) for entry in entries]
        return [_plain(entry, stored) or self._completed(entry) for entry in entries]

    def _completed(self, entry: Entry) -> _Source:
        """An object that has to be read in its own version first."""
        obj = self._resource.load_stored(entry.value)
        text = entry.value if json.encode_without_floats(obj) == entry.value else json.encode(obj)
        return _Source({name: obj[name] for name in _TYPE_AND_METADATA}, Text(text))

    async def _converted(self, sources: Sequence[_Source]) -> list[Parts]:
        heads, texts = [source.head for source in sources], [source.text for source in sources]
        try:
            converted = await self._converter.convert_texts(heads, texts, self._resource.api_version)
            return [self._parts(source, obj, nulls=converted.nulls) for source, obj in zip(sources, converted.objects, strict=True)]
        except (ConversionFailed, ValueError) as error:
            raise unknown(str(error)) from error

    def _parts(self, source: _Source, obj: JsonObject, *, nulls: bool) -> Parts:
        """A converted object, which is changed in place, as it is answered. Raises `ValueError`."""
        compiled, style = self._resource.compiled, self._resource.style
        before = source.head["metadata"]
        if source.metadata is not None:
            if obj["metadata"] == before:
                compiled.read_content(obj, nulls=nulls)
                return style.parts_beside(source.metadata, obj)
            before = json.decode(b"{" + source.metadata.text())
            obj["metadata"] = _changed(before, obj["metadata"])
        compiled.read(obj, beside=before)
        return style.parts(obj)


def _plain(entry: Entry, stored: CustomResource) -> _Source | None:
    """An object that may be sent as it is stored, if it is known to be one."""
    metadata = stored.renderings.metadata(entry)
    if metadata is None:
        return None
    taken = take_fields(b"{" + metadata.text())
    try:
        head = {"apiVersion": stored.api_version, "kind": stored.kind, "metadata": json.decode(taken.data)}
    except JsonError:
        return None
    return _Source(head, Text(entry.value, taken.fields), metadata)


def _changed(metadata: JsonObject, converted: JsonObject) -> JsonObject:
    """Metadata with what a converter has changed."""
    changed = {name: value for name, value in metadata.items() if name not in CHANGEABLE}
    return changed | {name: converted[name] for name in CHANGEABLE if name in converted}
