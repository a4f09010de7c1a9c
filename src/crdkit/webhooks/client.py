"""Calls webhooks over HTTPS: pooled connections per webhook, names verified, no redirects, no proxies, bounded answers and time."""

from __future__ import annotations

import asyncio
import re
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from crdkit.meta.offload import offload
from crdkit.webhooks.address import Address
from crdkit.webhooks.caller import Answer, CallFailed
from crdkit.webhooks.failures import TIMED_OUT, post_failed, words_of
from crdkit.webhooks.services import ServiceResolver

if TYPE_CHECKING:
    import httpx

MOST_WEBHOOKS: Final = 200
"""Connections are kept to so many webhooks; to the least recently called no more."""
MOST_CONNECTIONS: Final = 256
MOST_IDLE: Final = 64
IDLE_SECONDS: Final = 60.0
MOST_ANSWER_BYTES: Final = 64 * 1024 * 1024
_CERTIFICATE: Final = re.compile(r"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----\n?", re.DOTALL)
_RETRIES: Final = 10
"""How often a webhook that is busy and says for how long (``Retry-After``) is asked again."""


class _Place(NamedTuple):
    """What connections are shared by: where they lead, the name verified there, and the authorities trusted."""

    netloc: str
    name: str
    bundle: bytes


@dataclass(slots=True)
class _Line:
    """The connections to one place."""

    http: httpx.AsyncClient
    calls: int = 0


class HttpCaller:
    """The `Caller` of a running server. `close` it on the loop it was used on."""

    def __init__(self, services: ServiceResolver | None = None) -> None:
        self._services = services or ServiceResolver()
        self._lines: dict[_Place, asyncio.Task[_Line]] = {}

    async def post(self, address: Address, body: bytes, *, seconds: float) -> Answer:
        url = address.url(seconds)
        place = self._place(address, url)
        try:
            async with asyncio.timeout(seconds), self._line(place) as line:
                return await self._until_ready(_Call(line.http, address, place, body, seconds))
        except TimeoutError as error:
            raise post_failed(url, TIMED_OUT) from error

    async def close(self) -> None:
        lines, self._lines = self._lines, {}
        for made in await asyncio.gather(*lines.values(), return_exceptions=True):
            if isinstance(made, _Line):
                await made.http.aclose()

    def _place(self, address: Address, url: str) -> _Place:
        if address.service is None:
            return _Place(address.host, "", address.bundle)
        found = self._services.find(address.service)
        if found is None:
            raise post_failed(url, f'service "{address.service.name}" not found')
        return _Place(found, address.service.host, address.bundle)

    @asynccontextmanager
    async def _line(self, place: _Place) -> AsyncIterator[_Line]:
        """The connections to a place, which are not closed while they are used."""
        making = self._lines.pop(place, None)
        if making is None or making.cancelled():
            making = asyncio.create_task(_open(place.bundle))
        self._lines[place] = making
        line = await asyncio.shield(making)
        line.calls += 1
        try:
            await self._drop_idle()
            yield line
        finally:
            line.calls -= 1

    async def _drop_idle(self) -> None:
        if len(self._lines) <= MOST_WEBHOOKS:
            return
        for place, making in list(self._lines.items()):
            if making.done() and not making.result().calls:
                del self._lines[place]
                await making.result().http.aclose()
                return

    async def _until_ready(self, call: _Call) -> Answer:
        """The answer, asked for again where the webhook says when it will be ready."""
        for _ in range(_RETRIES):
            answer, wait = await call.attempt()
            if wait is None:
                return answer
            await asyncio.sleep(wait)
        return (await call.attempt())[0]


class _Call:
    """One call, which may take several attempts."""

    def __init__(self, http: httpx.AsyncClient, address: Address, place: _Place, body: bytes, seconds: float) -> None:
        self._http, self._address, self._place, self._body = http, address, place, body
        self._told_url = address.url(seconds)
        self._url = self._told_url if not place.name else Address(place.netloc, address.path).url(seconds)
        self._connected = False
        """Whether the attempt opened a connection of its own."""
        self._answered = False
        """Whether the head of an answer has come."""

    async def attempt(self) -> tuple[Answer, int | None]:
        """One answer, and the seconds to wait before the next attempt if there should be one."""
        import httpx  # noqa: PLC0415 (it is loaded by now, and takes long where no webhook is called)

        try:
            return await self._exchange()
        except (httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError) as error:
            if self._connected or self._answered:
                raise await self._failed(error) from error
        except httpx.HTTPError as error:
            raise await self._failed(error) from error
        # The webhook closed a kept connection while the request was on its way: it has not seen it.
        try:
            return await self._exchange()
        except httpx.HTTPError as error:
            raise await self._failed(error) from error

    async def _failed(self, error: Exception) -> CallFailed:
        if self._answered:
            return CallFailed("unexpected error when reading response body. Please retry. Original error: unexpected EOF")
        netloc, name = self._place.netloc, self._place.name
        return post_failed(self._told_url, await words_of(error, netloc, name, self._place.bundle))

    async def _exchange(self) -> tuple[Answer, int | None]:
        self._connected = self._answered = False
        headers = {"Host": self._address.host, "Content-Type": "application/json", "Accept": "application/json, */*"}
        extensions: dict[str, Any] = {"trace": self._trace}
        if self._place.name:
            extensions["sni_hostname"] = self._place.name
        async with self._http.stream("POST", self._url, content=self._body, headers=headers, extensions=extensions) as response:
            self._answered = True
            body = bytearray()
            async for piece in response.aiter_raw():
                body += piece
                if len(body) > MOST_ANSWER_BYTES:
                    raise post_failed(self._told_url, f"the answer is longer than {MOST_ANSWER_BYTES} bytes")
            answer = Answer(bytes(body), response.status_code, response.headers.get("content-type", "application/json"))
            return answer, _wait(response)

    async def _trace(self, event: str, details: dict[str, Any]) -> None:
        del details
        if event == "connection.connect_tcp.started":
            self._connected = True


def _wait(response: httpx.Response) -> int | None:
    """Seconds after which a busy webhook wants to be asked again."""
    after: str = response.headers.get("retry-after", "")
    busy = response.status_code == 429 or response.status_code >= 500
    return int(after) if busy and after.isascii() and after.isdecimal() else None


async def _open(bundle: bytes) -> _Line:
    return _Line(await offload(_client, bundle))


def _client(bundle: bytes) -> httpx.AsyncClient:
    """A client for one place; made in a worker thread, for loading certificates takes long."""
    import httpx  # noqa: PLC0415 (it takes long to load, and many servers call no webhook)

    return httpx.AsyncClient(
        verify=trusting(bundle),
        trust_env=False,
        follow_redirects=False,
        timeout=None,  # noqa: S113 (the whole call has a time limit)
        limits=httpx.Limits(max_connections=MOST_CONNECTIONS, max_keepalive_connections=MOST_IDLE, keepalive_expiry=IDLE_SECONDS),
        headers={"User-Agent": "crdkit", "Accept-Encoding": "identity"},
    )


def trusting(bundle: bytes) -> ssl.SSLContext:
    """A context that trusts every certificate of a bundle that is one; those of the system without a bundle."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.hostname_checks_common_name = False
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    if not bundle:
        context.load_default_certs()
    for certificate in _CERTIFICATE.findall(bundle.decode(errors="replace")):
        with suppress(ssl.SSLError, ValueError):
            context.load_verify_locations(cadata=certificate)
    return context
