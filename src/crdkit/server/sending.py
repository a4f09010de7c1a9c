"""What is written on one connection: heads, whole bodies in pieces, and streams in chunks, no faster than the client reads."""

from __future__ import annotations

import asyncio
import http
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from crdkit.registry.pieces import Pieces
from crdkit.server.message import Outgoing, Stream

if TYPE_CHECKING:
    from crdkit.server.connections import Connections

PIECE: Final = 100 * 1024
"""Bytes of a body that are written at once."""
BURST: Final = 8
"""Pieces that are written before it is asked whether the client reads."""
STATUS_LINES: Final = {status.value: f"HTTP/1.1 {status.value} {status.phrase}\r\n".encode() for status in http.HTTPStatus}


def status_line(code: int) -> bytes:
    """The first line of an answer; a webhook may refuse with a code that has no name."""
    return STATUS_LINES.get(code) or b"HTTP/1.1 %d \r\n" % code


class Sending:
    """Answers on their way to one client."""

    def __init__(self, transport: asyncio.Transport, connections: Connections) -> None:
        self._transport = transport
        self._connections = connections
        self.writable: asyncio.Event | None = None
        """There is one while the client has yet to take what it was sent; set once it has, or is gone."""
        self.streams = False
        """Whether a stream is sent."""

    def pause(self) -> None:
        self.writable = asyncio.Event()

    def resume(self) -> None:
        if self.writable is not None:
            self.writable.set()
            self.writable = None

    def lose(self) -> None:
        """The connection is lost. Lets go of the transport, which holds the connection in turn."""
        self._transport = GONE
        if self.writable is not None:
            self.writable.set()

    def head(self, outgoing: Outgoing, length: int, *, keep_alive: bool) -> tuple[bytes, ...]:
        """The parts of the head of an answer."""
        code = outgoing.code
        told = b"Content-Length: %d\r\n\r\n" if keep_alive else b"Content-Length: %d\r\nConnection: close\r\n\r\n"
        return STATUS_LINES.get(code) or status_line(code), outgoing.head, self._connections.date, told % length

    async def whole(self, outgoing: Outgoing, body: bytes | Pieces, *, head_only: bool, keep_alive: bool) -> None:
        if self._transport.is_closing():
            return
        head = b"".join(self.head(outgoing, len(body), keep_alive=keep_alive))
        if head_only or not body:
            self._transport.write(head)
        elif isinstance(body, Pieces):
            self._transport.write(head)
            await self._pieces(body)
        elif len(body) <= PIECE:
            self._transport.write(head + body)
        else:
            self._transport.write(head)
            await self._pieces((body,))

    async def _pieces(self, pieces: Iterable[bytes]) -> None:
        """A long body is encrypted faster in pieces that stay in the processor's cache. Who does not read is not sent all of it at once."""
        burst = 0
        for piece in pieces:
            view = memoryview(piece)
            for start in range(0, len(piece), PIECE):
                self._transport.write(view[start : start + PIECE])
                burst += 1
                if burst % BURST == 0:
                    await asyncio.sleep(0)
                    if not await self._is_read():
                        return

    async def _is_read(self) -> bool:
        """Wait until the client has taken most of what it was sent. False if it is gone instead."""
        while self.writable is not None and not self._transport.is_closing():
            await self.writable.wait()
        return not self._transport.is_closing()

    async def stream(self, outgoing: Outgoing, stream: Stream, *, head_only: bool, keep_alive: bool) -> bool:
        """Send a stream in chunks. Gives back whether another request may follow."""
        end = b"Transfer-Encoding: chunked\r\n" + (b"\r\n" if keep_alive else b"Connection: close\r\n\r\n")
        self.streams = True
        try:
            if self._transport.is_closing():
                return False
            self._transport.write(status_line(outgoing.code) + outgoing.head + self._connections.date + end)
            if head_only:
                return keep_alive
            async for part in stream:
                if len(part) <= PIECE:
                    self._transport.write(self._connections.chunk(part))
                else:
                    self._transport.write(b"%x\r\n" % len(part))
                    await self._pieces((part,))
                    self._transport.write(b"\r\n")
                if not await self._is_read():
                    return False
            self._transport.write(b"0\r\n\r\n")
        finally:
            self.streams = False
            await stream.aclose()
        return keep_alive


class _Gone(asyncio.Transport):
    """In the place of a transport whose connection is lost: what is still written is lost too."""

    def is_closing(self) -> bool:
        return True

    def write(self, data: bytes | bytearray | memoryview) -> None:
        del data

    def close(self) -> None:
        pass

    abort = close


GONE: Final = _Gone()
