"""Calls webhooks over HTTPS: pooled connections per webhook, names verified, redirects followed, no proxies, bounded answers and time."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeVar

from crdkit.meta import golang
from crdkit.meta.begun import within_task
from crdkit.meta.offload import offload
from crdkit.webhooks.address import DEFAULT_PORT, Address
from crdkit.webhooks.caller import Answer, CallFailed
from crdkit.webhooks.connection import Broken, TimedOut
from crdkit.webhooks.failures import TIMED_OUT, post_failed, words_of
from crdkit.webhooks.pool import Pool
from crdkit.webhooks.redirects import MOST_REQUESTS, REDIRECTS, Stop, following
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
PLAIN_PORT: Final = 80
T = TypeVar("T")
_Answered = tuple[Answer, dict[bytes, bytes]]
"""An answer and the fields of its head."""
_CUT_OFF: Final = "unexpected error when reading response body. Please retry. Original error: unexpected EOF"


class _Place(NamedTuple):
    """What connections are shared by: where they lead, the name verified there, and the authorities trusted."""

    host: str
    port: int
    name: str
    bundle: bytes
    plain: bool = False
    """Without TLS, which only a redirect may lead to."""


class HttpCaller:
    """The `Caller` of a running server. `close` it on the loop it was used on."""

    def __init__(self, services: ServiceResolver | None = None) -> None:
        self._services = services or ServiceResolver()
        self._pools: dict[_Place, asyncio.Task[Pool]] = {}

    async def post(self, address: Address, body: bytes, *, seconds: float) -> Answer:
        await within_task()
        url = address.url(seconds)
        place = self._place(address, url)
        until = asyncio.get_running_loop().time() + seconds
        answer, fields = await self._ask(_Call(url, place, _request(address, url, body), until))
        if answer.status in REDIRECTS:
            return await self._follow(address, Stop("POST", url), body, until, (answer, fields))
        return answer

    async def _ask(self, call: _Call) -> _Answered:
        try:
            pool = self._ready(call.place)
            if pool is None:
                pool = await call.in_time(self._made(call.place))
            pool.users += 1
            try:
                self._drop_unused()
                return await call.answer(pool)
            finally:
                pool.users -= 1
        except TimedOut as error:
            raise post_failed(call.url, TIMED_OUT) from error

    async def _follow(self, address: Address, stop: Stop, body: bytes, until: float, found: _Answered) -> Answer:
        """The answer that redirects lead to in the end."""
        for left in reversed(range(MOST_REQUESTS)):
            answer, fields = found
            location = fields.get(b"location", b"").decode("latin-1").strip()
            after = following(stop, answer.status, location)
            if after is None:
                break
            if not left:
                raise post_failed(location, f"stopped after {MOST_REQUESTS} redirects")
            stop = after
            found = await self._ask(_Call(stop.url, self._place_after(address, stop), stop.request(body), until))
        return answer

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

    def _place_after(self, address: Address, stop: Stop) -> _Place:
        """Where a redirect leads: the name of a service is verified there, too."""
        if stop.scheme not in ("http", "https"):
            raise post_failed(stop.url, f"unsupported protocol scheme {golang.quote(stop.scheme)}")
        plain = stop.scheme == "http"
        if address.service is not None and stop.host == address.host:
            return self._place(address, stop.url)._replace(plain=plain)
        host, port = _host_and_port(stop.host, PLAIN_PORT if plain else DEFAULT_PORT)
        return _Place(host, port, address.service.host if address.service else host, address.bundle, plain)

    def _ready(self, place: _Place) -> Pool | None:
        """The connections to a place, if it was called before."""
        making = self._pools.pop(place, None)
        if making is None or making.cancelled():
            return None
        self._pools[place] = making
        return making.result() if making.done() else None

    async def _made(self, place: _Place) -> Pool:
        """The connections to a place, once they can be made."""
        making = self._pools.get(place)
        if making is None:
            making = self._pools[place] = asyncio.create_task(_open(place))
        return await asyncio.shield(making)

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
    context = None if place.plain else await offload(trusting, place.bundle)
    return Pool(place.host, place.port, place.name, context)


def _request(address: Address, url: str, body: bytes) -> bytes:
    target = url.removeprefix(f"https://{address.host}")
    head = (
        f"POST {target} HTTP/1.1\r\nHost: {address.host}\r\nUser-Agent: crdkit\r\nContent-Length: {len(body)}\r\n"
        "Accept: application/json, */*\r\nContent-Type: application/json\r\n\r\n"
    )
    return head.encode() + body


class _Call:
    """One call of a webhook, which must end before some time of the event loop: what takes longer raises `TimedOut`."""

    def __init__(self, url: str, place: _Place, request: bytes, until: float) -> None:
        self.url, self.place, self._request, self._until = url, place, request, until

    async def in_time(self, deed: Coroutine[Any, Any, T]) -> T:
        """What comes of a deed that may have to wait."""
        limit = asyncio.timeout_at(self._until)
        try:
            async with limit:
                return await deed
        except TimeoutError as error:
            if limit.expired():
                raise TimedOut from error
            raise

    async def answer(self, pool: Pool) -> _Answered:
        """The answer, asked for again where the webhook says when it will be ready. Raises `CallFailed`."""
        for left in reversed(range(_RETRIES + 1)):
            try:
                answer, fields = await self._exchange(pool)
            except Broken as error:
                raise CallFailed(_CUT_OFF) if error.answered and str(error) == "EOF" else post_failed(self.url, str(error)) from error
            except OSError as error:
                raise post_failed(self.url, await self.in_time(words_of(error, *self.place[:4]))) from error
            wait = _wait(answer, fields) if left else None
            if wait is None:
                break
            await self.in_time(asyncio.sleep(wait))
        return answer, fields

    async def _exchange(self, pool: Pool) -> _Answered:
        connection = await pool.kept()
        if connection is None:
            connection = await self.in_time(pool.any())
        # One that breaks is not asked again, even on a kept connection: whoever hung up may have seen what was sent.
        try:
            return await connection.exchange(self._request, until=self._until)
        finally:
            pool.put_back(connection)


def _wait(answer: Answer, fields: dict[bytes, bytes]) -> int | None:
    """Seconds after which a busy webhook wants to be asked again."""
    after = fields.get(b"retry-after", b"")
    busy = answer.status == 429 or answer.status >= 500
    return min(int(after), _LONGEST_WAIT) if busy and after.isdigit() and len(after) <= _MOST_DIGITS else None


@lru_cache(maxsize=MOST_WEBHOOKS)
def _host_and_port(netloc: str, default: int = DEFAULT_PORT) -> tuple[str, int]:
    host, colon, port = netloc.rpartition(":")
    if not colon or not port.isdecimal():
        return netloc.strip("[]"), default
    return host.strip("[]"), int(port)
