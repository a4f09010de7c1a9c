"""Strings of a format as values: dates, times, durations, bytes."""

from __future__ import annotations

import re
from typing import Final

from crdkit.cel.errors import EvaluationError
from crdkit.cel.standard.clock import DAY, NANOS
from crdkit.cel.standard.durations import parse_duration
from crdkit.cel.standard.timestamps import read_timestamp
from crdkit.cel.values import Duration, Timestamp
from crdkit.meta import gobase64
from crdkit.meta.golang import quote

_DATE_LAYOUT: Final = "2006-01-02"
_LOCAL_LAYOUT: Final = "2006-01-02T15:04:05"
_DATE_PARTS: Final = (("2006", r"[0-9]{4}"), ("-", "-"), ("01", "[0-9]{2}"), ("-", "-"), ("02", "[0-9]{2}"))
_LOCAL_PARTS: Final = (
    *_DATE_PARTS,
    *(("T", "T"), ("15", "[0-9]{1,2}"), (":", ":"), ("04", "[0-9]{2}"), (":", ":"), ("05", r"[0-9]{2}(?:[.,][0-9]+)?")),
)
_LOOSE: Final = re.compile(r"([0-9]+)[\t\n\f\r ]*([A-Za-zµ]+)")
_UNITS: Final = (
    (1, ("ns", "nano")),
    (1000, ("us", "µs", "micro")),
    (1_000_000, ("ms", "milli")),
    (NANOS, ("s", "sec")),
    (60 * NANOS, ("m", "min")),
    (3600 * NANOS, ("h", "hr", "hour")),
    (DAY * NANOS, ("d", "day")),
    (7 * DAY * NANOS, ("w", "wk", "week")),
)


def read_date(text: str) -> Timestamp:
    """A day, as its first moment."""
    error = _layout_error(text, _DATE_LAYOUT, _DATE_PARTS)
    if error is None:
        try:
            return read_timestamp(f"{text}T00:00:00Z")
        except ValueError:
            error = f"parsing time {quote(text)}: {_out_of_range(text)} out of range"
    msg = f"Invalid date formatted string {text}: {error}"
    raise EvaluationError(msg)


def read_date_time(text: str) -> Timestamp:
    """RFC 3339, or without a zone; nothing is 1970."""
    if not text:
        return Timestamp(0)
    for candidate in (text, f"{text}Z"):
        try:
            return read_timestamp(candidate)
        except ValueError:
            continue
    error = _layout_error(text, _LOCAL_LAYOUT, _LOCAL_PARTS)
    if error is None:
        error = f"parsing time {quote(text)}: {_out_of_range(text)} out of range"
    msg = f"Invalid date-time formatted string {text}: {error}"
    raise EvaluationError(msg)


def _layout_error(text: str, layout: str, parts: tuple[tuple[str, str], ...]) -> str | None:
    """What Go's time.Parse says of a text that does not look like the layout."""
    rest = text
    for part, pattern in parts:
        found = re.match(pattern, rest)
        if found is None:
            return f"parsing time {quote(text)} as {quote(layout)}: cannot parse {quote(rest)} as {quote(part)}"
        rest = rest[found.end() :]
    return f"parsing time {quote(text)}: extra text: {quote(rest)}" if rest else None


def _out_of_range(text: str) -> str:
    numbers = [int(number) for number in re.findall("[0-9]+", text)]
    bounds = (("month", 1, 12, 1), ("hour", 0, 23, 3), ("minute", 0, 59, 4), ("second", 0, 59, 5))
    for name, low, high, index in bounds:
        if index < len(numbers) and not low <= numbers[index] <= high:
            return name
    return "day"


def read_duration(text: str) -> Duration:
    """Go's syntax, or any text with amounts of units in it."""
    try:
        return parse_duration(text)
    except ValueError:
        nanos = _loose_duration(text)
    if nanos is None:
        msg = f"Invalid duration {text}: unable to parse {text} as duration"
        raise EvaluationError(msg)
    return Duration(nanos)


def _loose_duration(text: str) -> int | None:
    total: int | None = None
    for amount, name in _LOOSE.findall(text):
        unit = name.lower()
        for nanos, names in _UNITS:
            if unit in names or unit.startswith(names[-1]):
                total = (total or 0) + int(amount) * nanos
    return total


def read_bytes(text: str) -> bytes:
    """Base64."""
    try:
        return gobase64.decode(text)
    except gobase64.CorruptInput as error:
        msg = f"Invalid byte formatted string {text}: {error}"
        raise EvaluationError(msg) from error
