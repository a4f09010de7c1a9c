"""A long answer in pieces that are made as they are sent: it never stands in memory as a whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

LONG: Final = 128 * 1024
"""What is not longer is as well sent as a whole."""


class Pieces:
    """So many bytes. Whoever sends them takes one piece after the other, once; that may be in another thread."""

    __slots__ = ("_pieces", "_size")

    def __init__(self, size: int, pieces: Iterable[bytes]) -> None:
        self._size, self._pieces = size, pieces

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._pieces)

    def followed_by(self, end: bytes) -> Pieces:
        return Pieces(self._size + len(end), chain(self._pieces, (end,)))

    def enclosed(self, opening: bytes, closing: bytes) -> Pieces:
        """The same between an opening and a closing, without the comma that it begins with."""
        return Pieces(len(opening) + max(self._size - 1, 0) + len(closing), self._between(opening, closing))

    def _between(self, opening: bytes, closing: bytes) -> Iterator[bytes]:
        pieces = iter(self._pieces)
        yield opening + next(pieces, b"")[1:]
        yield from pieces
        yield closing

    def joined(self) -> bytes:
        return b"".join(self._pieces)
