"""How conversion webhooks did: plain counters, which are named and labelled only when somebody reads them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from typing import Final, NamedTuple

DEFINITION_BOUNDS: Final = tuple(0.001 * 2**power for power in range(15))
CALL_BOUNDS: Final = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 45.0, 60.0)
"""Seconds up to which a real server counts together, by definition and by outcome alone."""
BOUNDS: Final = tuple(sorted({*DEFINITION_BOUNDS, *CALL_BOUNDS}))
MOST_SERIES: Final = 10_000
"""Beyond this the oldest are forgotten."""

SUCCESS: Final = ""
CALL_FAILED: Final = "conversion_webhook_call_failure"
MALFORMED: Final = "conversion_webhook_malformed_response_failure"
PARTIAL: Final = "conversion_webhook_partial_response_failure"
INVALID_OBJECT: Final = "conversion_webhook_invalid_converted_object_failure"


class Key(NamedTuple):
    """What calls are counted together; ``failure`` is empty for those that went well."""

    definition: str
    from_version: str
    to_version: str
    failure: str


class Series:
    """The calls of one key: how many, how long together, and how many up to each of the bounds."""

    __slots__ = ("buckets", "count", "seconds")

    def __init__(self) -> None:
        self.count = 0
        self.seconds = 0.0
        self.buckets = [0] * (len(BOUNDS) + 1)


class Calls:
    """Counts calls."""

    def __init__(self) -> None:
        self._series: dict[Key, Series] = {}

    def note(self, key: Key, seconds: float) -> None:
        series = self._series.get(key)
        if series is None:
            if len(self._series) >= MOST_SERIES:
                del self._series[next(iter(self._series))]
            series = self._series[key] = Series()
        series.count += 1
        series.seconds += seconds
        series.buckets[bisect_left(BOUNDS, seconds)] += 1

    def series(self) -> Mapping[Key, Series]:
        """All that was counted, now."""
        return dict(self._series)
