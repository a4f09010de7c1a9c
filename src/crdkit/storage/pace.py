"""How often watchers are woken: at once after a quiet moment, and while changes come fast so seldom that there is time for other work."""

from __future__ import annotations

import asyncio
from time import perf_counter
from typing import Final, Protocol

SHARE: Final = 2.0
"""After the watchers were told, others have so many times the time that it took. What comes meanwhile is told together."""
LONGEST: Final = 0.01
"""Seconds that nobody waits longer for, however many watch."""


class Sleeper(Protocol):
    """Somebody who waits for something to happen."""

    def wake(self) -> None: ...


class Pace:
    """Wakes sleepers. One who sends what he was woken for before he sleeps again counts for what all have taken together."""

    def __init__(self) -> None:
        self._due: dict[Sleeper, None] = {}
        self._waking = False
        self._not_before = 0.0

    def wake(self, sleeper: Sleeper) -> None:
        """See that somebody is woken soon."""
        self._due[sleeper] = None
        if not self._waking:
            self._schedule()

    def _schedule(self) -> None:
        self._waking = True
        loop = asyncio.get_running_loop()
        left = self._not_before - perf_counter()
        if left > 0:
            loop.call_later(left, self._wake_all, loop)
        else:
            loop.call_soon(self._wake_all, loop)

    def _wake_all(self, loop: asyncio.AbstractEventLoop) -> None:
        began = perf_counter()
        due, self._due = self._due, {}
        for sleeper in due:
            sleeper.wake()
        loop.call_soon(self._told, began)  # it comes after those who were woken

    def _told(self, began: float) -> None:
        now = perf_counter()
        self._not_before = now + min(SHARE * (now - began), LONGEST)
        self._waking = False
        if self._due:
            self._schedule()
