"""How long a request may take: 60 seconds, less if it says so."""

from __future__ import annotations

import asyncio
from time import perf_counter
from typing import Final, Protocol

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


class Limited(Protocol):
    """A request's task, or what stands for it."""

    def cancel(self) -> object: ...


class Deadlines:
    """Cancels requests that take longer than they may: one timer looks after all, and none is set per request."""

    def __init__(self, seconds: float = LONGEST_REQUEST) -> None:
        self._seconds = seconds
        self._running: dict[Limited, float] = {}
        self._expired: set[Limited] = set()
        self._timer: asyncio.TimerHandle | None = None

    def begin(self, limited: Limited, began: float) -> None:
        """Look after a request that ``began`` when `perf_counter` gave that."""
        self._running[limited] = began
        if self._timer is None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(TICK, self._sweep, loop)

    def end(self, limited: Limited) -> None:
        self._running.pop(limited, None)

    def has_expired(self, limited: Limited) -> bool:
        """Whether it was cancelled here; told once."""
        if limited not in self._expired:
            return False
        self._expired.discard(limited)
        return True

    def _sweep(self, loop: asyncio.AbstractEventLoop) -> None:
        latest = perf_counter() - self._seconds
        for limited in [one for one, began in self._running.items() if began <= latest]:
            del self._running[limited]
            self._expired.add(limited)
            limited.cancel()
        self._timer = loop.call_later(TICK, self._sweep, loop) if self._running else None
