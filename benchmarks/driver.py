"""A small load driver, for where there is no wrk: a program that sends one kind of request over some connections and counts the answers.

It is started by `driving` and told what to do as one JSON object on its command line.
"""

from __future__ import annotations

import asyncio
import json
import re
import ssl
import sys
import time
from dataclasses import dataclass
from typing import Any, Final, cast

import uvloop

_LENGTH: Final = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_FIRST_ERROR: Final = b"4"


@dataclass(slots=True)
class Work:
    """What is asked, and how often it was answered."""

    order: dict[str, Any]
    end: float = 0.0
    asked: int = 0
    answers: int = 0
    refused: int = 0

    def request(self) -> bytes:
        """The next request, with names of its own filled in."""
        self.asked += 1
        order = self.order
        names = {"NAME": f"{order['tag']}-{self.asked}", "PICK": f"seed-{self.asked % order['seeds']}", "COUNT": str(self.asked)}
        path, body = _filled(order["path"], names), _filled(order["body"], names).encode()
        head = (
            f"{order['method']} {path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {order['token']}\r\n"
            f"Content-Type: {order['content_type']}\r\nAccept: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        return head.encode() + body


def _filled(template: str, names: dict[str, str]) -> str:
    for name, value in names.items():
        template = template.replace(name, value)
    return template


class Connection(asyncio.Protocol):
    """Asks, waits for the answer, asks again, until time is up."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._received = bytearray()
        self._wanted = 0
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._transport.write(self._work.request())

    def data_received(self, data: bytes) -> None:
        self._received += data
        if not self._wanted:
            head = self._received.find(b"\r\n\r\n")
            if head < 0:
                return
            length = _LENGTH.search(self._received)
            self._wanted = head + 4 + (int(length[1]) if length else 0)
        if len(self._received) >= self._wanted:
            self._answered()

    def _answered(self) -> None:
        work = self._work
        work.answers += 1
        work.refused += self._received[9:10] >= _FIRST_ERROR
        del self._received[: self._wanted]
        self._wanted = 0
        if time.perf_counter() < work.end:
            self._transport.write(work.request())
        else:
            self._transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.done.done():
            self.done.set_result(None)


async def drive(order: dict[str, Any]) -> dict[str, float]:
    """Do what is told, and tell how many answers came in how many seconds, and how many of them were refusals."""
    loop = asyncio.get_running_loop()
    context = ssl._create_unverified_context() if order["encrypted"] else None  # noqa: S323, SLF001 (a server on this machine)
    work = Work(order)
    began = time.perf_counter()
    work.end = began + order["seconds"]
    protocols = [
        (await loop.create_connection(lambda: Connection(work), order["host"], order["port"], ssl=context))[1]
        for _ in range(order["connections"])
    ]
    await asyncio.gather(*(protocol.done for protocol in protocols))
    return {"answers": work.answers, "seconds": time.perf_counter() - began, "refused": work.refused}


if __name__ == "__main__":
    print(json.dumps(uvloop.run(drive(json.loads(sys.argv[1])))))
