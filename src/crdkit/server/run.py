"""A whole server: storage, registry and application put together, listening, and taken down in order."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Mapping
from dataclasses import field
from functools import partial
from pathlib import Path
from typing import Final

from crdkit.access.authentication import Authenticator
from crdkit.access.authorization import AlwaysAllow, Authorizer
from crdkit.access.escalation import Escalation
from crdkit.access.gate import Gate
from crdkit.access.rbac import RbacAuthorizer
from crdkit.access.roles import Roles
from crdkit.access.user import MASTERS, User
from crdkit.builtin.runtimeconfig import RuntimeConfig
from crdkit.controllers.namespaces import GRACE
from crdkit.controllers.running import Controller
from crdkit.conversion.strategies import Strategies
from crdkit.meta.offload import offload, offload_if
from crdkit.meta.records import record
from crdkit.meta.status import Refusal
from crdkit.meta.version import DEFAULT, KubeVersion
from crdkit.registry.registry import Registry
from crdkit.server import kubeconfig
from crdkit.server.accesslog import AccessLog
from crdkit.server.app import Application
from crdkit.server.auditlog import AuditLog
from crdkit.server.connections import HEAD_SECONDS, Connections
from crdkit.server.descriptors import connection_limit
from crdkit.server.directories import STORE
from crdkit.server.directory import Directory
from crdkit.server.documents import LaterDocuments
from crdkit.server.message import Documents
from crdkit.server.metrics import Metrics
from crdkit.server.protocol import HttpProtocol
from crdkit.server.stores import controllers_of, open_store
from crdkit.server.tls import Identity, own_identity
from crdkit.server.warming import warm_up
from crdkit.storage.cache import Cache
from crdkit.storage.etcd.settings import EtcdSettings
from crdkit.webhooks.client import HttpCaller
from crdkit.webhooks.services import ServiceResolver

LOOPBACK: Final = "127.0.0.1"
BACKLOG: Final = 4096
DRAIN_SECONDS: Final = 30.0
GOODBYE_SECONDS: Final = 2.0
"""For a client to say goodbye in turn when its connection is closed."""
ADMIN: Final = User("admin", (MASTERS,), "admin")
ANY_ADDRESS: Final = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "[::1]"}  # noqa: S104 (compared, not listened on)


@record(kw_only=True)
class Settings:
    """What a server is started with.

    ``directory`` holds the store, the admin's token, the kubeconfig, and the certificates if no ``identity`` is given.
    """

    directory: Path
    guest: bool = False
    """Whether the directory is another server's, who keeps his kubeconfig there: this one's is named by its port then."""
    identity: Identity | None = None
    """What clients know the server by, if it shares that with other servers, or it is begun already."""
    host: str = LOOPBACK
    port: int = 6443
    encrypted: bool = True
    in_memory: bool = False
    etcd: EtcdSettings | None = None
    """Where objects are kept, if not in the directory or in memory."""
    tokens: Mapping[str, User] = field(default_factory=dict)
    kube: KubeVersion = DEFAULT
    controllers: bool = True
    namespace_grace: float = GRACE
    """Seconds before a deleted namespace is emptied."""
    client_authorities: Path | None = None
    """Certificates by which clients may show who they are must be of these authorities."""
    rbac: bool = True
    """Whether roles decide who may do what; else everybody may do everything."""
    services: ServiceResolver = field(default_factory=ServiceResolver)
    """Where the services listen that webhooks are named by."""
    apis: RuntimeConfig = field(default_factory=RuntimeConfig)
    """Which built-in APIs are served beside those served anyway."""
    conversion_batch_size: int = 1
    """How many objects a conversion webhook is sent in one call."""
    warmed: bool = True
    """Whether threads load what takes long: certificates while the store is opened, what a first definition needs after the start. Not
    beside pytest, whose rewriting of modules must not be done by two threads at once on Python 3.11 ("AST constructor recursion depth
    mismatch")."""
    access_log: bool = False
    """Whether each request is told of on standard error."""
    audit_log: Path | None = None
    """Where the audit log is written, if it is."""


@record
class Address:
    """How to reach a server that runs."""

    url: str
    token: str
    kubeconfig: Path


class Server:
    """One server on the running event loop: `start`, then `stop`."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._identity = settings.identity or own_identity(settings.directory, settings.host)
        self._cache: Cache
        self.registry: Registry
        self.application: Application
        self._connections: Connections
        self._listener: asyncio.Server
        self._address: Address
        self._warming: asyncio.Task[None] | None = None

    async def start(self) -> Address:
        """Open the store, take up what it holds, and listen. Raises `OSError` where the address cannot be listened on."""
        settings = self._settings
        most = connection_limit()
        token = _admin_token(settings.directory / "admin.token")
        listening = _listen(settings.host, settings.port)
        self._address = self._locate(listening, token)
        self._logs = _logs(settings)
        context, _ = await asyncio.gather(self._tls_context(), self._open())  # which wait for the disk, or take long to make a certificate
        await self._serve(listening, most, context)
        self._publish()
        if settings.warmed:
            self._warming = asyncio.create_task(warm_up(self.registry), name="warming up")
        return self._address

    async def warm(self) -> None:
        """Wait until what is loaded after the start is loaded."""
        if self._warming is not None:
            await asyncio.wait([self._warming])

    async def stop(self, *, seconds: float = DRAIN_SECONDS) -> None:
        """Take no more connections, end the watches, let what is under way finish, and close the store."""
        if self._warming is not None:
            self._warming.cancel()
        self.application.stop()
        self._listener.close()
        await self._connections.drain(seconds)
        await self._close()
        for log in self._logs.values():
            await offload(log.close)

    async def reset(self) -> None:
        """Forget every object of a store in memory, under the same address; watches end."""
        self.application.stop()
        await self._close()
        await self._open()
        self._connections.application = self.application

    async def _open(self) -> None:
        settings = self._settings
        directory = None if settings.in_memory else settings.directory / STORE
        driver = await open_store(directory, settings.etcd, settings.kube)
        self._cache = Cache(driver)
        await self._cache.start()
        self._gate = self._make_gate()
        self._caller = HttpCaller(settings.services)
        conversion = Strategies(self._caller, settings.conversion_batch_size)
        self.registry = Registry(
            self._cache, settings.kube, controllers=settings.controllers, gate=self._gate, conversion=conversion, apis=settings.apis
        )
        await self.registry.start()
        self._controllers: Controller | None = (
            controllers_of(self.registry, driver, grace=settings.namespace_grace) if settings.controllers else None
        )
        if self._controllers is not None:
            await self._controllers.start()
        self.application = self._assemble()

    async def _close(self) -> None:
        if self._controllers is not None:
            await self._controllers.stop()
        await self.registry.stop()
        await self._caller.close()
        await self._cache.close()

    def _make_gate(self) -> Gate:
        roles = Roles(self._cache)
        authorizer: Authorizer = RbacAuthorizer(roles) if self._settings.rbac else AlwaysAllow()
        self._authenticator = Authenticator({self._address.token: ADMIN, **self._settings.tokens})
        return Gate(authorizer, self._authenticator.user_of, Escalation(roles, authorizer))

    def _assemble(self) -> Application:
        host = self._address.url.partition("://")[2]
        directory = Directory(self.registry.definitions, self.registry.kinds(), self._settings.kube, address=host)
        registry = self.registry
        metrics = Metrics(partial(_is_served, registry))
        documents = (
            directory,
            LaterDocuments("/openapi", lambda: _openapi(registry)),
            LaterDocuments("/metrics", lambda: self._exposition(metrics)),
        )
        observers = (metrics, *self._logs.values())
        return Application(registry, self._authenticator, self._gate.authorizer, documents=documents, observers=observers)

    def _exposition(self, metrics: Metrics) -> Documents:
        from crdkit.server.exposition import Exposition  # noqa: PLC0415 (its library is not needed before somebody asks for it)

        return Exposition(metrics, self.registry, lambda: {name: log.dropped for name, log in self._logs.items()})

    async def _serve(self, listening: socket.socket, most: int, context: ssl.SSLContext | None) -> None:
        loop = asyncio.get_running_loop()
        self._connections = Connections(self.application, loop, most=most)
        self._listener = await loop.create_server(
            lambda: HttpProtocol(self._connections),
            sock=listening,
            ssl=context,
            ssl_handshake_timeout=HEAD_SECONDS if context else None,
            ssl_shutdown_timeout=GOODBYE_SECONDS if context else None,
            backlog=BACKLOG,
        )

    async def _tls_context(self) -> ssl.SSLContext | None:
        settings = self._settings
        if not settings.encrypted:
            return None
        return await offload_if(settings.warmed, self._identity.serving_context, settings.client_authorities)

    def _locate(self, listening: socket.socket, token: str) -> Address:
        settings = self._settings
        port = listening.getsockname()[1]
        host = ANY_ADDRESS.get(settings.host, f"[{settings.host}]" if ":" in settings.host else settings.host)
        name = f"kubeconfig-{port}" if settings.guest else "kubeconfig"
        return Address(f"{'https' if settings.encrypted else 'http'}://{host}:{port}", token, settings.directory / name)

    def _publish(self) -> None:
        authority = self._identity.authority.read_bytes() if self._settings.encrypted else None
        kubeconfig.write(self._address.kubeconfig, url=self._address.url, token=self._address.token, authority=authority)


def _logs(settings: Settings) -> dict[str, AccessLog | AuditLog]:
    """The logs that are wanted, by their names. Raises `OSError` where one cannot be written."""
    logs: dict[str, AccessLog | AuditLog] = {}
    if settings.access_log:
        logs["access"] = AccessLog()
    if settings.audit_log is not None:
        logs["audit"] = AuditLog(settings.audit_log)
    return logs


def _openapi(registry: Registry) -> Documents:
    from crdkit.server.openapi.serving import OpenApi  # noqa: PLC0415 (most of what is served never asks for it)

    return OpenApi(registry.definitions, registry.kinds(), registry.kube)


def _is_served(registry: Registry, group: str, version: str, resource: str) -> bool:
    try:
        return registry.find(group, version, resource) is not None
    except Refusal:  # it is, but its objects cannot be converted
        return True


def _admin_token(path: Path) -> str:
    """The token of ``admin``: it stays the same, so that a kubeconfig outlives a restart."""
    try:
        if token := path.read_text().strip():
            return token
    except FileNotFoundError:
        pass
    import secrets  # noqa: PLC0415 (a token is made once)

    token = secrets.token_urlsafe(32)
    kubeconfig.write_private(path, f"{token}\n".encode())
    return token


def _listen(host: str, port: int) -> socket.socket:
    """A socket bound to the first address that the host has."""
    name = host.encode() if host.isascii() else host  # of a text, the codec for foreign alphabets is loaded
    family, kind, protocol, _, address = socket.getaddrinfo(name or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    listening = socket.socket(family, kind, protocol)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
    except OSError:
        listening.close()
        raise
    return listening
