"""``timestamp`` and ``duration``, and the parts of them."""

from __future__ import annotations

import zoneinfo
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache
from typing import Final

from crdkit.cel.ast import Call, Literal, Node
from crdkit.cel.declarations import Library
from crdkit.cel.errors import EvaluationError
from crdkit.cel.standard.clock import DAY, MAX_SECONDS, MIN_SECONDS, NANOS, civil_from_days, days_from_civil
from crdkit.cel.standard.conversions import unconvertible
from crdkit.cel.standard.durations import parse_duration
from crdkit.cel.standard.timestamps import TimestampRangeError, parse_timestamp
from crdkit.cel.types import DURATION, INT, STRING, TIMESTAMP, Type
from crdkit.cel.values import Duration, Timestamp, Value
from crdkit.meta import gonumbers

LIBRARY: Final = Library("time")
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


@LIBRARY.function("duration", (DURATION,), DURATION, id="duration_to_duration")
@LIBRARY.function("timestamp", (TIMESTAMP,), TIMESTAMP, id="timestamp_to_timestamp")
def unchanged(value: Value) -> Value:
    """The value itself."""
    return value


@LIBRARY.function("duration", (STRING,), DURATION, id="string_to_duration")
def duration_of_string(text: str) -> Duration:
    """Go's syntax: ``1h30m``."""
    try:
        return parse_duration(text)
    except ValueError as error:
        raise unconvertible(text, DURATION) from error


@LIBRARY.function("duration", (INT,), DURATION, id="int64_to_duration")
def duration_of_int(value: int) -> Duration:
    """Declared, but no int can be converted."""
    raise unconvertible(value, DURATION)


@LIBRARY.function("timestamp", (INT,), TIMESTAMP, id="int64_to_timestamp")
def timestamp_of_int(seconds: int) -> Timestamp:
    """Seconds since 1970."""
    if not MIN_SECONDS <= seconds <= MAX_SECONDS:
        msg = "timestamp overflow"
        raise EvaluationError(msg)
    return Timestamp(seconds * NANOS)


@LIBRARY.function("timestamp", (STRING,), TIMESTAMP, id="string_to_timestamp")
def timestamp_of_string(text: str) -> Timestamp:
    """RFC 3339."""
    try:
        return parse_timestamp(text)
    except TimestampRangeError as error:
        msg = "timestamp overflow"
        raise EvaluationError(msg) from error
    except ValueError as error:
        raise unconvertible(text, TIMESTAMP) from error


def _literal_check(function: str, convert: Mapping[type, Callable[[Value], Value]]) -> None:
    @LIBRARY.literal_check(function)
    def check(call: Call, _types: Mapping[int, Type]) -> Iterator[tuple[Node, str]]:
        argument = call.arguments[0] if call.arguments else None
        if not isinstance(argument, Literal):
            return
        try:
            convert[argument.value.__class__](argument.value)
        except (EvaluationError, KeyError):
            yield argument, f"invalid {function} argument"


_literal_check("duration", {str: duration_of_string, int: duration_of_int})
_literal_check("timestamp", {str: timestamp_of_string, int: timestamp_of_int})


@lru_cache(maxsize=256)
def _zone(name: str) -> tzinfo | int:
    """A zone by its name, or its fixed offset in seconds."""
    if ":" in name:
        return _fixed_offset(name)
    if name in ("", "UTC", "Local"):
        return 0
    if ".." in name or name[0] in "/\\" or "\\" in name:
        msg = "time: invalid location name"
        raise EvaluationError(msg)
    try:
        return zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError) as error:
        msg = f"unknown time zone {name}"
        raise EvaluationError(msg) from error


def _fixed_offset(name: str) -> int:
    hours, minutes = (_atoi(part) for part in name.split(":", 1))
    total = hours * 60 - minutes if name[0] == "-" else hours * 60 + minutes
    return total * 60


def _atoi(text: str) -> int:
    """Go's strconv.Atoi."""
    digits = text[1:] if text[:1] in ("+", "-") else text
    if not (digits.isascii() and digits.isdigit()):
        msg = f'strconv.Atoi: parsing "{text}": invalid syntax'
        raise EvaluationError(msg)
    return gonumbers.of_digits(text)


def _local_seconds(value: Timestamp, zone: str) -> int:
    """Seconds since 1970 as a clock in the zone shows them."""
    seconds = value.nanos // NANOS
    found = _zone(zone)
    if isinstance(found, int):
        return seconds + found
    # The tables of zones reach beyond what datetime takes by at most a day at both ends.
    inside = min(max(seconds, MIN_SECONDS + 2 * DAY), MAX_SECONDS - 2 * DAY)
    offset = found.utcoffset((_EPOCH + timedelta(seconds=inside)).astimezone(found))
    return seconds + int((offset or timedelta()).total_seconds())


def _date(seconds: int) -> tuple[int, int, int]:
    return civil_from_days(seconds // DAY)


def _day_of_year(seconds: int) -> int:
    days = seconds // DAY
    return days - days_from_civil(civil_from_days(days)[0], 1, 1)


_PARTS: Final[dict[str, tuple[str, Callable[[int], int]]]] = {
    "getFullYear": ("year", lambda seconds: _date(seconds)[0]),
    "getMonth": ("month", lambda seconds: _date(seconds)[1] - 1),
    "getDayOfYear": ("day_of_year", _day_of_year),
    "getDayOfMonth": ("day_of_month", lambda seconds: _date(seconds)[2] - 1),
    "getDate": ("day_of_month_1_based", lambda seconds: _date(seconds)[2]),
    "getDayOfWeek": ("day_of_week", lambda seconds: (seconds // DAY + 4) % 7),
    "getHours": ("hours", lambda seconds: seconds % DAY // 3600),
    "getMinutes": ("minutes", lambda seconds: seconds % 3600 // 60),
    "getSeconds": ("seconds", lambda seconds: seconds % 60),
}


def _getter(function: str, id: str, part: Callable[[int], int]) -> None:
    @LIBRARY.member(function, (TIMESTAMP,), INT, id=f"timestamp_to_{id}")
    def get(value: Timestamp) -> int:
        return part(value.nanos // NANOS)

    @LIBRARY.member(function, (TIMESTAMP, STRING), INT, id=f"timestamp_to_{id}_with_tz")
    def get_in_zone(value: Timestamp, zone: str) -> int:
        return part(_local_seconds(value, zone))


for _function, (_id, _part) in _PARTS.items():
    _getter(_function, _id, _part)


@LIBRARY.member("getMilliseconds", (TIMESTAMP,), INT, id="timestamp_to_milliseconds")
def get_milliseconds(value: Timestamp) -> int:
    """The milliseconds of its second."""
    return value.nanos % NANOS // 1_000_000


@LIBRARY.member("getMilliseconds", (TIMESTAMP, STRING), INT, id="timestamp_to_milliseconds_with_tz")
def get_milliseconds_in_zone(value: Timestamp, zone: str) -> int:
    """Likewise; the zone must be one."""
    _zone(zone)
    return get_milliseconds(value)


def _whole(function: str, id: str, unit: int) -> None:
    @LIBRARY.member(function, (DURATION,), INT, id=id)
    def get(value: Duration) -> int:
        whole = abs(value.nanos) // unit
        return -whole if value.nanos < 0 else whole


_whole("getHours", "duration_to_hours", 3600 * NANOS)
_whole("getMinutes", "duration_to_minutes", 60 * NANOS)
_whole("getSeconds", "duration_to_seconds", NANOS)
_whole("getMilliseconds", "duration_to_milliseconds", 1_000_000)
