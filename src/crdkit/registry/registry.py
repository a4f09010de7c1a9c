"""The resources that are served, and the verbs on them: the one door for whoever answers requests."""

from __future__ import annotations

from crdkit.meta.version import KubeVersion
from crdkit.registry.definitionindex import DefinitionIndex
from crdkit.registry.request import Reply, Request, WatchReply
from crdkit.registry.resource import Resource
from crdkit.storage.cache import Cache


class Registry:
    """Answers verbs on built-in and defined resources from one cache.

    ``controllers`` tells whether controllers run beside it: without them a namespace's deletion is never finished.
    """

    def __init__(self, cache: Cache, kube: KubeVersion, *, controllers: bool = True) -> None:
        self.cache = cache
        self.kube = kube
        self.controllers = controllers
        self.definitions = DefinitionIndex(cache, kube)

    async def start(self) -> None:
        """Create what exists from the start (namespaces), and take up what a stopped server left undone."""

    async def stop(self) -> None:
        """End background work (deletion of definitions, open watches)."""

    def find(self, group: str, version: str, resource: str) -> Resource | None:
        """The resource served under these names, built-in or defined; its ``kind``, ``namespaced``, ``verbs`` … say more."""
        raise NotImplementedError

    def builtin(self) -> list[Resource]:
        """Every built-in resource, for discovery."""
        raise NotImplementedError

    async def handle(self, request: Request) -> Reply | WatchReply:
        """Answer a request. Raises `Refusal` or `PlainRefusal` for every other outcome."""
        raise NotImplementedError
