"""The versions of a kind: what this room needs to be told of them, since owners' sets are in words of the version they wrote in."""

from __future__ import annotations

from typing import Protocol

from crdkit.meta.types import JsonObject
from crdkit.ownership.types import Type


class ConversionFailed(Exception):
    """An object cannot be had in another version; the text is told to the client."""


class UnknownVersion(Exception):
    """There is no such version of the kind any more, and its owners are forgotten."""


class Versions(Protocol):
    """All versions of one kind. Objects are converted, sets of fields never are."""

    def type_in(self, api_version: str) -> Type:
        """The type of the kind's objects in a version. Raises `UnknownVersion`."""
        ...

    async def convert(self, obj: JsonObject, api_version: str) -> JsonObject:
        """The object in another version; ``obj`` is left as it is. Raises `ConversionFailed` or `UnknownVersion`."""
        ...
