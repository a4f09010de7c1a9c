"""What the health paths say of a store that does not answer, and of a server that stops."""

from __future__ import annotations

import asyncio
from typing import cast

import pytest

from crdkit.registry.request import Query
from crdkit.server import health
from crdkit.server.health import BEGIN, HOOKS, Health
from crdkit.storage.cache import Cache
from crdkit.storage.errors import Unavailable


class Store:
    """A cache, as far as health asks one."""

    live = True

    def __init__(self, *, failure: Unavailable | None = None, hangs: bool = False) -> None:
        self._failure, self._hangs = failure, hangs

    async def catch_up(self) -> None:
        if self._hangs:
            await asyncio.Event().wait()
        if self._failure is not None:
            raise self._failure


async def ask(path: str, query: str = "", *, stopping: bool = False, store: Store | None = None) -> tuple[int, str] | None:
    answer = await Health(lambda: stopping, cast("Cache", store or Store())).answer(path, Query.parse(query))
    return None if answer is None else (answer.code, answer.body.decode())


async def test_all_is_well() -> None:
    assert await ask("/readyz") == (200, "ok")
    assert await ask("/readyz/etcd-readiness") == (200, "ok")
    assert await ask("/livez/etcd") == (200, "ok")
    assert await ask("/livez/etcd-readiness") is None
    assert await ask("/livez", "verbose") == (200, "".join(f"[+]{check} ok\n" for check in BEGIN + HOOKS) + "livez check passed\n")


async def test_a_store_that_fails_is_told_of_without_a_reason() -> None:
    gone = Store(failure=Unavailable("etcd at a:1 does not answer: Deadline Exceeded"))
    hooks = "".join(f"[+]{check} ok\n" for check in HOOKS)
    told = f"[+]ping ok\n[+]log ok\n[-]etcd failed: reason withheld\n{hooks}livez check failed\n"
    assert await ask("/livez", store=gone) == (500, told)
    told = (
        f"[+]ping ok\n[+]log ok\n[-]etcd failed: reason withheld\n[-]etcd-readiness failed: reason withheld\n[+]informer-sync ok\n{hooks}"
    )
    assert await ask("/readyz", store=gone) == (500, f"{told}[+]shutdown ok\nreadyz check failed\n")
    assert await ask("/healthz/etcd", store=gone) == (500, "internal server error: etcd at a:1 does not answer: Deadline Exceeded\n")
    assert await ask("/healthz/ping", store=gone) == (200, "ok")


async def test_a_store_that_hangs_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "STORE_SECONDS", 0.01)
    assert await ask("/readyz/etcd", store=Store(hangs=True)) == (500, "internal server error: context deadline exceeded\n")


async def test_checks_that_are_excluded_do_not_count() -> None:
    gone = Store(failure=Unavailable("gone"))
    assert await ask("/livez", "exclude=etcd", store=gone) == (200, "ok")
    answer = await ask("/livez", "verbose&exclude=etcd&exclude=b&exclude=a", store=gone)
    assert answer is not None
    assert answer[0] == 200
    assert "[+]etcd excluded: ok\n" in answer[1]
    assert answer[1].endswith('warn: some health checks cannot be excluded: no matches for "a","b"\nlivez check passed\n')


async def test_a_server_that_stops_is_alive_and_not_ready() -> None:
    assert await ask("/livez", stopping=True) == (200, "ok")
    answer = await ask("/readyz", stopping=True)
    assert answer is not None
    assert answer[0] == 500
    assert answer[1].endswith("[-]shutdown failed: reason withheld\nreadyz check failed\n")
