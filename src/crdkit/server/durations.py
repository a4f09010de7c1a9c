"""Lengths of time as Go writes them (``time.ParseDuration``)."""

from __future__ import annotations

import re
from typing import Final

from crdkit.meta.golang import quote

UNITS: Final = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}
LONGEST: Final = 2**63 / 1e9
_part = re.compile(r"([0-9]*)(?:(\.)([0-9]*))?([^0-9.]*)").match


class DurationError(ValueError):
    """The text is no duration; the message is Go's."""


def parse(text: str) -> float:
    """Seconds of a text like ``1h30m`` or ``-1.5s``. Raises `DurationError`."""
    rest = text[1:] if text[:1] in ("+", "-") else text
    if rest == "0":
        return 0.0
    if not rest:
        raise _invalid(text)
    seconds = 0.0
    while rest:
        amount, rest = _next(text, rest)
        seconds += amount
    if seconds > LONGEST:
        raise _invalid(text)
    return -seconds if text.startswith("-") else seconds


def _next(text: str, rest: str) -> tuple[float, str]:
    found = _part(rest)
    if not found or not (found[1] or found[3]):
        raise _invalid(text)
    if not found[4]:
        msg = f"time: missing unit in duration {quote(text)}"
        raise DurationError(msg)
    if found[4] not in UNITS:
        msg = f"time: unknown unit {quote(found[4])} in duration {quote(text)}"
        raise DurationError(msg)
    return float(f"{found[1] or 0}.{found[3] or 0}") * UNITS[found[4]], rest[found.end() :]


def _invalid(text: str) -> DurationError:
    return DurationError(f"time: invalid duration {quote(text)}")
