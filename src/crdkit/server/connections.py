"""All connections of one server: their time limits, their number, and their end.

One timer a second looks after every limit; a connection itself only notes until when it may keep still.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import Final, Protocol

from crdkit.server.asgi import Answerer

HEAD_SECONDS: Final = 10.0
"""For a handshake and again for a request's head: more than any client needs that means well."""
BODY_SECONDS: Final = 60.0
IDLE_SECONDS: Final = 120.0
STALLED_SECONDS: Final = 60.0
"""For a client to take what it asked for: longer than Go's clients wait for anything."""
LINGER_SECONDS: Final = 5.0
TICK: Final = 1.0
GLANCE: Final = 0.02
"""Between looks at whether those who are parted from have got all they were sent."""
BUFFER: Final = 128 * 1024
"""Bytes that are received at once."""


DAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def _date_line(now: time.struct_time) -> bytes:
    day = f"{DAYS[now.tm_wday]}, {now.tm_mday:02d} {MONTHS[now.tm_mon - 1]} {now.tm_year}"
    return f"Date: {day} {now.tm_hour:02d}:{now.tm_min:02d}:{now.tm_sec:02d} GMT\r\n".encode()


class Connection(Protocol):
    """What is known of one connection here: until when it may keep still, and whether it is being answered."""

    deadline: float
    busy: bool

    def expire(self) -> None: ...
    def finish(self) -> None:
        """Close as soon as the answer under way is sent; at once if there is none."""
        ...

    def has_arrived(self) -> bool:
        """Whether it is being closed and all that was sent has come to the client, so that only its goodbye is missing."""
        ...


class Connections:
    """The connections and what they share: the application, the date, the clock of their limits.

    ``buffer`` holds what one of them has just received, until it has taken it.
    """

    def __init__(self, application: Answerer, loop: asyncio.AbstractEventLoop, *, most: int) -> None:
        self.application = application
        self.buffer = bytearray(BUFFER)
        self._part = self._chunk = b""
        self.loop = loop
        self.draining = False
        self.now = loop.time()
        self.date = b""
        self._most = most
        self._open: dict[Connection, None] = {}
        self._empty = asyncio.Event()
        self._empty.set()
        self._tick()

    def __len__(self) -> int:
        return len(self._open)

    def add(self, connection: Connection) -> None:
        """Take a connection in. Where there are too many, the longest silent one has to go."""
        self._open[connection] = None
        self._empty.clear()
        if len(self._open) > self._most:
            silent = next((one for one in self._open if not one.busy), None)
            if silent is not None:
                silent.expire()

    def chunk(self, part: bytes) -> bytes:
        """A part of a stream as it is sent. The same part often goes to many, one after the other."""
        if part is not self._part:
            self._part, self._chunk = part, b"%x\r\n%b\r\n" % (len(part), part)
        return self._chunk

    def discard(self, connection: Connection) -> None:
        self._open.pop(connection, None)
        if not self._open:
            self._empty.set()

    async def drain(self, seconds: float) -> None:
        """Let every connection send the answer that is under way, for so long at most."""
        self.draining = True
        for connection in tuple(self._open):
            connection.finish()
        try:
            async with asyncio.timeout(seconds):
                while self._open:
                    await self._take_leave()
        except TimeoutError:
            for connection in tuple(self._open):
                connection.expire()
        self._timer.cancel()

    async def _take_leave(self) -> None:
        """Wait a moment for goodbyes, but for none of clients that read nothing any more: TLS would leave them seconds for that."""
        arrived = [connection for connection in self._open if connection.has_arrived()]
        await asyncio.sleep(0)  # what the loop may still hold back for a client is on its way then
        for connection in arrived:
            if connection.has_arrived():
                connection.expire()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(GLANCE):
                await self._empty.wait()

    def _tick(self) -> None:
        self.now = now = self.loop.time()
        self.date = _date_line(time.gmtime())
        for connection in [one for one in self._open if one.deadline < now]:
            connection.expire()
        self._timer = self.loop.call_later(TICK, self._tick)
