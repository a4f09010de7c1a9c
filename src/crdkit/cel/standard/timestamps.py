"""Moments: RFC 3339 as Go reads and prints it."""

from __future__ import annotations

import re
from typing import Final

from crdkit.cel.standard.clock import DAY, MAX_SECONDS, MIN_SECONDS, NANOS, civil_from_days, days_from_civil
from crdkit.cel.values import Timestamp

_RFC3339: Final = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{1,2}):([0-9]{2}):([0-9]{2})(?:[.,]([0-9]+))?(?:Z|([+-])([0-9]{2}):([0-9]{2}))\Z"
)
_DAYS: Final = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


class TimestampRangeError(ValueError):
    """A moment outside the years 1 to 9999."""


def parse_timestamp(text: str) -> Timestamp:
    """Raises `ValueError`; `TimestampRangeError` for what can be read but is out of range."""
    value = read_timestamp(text)
    if not MIN_SECONDS <= value.nanos // NANOS <= MAX_SECONDS:
        raise TimestampRangeError(text)
    return value


def read_timestamp(text: str) -> Timestamp:
    """Likewise, in whatever year. Raises `ValueError`."""
    found = _RFC3339.match(text)
    if found is None:
        raise ValueError(text)
    year, month, day, hour, minute, second = (int(part) for part in found.group(1, 2, 3, 4, 5, 6))
    if not (1 <= month <= 12 and 1 <= day <= _month_length(year, month) and hour < 24 and minute < 60 and second < 60):
        raise ValueError(text)
    offset = _offset(found)
    seconds = days_from_civil(year, month, day) * DAY + hour * 3600 + minute * 60 + second - offset
    return Timestamp(seconds * NANOS + int(((found[7] or "") + "000000000")[:9]), offset)


def _month_length(year: int, month: int) -> int:
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 29 if month == 2 and leap else _DAYS[month - 1]


def _offset(found: re.Match[str]) -> int:
    if not found[8]:
        return 0
    hours, minutes = int(found[9]), int(found[10])
    if hours > 24 or minutes > 60:
        raise ValueError(found[0])
    return (hours * 3600 + minutes * 60) * (-1 if found[8] == "-" else 1)


def print_timestamp(value: Timestamp) -> str:
    """In the zone that it was written in, with as many digits as it needs."""
    seconds, nanos = divmod(value.nanos, NANOS)
    days, rest = divmod(seconds + value.offset, DAY)
    year, month, day = civil_from_days(days)
    fraction = f".{nanos:09d}".rstrip("0") if nanos else ""
    return f"{year:04d}-{month:02d}-{day:02d}T{rest // 3600:02d}:{rest // 60 % 60:02d}:{rest % 60:02d}{fraction}{_zone(value.offset)}"


def _zone(offset: int) -> str:
    if not offset:
        return "Z"
    minutes = abs(offset) // 60
    return f"{'-' if offset < 0 else '+'}{minutes // 60:02d}:{minutes % 60:02d}"
