"""What requests come to that differ in names, namespaces and bodies alone: found out once, and done again while nothing has changed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from crdkit.meta.records import record
from crdkit.registry.customresource import CustomResource
from crdkit.registry.registry import Registry
from crdkit.registry.request import Reply, Request
from crdkit.server.message import Headers
from crdkit.server.negotiation import Media
from crdkit.server.requestinfo import RequestInfo

MOST_WAYS: Final = 512
LONGEST_KNOWN: Final = 1024

Run = Callable[[Request], Awaitable[Reply]]


@record
class Way:
    """The route of the requests of one sort that accept and send the same types, and how they are read and answered."""

    resource: CustomResource
    run: Run | None
    """Does what is asked for, as `Registry.way` says; reads have none."""
    content_type: str
    media: Media
    warning: str
    """That the version is deprecated."""


class Ways:
    """What requests on custom objects have come to since a definition last changed.

    Who asks and whether he may is no part of it: that is asked each time.
    """

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._definitions = registry.definitions
        self._generation = self._definitions.generation
        self._ways: dict[tuple[str, str, str], Way] = {}

    def find(self, info: RequestInfo, headers: Headers) -> Way | None:
        if self._generation != self._definitions.generation:
            self._generation = self._definitions.generation
            self._ways.clear()
        return None if headers.impersonates else self._ways.get((info.sort, headers.accept, headers.content_type))

    def keep(self, info: RequestInfo, headers: Headers, resource: CustomResource, content_type: str, media: Media) -> None:
        """Know again what a request has come to, just now, if it is one of those that come again and again."""
        if not info.sort or len(headers.accept) + len(headers.content_type) > LONGEST_KNOWN or self._registry.cache.shared:
            return
        run = self._registry.way(resource, info.subresource, info.verb)
        if run is None and (info.verb != "get" or info.subresource):
            return
        if len(self._ways) >= MOST_WAYS:
            self._ways.clear()
        way = Way(resource, run, content_type, media, resource.served.deprecation_warning or "")
        self._ways[info.sort, headers.accept, headers.content_type] = way
