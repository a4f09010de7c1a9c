"""What whoever stores or shows objects is promised of their conversion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from crdkit.meta.types import JsonObject


class ConversionFailed(Exception):
    """Objects cannot be had in another version; ``str()`` is the real server's text."""


class Converter(Protocol):
    """Converts between the versions of one definition. Knows no schema: whoever reads the result prunes it."""

    batch_size: int
    """So many objects are best converted in one go."""
    by_text: bool
    """Whether objects are sent away as texts: of those that are given as such, too, nothing but type and metadata is looked at."""

    async def convert(self, objects: Sequence[JsonObject], wanted: str, *, texts: Sequence[bytes] | None = None) -> list[JsonObject]:
        """The objects, all of one apiVersion, as they are in the version ``wanted`` (an apiVersion, and another).

        ``texts`` are the same objects as JSON, where that is at hand (see `by_text`). The objects given are left as they are; those returned may share
        parts with them. Raises `ConversionFailed` if one of them cannot be converted.
        """
        ...


def failed(obj: JsonObject, kind: str, why: str) -> ConversionFailed:
    """The failure of a webhook that was to convert an object; ``why`` goes on from its kind."""
    return ConversionFailed(f"conversion webhook for {obj.get('apiVersion', '')}, Kind={kind} {why}")
