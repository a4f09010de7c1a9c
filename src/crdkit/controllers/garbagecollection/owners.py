"""How the owners that an object names stand now."""

from __future__ import annotations

from typing import Final, NamedTuple

from crdkit.builtin.kinds import NAMESPACE
from crdkit.controllers.garbagecollection.decision import Standing, waits_for_dependents
from crdkit.controllers.garbagecollection.index import Index
from crdkit.controllers.garbagecollection.kinds import Kinds, Place
from crdkit.meta import json
from crdkit.meta.types import JsonObject
from crdkit.storage.cache import Cache
from crdkit.storage.types import Revision

_REMEMBERED: Final = 10_000
"""Of so many owners it is remembered how they stand; then all are read again."""


class _Known(NamedTuple):
    revision: Revision
    uid: str
    waits: bool


class Owners:
    """Looks owners up in the cache, where their references say that they are."""

    def __init__(self, cache: Cache, kinds: Kinds, index: Index) -> None:
        self._cache, self._kinds, self._index = cache, kinds, index
        self._known: dict[str, _Known] = {}

    def standing(self, reference: JsonObject, namespace: str) -> Standing | None:
        """How an owner stands, for an object of that namespace; None where its kind is not served, so nobody can tell."""
        place = self._kinds.place(reference.get("apiVersion", ""), reference.get("kind", ""))
        if place is not None and place.namespaced and not namespace:
            return Standing.IMPOSSIBLE
        if self._index.saw_deletion(reference.get("uid", "")):
            return Standing.ABSENT
        if place is None:
            return None
        known = self._look_up(place.key(namespace, reference.get("name", "")))
        if known is None or known.uid != reference.get("uid"):
            return Standing.ABSENT
        return Standing.WAITING if known.waits else Standing.LIVING

    def is_elsewhere(self, reference: JsonObject, namespace: str) -> bool:
        """Whether an owner that is not in the object's namespace is in another."""
        place = self._kinds.place(reference.get("apiVersion", ""), reference.get("kind", ""))
        if place is None or not place.namespaced or self._index.saw_deletion(reference.get("uid", "")):
            return False
        return any(
            self._is_in(place, entry.key.removeprefix(NAMESPACE.prefix), reference)
            for entry in self._cache.list(NAMESPACE.prefix).entries
            if entry.key != NAMESPACE.prefix + namespace
        )

    def _is_in(self, place: Place, namespace: str, reference: JsonObject) -> bool:
        known = self._look_up(place.key(namespace, reference.get("name", "")))
        return known is not None and known.uid == reference.get("uid")

    def _look_up(self, key: str) -> _Known | None:
        entry = self._cache.get(key)
        if entry is None:
            return None
        known = self._known.get(key)
        if known is None or known.revision != entry.revision:
            metadata: JsonObject = json.decode(entry.value)["metadata"]
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            known = self._known[key] = _Known(entry.revision, metadata.get("uid", ""), waits_for_dependents(metadata))
        return known
