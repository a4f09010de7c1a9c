"""How conversion webhooks did: plain counters, which are named and labelled only when somebody reads them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from crdkit.meta.durations import Durations

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


class Calls:
    """Counts calls."""

    def __init__(self) -> None:
        self._series: dict[Key, Durations] = {}

    def note(self, key: Key, seconds: float) -> None:
        series = self._series.get(key)
        if series is None:
            if len(self._series) >= MOST_SERIES:
                del self._series[next(iter(self._series))]
            series = self._series[key] = Durations(BOUNDS)
        series.note(seconds)

    def series(self) -> Mapping[Key, Durations]:
        """All that was counted, now."""
        return dict(self._series)
