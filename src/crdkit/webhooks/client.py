"""Calls webhooks over HTTPS: pooled connections per webhook, names verified, no redirects, no proxies, bounded answers and time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final, NamedTuple

from crdkit.meta.offload import offload
from crdkit.webhooks.address import DEFAULT_PORT, Address
from crdkit.webhooks.caller import Answer, CallFailed
from crdkit.webhooks.connection import Broken
from crdkit.webhooks.failures import TIMED_OUT, post_failed, words_of
from crdkit.webhooks.pool import Pool
from crdkit.webhooks.services import ServiceResolver
from crdkit.webhooks.trust import trusting

MOST_WEBHOOKS: Final = 200
"""Connections are kept to so many webhooks; to the least recently called no more."""
_RETRIES: Final = 10
"""How often a webhook that is busy and says for how long (``Retry-After``) is asked again."""
_LONGEST_WAIT: Final = 3600
"""Seconds; no call lasts that long."""
_MOST_DIGITS: Final = 18
"""Beyond this Go reads no number."""
_CUT_OFF: Final = "unexpected error when reading response body. Please retry. Original error: unexpected EOF"


class _Place(NamedTuple):
    """What connections are shared by: where they lead, the name verified there, and the authorities trusted."""

    host: str
    port: int
    name: str
    bundle: bytes


class HttpCaller:
    """The `Caller` of a running server. `close` it on the loop it was used on."""

    def __init__(self, services: ServiceResolver | None = None) -> None:
        self._services = services or ServiceResolver()
        self._pools: dict[_Place, asyncio.Task[Pool]] = {}

    async def post(self, address: Address, body: bytes, *, seconds: float) -> Answer:
        url = address.url(seconds)
        place = self._place(address, url)
        try:
            async with asyncio.timeout(seconds), self._pool(place) as pool:
                return await _until_ready(pool, url, place, _request(address, url, body))
        except TimeoutError as error:
            raise post_failed(url, TIMED_OUT) from error

    async def close(self) -> None:
        pools, self._pools = self._pools, {}
        for made in await asyncio.gather(*pools.values(), return_exceptions=True):
            if isinstance(made, Pool):
                made.close()

    def _place(self, address: Address, url: str) -> _Place:
        if address.service is None:
            host, port = _host_and_port(address.host)
            return _Place(host, port, host, address.bundle)
        found = self._services.find(address.service)
        if found is None:
            raise post_failed(url, f'service "{address.service.name}" not found')
        return _Place(*_host_and_port(found), address.service.host, address.bundle)

    @asynccontextmanager
    async def _pool(self, place: _Place) -> AsyncIterator[Pool]:
        """The connections to a place, which are not closed while they are used."""
        making = self._pools.pop(place, None)
        if making is None or making.cancelled():
            making = asyncio.create_task(_open(place))
        self._pools[place] = making
        pool = making.result() if making.done() else await asyncio.shield(making)
        pool.users += 1
        try:
            self._drop_unused()
            yield pool
        finally:
            pool.users -= 1

    def _drop_unused(self) -> None:
        if len(self._pools) <= MOST_WEBHOOKS:
            return
        for place, making in list(self._pools.items()):
            if making.done() and not making.result().users:
                del self._pools[place]
                making.result().close()
                return


async def _open(place: _Place) -> Pool:
    """A pool, whose certificates are loaded in a worker thread, for that takes long."""
    return Pool(place.host, place.port, place.name, await offload(trusting, place.bundle))


def _request(address: Address, url: str, body: bytes) -> bytes:
    target = url.removeprefix(f"https://{address.host}")
    head = (
        f"POST {target} HTTP/1.1\r\nHost: {address.host}\r\nUser-Agent: crdkit\r\nContent-Length: {len(body)}\r\n"
        "Accept: application/json, */*\r\nContent-Type: application/json\r\n\r\n"
    )
    return head.encode() + body


async def _until_ready(pool: Pool, url: str, place: _Place, request: bytes) -> Answer:
    """The answer, asked for again where the webhook says when it will be ready."""
    for left in reversed(range(_RETRIES + 1)):
        try:
            answer, fields = await _exchange(pool, request)
        except Broken as error:
            raise CallFailed(_CUT_OFF) if error.answered and str(error) == "EOF" else post_failed(url, str(error)) from error
        except OSError as error:
            raise post_failed(url, await words_of(error, place.host, place.port, place.name, place.bundle)) from error
        wait = _wait(answer, fields) if left else None
        if wait is None:
            break
        await asyncio.sleep(wait)
    return answer


async def _exchange(pool: Pool, request: bytes) -> tuple[Answer, dict[bytes, bytes]]:
    try:
        async with pool.connection() as (connection, was_used):
            return await connection.exchange(request)
    except Broken as error:
        if error.answered or not was_used:
            raise
    # The webhook closed a kept connection while the request was on its way: it has not seen it.
    async with pool.connection(new=True) as (connection, _):
        return await connection.exchange(request)


def _wait(answer: Answer, fields: dict[bytes, bytes]) -> int | None:
    """Seconds after which a busy webhook wants to be asked again."""
    after = fields.get(b"retry-after", b"")
    busy = answer.status == 429 or answer.status >= 500
    return min(int(after), _LONGEST_WAIT) if busy and after.isdigit() and len(after) <= _MOST_DIGITS else None


def _host_and_port(netloc: str) -> tuple[str, int]:
    host, colon, port = netloc.rpartition(":")
    if not colon or not port.isdecimal():
        return netloc.strip("[]"), DEFAULT_PORT
    return host.strip("[]"), int(port)
