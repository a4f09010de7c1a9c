"""Calls to etcd by gRPC: to one member after the other, within a time, with their errors as the store's own."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Coroutine, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

try:
    import grpc
    import grpc.aio
except ImportError as error:  # pragma: no cover - installed with the extra
    from crdkit.storage.errors import StorageError as _StorageError

    raise _StorageError(
        "etcd needs a library that is not installed: .venv/bin/pip install -e '.[etcd]' in a clone, else pip install 'crdkit[etcd]'"
    ) from error

from crdkit.storage.errors import DiskFull, StorageClosed, StorageError, Unavailable
from crdkit.storage.etcd import messages
from crdkit.storage.etcd.settings import Endpoint, EtcdSettings

RANGE: Final = "/etcdserverpb.KV/Range"
TXN: Final = "/etcdserverpb.KV/Txn"
COMPACT: Final = "/etcdserverpb.KV/Compact"
LEASE_GRANT: Final = "/etcdserverpb.Lease/LeaseGrant"
LEASE_REVOKE: Final = "/etcdserverpb.Lease/LeaseRevoke"
STATUS: Final = "/etcdserverpb.Maintenance/Status"
_AUTHENTICATE: Final = "/etcdserverpb.Auth/Authenticate"
_LEASE_KEEP_ALIVE: Final = "/etcdserverpb.Lease/LeaseKeepAlive"
_WATCH: Final = "/etcdserverpb.Watch/Watch"

SECONDS: Final = 10.0
"""That a call takes at most, all its attempts together."""
_ATTEMPT: Final = 4.0
"""Seconds after which another member is asked."""
_PAUSE: Final = 0.1
"""Seconds between two attempts."""
_STALE: Final = "invalid auth token"
_REQUIRE_LEADER: Final = ("hasleader", "true")
"""A member that is cut off from the others ends its streams, so that they are opened elsewhere."""

_CHANNEL: Final = (
    ("grpc.max_receive_message_length", -1),
    ("grpc.max_send_message_length", -1),
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 1_000),  # which is how long an attempt may take: a busy member says hello late
    ("grpc.max_reconnect_backoff_ms", 1_000),
    ("grpc.use_local_subchannel_pool", 1),
)

_AGAIN: Final = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.CANCELLED)


T = TypeVar("T")


class OutOfRange(Exception):
    """A revision is compacted or yet to come; ``str()`` tells which."""

    @property
    def compacted(self) -> bool:
        return "compacted" in str(self)


class Answer(NamedTuple):
    body: bytes
    first: bool
    """Whether the first attempt was answered; else an earlier one may have been carried out too."""


class Client:
    """One connection to each member; calls go to one of them until it fails."""

    def __init__(self, settings: EtcdSettings) -> None:
        self._settings = settings
        credentials = _credentials(settings)
        self._channels = [_channel(endpoint, credentials) for endpoint in settings.endpoints]
        self._turn = 0
        # Where there is one member, it is waited for; of several, the next is asked.
        self._waits = len(self._channels) == 1
        self._token: str | None = None
        self._streams: set[Any] = set()
        self._closed = False
        self._closing: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._names = ", ".join(endpoint.target for endpoint in settings.endpoints)

    async def call(self, method: str, request: bytes, *, seconds: float = SECONDS) -> Answer:
        """Call, and again while there is time. Raises `OutOfRange` or a `StorageError`."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        first = True
        while True:
            left = deadline - loop.time()
            turn = self._turn
            try:
                return Answer(await self._attempt(method, request, min(left, _ATTEMPT)), first)
            except grpc.aio.AioRpcError as error:
                if not self._may_try_again(error, turn) or deadline - loop.time() <= _PAUSE:
                    raise self._failure(error) from error
            first = False
            await asyncio.sleep(_PAUSE)

    async def _attempt(self, method: str, request: bytes, seconds: float) -> bytes:
        if self._closed:
            raise StorageClosed
        answer: bytes = await self._channel.unary_unary(method)(
            request, timeout=seconds, metadata=await self._metadata(), wait_for_ready=self._waits
        )
        return answer

    async def watch(self, request: bytes) -> AsyncGenerator[messages.WatchAnswer]:
        """Open a watch. Raises `Unavailable` when it breaks off; ends when the client is closed."""
        async for answer in self._stream(_WATCH, request):
            yield messages.read_watch(answer)

    async def keep_alive(self, request: bytes, *, seconds: float) -> messages.LeaseAnswer:
        """Keep a lease. Raises a `StorageError`."""
        async with contextlib.aclosing(self._stream(_LEASE_KEEP_ALIVE, request, seconds)) as stream:
            async for answer in stream:
                return messages.read_lease(answer)
        raise Unavailable(f"etcd at {self._names} does not keep a lease")

    async def _stream(self, method: str, request: bytes, seconds: float | None = None) -> AsyncGenerator[bytes]:
        """Send one message, and take what comes."""
        if self._closed:
            return
        turn, call = self._turn, None
        try:
            metadata = (*await self._metadata(), _REQUIRE_LEADER)
            call = self._channel.stream_stream(method)(metadata=metadata, timeout=seconds, wait_for_ready=self._waits)
            self._streams.add(call)
            await self._unless_closed(call.write(request))
            while (answer := await self._unless_closed(call.read())) is not grpc.aio.EOF:
                yield answer
        except grpc.aio.AioRpcError as error:
            self._may_try_again(error, turn)
            raise self._failure(error) from error
        except StorageClosed:
            return
        except asyncio.InvalidStateError as error:
            raise Unavailable(f"etcd at {self._names} has ended a stream") from error
        finally:
            if call is not None:
                self._streams.discard(call)
                call.cancel()

    async def _unless_closed(self, waiting: Coroutine[Any, Any, T]) -> T:
        """Wait for something, or for the end: a stream that is cancelled early may leave its reader waiting. Raises `StorageClosed`."""
        task = asyncio.ensure_future(waiting)
        try:
            await asyncio.wait((task, self._closing), return_when=asyncio.FIRST_COMPLETED)
            if self._closed:
                raise StorageClosed
            return task.result()
        finally:
            task.cancel()

    def forget_token(self) -> None:
        """Say anew who asks: tokens end, and a member that was restarted knows none of them."""
        self._token = None

    async def close(self) -> None:
        self._closed = True
        if not self._closing.done():
            self._closing.set_result(None)
        for call in tuple(self._streams):
            call.cancel()
        for channel in self._channels:
            await channel.close()

    @property
    def _channel(self) -> Any:
        return self._channels[self._turn % len(self._channels)]

    async def _metadata(self) -> tuple[tuple[str, str], ...]:
        if not self._settings.username:
            return ()
        if self._token is None:
            request = messages.authenticate(self._settings.username, self._settings.password)
            answer = await self._channel.unary_unary(_AUTHENTICATE)(request, timeout=_ATTEMPT, wait_for_ready=self._waits)
            self._token = messages.read_token(answer)
        return (("token", self._token),)

    def _may_try_again(self, error: grpc.aio.AioRpcError, turn: int) -> bool:
        """Whether another attempt, at another member or with a new token, may go better. ``turn`` tells who was asked."""
        if _STALE in (error.details() or ""):
            self.forget_token()
            return True
        if error.code() in _AGAIN or "too many requests" in (error.details() or ""):
            if self._turn == turn:
                self._turn += 1
            return True
        return False

    def _failure(self, error: grpc.aio.AioRpcError) -> Exception:
        """Say in the store's words what etcd says."""
        details = error.details() or str(error.code())
        match error.code():
            case grpc.StatusCode.OUT_OF_RANGE:
                return OutOfRange(details)
            case code if code in _AGAIN or _STALE in details:
                return Unavailable(f"etcd at {self._names} does not answer: {details}")
            case grpc.StatusCode.RESOURCE_EXHAUSTED if "space" in details:
                return DiskFull(f"no room left in etcd at {self._names}: {details}")
            case _:
                return StorageError(f"etcd at {self._names}: {details}")


def _channel(endpoint: Endpoint, credentials: grpc.ChannelCredentials | None) -> grpc.aio.Channel:
    if endpoint.encrypted:
        return grpc.aio.secure_channel(endpoint.target, credentials or grpc.ssl_channel_credentials(), options=_CHANNEL)
    return grpc.aio.insecure_channel(endpoint.target, options=_CHANNEL)


def _credentials(settings: EtcdSettings) -> grpc.ChannelCredentials | None:
    """How TLS is spoken. Raises `StorageError` for files that cannot be read."""
    files: Sequence[Path | None] = (settings.authorities, settings.key, settings.certificate)
    if not any(files):
        return None
    try:
        authorities, key, certificate = (None if path is None else path.read_bytes() for path in files)
    except OSError as error:
        raise StorageError(f"{error.filename} cannot be read: {error.strerror}") from error
    return grpc.ssl_channel_credentials(authorities, key, certificate)
