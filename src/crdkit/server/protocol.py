"""HTTP/1.1 on one connection, answered by the application without a detour through ASGI.

Clients that keep still, send without end or do not take what they asked for are cut off (`connections` has the limits). A method
that the parser does not know, which the API answers all the same, is read under another name.
"""

from __future__ import annotations

import asyncio
import logging
import math
import re
from collections import deque
from collections.abc import Coroutine
from typing import Any, Final, cast

import httptools

from crdkit.access import certificates
from crdkit.access.user import User
from crdkit.registry.pieces import Pieces
from crdkit.server import descriptors, knownheads, target
from crdkit.server.connections import BODY_SECONDS, HEAD_SECONDS, IDLE_SECONDS, LINGER_SECONDS, STALLED_SECONDS, Connections
from crdkit.server.knownheads import KnownHead
from crdkit.server.message import BODY_LIMIT, TEXT, Headers, Incoming, Outgoing
from crdkit.server.sending import GONE, PIECE, Sending, status_line
from crdkit.server.underway import Outcome, Underway

logger = logging.getLogger(__name__)

HEAD_LIMIT: Final = 1024 * 1024
"""Bytes of a request's line and headers (Go's default)."""
PIPELINED: Final = 16
BAD_REQUEST: Final = b"400 Bad Request"
HEAD_TOO_LARGE: Final = b"431 Request Header Fields Too Large"
CONTINUE: Final = b"HTTP/1.1 100 Continue\r\n\r\n"
STAND_IN: Final = b"OPTIONS"
PARSED: Final = frozenset((b"GET", b"HEAD", b"POST", b"PUT", b"PATCH", b"DELETE", b"OPTIONS", b"TRACE", b"PRI"))
_first_word = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+(?= )").match


