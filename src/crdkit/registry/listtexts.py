"""The items of lists as text, in pieces: what is listed again and again, by every controller that starts, is made once.

A piece is the text of a stretch of entries as the cache has them, and is gone when one of these changes. The pieces of long lists are
made as they are sent.
"""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Sequence
from itertools import islice
from typing import Any, Final

from crdkit.registry.pieces import Pieces
from crdkit.registry.rendering import Items
from crdkit.registry.resource import Resource
from crdkit.storage.runs import Stretch
from crdkit.storage.types import Entry

MOST_BYTES: Final = 6 * 1024 * 1024
"""Room for all kept texts together; the least recently asked for goes first."""
MOST_OF_ONE: Final = MOST_BYTES // 2
"""So much is kept of one list: making the rest takes little beside sending it."""
MOST_PIECES: Final = 16
"""So many pieces of one run, as pages that begin anywhere may have cut them, or several versions."""
_IN_A_PIECE: Final = 64


class _Piece:
    """Some items of a list; ``text`` is there while there is room for it."""

    __slots__ = ("__weakref__", "items", "size", "text")

    def __init__(self, items: Items) -> None:
        self.items = items
        self.size = len(items)
        self.text: bytes | None = None


class ListTexts:
    """Makes texts of lists of all objects in a row, and keeps them within its bounds, as long as the cache has their pieces."""

    def __init__(self) -> None:
        self._kept: dict[weakref.ref[_Piece], int] = {}
        """The sizes of the texts that are kept, the one least recently asked for first."""
        self._gone: deque[weakref.ref[_Piece]] = deque()  # which may come to be in a thread that sends them
        self.size = 0

    async def items(self, resource: Resource, stretches: Sequence[Stretch[Entry]]) -> Pieces:
        """The items of a list, each after a comma. Raises a `Refusal`."""
        places = [(stretch.run.made, (resource.serial, stretch.begin, stretch.end)) for stretch in stretches]
        known: list[_Piece | None] = [made.get(place) for made, place in places]
        new = [stretch.entries if piece is None else [] for stretch, piece in zip(stretches, known, strict=True)]
        shown = iter(await resource.shown([entry for entries in new for entry in entries]))
        pieces = [
            piece or _remember(made, place, _Piece(resource.items(entries, list(islice(shown, len(entries))))))
            for (made, place), piece, entries in zip(places, known, new, strict=True)
        ]
        room = MOST_OF_ONE
        for piece in pieces:
            if (room := room - piece.size) < 0:
                break
            self._keep(piece)
        return Pieces(sum([piece.size for piece in pieces]), (piece.text or piece.items.text() for piece in pieces))

    def _keep(self, piece: _Piece) -> None:
        if piece.text is None:
            piece.text = piece.items.text()
        place = weakref.ref(piece, self._gone.append)
        self._drop(place)
        self._kept[place] = piece.size
        self.size += piece.size
        while self._gone:
            self._drop(self._gone.popleft())
        while self.size > MOST_BYTES:
            oldest = next(iter(self._kept))
            self._drop(oldest)
            if (dropped := oldest()) is not None:
                dropped.text = None

    def _drop(self, place: weakref.ref[_Piece]) -> None:
        self.size -= self._kept.pop(place, 0)


def _remember(made: dict[Any, Any], place: tuple[int, int, int], piece: _Piece) -> _Piece:
    if len(made) >= MOST_PIECES:
        made.clear()
    made[place] = piece
    return piece


async def items(resource: Resource, entries: Sequence[Entry]) -> Pieces:
    """The items of a list of some objects, each after a comma; nothing is kept. Raises a `Refusal`."""
    shown = await resource.shown(entries)
    starts = range(0, len(entries), _IN_A_PIECE)
    pieces = [resource.items(entries[at : at + _IN_A_PIECE], shown[at : at + _IN_A_PIECE]) for at in starts]
    return Pieces(sum([len(piece) for piece in pieces]), (piece.text() for piece in pieces))
