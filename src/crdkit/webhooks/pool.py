"""The connections to one webhook: kept while they are idle, bounded in number."""

from __future__ import annotations

import asyncio
import ssl
from typing import Final

from crdkit.webhooks.connection import Connection

MOST_CONNECTIONS: Final = 256
MOST_IDLE: Final = 64
IDLE_SECONDS: Final = 60.0
HANDSHAKE_SECONDS: Final = 10.0


class Pool:
    """Connections to a host, where a name must be verified; without a context there is no TLS."""

    def __init__(self, host: str, port: int, name: str, context: ssl.SSLContext | None) -> None:
        self._host, self._port, self._name, self._context = host, port, name, context
        self._places = asyncio.Semaphore(MOST_CONNECTIONS)
        self._idle: list[Connection] = []
        self._open: set[Connection] = set()
        self._closed = False
        self.users = 0

    async def kept(self) -> Connection | None:
        """A connection that was used before, for one exchange; None where none can be had at once."""
        if not self._idle or self._places.locked():
            return None
        await self._places.acquire()
        connection = self._take()
        if connection is None:
            self._places.release()
        return connection

    async def any(self) -> Connection:
        """A connection for one exchange, once there is a place for it. Raises `OSError` where none can be made."""
        await self._places.acquire()
        return self._take() or await self._connect()

    def put_back(self, connection: Connection) -> None:
        """The exchange is over: every connection that was given must come back."""
        self._places.release()
        if connection.open and len(self._idle) < MOST_IDLE:
            connection.idle_since = asyncio.get_running_loop().time()
            self._idle.append(connection)
        else:
            self._drop(connection)

    def close(self) -> None:
        """End all connections; exchanges on their way break."""
        self._closed = True
        for connection in list(self._open):
            connection.abort()
        self._idle.clear()
        self._open.clear()

    def _take(self) -> Connection | None:
        """The idle connection that was used last, if one is still good."""
        if not self._idle:
            return None
        oldest = asyncio.get_running_loop().time() - IDLE_SECONDS
        while self._idle and self._idle[0].idle_since < oldest:
            self._drop(self._idle.pop(0))
        while self._idle:
            connection = self._idle.pop()
            if connection.open and connection.is_quiet():
                return connection
            self._drop(connection)
        return None

    def _drop(self, connection: Connection) -> None:
        connection.abort()
        self._open.discard(connection)

    async def _connect(self) -> Connection:
        """A new connection, for which there is a place; it is free again where none can be made."""
        connection: Connection | None = None
        try:
            connection = await self._opened()
        finally:
            if connection is None:
                self._places.release()
        self._open.add(connection)
        return connection

    async def _opened(self) -> Connection:
        if self._closed:
            raise ConnectionAbortedError
        _, connection = await asyncio.get_running_loop().create_connection(
            Connection,
            self._host,
            self._port,
            ssl=self._context,
            server_hostname=self._name if self._context else None,
            ssl_handshake_timeout=HANDSHAKE_SECONDS if self._context else None,
        )
        return connection
