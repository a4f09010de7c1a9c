"""Numbers as Go writes them and reads them again."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from crdkit.meta.types import Json

_MOST_DIGITS: Final = 40
"""No number of 64 bits has as many."""
_BEYOND: Final = int("1" * _MOST_DIGITS)
_EXACT: Final = 1 << 53
"""Below this every whole number is a float of its own."""


def of_digits(text: str) -> int:
    """The number that decimal digits write, with a sign or without.

    One that is far beyond 64 bits comes out smaller, but still beyond: Python takes very long for many digits, or refuses.
    """
    if len(text) <= _MOST_DIGITS:
        return int(text)
    digits = text.lstrip("+-0")
    size = int(digits or "0") if len(digits) <= _MOST_DIGITS else _BEYOND
    return -size if text[0] == "-" else size


def whole(value: float) -> Json:
    """A number as Go writes and reads it again: one without a fraction, within 64 bits, is an integer.

    Go writes no more digits than tell a number from its neighbours: of 9223372036854774784 it leaves 9223372036854775000.
    """
    if not value.is_integer() or not -(1 << 63) <= value < 1 << 63:
        return value
    return int(value) if abs(value) < _EXACT else int(Decimal(repr(value)))


def canonical(value: Json) -> Json:
    """A free JSON value as it is after Go has decoded and written it: floats without a fraction become integers."""
    if type(value) is float:
        return whole(value)
    if type(value) is list:
        return [canonical(item) for item in value]
    if type(value) is dict:
        return {key: canonical(item) for key, item in value.items()}
    return value
