"""Ages in tables."""

from __future__ import annotations

import pytest

from crdkit.registry.durations import since

MINUTE, HOUR, DAY = 60, 3600, 86400


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (-5, "<invalid>"),
        (-0.5, "0s"),
        (119, "119s"),
        (2 * MINUTE + 5, "2m5s"),
        (9 * MINUTE, "9m"),
        (100 * MINUTE, "100m"),
        (3 * HOUR + 7 * MINUTE, "3h7m"),
        (47 * HOUR, "47h"),
        (2 * DAY + HOUR, "2d1h"),
        (400 * DAY, "400d"),
        (800 * DAY, "2y70d"),
        (9 * 365 * DAY, "9y"),
    ],
)
def test_a_duration_is_told_in_one_or_two_units(seconds: float, text: str) -> None:
    assert since(seconds) == text
