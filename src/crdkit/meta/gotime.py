"""Times as Go's time.Parse reads them, with its errors, and as metav1.Time and MicroTime are written."""

from __future__ import annotations

import functools
import re
from datetime import UTC, datetime, timedelta
from typing import Final

from crdkit.meta import golang


class TimeError(ValueError):
    """The text is no time; ``str()`` is Go's text."""


_RFC3339: Final = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:[.,](\d+))?(Z|[+-]\d\d:\d\d)\Z", re.ASCII)
LAYOUT: Final = "2006-01-02T15:04:05Z07:00"
MICRO_LAYOUT: Final = "2006-01-02T15:04:05.000000Z07:00"
_LAYOUT_PARTS: Final = (
    (re.compile(r"\d{4}", re.ASCII), "2006"), (re.compile("-"), "-"), (re.compile(r"\d\d", re.ASCII), "01"), (re.compile("-"), "-"),
    (re.compile(r"\d\d", re.ASCII), "02"), (re.compile("T"), "T"), (re.compile(r"\d\d", re.ASCII), "15"), (re.compile(":"), ":"),
    (re.compile(r"\d\d", re.ASCII), "04"), (re.compile(":"), ":"), (re.compile(r"\d\d(?:[.,]\d+)?", re.ASCII), "05"),
    (re.compile(r"Z|[+-]\d\d:\d\d", re.ASCII), "Z07:00"),
)  # fmt: skip
_MICRO_PARTS: Final = (
    *_LAYOUT_PARTS[:-2],
    (re.compile(r"\d\d", re.ASCII), "05"),
    (re.compile(r"[.,]\d{6}", re.ASCII), ".000000"),
    _LAYOUT_PARTS[-1],
)
_MICRO_DIGITS: Final = 6
_SHORT: Final = len(MICRO_LAYOUT)
_MOST_KEPT: Final = 256
"""So many times of up to that length are remembered: those in an object are mostly a few, and are read again with each change of it."""


def _time_error(text: str, layout: str) -> TimeError:
    """time.Parse's text for a time that does not look like one, or does not exist."""
    rest = text
    begin = f"parsing time {golang.quote(text)} as {golang.quote(layout)}: "
    for pattern, part in _MICRO_PARTS if layout == MICRO_LAYOUT else _LAYOUT_PARTS:
        match = pattern.match(rest)
        if match is None:
            return TimeError(f"{begin}cannot parse {golang.quote(rest)} as {golang.quote(part)}")
        rest = rest[match.end() :]
    if rest:
        return TimeError(f"parsing time {golang.quote(text)}: extra text: {golang.quote(rest)}")
    return TimeError(f"parsing time {golang.quote(text)}: {_out_of_range(text)} out of range")


def _out_of_range(text: str) -> str:
    match = _RFC3339.match(text)
    if match is None:
        return "day"
    month, hour, minute, second = int(match[2]), int(match[4]), int(match[5]), int(match[6])
    parts = (("month", 1 <= month <= 12), ("hour", hour < 24), ("minute", minute < 60), ("second", second < 60))
    return next((name for name, fits in parts if not fits), "day")


def _parse_time(text: str, layout: str) -> datetime:
    match = _RFC3339.match(text)
    if match is None or (layout == MICRO_LAYOUT and len(match[7] or "") != _MICRO_DIGITS):
        raise _time_error(text, layout)
    year, month, day, hour, minute, second = (int(match[group]) for group in range(1, 7))
    try:
        micros = int((match[7] or "0")[:6].ljust(6, "0"))
        moment = datetime(year, month, day, hour, minute, second, micros, tzinfo=UTC)
        if match[8] != "Z":
            offset = timedelta(hours=int(match[8][1:3]), minutes=int(match[8][4:]))
            moment = moment + offset if match[8][0] == "-" else moment - offset
    except (ValueError, OverflowError):
        raise _time_error(text, layout) from None
    return moment


def canonical(text: str, layout: str = LAYOUT) -> str:
    """The time in UTC, as a field of that layout is written. Raises `TimeError`."""
    return _kept(text, layout) if len(text) <= _SHORT else _canonical(text, layout)


def _canonical(text: str, layout: str) -> str:
    moment = _parse_time(text, layout)
    written = f"{moment.year:04d}-{moment:%m-%dT%H:%M:%S}"
    return f"{written}.{moment.microsecond:06d}Z" if layout == MICRO_LAYOUT else f"{written}Z"


_kept = functools.lru_cache(maxsize=_MOST_KEPT)(_canonical)
