"""New definitions are made ready for a first object while nobody waits for that."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from typing import Final
from weakref import ReferenceType, ref

from crdkit.builtin.kinds import DEFINITION
from crdkit.meta.status import Refusal
from crdkit.registry.customresource import CustomResource
from crdkit.registry.definitionindex import DefinitionIndex
from crdkit.storage.cache import Cache

logger = logging.getLogger(__name__)

PAUSE: Final = 0.0005
"""Seconds before anything is made ready: a definition is answered first."""
LARGEST: Final = 32 * 1024
"""Bytes of a stored definition all of whose parts are made within a few milliseconds, none taking more than one or two."""
KEPT: Final = 4
"""So many definitions that have no objects are kept ready: most definitions that somebody installs never get any."""


class Readiness:
    """Knows the definition made last, and those that were made ready for objects which have not come yet."""

    def __init__(self, cache: Cache, index: DefinitionIndex) -> None:
        self._cache, self._index = cache, index
        self._newest = ""
        self._ready: deque[ReferenceType[CustomResource]] = deque()  # a definition that goes leaves nothing here
        self._task: asyncio.Task[None] | None = None

    def expect(self, name: str) -> None:
        """Make the definition of that name ready, unless another follows at once."""
        self._newest = name
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run(), name="definition readiness")

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        await asyncio.sleep(PAUSE)
        while self._newest:
            resource = self._find(self._newest)
            self._newest = ""
            if resource is not None:
                await self._make_ready(resource)

    def _find(self, name: str) -> CustomResource | None:
        definition, entry = self._index.get(name), self._cache.get(DEFINITION.prefix + name)
        if definition is None or entry is None or len(entry.value) > LARGEST:
            return None
        try:
            return self._index.resource(definition.group, definition.storage_version.name, definition.names.plural)
        except Refusal:
            return None

    async def _make_ready(self, resource: CustomResource) -> None:
        """Make one part after the other; who comes meanwhile makes those that are missing."""
        self._ready.append(ref(resource))
        try:
            for _ in resource.make_ready():
                await asyncio.sleep(0)
        except Exception:
            logger.exception("%s could not be made ready", resource.about)
        while len(self._ready) > KEPT:
            self._drop(self._ready.popleft()())

    def _drop(self, resource: CustomResource | None) -> None:
        if resource is not None and not self._cache.list(resource.prefix, limit=1).entries:
            resource.forget_ready()
