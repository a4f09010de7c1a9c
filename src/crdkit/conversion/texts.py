"""Objects as texts that go to a webhook and come back: their owners' fields, which nobody reads in its answer, are left out there.

The ``fieldsV1`` of an object are often half of it, and a webhook gives them back as it got them. A mark takes their place before the answer
is decoded. That only they were found, and none of the same text elsewhere, is seen by where the marks turn up.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from crdkit.meta.types import Json

_BEGIN: Final = b'"fieldsV1":{'
_BEHIND: Final = b'},"manager":'


class Text(NamedTuple):
    """An object as JSON; and of the ``fieldsV1`` of its metadata what `take_fields` took, for all others are read where they come back."""

    data: bytes
    fields: Sequence[bytes] = ()


class Shortened(NamedTuple):
    """A text in which marks stand for so many ``fieldsV1``."""

    data: bytes
    marks: int


_MARK: Final = os.urandom(16).hex()
"""Nobody knows it, so that no webhook can answer it."""
_MARKED: Final = b'"fieldsV1":"%s"' % _MARK.encode()


class Taken(NamedTuple):
    """A text of metadata with marks, and what they stand for, in their order: each ``fieldsV1`` with its name."""

    data: bytes
    fields: Sequence[bytes]


def take_fields(metadata: bytes) -> Taken:
    """Put a mark in the place of each ``fieldsV1`` in a text of metadata whose fields come in the order of their names.

    It is what stands before the manager: where owners have more than they ever write, it may be more, or no JSON; then neither is what is
    left without it.
    """
    pieces: list[bytes] = []
    fields: list[bytes] = []
    begin, at = 0, metadata.find(_BEGIN)
    while at >= 0:
        end = metadata.find(_BEHIND, at) + 1
        if not end:
            break
        fields.append(metadata[at:end])
        pieces += (metadata[begin:at], _MARKED)
        begin, at = end, metadata.find(_BEGIN, end)
    pieces.append(metadata[begin:])
    return Taken(b"".join(pieces), fields)


def shorten(data: bytes, fields: Iterable[bytes]) -> Shortened:
    """Put marks in the place of texts that `take_fields` took, which come in this order; those that do not are left where they are."""
    pieces: list[bytes] = []
    begin, at = 0, data.find(_BEGIN)
    for text in fields:
        if at < 0:
            break
        end = at + len(_BEGIN)
        if data.startswith(text, at):
            pieces += (data[begin:at], _MARKED)
            begin = end = at + len(text)
        at = data.find(_BEGIN, end)
    if not pieces:
        return Shortened(data, 0)
    pieces.append(data[begin:])
    return Shortened(b"".join(pieces), len(pieces) // 2)


def marks_of_owners(obj: Json) -> int:
    """How many of the owners of an object have a mark for their fields."""
    metadata = obj.get("metadata") if isinstance(obj, dict) else None
    owners = metadata.get("managedFields") if isinstance(metadata, dict) else None
    if not isinstance(owners, list):
        return 0
    return sum(isinstance(owner, dict) and owner.get("fieldsV1") == _MARK for owner in owners)
