"""The connections to one webhook: kept while they are idle, bounded in number."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from crdkit.webhooks.connection import Connection

MOST_CONNECTIONS: Final = 256
MOST_IDLE: Final = 64
IDLE_SECONDS: Final = 60.0
HANDSHAKE_SECONDS: Final = 10.0


class Pool:
    """Connections to a host, where a name must be verified."""

    def __init__(self, host: str, port: int, name: str, context: ssl.SSLContext) -> None:
        self._host, self._port, self._name, self._context = host, port, name, context
        self._places = asyncio.Semaphore(MOST_CONNECTIONS)
        self._idle: list[Connection] = []
        self._open: set[Connection] = set()
        self._closed = False
        self.users = 0

    @asynccontextmanager
    async def connection(self, *, new: bool = False) -> AsyncIterator[tuple[Connection, bool]]:
        """A connection for one exchange, and whether it has been used before. Raises `OSError` where none can be made."""
        async with self._places:
            connection = None if new else self._take()
            was_used = connection is not None
            if connection is None:
                connection = await self._connect()
            try:
                yield connection, was_used
            finally:
                self._put_back(connection)

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
            if connection.open:
                return connection
            self._drop(connection)
        return None

    def _put_back(self, connection: Connection) -> None:
        if connection.open and len(self._idle) < MOST_IDLE:
            connection.idle_since = asyncio.get_running_loop().time()
            self._idle.append(connection)
        else:
            self._drop(connection)

    def _drop(self, connection: Connection) -> None:
        connection.abort()
        self._open.discard(connection)

    async def _connect(self) -> Connection:
        if self._closed:
            raise ConnectionAbortedError
        _, connection = await asyncio.get_running_loop().create_connection(
            Connection,
            self._host,
            self._port,
            ssl=self._context,
            server_hostname=self._name,
            ssl_handshake_timeout=HANDSHAKE_SECONDS,
        )
        self._open.add(connection)
        return connection
