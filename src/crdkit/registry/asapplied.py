"""What an applied configuration says in words that are read as nothing: empty labels, nulls in metadata and in that of embedded resources.

A real server stores them as they were applied, and makes nothing of them only when it reads the object again. So applying them
changes what is stored, every time, and the next who changes the object without them drops them, even if that is all there is to do.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from crdkit.meta.types import Json, JsonObject

_ABSENT: Final = object()
_METADATA: Final = "metadata"
_KEPT: Final = ("labels", "annotations", "finalizers", "ownerReferences", "generateName", "deletionTimestamp", "deletionGracePeriodSeconds")
"""What of its metadata a client may apply, and the server does not set itself."""

Differing = dict[str, tuple[Json, object]]
"""Fields as they were applied, and as they are read."""


class AsApplied:
    """One object that applying made, where it is read as another."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Begin anew, with an object that is read as what it is."""
        self._has_link = False
        self._metadata: Differing = {}
        self._content: Differing = {}

    def note(self, applied: JsonObject, read: JsonObject) -> None:
        """An object of which this may be stored is ``read`` as that."""
        metadata = applied.get(_METADATA) or {}
        self._has_link = "selfLink" in metadata
        self._metadata = _differing(metadata, read.get(_METADATA) or {}, _KEPT)
        self._content = _differing(applied, read, applied.keys() - {_METADATA})

    def as_stored(self, obj: JsonObject) -> JsonObject:
        """The object, which may have been changed since, as it is stored; itself if there is no difference."""
        if not self._metadata and not self._content:
            return obj
        metadata, content = _restored(obj[_METADATA], self._metadata), _restored(obj, self._content)
        return obj if metadata is obj[_METADATA] and content is obj else {**content, _METADATA: metadata}

    def is_change(self, obj: JsonObject) -> bool:
        """Whether the object changes even if it is read as what it was: so does one that is given a ``selfLink``, which is not stored."""
        return self._has_link or self.as_stored(obj) is not obj

    def changes_content(self, obj: JsonObject) -> bool:
        """Whether anything beside the object's metadata is stored otherwise."""
        return _restored(obj, self._content) is not obj


def _differing(applied: JsonObject, read: JsonObject, names: Iterable[str]) -> Differing:
    if applied is read:
        return {}
    return {
        name: (applied[name], read.get(name, _ABSENT)) for name in names if name in applied and applied[name] != read.get(name, _ABSENT)
    }


def _restored(fields: JsonObject, differing: Differing) -> JsonObject:
    kept = {name: applied for name, (applied, read) in differing.items() if fields.get(name, _ABSENT) == read}
    return {**fields, **kept} if kept else fields
