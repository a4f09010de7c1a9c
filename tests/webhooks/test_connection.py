"""Answers as they come over the wire, in whatever pieces."""

from __future__ import annotations

import asyncio
import itertools
import socket
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crdkit.webhooks import connection
from crdkit.webhooks.caller import Answer
from crdkit.webhooks.connection import Broken, Connection

LENGTH = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello"
CHUNKED = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n"
UNTIL_CLOSED = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nhello"
AFTER_INTERIM = b"HTTP/1.1 100 Continue\r\n\r\n" + LENGTH
HELLO = Answer(b"hello", 200, "text/plain")


class Transport:
    """Takes what is sent, and answers with pieces."""

    def __init__(self, connection: Connection, pieces: list[bytes], *, closes: bool) -> None:
        self._connection, self._pieces, self._closes = connection, pieces, closes
        self.aborted = False

    def write(self, data: bytes) -> None:
        asyncio.get_running_loop().call_soon(self._answer)

    def _answer(self) -> None:
        for piece in self._pieces:
            if not self.aborted:
                self._connection.data_received(piece)
        if self._closes:
            self._connection.connection_lost(None)

    def abort(self) -> None:
        self.aborted = True

    def get_extra_info(self, name: str) -> tuple[Any, ...]:
        return {"sockname": ("127.0.0.1", 5), "peername": ("::1", 443, 0, 0)}[name]


def connected(*pieces: bytes, closes: bool = False) -> tuple[Connection, Transport]:
    made = Connection()
    transport: Any = Transport(made, list(pieces), closes=closes)
    made.connection_made(transport)
    return made, transport


async def exchanged(*pieces: bytes, closes: bool = False) -> tuple[Answer, bool]:
    """The answer, and whether the connection can be used again."""
    made, _ = connected(*pieces, closes=closes)
    answer, _ = await made.exchange(b"request")
    return answer, made.open


@given(st.sampled_from([LENGTH, CHUNKED, AFTER_INTERIM]), st.lists(st.integers(0, 120)))
def test_an_answer_may_come_in_any_pieces(answer: bytes, cuts: list[int]) -> None:
    places = sorted({0, len(answer), *(cut for cut in cuts if cut < len(answer))})
    pieces = [answer[begin:end] for begin, end in itertools.pairwise(places)]
    assert asyncio.run(exchanged(*pieces)) == (HELLO, True)


async def test_an_answer_without_a_length_ends_with_the_connection():
    assert await exchanged(UNTIL_CLOSED[:50], UNTIL_CLOSED[50:], closes=True) == (HELLO, False)


async def test_a_webhook_may_close_after_an_answer():
    closing = LENGTH.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
    assert await exchanged(closing) == (HELLO, False)
    assert await exchanged(LENGTH.replace(b"1.1", b"1.0")) == (HELLO, False)


async def test_two_requests_one_after_the_other():
    made, _ = connected(LENGTH)
    assert (await made.exchange(b"first"))[0] == (await made.exchange(b"second"))[0] == HELLO


async def test_what_nobody_asked_for_ends_a_connection():
    made, transport = connected()
    made.data_received(LENGTH)
    assert transport.aborted
    assert not made.open


@pytest.mark.parametrize(
    ("pieces", "why", "answered"),
    [
        ([], "EOF", False),
        ([LENGTH[:-1]], "EOF", True),
        ([CHUNKED[:-5]], "EOF", True),
        (
            [b"SSH-2.0-OpenSSH\r\n"],
            'net/http: HTTP/1.x transport connection broken: malformed HTTP response "SSH-2.0-OpenSSH"',
            True,
        ),
    ],
)
async def test_what_is_no_answer(pieces, why, answered):
    with pytest.raises(Broken) as broken:
        await exchanged(*pieces, closes=True)
    assert (str(broken.value), broken.value.answered) == (why, answered)


async def test_a_connection_that_is_reset():
    made, _ = connected()
    exchange = asyncio.create_task(made.exchange(b"request"))
    await asyncio.sleep(0)
    made.connection_lost(ConnectionResetError())
    with pytest.raises(Broken, match=r"^read tcp 127\.0\.0\.1:5->\[::1\]:443: read: connection reset by peer$"):
        await exchange


async def test_long_heads_and_answers_are_not_read(monkeypatch):
    monkeypatch.setattr(connection, "MOST_HEAD_BYTES", 50)
    with pytest.raises(Broken, match="the head of the answer is longer than 50 bytes"):
        await exchanged(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 100)


async def test_a_cancelled_exchange_leaves_no_connection():
    made, transport = connected()
    exchange = asyncio.create_task(made.exchange(b"request"))
    await asyncio.sleep(0)
    exchange.cancel()
    with pytest.raises(asyncio.CancelledError):
        await exchange
    assert transport.aborted
    assert not made.open


async def test_a_connection_is_not_quiet_once_its_end_has_come():
    """Seen even before the event loop looks."""
    near, far = socket.socketpair()
    _, connection = await asyncio.get_running_loop().create_connection(Connection, sock=near)
    assert connection.is_quiet()
    far.close()
    assert (connection.open, connection.is_quiet()) == (True, False)
    connection.abort()
