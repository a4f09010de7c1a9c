"""A conversion webhook that takes its time for each call and little else: a program, so that its work is not the server's.

It is told what to do as one JSON object on its command line, and tells the port on which it listens.
"""

from __future__ import annotations

import asyncio
import json
import ssl
import sys
from typing import Any, Final, cast

import httptools
import orjson
import uvloop

_MADE: Final = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"


def converted(body: bytes) -> bytes:
    """The answer to a review: the same objects under the version wanted."""
    review = orjson.loads(body)
    request = review["request"]
    objects = request["objects"]
    for obj in objects:
        obj["apiVersion"] = request["desiredAPIVersion"]
    response = {"uid": request["uid"], "result": {"status": "Success"}, "convertedObjects": objects}
    return orjson.dumps({"kind": review["kind"], "apiVersion": review["apiVersion"], "response": response})


class Connection(asyncio.Protocol):
    """Answers one review after the other, each some seconds after it came. httptools calls the methods that begin with ``on_``."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._loop = asyncio.get_running_loop()
        self._parser = httptools.HttpRequestParser(self)
        self._body = bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        self._parser.feed_data(data)

    def on_body(self, body: bytes) -> None:
        self._body += body

    def on_message_complete(self) -> None:
        self._loop.call_later(self._seconds, self._answer, bytes(self._body))
        self._body.clear()

    def _answer(self, body: bytes) -> None:
        answer = converted(body)
        self._transport.write(_MADE % (len(answer), answer))


async def serve(order: dict[str, Any]) -> None:
    """Serve until the process is ended."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(order["certificate"])
    server = await asyncio.get_running_loop().create_server(lambda: Connection(order["seconds"]), "127.0.0.1", 0, ssl=context)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(serve(json.loads(sys.argv[1])))
