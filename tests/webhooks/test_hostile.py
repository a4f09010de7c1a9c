"""Webhooks that mean no good, or know no better: what they send is bounded, and a call ends in time whatever they do."""

from __future__ import annotations

import asyncio
import gzip
import json
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from crdkit.webhooks import connection
from crdkit.webhooks.address import Address
from crdkit.webhooks.answers import ask
from crdkit.webhooks.caller import CallFailed
from tests.webhooks.hooks import Authority, Posted, hook, http

Sending = Callable[[asyncio.StreamWriter], Awaitable[None]]
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
OK = http(b'{"fine": true}')


@pytest.fixture
def context(authority: Authority, tmp_path: Path) -> ssl.SSLContext:
    return authority.issue(tmp_path)


@asynccontextmanager
async def sending(send: Sending, context: ssl.SSLContext) -> AsyncIterator[str]:
    """A webhook that answers every request by what a function writes, for as long as somebody reads."""

    tasks: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        tasks.add(asyncio.current_task())
        try:
            await reader.readuntil(b"\r\n\r\n{}")
            await send(writer)
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.transport.abort()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
    yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    server.close()
    await asyncio.gather(*tasks)


def endless(head: bytes, piece: bytes, pause: float = 0.0) -> Sending:
    async def send(writer: asyncio.StreamWriter) -> None:
        writer.write(head)
        while True:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(pause)

    return send


@pytest.fixture
def low_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "MOST_ANSWER_BYTES", 200_000)
    monkeypatch.setattr(connection, "MOST_HEAD_BYTES", 100_000)


CHUNK = b"4000\r\n" + b"x" * 0x4000 + b"\r\n"


@pytest.mark.parametrize(
    ("send", "told"),
    [
        (endless(HEAD + b"\r\n", b"x" * 16_384), "the answer is longer than 200000 bytes"),
        (endless(HEAD + b"Content-Length: 99999999999\r\n\r\n", b"x" * 16_384), "the answer is longer than 200000 bytes"),
        (endless(HEAD + b"Transfer-Encoding: chunked\r\n\r\n", CHUNK), "the answer is longer than 200000 bytes"),
        (endless(HEAD, b"X-More: " + b"y" * 8_000 + b"\r\n"), "the head of the answer is longer than 100000 bytes"),
        (endless(HEAD + b"X-Long: ", b"y" * 8_000), "the head of the answer is longer than 100000 bytes"),
        (endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 100), "the head of the answer is longer than 100000 bytes"),
        (endless(b"", b"HTTP/1.1 200 " + b"O" * 8_000), "the head of the answer is longer than 100000 bytes"),
    ],
    ids=["body", "announced", "chunks", "fields", "field", "interim", "reason"],
)
@pytest.mark.usefixtures("low_limits")
async def test_floods_are_cut_off(caller, authority, context, send, told):
    async with sending(send, context) as host:
        with pytest.raises(CallFailed) as failed:
            await caller.post(Address(host, bundle=authority.bundle), b"{}", seconds=20)
    assert str(failed.value) == f'Post "https://{host}/?timeout=20s": {told}'


@pytest.mark.parametrize(
    "send",
    [
        endless(HEAD + b"\r\n", b"x", 0.01),
        endless(HEAD, b"X: y\r\n", 0.01),
        endless(HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n", 0.01),
        endless(b"", b"HTTP/1.1 102 Processing\r\n\r\n", 0.01),
    ],
    ids=["body", "head", "chunks", "interim"],
)
async def test_a_drip_ends_in_time(caller, authority, context, send):
    async with sending(send, context) as host:
        with pytest.raises(CallFailed, match="context deadline exceeded"):
            await caller.post(Address(host, bundle=authority.bundle), b"{}", seconds=0.15)


async def test_what_is_packed_is_not_unpacked(caller, authority, context):
    """A bomb of zeros stays the few bytes that came: no packed answer was asked for."""
    packed = gzip.compress(b" " * 5_000_000 + b"{}")
    async with hook(http(packed, Content_Encoding="gzip"), context) as running:
        answer = await caller.post(Address(running.host, bundle=authority.bundle), b"{}", seconds=5)
        assert "accept-encoding" not in running.posted[0].headers
    assert answer.body == packed


async def test_an_answer_of_http_1_0(caller, authority, context):
    async def send(writer: asyncio.StreamWriter) -> None:
        writer.write(b'HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n{"fine": true}')
        await writer.drain()
        writer.close()
        await writer.wait_closed()

    async with sending(send, context) as host:
        answer = await caller.post(Address(host, bundle=authority.bundle), b"{}", seconds=5)
    assert json.loads(answer.body) == {"fine": True}


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n{}", "malformed HTTP response"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}", "malformed HTTP response"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "malformed HTTP response"),
        (b"\x00\x01\x02\x03", "malformed HTTP response"),
        (b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n", "the server responded with the status code 101"),
    ],
)
async def test_garbage_is_told_of(caller, authority, context, sent, told):
    async def send(writer: asyncio.StreamWriter) -> None:
        writer.write(sent)
        await writer.drain()
        await asyncio.sleep(0.2)

    async with sending(send, context) as host:
        with pytest.raises(CallFailed, match=told):
            await ask(caller, Address(host, bundle=authority.bundle), b"{}", seconds=1)


async def test_a_half_answer_on_a_kept_connection_is_not_asked_for_again(caller, authority, context):
    """Something of an answer had come, so the webhook has seen the request."""

    async def answer(_: Posted) -> bytes:
        return OK if len(running.posted) == 1 else b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Le"

    async with hook(answer, context) as running:
        address = Address(running.host, bundle=authority.bundle)
        await caller.post(address, b"{}", seconds=5)
        with pytest.raises(CallFailed):
            await caller.post(address, b"{}", seconds=5)
        assert len(running.posted) == 2


async def test_a_connection_that_was_closed_while_idle_is_not_used(caller, authority, context):
    async with hook(OK, context) as running:
        address = Address(running.host, bundle=authority.bundle)
        await caller.post(address, b"{}", seconds=5)
        running.hang_up()
        await asyncio.sleep(0.05)
        await caller.post(address, b"{}", seconds=5)
        assert (running.connections, len(running.posted)) == (2, 2)


async def test_what_a_webhook_says_unasked_is_no_answer(caller, authority, context):
    """An answer too many, which a next request on that connection would take for its own."""
    async with hook(OK + http(b'{"forged": true}'), context) as running:
        address = Address(running.host, bundle=authority.bundle)
        for _ in range(3):
            assert (await caller.post(address, b"{}", seconds=5)).body == b'{"fine": true}'


@pytest.mark.parametrize("after", ["9" * 5000, "-1", "soon"])
async def test_a_wait_that_is_no_number_of_seconds_is_not_waited(caller, authority, context, after):
    async with hook(http(b"", "503 Service Unavailable", Retry_After=after), context) as running:
        assert (await caller.post(Address(running.host, bundle=authority.bundle), b"{}", seconds=5)).status == 503


async def test_a_long_wait_ends_with_the_call(caller, authority, context):
    async with hook(http(b"", "503 Service Unavailable", Retry_After="9" * 18), context) as running:
        with pytest.raises(CallFailed, match="context deadline exceeded"):
            await caller.post(Address(running.host, bundle=authority.bundle), b"{}", seconds=0.1)
