"""HTTP/1.1 by hand: what a connection takes, and what it cuts off."""

from __future__ import annotations

import asyncio
import gc
import json
import random
import time
import weakref
from collections.abc import AsyncIterator, Callable

import pytest

from crdkit.registry.pieces import Pieces
from crdkit.registry.request import WatchReply
from crdkit.server import connections, protocol
from crdkit.server.connections import Connections
from crdkit.server.exchange import Exchange
from crdkit.server.knownheads import KnownHead
from crdkit.server.message import Headers, Incoming, Outgoing, Stream
from crdkit.server.protocol import HttpProtocol
from crdkit.server.underway import Course, Outcome, Underway
from crdkit.server.watching import WatchStream
from crdkit.testing.server import Server
from tests.server.conftest import KITES, Client, kite


def test_requests_sent_at_once_are_answered_in_order(client: Client) -> None:
    for number in range(40):
        client.ask(f"GET {KITES}/missing-{number}")
    for number in range(40):
        code, body = client.answer()
        assert (code, json.loads(body)["details"]["name"]) == (404, f"missing-{number}")


def test_a_body_may_come_in_chunks(client: Client) -> None:
    body = json.dumps(kite("chunked")).encode()
    chunks = b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in (body[:7], body[7:])) + b"0\r\n\r\n"
    client.ask(f"POST {KITES}", "Content-Type: application/json", "Transfer-Encoding: chunked")
    client.send(chunks)
    assert client.answer()[0] == 201


def test_fields_after_a_body_in_chunks_are_not_taken_for_those_of_the_head(client: Client) -> None:
    body = json.dumps(kite("trailed")).encode()
    client.ask(f"POST {KITES}", "Content-Type: application/json", "Impersonate-User: somebody", "Transfer-Encoding: chunked")
    client.send(b"%x\r\n%b\r\n0\r\nImpersonate-Group: system:masters\r\n\r\n" % (len(body), body))
    assert client.answer()[0] == 403


@pytest.mark.parametrize("field", ["Impersonate-Group: x", "Impersonate-Uid: 7", "Impersonate-Extra-Scopes: x"])
def test_who_wants_anothers_rights_must_say_whose(client: Client, field: str) -> None:
    client.ask(f"GET {KITES}/a", field)
    code, body = client.answer()
    assert (code, "without impersonating a user name" in json.loads(body)["message"]) == (400, True)


def test_a_client_that_waits_for_leave_to_send_a_body_gets_it(client: Client) -> None:
    body = json.dumps(kite("expected")).encode()
    client.ask(f"POST {KITES}", "Expect: 100-continue", f"Content-Length: {len(body)}")
    assert client.head() == (100, {})
    client.send(body)
    assert client.answer()[0] == 201


def test_head_is_get_without_the_body(client: Client) -> None:
    client.ask(f"GET {KITES}/a")
    _, body = client.answer()
    client.ask(f"HEAD {KITES}/a")
    code, headers = client.head()
    assert (code, headers["content-length"]) == (200, str(len(body)))
    client.ask("GET /healthz")
    assert client.answer() == (200, b"ok")


@pytest.mark.parametrize("method", ["FETCH", "get", "CONNECT", "OPTIONS", "TRACE", "PROPFIND"])
def test_methods_that_are_no_verbs_are_refused_as_such(client: Client, method: str) -> None:
    client.ask(f"{method} {KITES}/a")
    code, body = client.answer()
    assert (code, json.loads(body)["message"]) == (405, ' is not supported on resources of kind "kites.example.com"')
    client.ask("GET /healthz")
    assert client.answer() == (200, b"ok")


def test_a_broken_escape_ends_the_connection(client: Client) -> None:
    client.ask(f"GET {KITES}/%zz")
    code, headers = client.head()
    assert (code, headers["content-type"], headers["connection"]) == (400, "text/plain; charset=utf-8", "close")
    assert client.file.read() == b"400 Bad Request"


def test_http_1_0_is_answered_and_closed(client: Client) -> None:
    client.send(f"GET /version HTTP/1.0\r\nAuthorization: Bearer {client.token}\r\n\r\n".encode())
    code, headers = client.head()
    assert (code, headers["connection"]) == (200, "close")
    client.file.read()


def test_a_wish_for_another_protocol_is_ignored(client: Client) -> None:
    client.ask("GET /healthz", "Connection: Upgrade", "Upgrade: h2c")
    assert client.answer() == (200, b"ok")
    client.ask("GET /healthz")
    assert client.answer() == (200, b"ok")


def test_a_head_without_end_is_cut_off(client: Client) -> None:
    client.send(b"GET / HTTP/1.1\r\n")
    with pytest.raises((ConnectionResetError, BrokenPipeError)):
        send_headers_forever(client)


