"""Which objects a selector chooses; what selectors look at is read once per stored state."""

from __future__ import annotations

from collections.abc import Sequence

from crdkit.registry.listoptions import ListOptions
from crdkit.registry.resource import Resource
from crdkit.storage.types import Entry


class Selection:
    """The label and field selectors of a request; false if they choose everything."""

    def __init__(self, resource: Resource, options: ListOptions) -> None:
        self._resource = resource
        self._labels = options.labels
        self._fields = options.fields
        self._by_place = all(term.field.startswith("metadata.") for term in options.fields.terms)

    def __bool__(self) -> bool:
        return bool(self._labels) or bool(self._fields)

    async def chosen(self, entries: Sequence[Entry]) -> list[Entry]:
        if self._labels or not self._by_place:
            await self._resource.look_ahead(entries)
        return [entry for entry in entries if await self.matches(entry)]

    async def matches(self, entry: Entry | None) -> bool:
        """Whether the selectors choose this state of an object; what is not there is not chosen."""
        if entry is None:
            return False
        if self._labels and not self._labels.matches(await self._labels_of(entry)):
            return False
        if self._by_place:
            namespace, name = self._resource.place(entry.key)
            place = {"metadata.namespace": namespace, "metadata.name": name}
            return self._fields.matches(place.__getitem__)
        obj = await self._resource.read(entry)
        return self._fields.matches(lambda field: self._resource.field_text(obj, field))

    async def _labels_of(self, entry: Entry) -> dict[str, str]:
        """Labels are as they are stored, unless a webhook may show others."""
        if not self._resource.is_foreign(entry):
            return self._resource.labels.of(entry)
        labels: dict[str, str] | None = (await self._resource.read(entry))["metadata"].get("labels")
        return labels or {}
