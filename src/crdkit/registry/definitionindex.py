"""The definitions that stand in the cache, by name and by what they serve."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from crdkit.builtin.kinds import DEFINITION
from crdkit.conversion.calls import Calls
from crdkit.conversion.converter import Converter
from crdkit.conversion.strategies import Strategies
from crdkit.definitions.bundles import has_valid_bundle
from crdkit.definitions.definition import Definition
from crdkit.meta import json
from crdkit.meta.changes import same
from crdkit.meta.status import internal_error
from crdkit.meta.version import KubeVersion
from crdkit.registry.customresource import CustomResource
from crdkit.registry.definitionresource import read_stored
from crdkit.storage.cache import Cache
from crdkit.storage.types import Entry, Event, EventKind

logger = logging.getLogger(__name__)

PREFIX: Final = DEFINITION.prefix
LINGERING: Final = 1.0
"""So many seconds a watch goes on, as it began, after its definition has changed: clients take a watch that ends at once for broken."""


class DefinitionIndex:
    """Follows the cache; ``generation`` counts its changes, so whoever derives something from it knows when to do so again."""

    def __init__(self, cache: Cache, kube: KubeVersion, conversion: Strategies) -> None:
        self._cache = cache
        self._kube = kube
        self._conversion = conversion
        self._by_name: dict[str, Definition] = {}
        self._serving: dict[str, _Serving] = {}
        self._lingering: dict[_Serving, asyncio.TimerHandle] = {}
        self._unsubscribe: Callable[[], None] | None = None
        self.generation = 0

    def start(self) -> None:
        """Take up what is in the cache, and follow it from there."""
        self._unsubscribe = self._cache.subscribe(PREFIX, self._changed)
        for entry in self._cache.list(PREFIX).entries:
            self._put(entry)

    def stop(self) -> None:
        if self._unsubscribe is not None:
            self._unsubscribe()
        for timer in self._lingering.values():
            timer.cancel()
        for serving in (*self._lingering, *self._serving.values()):
            serving.end()
        self._lingering.clear()

    def all(self) -> list[Definition]:
        return list(self._by_name.values())

    def get(self, name: str) -> Definition | None:
        return self._by_name.get(name)

    def served(self) -> list[Definition]:
        """The definitions whose objects are served, in the order of their names."""
        return sorted((definition for definition in self._by_name.values() if definition.served), key=lambda definition: definition.name)

    def resource(self, group: str, version: str, plural: str) -> CustomResource | None:
        """What serves the objects of a version, if it is served. Raises a `Refusal` (500) where it lacks a name, or its webhook cannot be called at all."""
        name = f"{plural}.{group}"
        definition = self._by_name.get(name)
        if definition is None or not definition.served:
            return None
        found = self._serving[name].version(version)
        if found is not None and not (definition.fully_named and (definition.established or has_valid_bundle(definition.conversion))):
            raise internal_error("error resolving resource")
        return found

    def remembering(self, name: str) -> list[CustomResource]:
        """What has been made to serve the versions of a definition so far."""
        serving = self._serving.get(name)
        return serving.made() if serving is not None else []

    def converter(self, definition: Definition) -> Converter:
        """What converts the objects of a definition between its versions."""
        return self._conversion.converter(definition.name, definition.conversion, self._kube)

    @property
    def conversions(self) -> Calls:
        """How the calls of conversion webhooks went."""
        return self._conversion.calls

    def _changed(self, event: Event) -> None:
        if event.kind is EventKind.DELETE:
            self._drop(event.key.removeprefix(PREFIX))
        else:
            self._put(Entry(event.key, event.value, event.revision))

    def _put(self, entry: Entry) -> None:
        definition = Definition(read_stored(entry.value, self._kube), entry.revision, self._kube)
        name = definition.name
        serving = self._serving.get(name)
        if serving is None or not serving.serves(definition):
            new = _Serving(definition, self._by_name.get, self.converter(definition))
            if serving is not None:
                new.take_over(serving)
                self._retire(serving)
            self._serving[name] = new
        self._by_name[name] = definition
        self.generation += 1

    def _drop(self, name: str) -> None:
        if self._by_name.pop(name, None) is not None:
            self._retire(self._serving.pop(name))
            self.generation += 1

    def _retire(self, serving: _Serving) -> None:
        serving.retire()
        if serving.is_watched():
            self._lingering[serving] = asyncio.get_running_loop().call_later(LINGERING, self._end, serving)
        else:
            serving.end()

    def _end(self, serving: _Serving) -> None:
        del self._lingering[serving]
        serving.end()


class _Serving:
    """What is made of a definition's spec and accepted names: kept while these stay, whatever else of it changes."""

    def __init__(self, definition: Definition, current: Callable[[str], Definition | None], converter: Converter) -> None:
        self.definition = definition
        self._current = current
        self._converter = converter
        self._versions: dict[str, CustomResource] = {}

    def serves(self, definition: Definition) -> bool:
        mine = self.definition
        return mine.uid == definition.uid and same(mine.spec, definition.spec) and mine.names == definition.names

    def version(self, name: str) -> CustomResource | None:
        found = self._versions.get(name)
        if found is None:
            version = self.definition.version(name)
            if version is None or not version.served:
                return None
            found = self._versions[name] = CustomResource(version, self._current, self._converter, stored=self._stored)
        return found

    def _stored(self) -> CustomResource | None:
        return self.version(self.definition.storage_version.name)

    def take_over(self, former: _Serving) -> None:
        """Use what was found out about objects before the definition changed, as far as it still holds."""
        self.definition.take_over(former.definition)
        version = self.definition.storage_version
        before = former._versions.get(version.name)
        if before is None or json.encode(before.served.raw) != json.encode(version.raw):
            return
        stored = self._stored()
        if stored is not None and stored.kind == before.kind and stored.compiled is before.compiled:
            stored.renderings.take_over(before.renderings)

    def made(self) -> list[CustomResource]:
        return list(self._versions.values())

    def retire(self) -> None:
        for resource in self._versions.values():
            resource.retire()

    def is_watched(self) -> bool:
        return any(resource.watches for resource in self._versions.values())

    def end(self) -> None:
        for resource in self._versions.values():
            resource.end()
