"""The definitions that stand in the cache, by name and by what they serve."""

from __future__ import annotations

from crdkit.definitions.definition import Definition
from crdkit.meta.version import KubeVersion
from crdkit.storage.cache import Cache


class DefinitionIndex:
    """Follows the cache; ``generation`` counts its changes, so whoever derives something from it knows when to do so again."""

    def __init__(self, cache: Cache, kube: KubeVersion) -> None:
        self._cache = cache
        self._kube = kube
        self._by_name: dict[str, Definition] = {}
        self.generation = 0

    def all(self) -> list[Definition]:
        return list(self._by_name.values())

    def get(self, name: str) -> Definition | None:
        return self._by_name.get(name)

    def served(self) -> list[Definition]:
        """The definitions whose objects are served: established (or once so), in the order of their names."""
        raise NotImplementedError
