"""Calls over a real connection: what is sent, what is kept, and the words where nothing usable comes."""

from __future__ import annotations

import asyncio
import re
import ssl
from dataclasses import replace
from pathlib import Path

import pytest

from crdkit.webhooks import client, connection, failures
from crdkit.webhooks.address import Address, Service
from crdkit.webhooks.caller import Answer, CallFailed
from crdkit.webhooks.client import HttpCaller
from crdkit.webhooks.services import ServiceResolver
from tests.webhooks.hooks import Authority, Hook, Posted, hook, http

OK = http(b'{"fine": true}')


def at(running: Hook, authority: Authority | None, path: str = "/") -> Address:
    return Address(running.host, path, bundle=authority.bundle if authority else b"")


async def failure(caller: HttpCaller, address: Address, seconds: float = 5) -> str:
    with pytest.raises(CallFailed) as failed:
        await caller.post(address, b"{}", seconds=seconds)
    return str(failed.value)


@pytest.fixture
def context(authority: Authority, tmp_path: Path) -> ssl.SSLContext:
    return authority.issue(tmp_path)


async def test_a_call_is_a_post_of_json_that_tells_its_timeout(caller, authority, context):
    async with hook(OK, context) as running:
        answer = await caller.post(at(running, authority, "/a%20b"), b'{"x":1}', seconds=30)
    (posted,) = running.posted
    assert answer == Answer(b'{"fine": true}', 200, "application/json")
    assert (posted.path, posted.body) == ("/a%20b?timeout=30s", b'{"x":1}')
    assert posted.headers["content-type"] == "application/json"
    assert posted.headers["accept"] == "application/json, */*"
    assert posted.headers["host"] == running.host


async def test_connections_are_kept(caller, authority, context):
    async with hook(OK, context) as running:
        for _ in range(5):
            await caller.post(at(running, authority), b"{}", seconds=5)
        assert running.connections == 1


async def test_calls_at_once_have_connections_of_their_own(caller, authority, context):
    go = asyncio.Event()

    async def answer(_: Posted) -> bytes:
        if running.at_once == 3:
            go.set()
        await go.wait()
        return OK

    async with hook(answer, context) as running:
        await asyncio.gather(*(caller.post(at(running, authority), b"{}", seconds=5) for _ in range(3)))
        assert running.connections == 3


async def test_a_webhook_that_hangs_up_is_not_asked_again_on_another_connection(caller, authority, context):
    """Whoever hung up may have seen the request, which is no other on a kept connection."""

    async def answer(_: Posted) -> bytes:
        return b"" if len(running.posted) == 2 else OK

    async with hook(answer, context) as running:
        assert (await caller.post(at(running, authority), b"{}", seconds=5)).status == 200
        assert (await failure(caller, at(running, authority), 5)).endswith(": EOF")
        assert len(running.posted) == 2
        assert (await caller.post(at(running, authority), b"{}", seconds=5)).status == 200


async def test_a_service_is_called_where_the_resolver_says_and_must_have_its_name(authority, tmp_path):
    context = authority.issue(tmp_path, names=("hooks.prod.svc",))
    async with hook(OK, context) as running:
        caller = HttpCaller(ServiceResolver.parse([f"hooks.prod={running.host}"]))
        service = Address("hooks.prod.svc:8443", "/c", Service("prod", "hooks", 8443), authority.bundle)
        answer = await caller.post(service, b"{}", seconds=5)
        unknown = replace(service, service=Service("prod", "other"))
        told = await failure(caller, unknown, 30)
        await caller.close()
    assert answer.status == 200
    assert running.posted[0].headers["host"] == "hooks.prod.svc:8443"
    assert told == 'Post "https://hooks.prod.svc:8443/c?timeout=30s": service "other" not found'


async def test_a_redirect_without_a_place_is_an_answer_like_others(caller, authority, context):
    async with hook(http(b"", "302 Found"), context) as running:
        assert (await caller.post(at(running, authority), b"{}", seconds=5)).status == 302


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
async def test_redirects_are_followed(caller, authority, context, code):
    async def answer(posted: Posted) -> bytes:
        return OK if posted.path == "/there" else http(b"", f"{code} Moved", Location="there#here")

    async with hook(answer, context) as running:
        assert (await caller.post(at(running, authority, "/here"), b"{}", seconds=5)).status == 200
    first, second = running.posted
    assert (second.method, second.path, second.body) == (("GET", "/there", b"") if code < 307 else ("POST", "/there", b"{}"))
    assert second.headers["referer"] == f"https://{running.host}{first.path}"


