"""How much history a store keeps, and when it is time to forget."""

from __future__ import annotations

import time
from collections import deque
from typing import TYPE_CHECKING, Final

from crdkit.meta.records import record
from crdkit.storage.types import Revision

if TYPE_CHECKING:
    from collections.abc import Callable

INTERVAL: Final = 10.0
"""Seconds between two looks at what may be forgotten."""


@record
class Retention:
    """What is older than ``age`` seconds may go, and so may all but the newest ``count`` commits."""

    age: float = 300.0
    count: int = 100_000


DEFAULT_RETENTION: Final = Retention()


class Horizon:
    """Remembers which revision was the newest when, and so tells up to where history may be forgotten."""

    def __init__(self, retention: Retention = DEFAULT_RETENTION, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._retention = retention
        self._clock = clock
        self._marks: deque[tuple[float, Revision]] = deque()

    @property
    def due(self) -> bool:
        """Whether `INTERVAL` has passed since the last mark."""
        return not self._marks or self._clock() >= self._marks[-1][0] + INTERVAL

    def mark(self, newest: Revision) -> Revision:
        """Note that ``newest`` is the newest revision now; tell the one before which all may be forgotten (0: none)."""
        now = self._clock()
        self._marks.append((now, newest))
        while len(self._marks) > 1 and self._marks[1][0] <= now - self._retention.age:
            self._marks.popleft()
        time_of_oldest, oldest = self._marks[0]
        aged = oldest if time_of_oldest <= now - self._retention.age else 0
        return Revision(max(aged, newest - self._retention.count, 0))
