"""Requests that have to wait: in a task, or without one where they wait for a single future, as most writes do until they are stored."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Generator, Sequence
from time import perf_counter
from typing import Any

from crdkit.meta.begun import let_go, resumed
from crdkit.server import deadlines
from crdkit.server.deadlines import Deadlines
from crdkit.server.exchange import Exchange
from crdkit.server.message import Outgoing
from crdkit.server.observing import Observer

Outcome = Outgoing | Coroutine[Any, Any, Outgoing]
"""An answer, or what a task has to await for it."""


class Course:
    """Sees that requests take no longer than they may, and tells the observers how they ended."""

    def __init__(self, observers: Sequence[Observer]) -> None:
        self._observers = tuple(observers)
        self.deadlines = Deadlines()

    def tell(self, exchange: Exchange, outgoing: Outgoing, began: float) -> None:
        seconds = perf_counter() - began
        for observer in self._observers:
            observer.note(exchange, outgoing.code, seconds)

    async def in_time(self, exchange: Exchange, work: Awaitable[Outgoing], began: float) -> Outgoing:
        """The outcome, or the refusal of a request that takes too long; in a task of its own."""
        task = asyncio.current_task()
        assert task is not None
        self.deadlines.begin(task, began)
        try:
            outgoing = await work
        except asyncio.CancelledError:
            if not self.deadlines.has_expired(task):
                raise
            task.uncancel()
            outgoing = exchange.late(deadlines.timed_out())
        finally:
            self.deadlines.end(task)
        self.tell(exchange, outgoing, began)
        return outgoing

    def go_on(self, exchange: Exchange, work: Coroutine[Any, Any, Outgoing], waited_for: object, began: float) -> Outcome | Underway:
        """What is to become of a request that was begun where no task runs, and waits."""
        if isinstance(waited_for, asyncio.Future):
            return Underway(self, exchange, work, waited_for, began)
        return self.in_time(exchange, resumed(work, waited_for), began)


class Underway:
    """A request that goes on in the callback of the future it waits for. Who is to answer it says so by `then`, once, or awaits it."""

    __slots__ = ("_began", "_course", "_exchange", "_told", "_waited_for", "_work")

    def __init__(
        self, course: Course, exchange: Exchange, work: Coroutine[Any, Any, Outgoing], waited_for: asyncio.Future[Any], began: float
    ) -> None:
        let_go(waited_for)
        self._course = course
        self._exchange = exchange
        self._work = work
        self._waited_for = waited_for
        self._began = began

    def then(self, told: Callable[[Outcome], object]) -> None:
        """Have ``told`` called with the answer, or with what a task has to await where the request has to wait again."""
        self._told = told
        self._course.deadlines.begin(self, self._began)
        self._waited_for.add_done_callback(self._go_on)

    def __await__(self) -> Generator[Any, None, Outgoing]:
        told: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self.then(told.set_result)
        outcome = yield from told
        return outcome if isinstance(outcome, Outgoing) else (yield from outcome.__await__())

    def cancel(self) -> None:
        self._waited_for.cancel()

    def _go_on(self, _: asyncio.Future[Any]) -> None:
        course, exchange = self._course, self._exchange
        course.deadlines.end(self)
        try:
            waited_for = self._work.send(None)
        except StopIteration as end:
            outgoing: Outgoing = end.value
            course.tell(exchange, outgoing, self._began)
            self._told(outgoing)
        except asyncio.CancelledError:  # nobody cancels what a request waits for but its deadline
            course.deadlines.has_expired(self)
            outgoing = exchange.late(deadlines.timed_out())
            course.tell(exchange, outgoing, self._began)
            self._told(outgoing)
        else:
            self._told(course.in_time(exchange, resumed(self._work, waited_for), self._began))
