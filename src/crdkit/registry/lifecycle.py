"""Which namespaces take new objects: those that are there and not being deleted."""

from __future__ import annotations

from typing import Final

from crdkit.builtin.kinds import NAMESPACE
from crdkit.meta import json
from crdkit.meta.status import GroupResource, Refusal, forbidden, not_found
from crdkit.registry.resource import Resource
from crdkit.storage.cache import Cache
from crdkit.storage.types import Guard

PREFIX: Final = NAMESPACE.prefix
_ABOUT: Final = GroupResource("", "namespaces")
_MOST_NAMESPACES: Final = 10_000
"""So many are known to be open; beyond, all are read again."""


class NamespaceLifecycle:
    """Looks namespaces up in the cache. Whether one is being deleted is read once per stored state of it."""

    def __init__(self, cache: Cache) -> None:
        self._cache = cache
        self._open: dict[str, Guard] = {}
        """The state in which a namespace was found open, by its name."""

    def admit(self, resource: Resource, namespace: str, name: str) -> list[Guard]:
        """Let an object be created in a namespace, and give what must still stand when it is. Raises a `Refusal` (404, 403)."""
        entry = self._cache.get(PREFIX + namespace)
        if entry is None:
            self._open.pop(namespace, None)
            raise not_found(_ABOUT, namespace)
        known = self._open.get(namespace)
        if known is None or known.revision != entry.revision:
            if json.decode(entry.value).get("status", {}).get("phase") == "Terminating":
                raise self._terminating(resource, namespace, name)
            if len(self._open) >= _MOST_NAMESPACES:
                self._open.clear()
            known = self._open[namespace] = Guard(entry.key, entry.revision)
        return [known]

    def _terminating(self, resource: Resource, namespace: str, name: str) -> Refusal:
        why = f"namespace {namespace} is being terminated"
        refusal = forbidden(resource.about, name, f"unable to create new content in namespace {namespace} because it is being terminated")
        cause = {"reason": "NamespaceTerminating", "message": why, "field": "metadata.namespace"}
        refusal.status["details"]["causes"] = [cause]
        return refusal