def send_headers_forever(client: Client) -> None:
    for number in range(100_000):
        client.send(b"x-%d: %b\r\n" % (number, b"y" * 1000))


def test_a_body_that_is_too_long_is_refused_and_the_answer_arrives(client: Client) -> None:
    client.ask(f"POST {KITES}", "Content-Type: application/json", body=b" " * (3 * 1024 * 1024 + 1))
    code, body = client.answer()
    assert (code, json.loads(body)) == (
        413,
        {
            "kind": "Status",
            "apiVersion": "v1",
            "metadata": {},
            "status": "Failure",
            "message": "Request entity too large: limit is 3145728",
            "reason": "RequestEntityTooLarge",
            "code": 413,
        },
    )


def test_a_body_as_long_as_may_be_is_read(client: Client) -> None:
    body = json.dumps(kite("long")).encode()
    client.ask(f"POST {KITES}", "Content-Type: application/json", body=body + b" " * (3 * 1024 * 1024 - len(body)))
    assert client.answer()[0] == 201


@pytest.mark.parametrize("opening", [b"[", b'{"a":'])
@pytest.mark.parametrize("media_type", ["application/json", "application/yaml"])
def test_nesting_without_end_is_refused(client: Client, opening: bytes, media_type: str) -> None:
    client.ask(f"POST {KITES}", f"Content-Type: {media_type}", body=opening * 11_000)
    assert client.answer()[0] == 400


@pytest.mark.parametrize("seed", range(20))
def test_noise_does_no_harm(plain: Server, seed: int) -> None:
    noise = random.Random(seed)
    one = Client(plain)
    try:
        if seed % 2:
            one.send(b"POST /apis/example.com/v1/kites HTTP/1.1\r\n")
        one.send(noise.randbytes(noise.randrange(1, 5000)) + b"\r\n\r\n")
        one.socket.settimeout(0.5)
        code, _ = one.head()
        assert code in (0, 400, 403, 405, 411)
    except (TimeoutError, ConnectionError, UnicodeDecodeError):
        pass
    finally:
        one.close()
    assert plain.request("GET", "/healthz").body == "ok"


@pytest.mark.parametrize("seed", range(10))
def test_noise_in_a_body_is_a_bad_request(client: Client, seed: int) -> None:
    body = random.Random(seed).randbytes(2000)
    for media_type in ("application/json", "application/yaml"):
        client.ask(f"POST {KITES}", f"Content-Type: {media_type}", body=body)
        assert client.answer()[0] == 400
    client.ask(f"PATCH {KITES}/a", "Content-Type: application/merge-patch+json", body=body)
    assert client.answer()[0] == 400


def test_silent_clients_hurt_nobody_and_have_to_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "HEAD_SECONDS", 1.5)
    monkeypatch.setattr(connections, "TICK", 0.1)
    with Server(tls=False) as server:
        silent = [Client(server) for _ in range(300)]
        slow = [Client(server) for _ in range(50)]
        for one in slow:
            one.send(b"GET /heal")
        began = time.perf_counter()
        good = Client(server)
        for _ in range(20):
            good.ask("GET /healthz")
            assert good.answer() == (200, b"ok")
        assert time.perf_counter() - began < 1
        for one in (*silent, *slow):
            assert one.head() == (0, {})
        good.ask("GET /healthz")
        assert good.answer() == (200, b"ok")
        for one in (*silent, *slow, good):
            one.close()


def test_where_there_are_too_many_the_longest_silent_has_to_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crdkit.server.run.connection_limit", lambda: 10)
    with Server(tls=False) as server:
        silent = [Client(server) for _ in range(10)]
        good = Client(server)
        good.ask("GET /healthz")
        assert good.answer() == (200, b"ok")
        assert silent[0].head() == (0, {})
        for one in (*silent, good):
            one.close()


def test_a_silent_handshake_holds_nobody_up() -> None:
    with Server() as server:
        silent = [Client(server) for _ in range(100)]
        assert server.request("GET", "/healthz").body == "ok"
        for one in silent:
            one.close()