@pytest.mark.parametrize(
    ("location", "told"),
    [
        ("/round", 'Post "/round": stopped after 10 redirects'),
        ("ftp://x/y", 'Post "ftp://x/y": unsupported protocol scheme "ftp"'),
        ("https://127.0.0.1:1/x", 'Post "https://127.0.0.1:1/x": dial tcp 127.0.0.1:1: connect: connection refused'),
        ("http://127.0.0.1:1/", 'Post "http://127.0.0.1:1/": dial tcp 127.0.0.1:1: connect: connection refused'),
        ("%zz", 'Post "https://{host}/?timeout=5s": failed to parse Location header "%zz": parse "%zz": invalid URL escape "%zz"'),
    ],
)
async def test_redirects_that_lead_nowhere(caller, authority, context, location, told):
    async with hook(http(b"", "307 Moved", Location=location), context) as running:
        assert await failure(caller, at(running, authority)) == told.format(host=running.host)


async def test_proxies_are_not_asked(caller, authority, context, monkeypatch):
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:1")
    async with hook(OK, context) as running:
        assert (await caller.post(at(running, authority), b"{}", seconds=5)).status == 200


async def test_a_busy_webhook_is_asked_again_when_it_says(caller, authority, context):
    async def answer(_: Posted) -> bytes:
        return OK if len(running.posted) > 2 else http(b"later", "429 Too Many Requests", Retry_After="0")

    async with hook(answer, context) as running:
        assert (await caller.post(at(running, authority), b"{}", seconds=5)).status == 200
        assert len(running.posted) == 3


async def test_a_call_ends_in_time(caller, authority, context):
    async def answer(_: Posted) -> bytes:
        await asyncio.sleep(60)
        return OK

    async with hook(answer, context) as running:
        told = await failure(caller, at(running, authority, "/slow"), 0.2)
    assert told == f'Post "https://{running.host}/slow?timeout=0.2s": context deadline exceeded'


async def test_a_long_answer_is_not_read_to_its_end(caller, authority, context, monkeypatch):
    monkeypatch.setattr(connection, "MOST_ANSWER_BYTES", 100)
    async with hook(http(b"x" * 101), context) as running:
        told = await failure(caller, at(running, authority))
    assert told == f'Post "https://{running.host}/?timeout=5s": the answer is longer than 100 bytes'


async def test_an_answer_that_ends_early(caller, authority, context):
    async with hook(http(b"half", Content_Length="8", Connection="close"), context) as running:
        told = await failure(caller, at(running, authority))
        assert len(running.posted) == 1
    assert told == "unexpected error when reading response body. Please retry. Original error: unexpected EOF"


@pytest.mark.parametrize(
    ("host", "words"),
    [
        ("127.0.0.1:1", "dial tcp 127.0.0.1:1: connect: connection refused"),
        ("localhost:1", "dial tcp 127.0.0.1:1: connect: connection refused"),
    ],
)
async def test_nobody_listens(caller, host, words):
    assert await failure(caller, Address(host)) == f'Post "https://{host}/?timeout=5s": {words}'


@pytest.mark.parametrize(
    ("configured", "server"),
    [("search x\nnameserver 10.0.0.2\nnameserver 10.0.0.3\n", "10.0.0.2:53"), ("nameserver fd00::1", "[fd00::1]:53"), ("", "127.0.0.1:53")],
)
async def test_a_host_that_is_not_known(caller, monkeypatch, tmp_path, configured, server):
    path = tmp_path / "resolv.conf"
    path.write_text(configured)
    monkeypatch.setattr(failures, "_RESOLVER", path)
    told = await failure(caller, Address("no-such-host.invalid"))
    why = f"dial tcp: lookup no-such-host.invalid on {server}: no such host"
    assert told == f'Post "https://no-such-host.invalid/?timeout=5s": {why}'


