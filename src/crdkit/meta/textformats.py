"""The formats of texts that both schemas and expressions know, as kube-openapi's strfmt checks them."""

from __future__ import annotations

import re
from typing import Final

_DATE: Final = re.compile(r"(\d{4})-(\d\d)-(\d\d)", re.ASCII).fullmatch
_CLOCK: Final = re.compile(r"(\d\d):(\d\d):(\d\d)(?:[^\n]\d+)?(?:z|[+-]\d\d:\d\d)", re.ASCII).fullmatch
_MONTHS: Final = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def is_date(text: str) -> bool:
    """A day of the calendar, the year 0 among them, which Python's own calendar lacks."""
    match = _DATE(text)
    if match is None:
        return False
    year, month, day = (int(part) for part in match.groups())
    if not 1 <= month <= len(_MONTHS):
        return False
    leap = month == 2 and (year % 4 == 0 and (year % 100 != 0 or year % 400 == 0))
    return 1 <= day <= _MONTHS[month - 1] + leap


def is_date_time(text: str) -> bool:
    """A date, ``t`` and a time with a zone; what follows another ``t`` is overlooked."""
    parts = text.lower().split("t")
    if len(parts) < 2 or not is_date(parts[0]):
        return False
    match = _CLOCK(parts[1])
    if match is None:
        return False
    hour, minute, second = match.groups()
    return hour <= "23" and minute <= "59" and second <= "59"


_BASE64: Final = re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})").fullmatch
_UUID: Final = re.compile(r"[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}", re.IGNORECASE | re.ASCII).fullmatch


def is_base64(text: str) -> bool:
    """Padded and on one line; the empty text is none."""
    return _BASE64(text) is not None


def is_uuid(text: str) -> bool:
    """Of any version, with dashes or without."""
    return _UUID(text) is not None
