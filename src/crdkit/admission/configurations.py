"""The objects that say who has a say in requests, as they stand in the cache: followed by subscription."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from crdkit.builtin.kinds import (
    MUTATING_POLICY,
    MUTATING_POLICY_BINDING,
    MUTATING_WEBHOOKS,
    VALIDATING_POLICY,
    VALIDATING_POLICY_BINDING,
    VALIDATING_WEBHOOKS,
    BuiltinKind,
)
from crdkit.meta import json
from crdkit.meta.types import JsonObject
from crdkit.storage.cache import Cache
from crdkit.storage.types import Event, EventKind

GROUP: Final = MUTATING_WEBHOOKS.group
_ACTIVE: Final = (MUTATING_POLICY_BINDING, MUTATING_WEBHOOKS, VALIDATING_POLICY_BINDING, VALIDATING_WEBHOOKS)
"""A policy without a binding does nothing."""
_KINDS: Final = (*_ACTIVE, MUTATING_POLICY, VALIDATING_POLICY)
EXEMPT: Final = frozenset(kind.plural for kind in _KINDS)
"""Nobody has a say in requests that change who has one."""


class Configurations:
    """Follows the cache. ``idle``: nobody has a say in anything; ``generation`` counts the changes."""

    def __init__(self, cache: Cache) -> None:
        self._cache = cache
        self._objects: dict[str, dict[str, JsonObject]] = {kind.plural: {} for kind in _KINDS}
        self._unsubscribe: list[Callable[[], None]] = []
        self.idle = True
        self.generation = 0

    def start(self) -> None:
        """Take up what is in the cache, and follow it from there."""
        for kind in _KINDS:
            self._unsubscribe.append(self._cache.subscribe(kind.prefix, self._follower(kind)))
            for entry in self._cache.list(kind.prefix).entries:
                self._objects[kind.plural][entry.key.removeprefix(kind.prefix)] = json.decode(entry.value)
        self._changed()

    def stop(self) -> None:
        for unsubscribe in self._unsubscribe:
            unsubscribe()
        self._unsubscribe = []

    def objects(self, kind: BuiltinKind) -> Mapping[str, JsonObject]:
        """The objects of a kind by name; one that is changed becomes another."""
        return self._objects[kind.plural]

    def _follower(self, kind: BuiltinKind) -> Callable[[Event], None]:
        objects = self._objects[kind.plural]

        def follow(event: Event) -> None:
            name = event.key.removeprefix(kind.prefix)
            if event.kind is EventKind.DELETE:
                objects.pop(name, None)
            else:
                objects[name] = json.decode(event.value)
            self._changed()

        return follow

    def _changed(self) -> None:
        self.generation += 1
        self.idle = not any(self._objects[kind.plural] for kind in _ACTIVE)
