"""What Go makes of JSON numbers: conversions between int64 and float64, and which floats count as integers."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Final

MIN_INT64: Final = -(2**63)
MAX_INT64: Final = 2**63 - 1
MAX_SAFE: Final = float(2**53 - 1)
"""A float beyond this is no JSON integer, however whole."""

MAX_FLOAT32: Final = 3.4028235677973366e38
"""The smallest float64 that no longer rounds to a finite float32."""

_EPSILON: Final = 1e-9


def to_int64(value: float) -> int:
    """``int64(value)`` on amd64: cut off towards zero, and the least int64 for all that does not fit."""
    if not -9.3e18 < value < 9.3e18:
        return MIN_INT64
    whole = int(value)
    return whole if MIN_INT64 <= whole <= MAX_INT64 else MIN_INT64


def is_int64(value: float) -> bool:
    """Whether a number written out in full reads as an int64: 1e15 and 2.0 do, 2.5 and 1e19 do not.

    A large float is written with as few digits as tell it from others, and zeros: -2**63 as -9223372036854776000, which is none.
    """
    if isinstance(value, int):
        return MIN_INT64 <= value <= MAX_INT64
    if abs(value) <= MAX_SAFE:
        return value.is_integer()
    return MIN_INT64 <= int(Decimal(repr(value))) <= MAX_INT64


def is_whole(value: float) -> bool:
    """Whether a float counts as an integer: whole to within a relative error of 1e-9, and safe to write in JSON."""
    if not -MAX_SAFE <= value <= MAX_SAFE:
        return False
    rounded = math.floor(abs(value) + 0.5)
    if abs(value) == rounded:
        return True
    return rounded != 0 and abs(abs(value) - rounded) < _EPSILON * rounded


def is_whole_from_below(value: float) -> bool:
    """`is_whole` as old servers have it: near an integer from above only, and never near a negative one."""
    if not -MAX_SAFE <= value <= MAX_SAFE:
        return False
    whole = int(value)
    if value == whole:
        return True
    return whole > 0 and (value - whole) / (value + whole) < _EPSILON
