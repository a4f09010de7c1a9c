"""``/healthz``, ``/livez``, ``/readyz`` and the single checks below them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from crdkit.meta.begun import within_task
from crdkit.registry.request import Query
from crdkit.server.message import TEXT, Answer
from crdkit.storage.cache import Cache
from crdkit.storage.errors import StorageClosed, StorageError

logger = logging.getLogger(__name__)

BEGIN: Final = ("ping", "log", "etcd")
HOOKS: Final = (
    "poststarthook/start-apiextensions-informers",
    "poststarthook/start-apiextensions-controllers",
    "poststarthook/crd-informer-synced",
    "poststarthook/bootstrap-controller",
    "poststarthook/apiservice-registration-controller",
    "poststarthook/apiservice-discovery-controller",
    "poststarthook/apiservice-openapi-controller",
    "poststarthook/apiservice-openapiv3-controller",
)
CHECKS: Final = {
    "healthz": BEGIN + HOOKS,
    "livez": BEGIN + HOOKS,
    "readyz": (*BEGIN, "etcd-readiness", "informer-sync", *HOOKS, "shutdown"),
}
STORE: Final = ("etcd", "etcd-readiness")
"""The checks of the store, whichever it is."""
PATHS: Final = tuple(f"/{root}" for root in CHECKS)
NOSNIFF: Final = (("X-Content-Type-Options", "nosniff"),)
STORE_SECONDS: Final = 2.0
"""That the store may take to answer (``--etcd-healthcheck-timeout`` of a real server)."""


class Health:
    """Says whether the server is alive and ready. It is not ready while it stops, so that balancers look elsewhere."""

    def __init__(self, stopping: Callable[[], bool], cache: Cache) -> None:
        self._stopping = stopping
        self._cache = cache

    async def answer(self, path: str, query: Query) -> Answer | None:
        """Any method is answered alike; None for a check that is not known."""
        root, slash, name = path[1:].partition("/")
        checks = CHECKS.get(root, ())
        if not checks or (slash and name not in checks):
            return None
        if name:
            wrong = await self._wrong((name,))
            return _text(f"internal server error: {wrong[name]}\n", 500) if wrong else _text("ok")
        excluded = set(query.all("exclude"))
        wrong = await self._wrong([check for check in checks if check not in excluded])
        lines = [_line(check, excluded=check in excluded, failed=check in wrong) for check in checks]
        if unknown := excluded.difference(checks):
            told = ",".join(f'"{check}"' for check in sorted(unknown))
            lines.append(f"warn: some health checks cannot be excluded: no matches for {told}\n")
        if wrong:
            logger.warning("%s check failed: %s", root, "; ".join(f"{check}: {why}" for check, why in wrong.items()))
            return _text("".join((*lines, f"{root} check failed\n")), 500)
        return _text("".join((*lines, f"{root} check passed\n"))) if "verbose" in query else _text("ok")

    async def _wrong(self, checks: tuple[str, ...] | list[str]) -> dict[str, str]:
        """Which of the checks fail, and why."""
        wrong: dict[str, str] = {}
        if any(check in STORE for check in checks) and (why := await self._store()):
            wrong = {check: why for check in checks if check in STORE}
        if "shutdown" in checks and self._stopping():
            wrong["shutdown"] = "process is shutting down"
        return wrong

    async def _store(self) -> str:
        """What is wrong with the store; nothing where it answers in time."""
        if not self._cache.live:
            return str(StorageClosed())
        await within_task()
        try:
            async with asyncio.timeout(STORE_SECONDS):
                await self._cache.catch_up()
        except TimeoutError:
            return "context deadline exceeded"
        except StorageError as error:
            return str(error)
        return ""


def _line(check: str, *, excluded: bool, failed: bool) -> str:
    if failed:
        return f"[-]{check} failed: reason withheld\n"
    return f"[+]{check} {'excluded: ' if excluded else ''}ok\n"


def _text(text: str, code: int = 200) -> Answer:
    return Answer(text.encode(), code, content_type=TEXT, headers=NOSNIFF)
