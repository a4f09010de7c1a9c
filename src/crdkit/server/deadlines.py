"""How long a request may take: 60 seconds, less if it says so."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from crdkit.meta.status import Refusal, bad_request, failure
from crdkit.server import durations

LONGEST_REQUEST: Final = 60.0
TICK: Final = 1.0


def timed_out() -> Refusal:
    return Refusal(failure(504, "Timeout", "Timeout: request did not complete within the allotted timeout", {}))


def requested(timeout: str | None) -> float:
    """The seconds that the parameter ``timeout`` leaves. Raises `Refusal` (400)."""
    if not timeout:
        return LONGEST_REQUEST
    try:
        seconds = durations.parse(timeout)
    except durations.DurationError as error:
        raise bad_request(f"invalid timeout specified in the request URL - {error}") from error
    return seconds if 0 < seconds < LONGEST_REQUEST else LONGEST_REQUEST


class Deadlines:
    """Cancels the tasks of requests that take longer than they may.

    All have the same time, so they expire in the order they began: one timer looks after the oldest, and none is set per request.
    """

    def __init__(self, seconds: float = LONGEST_REQUEST) -> None:
        self._seconds = seconds
        self._running: dict[asyncio.Task[Any], float] = {}
        self._expired: set[asyncio.Task[Any]] = set()
        self._timer: asyncio.TimerHandle | None = None

    def begin(self, task: asyncio.Task[Any]) -> None:
        loop = task.get_loop()
        self._running[task] = loop.time() + self._seconds
        if self._timer is None:
            self._timer = loop.call_later(TICK, self._sweep, loop)

    def end(self, task: asyncio.Task[Any]) -> None:
        self._running.pop(task, None)

    def has_expired(self, task: asyncio.Task[Any]) -> bool:
        """Whether it was cancelled here; told once."""
        if task not in self._expired:
            return False
        self._expired.discard(task)
        return True

    def _sweep(self, loop: asyncio.AbstractEventLoop) -> None:
        now = loop.time()
        overdue = []
        for task, deadline in self._running.items():
            if deadline > now:
                break
            overdue.append(task)
        for task in overdue:
            del self._running[task]
            self._expired.add(task)
            task.cancel()
        self._timer = loop.call_later(TICK, self._sweep, loop) if self._running else None
