"""Forgetting what is remembered of objects that are gone, a while after: until then those who watch are still told of their end."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import Final

from crdkit.registry.resource import Resource
from crdkit.storage.cache import Cache
from crdkit.storage.types import Event, EventKind

KEPT: Final = 2_000
"""Of so many deleted objects it is still remembered how they are answered."""


class Forgetting:
    """Follows deletions. ``resources`` gives what may remember an object, by its key."""

    def __init__(self, cache: Cache, resources: Callable[[str], Iterable[Resource]]) -> None:
        self._cache, self._resources = cache, resources
        self._deleted: deque[str] = deque()
        self._unsubscribe = cache.subscribe("", self._note)

    def close(self) -> None:
        self._unsubscribe()

    def _note(self, event: Event) -> None:
        if event.kind is EventKind.DELETE:
            self._deleted.append(event.key)
            if len(self._deleted) > KEPT:
                self._forget(self._deleted.popleft())

    def _forget(self, key: str) -> None:
        if self._cache.get(key) is None:
            for resource in self._resources(key):
                resource.forget(key)