def test_requests_that_resemble_each_other_are_told_apart(client: Client) -> None:
    """Whole, in parts and together: with another user, another body, other lengths and another version of HTTP."""
    mine = f"Authorization: Bearer {client.token}\r\n"

    def asked(line: str, head: str, body: str = "") -> bytes:
        return f"{line}\r\nHost: x\r\n{head}\r\n{body}".encode()

    def created(name: str) -> bytes:
        body = json.dumps(kite(name))
        return asked(f"POST {KITES} HTTP/1.1", f"{mine}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n", body)

    exchanges = [
        (asked(f"GET {KITES}/a HTTP/1.1", mine), 200),
        (asked(f"GET {KITES}/b HTTP/1.1", mine), 404),
        (asked(f"GET {KITES}/a HTTP/1.1", "Authorization: Bearer nobody\r\n"), 401),
        (asked(f"GET {KITES}/a HTTP/1.1", f"{mine}Accept: text/none\r\n"), 406),
        (created("like-1"), 201),
        (created("like-2"), 201),
        (created("like-2"), 409),
        (created("like-longer"), 201),
        (asked(f"DELETE {KITES}/like-1 HTTP/1.1", mine), 200),
        (asked(f"DELETE {KITES}/like-2 HTTP/1.1", mine), 200),
        (asked(f"DELETE {KITES}/like-longer HTTP/1.1", mine), 200),
    ]
    for _ in range(2):
        for request, code in exchanges:
            client.send(request)
            assert client.answer()[0] == code
    client.send(b"".join(request for request, _ in exchanges))
    assert [client.answer()[0] for _ in exchanges] == [code for _, code in exchanges]
    for request, code in exchanges:
        client.send(request[:40])
        time.sleep(0.002)
        client.send(request[40:])
        assert client.answer()[0] == code
    client.send(asked(f"GET {KITES}/a HTTP/1.0", mine))
    code, headers = client.head()
    assert (code, headers["connection"]) == (200, "close")


HEAD = b"\r\nHost: x\r\nContent-Length: %b\r\nAccept: */*\r\n\r\n"


@pytest.mark.parametrize(
    ("head", "size", "data", "found"),
    [
        (HEAD % b"3", 3, HEAD % b"3" + b"abc", b"abc"),
        (HEAD % b"3", 3, HEAD % b"12" + b"abcdefghijkl", b"abcdefghijkl"),
        (HEAD % b"3", 3, HEAD % b"0", b""),
        (HEAD % b"3", 3, HEAD % b"3" + b"ab", None),
        (HEAD % b"3", 3, HEAD % b"3" + b"abcd", None),
        (HEAD % b"3", 3, HEAD % b"03" + b"abc", None),
        (HEAD % b"3", 3, HEAD % b" 3" + b"abc", None),
        (HEAD % b"3", 3, HEAD % b"" + b"", None),
        (HEAD % b"3", 3, HEAD[:20], None),
        (HEAD % b"3", 3, HEAD.replace(b"*/*", b"*") % b"3" + b"abc", None),
        (b"\r\nHost: x\r\n\r\n", 0, b"\r\nHost: x\r\n\r\n", b""),
        (b"\r\nHost: x\r\n\r\n", 0, b"\r\nHost: x\r\n\r\nmore", None),
    ],
)
def test_a_known_head_is_told_from_others(head: bytes, size: int, data: bytes, found: bytes | None) -> None:
    known = KnownHead.of(head, size, Headers(()))
    assert known is not None
    assert known.body_in(b"GET / HTTP/1.1" + data, 14) == found
    assert known.body_in(b"GET / HTTP/1.1" + HEAD % b"3" + b"abc", 14) in (b"abc", None)
    assert known.body_in(b"GET / HTTP/1.1" + data, 14) == found  # whatever it was between


@pytest.mark.parametrize("head", [HEAD % b"03", HEAD % b"3\r\nContent-Length: 3", HEAD % b"3 ", b"\r\nTransfer-Encoding: chunked\r\n\r\n"])
def test_an_unusual_length_is_not_remembered(head: bytes) -> None:
    assert KnownHead.of(head, 3, Headers(())) is None


def test_what_is_sent_together_is_answered_in_its_order(client: Client) -> None:
    """Reads, writes that are not stored, writes that are, and those that are refused."""
    expected = []
    for number in range(40):
        name = f"together-{number}"
        body = json.dumps(kite(name)).encode()
        for query, code in (("?dryRun=All", 201), ("", 201), ("", 409), ("?dryRun=No", 422)):
            client.ask(f"POST {KITES}{query}", "Content-Type: application/json", f"Audit-Id: {len(expected)}", body=body)
            expected.append((code, str(len(expected))))
        client.ask(f"GET {KITES}/{name}", f"Audit-Id: {len(expected)}")
        expected.append((200, str(len(expected))))
        client.ask(f"DELETE {KITES}/{name}", f"Audit-Id: {len(expected)}")
        expected.append((200, str(len(expected))))
    for code, audit_id in expected:
        found, headers = client.head()
        client.file.read(int(headers["content-length"]))
        assert (found, headers["audit-id"]) == (code, audit_id)


