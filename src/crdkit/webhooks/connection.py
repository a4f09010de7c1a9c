"""One connection to a webhook, which carries one request after the other (HTTP/1.1)."""

from __future__ import annotations

import asyncio
import contextlib
import select
from typing import Final, cast

import httptools

from crdkit.meta import golang
from crdkit.webhooks.caller import Answer

MOST_HEAD_BYTES: Final = 1024 * 1024
MOST_ANSWER_BYTES: Final = 64 * 1024 * 1024
_FIRST_FINAL: Final = 200
"""Of lower codes are the answers that another follows."""
_LINE: Final = 1024
"""No more is told of a line that begins no answer."""


class Broken(Exception):
    """The connection gave no answer; ``str()`` is the text for it. ``answered`` tells whether anything of one had come."""

    def __init__(self, why: str, *, answered: bool) -> None:
        super().__init__(why)
        self.answered = answered


class TimedOut(Exception):
    """An answer did not come in time."""


class Connection(asyncio.Protocol):
    """A connection as its transport sees it, and `exchange` for whoever uses it. Only one may at a time."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport
        self._waiter: asyncio.Future[Answer] | None = None
        self._reading: _Reading | None = None
        self.open = False
        """Whether another request may be sent."""
        self.idle_since = 0.0

    async def exchange(self, request: bytes, *, until: float | None = None) -> tuple[Answer, dict[bytes, bytes]]:
        """Send a request; the answer and its head's fields, by names in lower case.

        Raises `Broken`, and `TimedOut` at the given time of the event loop. A connection whose exchange did not come to its end
        cannot be used any more.
        """
        loop = asyncio.get_running_loop()
        waiter = self._waiter = loop.create_future()
        timer = None if until is None else loop.call_at(until, _time_out, waiter)
        reading = self._reading = _Reading()
        self._transport.write(request)
        try:
            answer = await waiter
        except BaseException:
            self.abort()
            raise
        finally:
            if timer is not None:
                timer.cancel()
            self._waiter = self._reading = None
        if not reading.keeps_alive:
            self.abort()
        return answer, reading.fields

    def is_quiet(self) -> bool:
        """Whether nothing has come that nobody asked for, such as the end of the connection, which the event loop may not have seen yet."""
        poll = select.poll()
        poll.register(self._transport.get_extra_info("socket").fileno(), select.POLLIN)
        return not poll.poll(0)

    def abort(self) -> None:
        self.open = False
        self._transport.abort()

    # What the transport calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self.open = True

    def data_received(self, data: bytes) -> None:
        if self._reading is None:
            self.abort()  # nobody asked for anything
            return
        try:
            self._reading.feed(data)
        except _Unreadable as error:
            self._fail(str(error))
            self.abort()
            return
        if self._reading.done:
            self._succeed()

    def connection_lost(self, exc: Exception | None) -> None:
        self.open = False
        if self._reading is not None and self._reading.ends_with_connection:
            self._succeed()
        elif isinstance(exc, ConnectionResetError):
            self._fail(f"read tcp {self._end('sockname')}->{self._end('peername')}: read: connection reset by peer")
        else:
            self._fail("EOF")

    def _end(self, which: str) -> str:
        """The address of an end of the connection."""
        host, port, *_ = self._transport.get_extra_info(which) or ("", 0)
        return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"

    def _succeed(self) -> None:
        if self._waiter is not None and self._reading is not None and not self._waiter.done():
            self._waiter.set_result(self._reading.answer())

    def _fail(self, why: str) -> None:
        if self._waiter is not None and self._reading is not None and not self._waiter.done():
            self._waiter.set_exception(Broken(why, answered=self._reading.begun))


def _time_out(waiter: asyncio.Future[Answer]) -> None:
    if not waiter.done():
        waiter.set_exception(TimedOut())


class _Unreadable(Exception):
    """What came is no answer, or too much of one."""


class _Reading:
    """One answer as it is read: httptools calls the methods that begin with ``on_``."""

    def __init__(self) -> None:
        self._parser = httptools.HttpResponseParser(self)
        self._body: list[bytes] = []
        self._size = 0
        self._first = b""
        self._status = 0
        self.fields: dict[bytes, bytes] = {}
        self.begun = False
        self.done = False
        self.keeps_alive = False

    def feed(self, data: bytes) -> None:
        """Take what has come. Raises `_Unreadable`."""
        self._size += len(data)
        if not self.begun:
            self.begun, self._first = True, data[:_LINE]
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade:  # nobody asked for another protocol
            self._status = self._parser.get_status_code()
            self.done, self.keeps_alive = True, False
        except httptools.HttpParserError as error:
            if self.done:
                self.keeps_alive = False
                return
            line = self._first.partition(b"\n")[0].rstrip(b"\r").decode(errors="replace")
            msg = f"net/http: HTTP/1.x transport connection broken: malformed HTTP response {golang.quote(line)}"
            raise _Unreadable(msg) from error
        limit, what = (MOST_ANSWER_BYTES, "answer") if self._status else (MOST_HEAD_BYTES, "head of the answer")
        if self._size > limit:
            msg = f"the {what} is longer than {limit} bytes"
            raise _Unreadable(msg)

    @property
    def ends_with_connection(self) -> bool:
        """Whether the answer does not tell its length, so that it ends where the connection does."""
        return bool(self._status) and not self.done and b"content-length" not in self.fields and b"transfer-encoding" not in self.fields

    def answer(self) -> Answer:
        content_type = self.fields.get(b"content-type", b"").decode("latin-1")
        return Answer(b"".join(self._body), self._status, content_type)

    def on_message_begin(self) -> None:
        if self.done:
            self.keeps_alive = False  # there is more than was asked for, which the next must not take for its own
        else:
            self.fields = {}

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self.done:
            self.fields[name.lower()] = value

    def on_headers_complete(self) -> None:
        if not self.done and (status := self._parser.get_status_code()) >= _FIRST_FINAL:
            self._status = status

    def on_body(self, body: bytes) -> None:
        if not self.done:
            self._body.append(body)

    def on_message_complete(self) -> None:
        if self._status and not self.done:
            self.done = True
            with contextlib.suppress(httptools.HttpParserError):
                self.keeps_alive = self._parser.should_keep_alive()
