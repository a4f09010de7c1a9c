"""What a benchmark gives: rows of figures, each beside what we aim at and what a real API server does."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

_FEWEST_ROUNDS: Final = 3


class Skipped(Exception):
    """Something that a benchmark needs is not there; ``str()`` tells what."""


@dataclass(frozen=True, slots=True)
class Row:
    """One figure. ``goal`` and ``real`` (a real API server's) are of the unit in which the ratio, or else the figure, is told."""

    name: str
    value: float
    unit: str
    ratio: float | None = None
    goal: float | None = None
    real: float | None = None

    @property
    def compared(self) -> float:
        """What is held against ``goal`` and ``real``."""
        return self.value if self.ratio is None else self.ratio


def microseconds(action: Callable[[], object], seconds: float) -> float:
    """What a call takes: the median of rounds of about 10 ms, so that what else the machine does counts little."""
    action()
    began = time.perf_counter()
    action()
    calls = max(1, int(0.01 / max(time.perf_counter() - began, 1e-7)))
    took: list[float] = []
    end = time.perf_counter() + seconds
    while len(took) < _FEWEST_ROUNDS or time.perf_counter() < end:
        began = time.perf_counter()
        for _ in range(calls):
            action()
        took.append((time.perf_counter() - began) / calls)
    return sorted(took)[len(took) // 2] * 1e6