async def test_closing_breaks_off_calls_on_their_way(authority, context):
    async def answer(_: Posted) -> bytes:
        await asyncio.sleep(60)
        return OK

    caller = HttpCaller()
    async with hook(answer, context) as running:
        calls = [asyncio.create_task(failure(caller, at(running, authority), 60)) for _ in range(2)]
        while running.at_once < 2:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        await caller.close()
        assert await asyncio.gather(*calls) == [f'Post "{running.url}/?timeout=60s": EOF'] * 2


async def test_a_webhook_that_hangs_up(caller, authority, context):
    async with hook(b"", context) as running:
        assert await failure(caller, at(running, authority)) == f'Post "https://{running.host}/?timeout=5s": EOF'


async def test_a_webhook_without_tls(caller, authority):
    server = await asyncio.start_server(_plain, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    told = await failure(caller, Address(f"127.0.0.1:{port}", bundle=authority.bundle))
    server.close()
    assert told == f'Post "https://127.0.0.1:{port}/?timeout=5s": http: server gave HTTP response to HTTPS client'


async def _plain(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
    await writer.drain()
    writer.close()


MISTRUSTED = "tls: failed to verify certificate: x509: "


@pytest.mark.parametrize(
    ("issued", "words"),
    [
        ({"end": -1, "begin": -2}, r"certificate has expired or is not yet valid: current time \S+Z is after \S+Z"),
        ({"begin": 1, "end": 2}, r"certificate has expired or is not yet valid: current time \S+Z is before \S+Z"),
        ({"names": ("10.0.0.1", "a.example")}, "certificate is valid for 10.0.0.1, not 127.0.0.1"),
        ({"names": ("a.example",)}, "cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs"),
        ({"names": None, "common": "127.0.0.1"}, "certificate relies on legacy Common Name field, use SANs instead"),
    ],
)
async def test_a_certificate_that_does_not_fit(caller, authority, tmp_path, issued, words):
    async with hook(OK, authority.issue(tmp_path, **issued)) as running:
        told = await failure(caller, at(running, authority))
    assert re.fullmatch(re.escape(f'Post "{running.url}/?timeout=5s": {MISTRUSTED}') + words, told)


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (("a.example", "b.example"), "certificate is valid for a.example, b.example, not hooks.prod.svc"),
        (("127.0.0.1",), "certificate is not valid for any names, but wanted to match hooks.prod.svc"),
        (("*.prod.svc",), None),
    ],
)
async def test_the_name_of_a_service_is_verified(authority, tmp_path, names, words):
    async with hook(OK, authority.issue(tmp_path, names=names)) as running:
        caller = HttpCaller(ServiceResolver({"hooks.prod": running.host}))
        service = Address("hooks.prod.svc:443", "/", Service("prod", "hooks"), authority.bundle)
        if words is None:
            assert (await caller.post(service, b"{}", seconds=5)).status == 200
        else:
            assert await failure(caller, service) == f'Post "https://hooks.prod.svc:443/?timeout=5s": {MISTRUSTED}{words}'
        await caller.close()


@pytest.mark.parametrize(
    ("bundle", "words"),
    [
        (Authority("other").bundle, "certificate signed by unknown authority"),
        (b"", "certificate signed by unknown authority"),
        (
            Authority().bundle,
            (
                'certificate signed by unknown authority (possibly because of "x509: ECDSA verification failure" while trying to verify'
                ' candidate authority certificate "hooks-ca")'
            ),
        ),
    ],
)
async def test_an_authority_that_is_not_trusted(caller, context, bundle, words):
    async with hook(OK, context) as running:
        told = await failure(caller, Address(running.host, bundle=bundle))
    assert told == f'Post "{running.url}/?timeout=5s": {MISTRUSTED}{words}'


async def test_what_is_no_certificate_in_a_bundle_is_overlooked(caller, authority, context):
    broken = b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
    async with hook(OK, context) as running:
        answer = await caller.post(Address(running.host, bundle=b"hello\n" + broken + authority.bundle + b"bye"), b"{}", seconds=5)
    assert answer.status == 200


async def test_connections_are_kept_to_few_webhooks(caller, authority, context, monkeypatch):
    monkeypatch.setattr(client, "MOST_WEBHOOKS", 1)
    async with hook(OK, context) as first, hook(OK, context) as second:
        for running in (first, second, first):
            await caller.post(at(running, authority), b"{}", seconds=5)
        assert (first.connections, second.connections) == (2, 1)
