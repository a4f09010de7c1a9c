"""Objects of any kind as parameters of policies, read from the cache."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from crdkit.meta.types import JsonObject
from crdkit.registry.resource import Resource
from crdkit.storage.cache import Cache

Find = Callable[[str, str, str], Resource | None]
"""The resource of a group, a version and a kind."""


class Params:
    """Finds the kinds of parameters."""

    def __init__(self, cache: Cache, find: Find) -> None:
        self._cache = cache
        self._find = find

    def find(self, api_version: str, kind: str) -> ParamObjects | None:
        group, _, version = api_version.rpartition("/")
        resource = self._find(group, version, kind)
        return None if resource is None else ParamObjects(self._cache, resource)


class ParamObjects:
    """The objects of one kind."""

    def __init__(self, cache: Cache, resource: Resource) -> None:
        self._cache = cache
        self._resource = resource
        self.namespaced = resource.namespaced

    async def get(self, namespace: str, name: str) -> JsonObject | None:
        entry = self._cache.get(self._resource.key(namespace, name))
        return None if entry is None else await self._resource.main.read(entry)

    async def list(self, namespace: str) -> Sequence[JsonObject]:
        entries = self._cache.list(self._resource.key(namespace, "")).entries
        return [await self._resource.main.read(entry) for entry in entries]
