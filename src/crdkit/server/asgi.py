"""The application as any ASGI server carries it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, MutableMapping
from typing import Any, Final, Protocol
from urllib.parse import quote

from crdkit.registry.pieces import Pieces
from crdkit.server import target
from crdkit.server.message import BODY_LIMIT, TEXT, Headers, Incoming, Outgoing, Stream
from crdkit.server.underway import Outcome, Underway

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

BAD_REQUEST: Final = Outgoing(400, f"Content-Type: {TEXT}\r\nConnection: close\r\n".encode(), b"400 Bad Request")


class Answerer(Protocol):
    def begin(self, incoming: Incoming) -> Outcome | Underway:
        """Answer as far as that goes without waiting for anybody: the answer, what is underway to it, or what a task has to await."""
        ...

    async def answer(self, incoming: Incoming) -> Outgoing: ...


async def serve(application: Answerer, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer one ASGI connection."""
    if scope["type"] == "lifespan":
        await _live(receive, send)
    elif scope["type"] == "http":
        outgoing = await _answer(application, scope, receive)
        with_body = scope["method"] != "HEAD"
        body = outgoing.body
        if isinstance(body, bytes | Pieces):
            await _send(outgoing, body, send, with_body=with_body)
        else:
            await _until_left(_stream(outgoing, body, send, with_body=with_body), receive)
    else:
        msg = f"no such protocol here: {scope['type']}"
        raise NotImplementedError(msg)


async def _live(receive: Receive, send: Send) -> None:
    while True:
        event = (await receive())["type"]
        await send({"type": f"{event}.complete"})
        if event == "lifespan.shutdown":
            return


async def _answer(application: Answerer, scope: Scope, receive: Receive) -> Outgoing:
    raw_path = scope.get("raw_path") or quote(scope["path"]).encode()
    query = scope.get("query_string", b"")
    try:
        path, parameters = target.split(raw_path + b"?" + query)
    except target.MalformedTarget:
        return BAD_REQUEST
    body = await _read(receive)
    client = scope.get("client") or ("",)
    return await application.answer(Incoming(scope["method"], path, parameters, Headers(list(scope["headers"])), body, address=client[0]))


async def _read(receive: Receive) -> bytes | None:
    """The body, or None where it is longer than a body may be."""
    parts, size = [], 0
    while True:
        message = await receive()
        part = message.get("body", b"")
        size += len(part)
        if size > BODY_LIMIT:
            return None
        parts.append(part)
        if not message.get("more_body"):
            return b"".join(parts)


async def _send(outgoing: Outgoing, body: bytes | Pieces, send: Send, *, with_body: bool) -> None:
    headers = [*_headers(outgoing), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": outgoing.code, "headers": headers})
    if isinstance(body, bytes):
        await send({"type": "http.response.body", "body": body if with_body else b""})
        return
    for piece in body if with_body else ():
        await send({"type": "http.response.body", "body": piece, "more_body": True})
    await send({"type": "http.response.body", "body": b""})


async def _stream(outgoing: Outgoing, body: Stream, send: Send, *, with_body: bool) -> None:
    try:
        await send({"type": "http.response.start", "status": outgoing.code, "headers": _headers(outgoing)})
        await send({"type": "http.response.body", "body": b"", "more_body": True})
        if with_body:
            async for part in body:
                await send({"type": "http.response.body", "body": part, "more_body": True})
        await send({"type": "http.response.body", "body": b""})
    finally:
        await body.aclose()


async def _until_left(stream: Coroutine[Any, Any, None], receive: Receive) -> None:
    """Send until all is sent or the client has left."""
    sending, leaving = asyncio.create_task(stream), asyncio.create_task(_left(receive))
    try:
        await asyncio.wait({sending, leaving}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        sending.cancel()
        leaving.cancel()
        await asyncio.wait({sending, leaving})
    if not sending.cancelled():
        sending.result()


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _headers(outgoing: Outgoing) -> list[tuple[bytes, bytes]]:
    return [_header(line) for line in outgoing.head.split(b"\r\n") if line]


def _header(line: bytes) -> tuple[bytes, bytes]:
    name, _, value = line.partition(b": ")
    return name.lower(), value
