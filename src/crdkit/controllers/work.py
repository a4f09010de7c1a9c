"""What controllers have to look at: keys, each in one hand at a time, looked at again where that failed."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable
from typing import Final

from crdkit.meta.status import Refusal
from crdkit.storage.errors import StorageError

logger = logging.getLogger(__name__)

FIRST_PAUSE: Final = 0.25
LONGEST_PAUSE: Final = 1000.0
"""Seconds before a key is looked at again: each failure doubles them, up to the longest (as client-go's work queues do)."""


class Work:
    """Keys that are due, and a few tasks that look at them. Without keys there are no tasks.

    A key that is added while it is looked at is looked at once more. Nothing happens before `open`.
    """

    def __init__(self, look: Callable[[str], Awaitable[None]], *, name: str, workers: int) -> None:
        self._look, self._name = look, name
        self._most = workers
        self._due: OrderedDict[str, None] = OrderedDict()
        self._busy: set[str] = set()
        self._again: set[str] = set()
        self._failures: dict[str, int] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._workers: set[asyncio.Task[None]] = set()
        self._is_open = False

    def __len__(self) -> int:
        """How many keys are due, under way, or waiting for another attempt."""
        return len(self._due) + len(self._busy) + len(self._timers)

    def open(self) -> None:
        self._is_open = True
        self._employ()

    async def close(self) -> None:
        self._is_open = False
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        tasks = list(self._workers)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def add(self, keys: Iterable[str]) -> None:
        """Have keys looked at; many cost little more than one."""
        due = dict.fromkeys(keys)
        for key in due.keys() & self._busy:
            self._again.add(key)
            del due[key]
        for key in due.keys() & self._timers.keys():
            self._timers.pop(key).cancel()
        self._due.update(due)
        self._employ()

    def _employ(self) -> None:
        """Have as many workers as there are keys for them, those that are busy not counted."""
        while self._is_open and len(self._workers) < min(self._most, len(self._busy) + len(self._due)):
            task = asyncio.create_task(self._work(), name=self._name)
            self._workers.add(task)

    async def _work(self) -> None:
        task = asyncio.current_task()
        assert task is not None
        try:
            while self._due:
                key, _ = self._due.popitem(last=False)
                await self._attempt(key)
                await asyncio.sleep(0)  # most looks find nothing to do, and others want to run
        finally:
            self._workers.discard(task)  # at once: who adds a key from now on needs another worker

    async def _attempt(self, key: str) -> None:
        self._busy.add(key)
        try:
            await self._look(key)
            self._failures.pop(key, None)
        except Exception as error:  # noqa: BLE001 (whatever it was, the key is looked at again)
            self._retry(key, error)
        finally:
            self._busy.discard(key)
        if key in self._again:
            self._again.discard(key)
            self.add((key,))

    def _retry(self, key: str, error: Exception) -> None:
        failures = self._failures[key] = self._failures.get(key, 0) + 1
        pause = min(FIRST_PAUSE * 2 ** min(failures - 1, 30), LONGEST_PAUSE)
        unexpected = not isinstance(error, StorageError | Refusal)
        logger.warning("%s is looked at again in %g seconds: %s", key, pause, error, exc_info=unexpected and failures == 1)
        self._timers[key] = asyncio.get_running_loop().call_later(pause, self._due_again, key)

    def _due_again(self, key: str) -> None:
        self._timers.pop(key, None)
        self.add((key,))