class HttpProtocol(asyncio.BufferedProtocol):
    """One connection: requests are answered one after the other, in the order they came.

    A client sends nearly the same again and again: a request that came in one piece, and differs from one before in its line and its
    body (and how long that is) alone, is not parsed anew.
    """

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._loop = connections.loop
        self._transport: asyncio.Transport
        self._sending: Sending
        self._parser = httptools.HttpRequestParser(self)
        self._waiting: deque[tuple[Incoming | None, bool]] = deque()
        self._headers = Headers(())
        self._known: KnownHead | None = None
        self._begun = False
        self._lasts = False
        self._turns = 0
        self._task: asyncio.Task[None] | None = None
        self._method = b""
        self._reading = False
        self._lingering = False
        self._head_size = 0
        self._read_size = 0
        self._certified: User | None = None
        self._address = ""
        self._reset()
        self.busy = False
        self.deadline = connections.now + HEAD_SECONDS

    def _reset(self) -> None:
        self._target = b""
        self._fields: list[tuple[bytes, bytes]] = []
        self._body: list[bytes] = []
        self._body_size = 0

    # What the transport tells

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._sending = Sending(self._transport, self._connections)
        self._socket = transport.get_extra_info("socket")
        if certificate := transport.get_extra_info("peercert"):
            self._certified = certificates.user_of(certificate, transport.get_extra_info("ssl_object").getpeercert(True))
        if peer := transport.get_extra_info("peername"):
            self._address = peer[0]
        self._connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Let go of all that holds this one in turn: else it stays, with all of its buffers, until somebody looks for garbage."""
        del exc, self._parser
        self._transport = GONE
        self._sending.lose()
        self._connections.discard(self)
        self._waiting.clear()
        task, self._task = self._task, None
        if task is not None and self._sending.streams:
            task.cancel()

    def get_buffer(self, sizehint: int) -> bytearray:
        del sizehint
        return self._connections.buffer

    def buffer_updated(self, nbytes: int) -> None:
        self._take(bytes(memoryview(self._connections.buffer)[:nbytes]))

    def _take(self, data: bytes) -> None:
        self._turns = PIPELINED
        fresh = not self._begun
        if fresh and self._known is not None and self._is_repeated(data, self._known):
            return
        if not self._reading:
            self._head_size += len(data)
            if self._head_size > HEAD_LIMIT:
                self._break_off(431, HEAD_TOO_LARGE)
                return
        self._read_size = 0
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade as upgrade:
            self._ignore_upgrade(data[upgrade.args[0] :] if upgrade.args else b"")
        except httptools.HttpParserError:
            self._parse_again(data)
        else:
            if fresh and not self._begun and self._lasts:
                self._remember(data)

    def _is_repeated(self, data: bytes, known: KnownHead) -> bool:
        """Take a request whose head is known. What the parser has accepted once, it would accept again."""
        end = data.find(b"\r\n")
        body = known.body_in(data, end)
        if body is None:
            return False
        line = knownheads.line_of(data[:end])
        if line is None:
            return False
        method, path, query = line
        incoming = Incoming(method, path, query, known.headers, body, self._certified, self._address)
        if self.busy or self._waiting or self._sending.writable is not None or self._transport.is_closing():
            self._enqueue(incoming, keep_alive=True)
        else:
            self._start(incoming, keep_alive=True)
        return True

    def _remember(self, data: bytes) -> None:
        """Know the head again, if the data is one request and no more (more would be longer), and leaves the connection open."""
        end, body = data.find(b"\r\n"), data.find(b"\r\n\r\n") + 4
        if len(data) - body == self._read_size and knownheads.begins_usually(data, end) and not self._headers.expects_leave:
            self._known = KnownHead.of(data[end:body], self._read_size, self._headers)

    def eof_received(self) -> bool:
        """A client that has said all may still want its answer, but no stream."""
        return (self.busy or bool(self._waiting)) and not self._sending.streams and not self._is_tls()

    def pause_writing(self) -> None:
        self._sending.pause()
        self.deadline = self._connections.now + STALLED_SECONDS

    def resume_writing(self) -> None:
        self._sending.resume()
        if self.busy:
            self.deadline = math.inf
        elif self._waiting:
            self._go_on()
        else:
            self._read_on()

    # What the parser tells

    def on_message_begin(self) -> None:
        self._begun = True
        if not self.busy and self._sending.writable is None:
            self.deadline = self._connections.now + HEAD_SECONDS

    def on_url(self, url: bytes) -> None:
        self._target += url

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self._reading:  # what follows a body in chunks is no part of the head, and who is between may not have looked at it
            self._fields.append((name.lower(), value))

    def on_headers_complete(self) -> None:
        self._reading = True
        self._head_size = 0
        if self._fields != self._headers.fields:
            self._headers = Headers(self._fields)
        if self.busy or self._sending.writable is not None:
            return
        self.deadline = self._connections.now + BODY_SECONDS
        if self._headers.expects_leave:
            self._transport.write(CONTINUE)

    def on_body(self, body: bytes) -> None:
        fitted = self._body_size <= BODY_LIMIT
        self._body_size += len(body)
        if self._body_size <= BODY_LIMIT:
            self._body.append(body)
        elif fitted:
            self._body.clear()
            self._complete(None, keep_alive=False)

    def on_message_complete(self) -> None:
        self._reading = self._begun = False
        self._read_size = self._body_size
        if self._lingering:
            self._transport.close()
        elif self._body_size <= BODY_LIMIT:
            body = self._body
            self._lasts = self._parser.should_keep_alive()
            self._complete(b"" if not body else body[0] if len(body) == 1 else b"".join(body), keep_alive=self._lasts)
        self._reset()

    def _complete(self, body: bytes | None, *, keep_alive: bool) -> None:
        method = self._method or self._parser.get_method()
        self._method = b""
        self._request(method, self._target, self._headers, body, keep_alive=keep_alive)

    def _request(self, method: bytes, wanted: bytes, headers: Headers, body: bytes | None, *, keep_alive: bool) -> None:
        try:
            path, query = target.split(wanted)
        except target.MalformedTarget:
            self._enqueue(None, keep_alive=False)
            return
        incoming = Incoming(method.decode("ascii", "replace"), path, query, headers, body, self._certified, self._address)
        self._enqueue(incoming, keep_alive=keep_alive)

    def _enqueue(self, incoming: Incoming | None, *, keep_alive: bool) -> None:
        """Answer a request as soon as those before it are answered, and no more of them wait to be read than may."""
        if self.busy or self._waiting or self._sending.writable is not None:
            self._waiting.append((incoming, keep_alive))
            if len(self._waiting) >= PIPELINED:
                self._transport.pause_reading()
        elif not self._transport.is_closing():
            self._start(incoming, keep_alive=keep_alive)

    # Answers

    def _start(self, incoming: Incoming | None, *, keep_alive: bool) -> None:
        if incoming is None:
            self._break_off(400, BAD_REQUEST)
            return
        self.busy = True
        application = self._connections.application
        if not self._turns:
            self._go_on_with(application.answer(incoming), incoming, keep_alive=keep_alive)
            return
        self._turns = self._turns - 1 if incoming.method == "GET" else 0
        begun = application.begin(incoming)
        if isinstance(begun, Underway):
            self.deadline = math.inf
            begun.then(lambda outcome: self._take_outcome(outcome, incoming, keep_alive=keep_alive))
        else:
            self._answer(begun, incoming, keep_alive=keep_alive)

    def _take_outcome(self, outcome: Outcome, incoming: Incoming, *, keep_alive: bool) -> None:
        """Answer a request that has waited."""
        try:
            self._answer(outcome, incoming, keep_alive=keep_alive)
        except Exception:
            logger.exception("an answer could not be sent")
            self._transport.abort()

    def _answer(self, outcome: Outcome, incoming: Incoming, *, keep_alive: bool) -> None:
        """Send an answer that is there and not long, unless the client has left meanwhile; have a task see to all others."""
        if not isinstance(outcome, Outgoing):
            self._go_on_with(outcome, incoming, keep_alive=keep_alive)
            return
        body = outcome.body
        if not isinstance(body, bytes) or len(body) > PIECE:
            self._go_on_with(_ready(outcome), incoming, keep_alive=keep_alive)
            return
        keep_alive = keep_alive and not self._connections.draining
        if not self._transport.is_closing():
            self._transport.write(b"".join((*self._sending.head(outcome, len(body), keep_alive=keep_alive), body)))
        self._finished(keep_alive=keep_alive)

    def _go_on_with(self, answering: Coroutine[Any, Any, Outgoing], incoming: Incoming, *, keep_alive: bool) -> None:
        """Have a task wait for the answer, and send it."""
        self.deadline = math.inf
        self._task = self._loop.create_task(self._respond(answering, keep_alive=keep_alive, head_only=incoming.method == "HEAD"))

    async def _respond(self, answering: Coroutine[Any, Any, Outgoing], *, keep_alive: bool, head_only: bool) -> None:
        try:
            outgoing = await answering
            keep_alive = keep_alive and not self._connections.draining
            body = outgoing.body
            if isinstance(body, bytes | Pieces):
                await self._sending.whole(outgoing, body, head_only=head_only, keep_alive=keep_alive)
            else:
                keep_alive = await self._sending.stream(outgoing, body, head_only=head_only, keep_alive=keep_alive)
        except Exception:
            logger.exception("an answer could not be sent")
            self._transport.abort()
        else:
            self._turns = 0  # what is asked next is another task's
            self._finished(keep_alive=keep_alive)

    def _finished(self, *, keep_alive: bool) -> None:
        self._task = None
        self.busy = False
        if self._transport.is_closing():
            return
        if not keep_alive or self._connections.draining:
            if self._reading:
                self._linger()
            else:
                self._transport.close()
        elif self._waiting:
            self._go_on()
        elif self._sending.writable is None:
            self._read_on()

    def _read_on(self) -> None:
        """All that has come is answered. Of a request that is on its way, as much may be read already as came before that."""
        if not self._reading:
            self.deadline = self._connections.now + (HEAD_SECONDS if self._head_size else IDLE_SECONDS)
            return
        self.deadline = self._connections.now + BODY_SECONDS
        if self._headers.expects_leave and not self._body_size:
            self._transport.write(CONTINUE)

    def _go_on(self) -> None:
        """Answer what waits, unless the client has yet to take what it was sent."""
        while self._waiting and not self.busy and self._sending.writable is None and not self._transport.is_closing():
            incoming, keep_alive = self._waiting.popleft()
            self._start(incoming, keep_alive=keep_alive)
            if not self._waiting:
                self._transport.resume_reading()

    # The end

    def _linger(self) -> None:
        """Answered before the body was read: a client reads the answer only once it has sent all, so let it come to an end."""
        self._lingering = True
        self.deadline = self._connections.now + LINGER_SECONDS

    def expire(self) -> None:
        """The client has kept still for too long."""
        self._transport.abort()

    def finish(self) -> None:
        if not self.busy and not self._transport.is_closing():  # asyncio loses sight of what is closed twice over TLS
            self._transport.close()

    def has_arrived(self) -> bool:
        return not self.busy and self._transport.is_closing() and descriptors.has_delivered(self._socket.fileno())

    def _break_off(self, code: int, text: bytes) -> None:
        """Answer what is no request, and read no further."""
        if self._transport.is_closing() or self.busy:
            self._transport.close()
            return
        head = b"%bContent-Type: %b\r\nConnection: close\r\n\r\n" % (status_line(code), TEXT.encode())
        self._transport.write(head + text)
        self._transport.close()

    # What the parser does not take

    def _parse_again(self, data: bytes) -> None:
        """A method that the parser does not know is read as one that it does."""
        word = _first_word(data)
        if self._reading or self._method or not word or word[0] in PARSED:
            self._break_off(400, BAD_REQUEST)
            return
        self._method = word[0]
        self._parser = httptools.HttpRequestParser(self)
        self._reset()
        self._head_size = 0
        self._take(STAND_IN + data[word.end() :])

    def _ignore_upgrade(self, rest: bytes) -> None:
        """Only HTTP/1.1 is spoken here: a wish for something else is a request like any other."""
        self._parser = httptools.HttpRequestParser(self)
        if rest:
            self._take(rest)

    def _is_tls(self) -> bool:
        return self._transport.get_extra_info("sslcontext") is not None


async def _ready(outgoing: Outgoing) -> Outgoing:
    """An answer that is there already, for a task to send: it is long."""
    return outgoing
