"""Base64 as Go's encoding/base64 reads it: line ends are skipped, padding is required, an error tells the byte."""

from __future__ import annotations

import base64
import binascii
from typing import Final

_ALPHABET: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
_LINE_ENDS: Final = "\r\n"


class CorruptInput(ValueError):
    """The text is not base64; ``str()`` is Go's text."""

    def __init__(self, position: int) -> None:
        super().__init__(f"illegal base64 data at input byte {position}")
        self.position = position


def decode(text: str) -> bytes:
    """Decode standard base64. Raises `CorruptInput`."""
    try:
        return base64.b64decode(text.translate({13: None, 10: None}), validate=True)
    except (binascii.Error, ValueError):
        raise CorruptInput(_position(text)) from None


def _position(text: str) -> int:
    """Where Go finds the text to be wrong."""
    read = 0
    position = 0
    while position < len(text):
        char = text[position]
        if char in _LINE_ENDS:
            position += 1
        elif char == "=":
            return _padding_position(text, position, read % 4)
        elif char not in _ALPHABET:
            return position
        else:
            read += 1
            position += 1
    return position - read % 4


def _padding_position(text: str, position: int, read: int) -> int:
    """Where a text goes wrong whose padding begins at ``position``, after ``read`` characters of a group of four."""
    if read < 2:
        return position
    after = _next(text, position + 1)
    if read == 2:
        if after == len(text):
            return after
        if text[after] != "=":
            return after - 1
        after = _next(text, after + 1)
    return after


def _next(text: str, position: int) -> int:
    while position < len(text) and text[position] in _LINE_ENDS:
        position += 1
    return position
