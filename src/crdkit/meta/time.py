"""The time of day as objects hold it: RFC 3339 in UTC, whole seconds."""

from __future__ import annotations

import time as _time


class _Now:
    """The text of the current second, made once per second."""

    __slots__ = ("_second", "_text")

    def __init__(self) -> None:
        self._second = -1
        self._text = ""

    def __call__(self) -> str:
        second = int(_time.time())
        if second != self._second:
            self._text = _time.strftime("%Y-%m-%dT%H:%M:%SZ", _time.gmtime(second))
            self._second = second
        return self._text


now = _Now()
"""``now()`` is the current time as ``2026-01-31T12:00:00Z``."""
