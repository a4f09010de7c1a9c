"""The labels of stored objects, read once per stored state: what most selectors look at."""

from __future__ import annotations

from typing import Final

from crdkit.meta import json
from crdkit.storage.types import Entry

MOST_ENTRIES: Final = 50_000
_NONE: Final[dict[str, str]] = {}


class KnownLabels:
    """Remembers labels by key and revision, so many of them."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[str, tuple[int, dict[str, str]]] = {}

    def forget(self, key: str) -> None:
        """The object at a key is gone."""
        self._known.pop(key, None)

    def of(self, entry: Entry) -> dict[str, str]:
        """The labels of a stored object; nobody changes them."""
        known = self._known.get(entry.key)
        if known is not None and known[0] == entry.revision:
            return known[1]
        labels = (json.decode(entry.value)["metadata"].get("labels") or _NONE) if b'"labels":{' in entry.value else _NONE
        self._known.pop(entry.key, None)
        self._known[entry.key] = (entry.revision, labels)
        if len(self._known) > MOST_ENTRIES:
            del self._known[next(iter(self._known))]
        return labels
