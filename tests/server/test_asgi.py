"""Any ASGI server can carry the application."""

from __future__ import annotations

import asyncio
import json
import socket
import urllib.error
import urllib.request
from collections.abc import AsyncIterator

import pytest
import uvicorn

from crdkit.access.authentication import Authenticator
from crdkit.access.authorization import AlwaysAllow
from crdkit.access.user import User
from crdkit.meta.version import DEFAULT
from crdkit.registry.registry import Registry
from crdkit.server.app import Application
from crdkit.storage.cache import Cache
from crdkit.storage.memory import MemoryDriver


@pytest.fixture
async def url() -> AsyncIterator[str]:
    cache = Cache(MemoryDriver())
    await cache.start()
    registry = Registry(cache, DEFAULT)
    await registry.start()
    application = Application(registry, Authenticator({"t": User("admin", ("system:masters",))}), AlwaysAllow())
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(application, log_level="error"))
    serving = asyncio.create_task(server.serve([listening]))
    while not server.started:  # noqa: ASYNC110 (uvicorn has no event for it)
        await asyncio.sleep(0.01)
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    server.should_exit = True
    await serving
    await registry.stop()
    await cache.close()


def get(url: str) -> tuple[int, bytes]:
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers={"Authorization": "Bearer t"})) as response:
            return response.status, response.read()
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, refused.read()


async def test_documents_objects_and_refusals_are_answered_through_uvicorn(url: str) -> None:
    assert await asyncio.to_thread(get, f"{url}/healthz") == (200, b"ok")
    code, body = await asyncio.to_thread(get, f"{url}/api/v1/namespaces/default")
    assert (code, json.loads(body)["metadata"]["name"]) == (200, "default")
    assert (await asyncio.to_thread(get, f"{url}/api/v1/namespaces/%20"))[0] == 404
    assert await asyncio.to_thread(get, f"{url}/nope") == (404, b"404 page not found\n")


async def test_a_watch_streams_through_uvicorn_and_ends(url: str) -> None:
    code, body = await asyncio.to_thread(get, f"{url}/api/v1/namespaces?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3Ddefault")
    assert code == 200
    assert [json.loads(line)["type"] for line in body.splitlines()] == ["ADDED"]
