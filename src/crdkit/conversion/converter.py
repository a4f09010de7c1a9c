"""What whoever stores or shows objects is promised of their conversion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from crdkit.conversion.texts import Text
from crdkit.meta.types import JsonObject


class ConversionFailed(Exception):
    """Objects cannot be had in another version; ``str()`` is the real server's text."""


class Converter(Protocol):
    """Converts between the versions of one definition. Knows no schema: whoever reads the result prunes it."""

    batch_size: int
    """So many objects are best converted in one go."""

    @property
    def by_text(self) -> TextConverter | None:
        """The same for objects whose texts are at hand, if objects are sent away as texts."""
        ...

    async def convert(self, objects: Sequence[JsonObject], wanted: str) -> list[JsonObject]:
        """The objects, all of one apiVersion, as they are in the version ``wanted`` (an apiVersion, and another).

        The objects given are left as they are; those returned may share parts with them. Raises `ConversionFailed` if one of them cannot
        be converted.
        """
        ...


class TextConverter(Protocol):
    """Converts what is sent away as text."""

    async def convert_texts(self, heads: Sequence[JsonObject], texts: Sequence[Text], wanted: str) -> Converted:
        """What `Converter.convert` does for the objects that these are the texts of. Of ``heads`` nothing is looked at but type and metadata.

        The metadata that an object has in its head is what it has when it comes back, but for what a converter may change.
        """
        ...


class Converted(NamedTuple):
    """Objects in another version, and whether there may be a null among their values."""

    objects: list[JsonObject]
    nulls: bool


def failed(obj: JsonObject, kind: str, why: str) -> ConversionFailed:
    """The failure of a webhook that was to convert an object; ``why`` goes on from its kind."""
    return ConversionFailed(f"conversion webhook for {obj.get('apiVersion', '')}, Kind={kind} {why}")
