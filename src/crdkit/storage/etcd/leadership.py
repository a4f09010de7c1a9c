"""Work that only one of several servers does at a time: whoever holds a key, which goes with a lease that is kept alive."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from crdkit.storage.errors import StorageError
from crdkit.storage.etcd import client as calls
from crdkit.storage.etcd import messages
from crdkit.storage.etcd.client import Client
from crdkit.storage.etcd.driver import EtcdDriver
from crdkit.storage.types import Conflict, Guard

logger = logging.getLogger(__name__)

KEY: Final = "/registry/crdkit/controllers"
"""No directory of any resource, so it is in nobody's way; what stands here names the server that holds it."""

SECONDS: Final = 15
"""After which a lease ends that is not kept alive: that long nobody does the work, if a server dies."""

RENEWAL: Final = 5.0
RETRY: Final = 2.0


class Leadership:
    """Tries to get hold of the key; ``begin`` is called with it, ``end`` when it is lost or the server stops.

    The guard given to ``begin`` holds only while the key is held: writes that carry it are refused once another server has it.
    """

    def __init__(
        self,
        driver: EtcdDriver,
        name: str,
        *,
        begin: Callable[[Guard], Awaitable[None]],
        end: Callable[[], Awaitable[None]],
        seconds: int = SECONDS,
        renewal: float = RENEWAL,
        retry: float = RETRY,
    ) -> None:
        self._driver, self._name = driver, name
        self._begin, self._end = begin, end
        self._seconds, self._renewal, self._retry = seconds, renewal, retry
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name="leadership")

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            try:
                await self._campaign()
            except StorageError as error:
                logger.warning("controllers cannot be held: %s", error)
            await asyncio.sleep(self._retry)

    async def _campaign(self) -> None:
        """Take the key if it is free, and work as long as it is held."""
        if await self._driver.get(KEY) is not None:
            return
        client = self._driver.client
        lease = messages.read_lease((await client.call(calls.LEASE_GRANT, messages.lease_grant(self._seconds))).body).id
        try:
            revision = await self._driver.claim(KEY, self._name.encode(), lease=lease)
            try:
                await self._begin(Guard(KEY, revision))
                await self._keep(client, lease)
            finally:
                await self._end()
        except Conflict:
            return  # another server was faster
        finally:
            with contextlib.suppress(StorageError):
                await client.call(calls.LEASE_REVOKE, messages.lease_id(lease), seconds=self._renewal)

    async def _keep(self, client: Client, lease: int) -> None:
        """Keep the lease alive; returns when that has not been possible for too long."""
        loop = asyncio.get_running_loop()
        kept = loop.time()
        # A margin, so that this server stops before etcd lets another begin.
        while loop.time() < kept + self._seconds - self._renewal:
            asked = loop.time()
            try:
                answer = await client.keep_alive(messages.lease_id(lease), seconds=self._renewal)
            except StorageError as error:
                logger.warning("the lease for the controllers was not kept alive: %s", error)
                await asyncio.sleep(self._renewal / 5)
                continue
            if answer.seconds <= 0:
                return  # it is gone
            kept = asked
            await asyncio.sleep(self._renewal)
