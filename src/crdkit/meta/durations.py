"""Durations, counted as a histogram of Prometheus counts them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence


class Durations:
    """How many durations there were, how long together, and how many up to each of the ``bounds``, in seconds and in order."""

    __slots__ = ("bounds", "buckets", "count", "seconds")

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds = bounds
        self.count = 0
        self.seconds = 0.0
        self.buckets = [0] * (len(bounds) + 1)

    def note(self, seconds: float) -> None:
        self.count += 1
        self.seconds += seconds
        self.buckets[bisect_left(self.bounds, seconds)] += 1


def cumulative(parts: Sequence[Durations], told: Collection[float]) -> Iterator[tuple[str, float]]:
    """How many durations of all parts, which have the same bounds, are no longer than each of those ``told``."""
    total = 0
    for index, bound in enumerate(parts[0].bounds):
        total += sum(part.buckets[index] for part in parts)
        if bound in told:
            yield f"{bound:g}", total
    yield "+Inf", sum(part.count for part in parts)
