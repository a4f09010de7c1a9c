"""The items of lists as text, in pieces: what is listed again and again is made once.

Lists are cut where the hashes of keys say. So a write moves no bound but, at most, that of its own piece, and all lists of the same
objects are cut alike, wherever they begin. The pieces of long lists are made as they are sent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

from crdkit.registry.pieces import Pieces
from crdkit.registry.rendering import Items
from crdkit.registry.resource import Resource
from crdkit.storage.types import Entry

MOST_BYTES: Final = 8 * 1024 * 1024
"""Room for all kept pieces together; the least recently asked for goes first."""
MOST_OF_ONE: Final = MOST_BYTES // 2
"""So much is kept of one list: making the rest takes little beside sending it."""
_CUT_ONE_IN: Final = 64
_PIECE_BYTES: Final = 512 * 1024
"""A piece ends here, if not before."""


class _Kept(NamedTuple):
    entries: list[Entry]
    text: bytes


class ListTexts:
    """Makes texts of lists, and keeps the pieces. One is as good as new while it shows the entries that are to be shown."""

    def __init__(self) -> None:
        self._kept: dict[tuple[int, str, str], _Kept] = {}
        self._bytes = 0

    async def items(self, resource: Resource, entries: Sequence[Entry]) -> Pieces:
        """The items of a list of all objects in a row, each after a comma. Raises a `Refusal`."""
        runs = list(_runs(entries))
        texts = [self._find(resource, run) for run in runs]
        missing = [entry for run, text in zip(runs, texts, strict=True) if text is None for entry in run]
        shown = iter(await resource.shown(missing))
        room = MOST_OF_ONE - sum(len(text) for text in texts if text is not None)
        pieces: list[bytes | Items] = []
        for run, text in zip(runs, texts, strict=True):
            if text is not None:
                pieces.append(text)
                continue
            items = resource.items(run, list(islice(shown, len(run))))
            if (room := room - len(items)) < 0:
                pieces.append(items)
            else:
                pieces.append(self._keep(resource, run, items.text()))
        return in_pieces(pieces)

    def _find(self, resource: Resource, run: list[Entry]) -> bytes | None:
        place = (resource.serial, run[0].key, run[-1].key)
        kept = self._kept.get(place)
        if kept is None or kept.entries != run:
            return None
        self._kept[place] = self._kept.pop(place)
        return kept.text

    def _keep(self, resource: Resource, run: list[Entry], text: bytes) -> bytes:
        place = (resource.serial, run[0].key, run[-1].key)
        if (old := self._kept.pop(place, None)) is not None:
            self._bytes -= len(old.text)
        self._kept[place] = _Kept(run, text)
        self._bytes += len(text)
        while self._bytes > MOST_BYTES:
            self._bytes -= len(self._kept.pop(next(iter(self._kept))).text)
        return text


async def items(resource: Resource, entries: Sequence[Entry]) -> Pieces:
    """The items of a list of some objects, each after a comma; nothing is kept. Raises a `Refusal`."""
    shown = iter(await resource.shown(entries))
    return in_pieces([resource.items(run, list(islice(shown, len(run)))) for run in _runs(entries)])


def in_pieces(texts: Sequence[bytes | Items]) -> Pieces:
    return Pieces(sum(map(len, texts)), (text if isinstance(text, bytes) else text.text() for text in texts))


def _runs(entries: Sequence[Entry]) -> Iterator[list[Entry]]:
    """Cut a list: after one in so many keys, by their hashes, which Python keeps with them."""
    begin = size = 0
    for at, entry in enumerate(entries, 1):
        size += len(entry.value)
        if hash(entry.key) % _CUT_ONE_IN == 0 or size > _PIECE_BYTES:
            yield list(entries[begin:at])
            begin, size = at, 0
    if begin < len(entries):
        yield list(entries[begin:])
