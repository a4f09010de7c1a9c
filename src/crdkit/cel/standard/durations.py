"""Spans of time: as Go reads them, and as seconds."""

from __future__ import annotations

import re
from typing import Final

from crdkit.cel.standard.clock import NANOS
from crdkit.cel.values import Duration
from crdkit.meta.golang import format_float

_UNITS: Final = {
    "ns": 1, "us": 1000, "µs": 1000, "μs": 1000, "ms": 1_000_000,
    "s": NANOS, "m": 60 * NANOS, "h": 3600 * NANOS,
}  # fmt: skip
_PART: Final = re.compile(r"([0-9]*)(\.[0-9]*)?(ns|us|µs|μs|ms|s|m|h)(?=[0-9.]|\Z)")
_LIMIT: Final = 1 << 63


def parse_duration(text: str) -> Duration:
    """What Go's time.ParseDuration reads. Raises `ValueError`."""
    sign, rest = (text[0], text[1:]) if text[:1] in ("+", "-") else ("", text)
    if rest == "0":
        return Duration(0)
    if not rest:
        raise ValueError(text)
    nanos, position = 0, 0
    while position < len(rest):
        found = _PART.match(rest, position)
        if found is None or not (found[1] or (found[2] and len(found[2]) > 1)):
            raise ValueError(text)
        nanos += _part(found)
        if nanos > _LIMIT:
            raise ValueError(text)
        position = found.end()
    nanos = -nanos if sign == "-" else nanos
    if nanos >= _LIMIT:
        raise ValueError(text)
    return Duration(nanos)


def _part(found: re.Match[str]) -> int:
    unit = _UNITS[found[3]]
    whole = int(found[1] or "0")
    if whole > _LIMIT or whole * unit > _LIMIT:
        raise ValueError(found[0])
    digits = (found[2] or ".")[1:]
    return whole * unit + (int(float(int(digits[:18])) * (unit / 10.0 ** len(digits[:18]))) if digits else 0)


def print_duration(value: Duration) -> str:
    """Its seconds, with as many digits as a double has."""
    seconds = abs(value.nanos) // NANOS
    nanos = abs(value.nanos) % NANOS
    total = float(seconds) + nanos / 1e9
    return format_float(-total if value.nanos < 0 else total, low=-400, high=400) + "s"