@pytest.mark.parametrize("first", ["POST", "GET"])
@pytest.mark.parametrize("cut", [0, 1, 100])
def test_a_request_may_be_on_its_way_while_the_one_before_is_answered(client: Client, first: str, cut: int) -> None:
    for number in range(3):
        name = f"way-{first}-{cut}-{number}".lower()
        body = json.dumps({**kite(name), "spec": {"note": "x" * 1000}}).encode()
        head = f"POST {KITES} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {client.token}\r\nContent-Length: {len(body)}\r\n\r\n".encode()
        before = f"{first} {KITES}?dryRun=All HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {client.token}\r\n"
        before += f"Content-Length: {len(body)}\r\n\r\n" if first == "POST" else "\r\n"
        client.send(before.encode() + (body if first == "POST" else b"") + head + body[:cut])
        assert client.answer()[0] == (201 if first == "POST" else 200)
        client.send(body[cut:])
        assert client.answer()[0] == 201


def test_who_asks_for_leave_while_the_one_before_is_answered_gets_it_then(client: Client) -> None:
    body = json.dumps(kite("leave")).encode()
    line = f"Host: x\r\nAuthorization: Bearer {client.token}\r\n"
    asked = f"POST {KITES} HTTP/1.1\r\n{line}Expect: 100-continue\r\nContent-Length: {len(body)}\r\n\r\n"
    client.send(f"GET {KITES} HTTP/1.1\r\n{line}\r\n{asked}".encode())
    assert client.answer()[0] == 200
    assert client.head()[0] == 100
    client.send(body)
    assert client.answer()[0] == 201


class Line(asyncio.Transport):
    """One end of a connection. What is closed cannot be written to."""

    def __init__(self) -> None:
        super().__init__()
        self.sent = b""
        self._closed = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if self._closed:
            raise RuntimeError("the handler is closed")
        self.sent += data

    def is_closing(self) -> bool:
        return self._closed

    def close(self) -> None:
        self._closed = True

    def abort(self) -> None:
        self.close()

    def pause_reading(self) -> None: ...
    def resume_reading(self) -> None: ...


class Late:
    """Answers once it is let, as a task or by going on without one."""

    def __init__(self, answer: Outgoing, *, as_task: bool) -> None:
        self.let: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._answer = answer
        self._as_task = as_task

    async def answer(self, incoming: Incoming) -> Outgoing:
        del incoming
        await self.let
        return self._answer

    def begin(self, incoming: Incoming) -> Outcome | Underway:
        work = self.answer(incoming)
        return work if self._as_task else Course([]).go_on(Exchange(incoming), work, work.send(None), time.perf_counter())


class Told:
    """A stream, and whether it was closed."""

    closed = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield b"x"

    async def aclose(self) -> None:
        self.closed = True


TOLD = b"GET /a HTTP/1.1\r\nHost: x\r\n\r\n"
ASKS_FOR_LEAVE = b"POST /a HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n"
BODIES: list[Callable[[], bytes | Pieces | Stream]] = [
    lambda: b"x",
    lambda: b"x" * 1_000_000,
    lambda: Pieces(2, (b"x", b"y")),
    Told,
]


@pytest.mark.parametrize("as_task", [True, False])
@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("following", [b"", TOLD, ASKS_FOR_LEAVE])
async def test_who_leaves_before_the_answer_is_there_does_no_harm(
    as_task: bool, body: Callable[[], bytes | Pieces | Stream], following: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    loop, outgoing, line = asyncio.get_running_loop(), Outgoing(200, b"", body()), Line()
    answerer = Late(outgoing, as_task=as_task)
    shared = Connections(answerer, loop, most=9)
    one = HttpProtocol(shared)
    one.connection_made(line)
    loop.call_soon(one._take, TOLD + following)
    await turns()
    line.close()
    one.connection_lost(None)
    answerer.let.set_result(None)
    await turns()
    assert (line.sent, one.busy, len(shared), caplog.text) == (b"", False, 0, "")
    if isinstance(outgoing.body, Told):
        assert outgoing.body.closed


@pytest.mark.parametrize("body", [*BODIES, lambda: WatchStream(WatchReply(nothing(), 60.0), set())])
async def test_nothing_is_left_of_who_has_left(body: Callable[[], bytes | Pieces | Stream]) -> None:
    """Not even until somebody looks for garbage, seldom as that is: the buffers of a connection are large."""
    gc.collect()
    gc.disable()
    try:
        answerer, line = Late(Outgoing(200, b"", body()), as_task=True), Line()
        answerer.let.set_result(None)
        one = HttpProtocol(Connections(answerer, asyncio.get_running_loop(), most=9))
        one.connection_made(line)
        one._take(TOLD)
        await turns()
        line.close()
        one.connection_lost(None)
        left = weakref.ref(one)
        del one, answerer
        await turns()
        assert line.sent
        assert left() is None
    finally:
        gc.enable()


async def nothing() -> AsyncIterator[bytes]:
    """A watch that nothing happens to."""
    yield b"x"
    await asyncio.get_running_loop().create_future()


async def turns() -> None:
    for _ in range(9):
        await asyncio.sleep(0)
