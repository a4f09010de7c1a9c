"""A registry on a memory store, and the means to ask it for things as a server would."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from crdkit.meta.status import PlainRefusal, Refusal
from crdkit.meta.version import V1_36, KubeVersion
from crdkit.registry.pieces import Pieces
from crdkit.registry.registry import Registry
from crdkit.registry.request import Form, Query, Reply, Request, WatchReply
from crdkit.storage.cache import Cache
from crdkit.storage.memory import MemoryDriver

Json = Any
GROUP = "example.com"
MERGE = "application/merge-patch+json"
JSON_PATCH = "application/json-patch+json"
DEFINITIONS = ("apiextensions.k8s.io", "v1", "customresourcedefinitions")


def definition(*, schema: Json | None = None, versions: list[Json] | None = None, **spec: Json) -> Json:
    """The definition of kilns.example.com, with a status and counted heat unless told otherwise."""
    properties = {
        "spec": {"type": "object", "properties": {"heat": {"type": "integer", "maximum": 2000}, "glaze": {"type": "string"}}},
        "status": {"type": "object", "properties": {"phase": {"type": "string"}}},
    }
    one = {
        "name": "v1",
        "served": True,
        "storage": True,
        "subresources": {"status": {}},
        "schema": {"openAPIV3Schema": schema or {"type": "object", "properties": properties}},
    }
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"kilns.{GROUP}"},
        "spec": {
            "group": GROUP,
            "scope": "Namespaced",
            "names": {"plural": "kilns", "singular": "kiln", "kind": "Kiln", "listKind": "KilnList"},
            "versions": versions or [one],
            **spec,
        },
    }


def kiln(name: str = "a", *, version: str = "v1", **fields: Json) -> Json:
    metadata = {"name": name, **fields.pop("metadata", {})}
    return {"apiVersion": f"{GROUP}/{version}", "kind": "Kiln", "metadata": metadata, **fields}


@dataclass
class Answer:
    code: int
    body: Json
    warnings: list[str] = field(default_factory=list)

    @property
    def message(self) -> str:
        return self.body["message"]

    @property
    def causes(self) -> list[str]:
        return [f"{cause.get('field')}: {cause['message']}" for cause in self.body["details"]["causes"]]


@dataclass
class Api:
    """Asks a registry; every method gives an `Answer`, refusals too."""

    registry: Registry

    async def ask(self, verb: str, name: str = "", body: Json = None, **more: Json) -> Answer:
        group, version, resource = more.pop("of", (GROUP, more.pop("version", "v1"), "kilns"))
        raw = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        request = Request(
            verb=verb,
            group=group,
            version=version,
            resource=resource,
            subresource=more.pop("subresource", ""),
            namespace=more.pop("namespace", "default" if group == GROUP else ""),
            name=name,
            query=Query.parse(more.pop("query", "")),
            content_type=more.pop("type", "application/json"),
            body=raw,
            form=Form(*more.pop("form", ("", "v1"))),
        )
        assert not more
        try:
            reply = await self.registry.handle(request)
        except Refusal as refusal:
            return Answer(refusal.code, refusal.status, request.warnings)
        except PlainRefusal as refusal:
            return Answer(refusal.code, refusal.text, request.warnings)
        assert isinstance(reply, Reply)
        body_text = reply.body.joined() if isinstance(reply.body, Pieces) else reply.body
        return Answer(reply.code, json.loads(body_text), request.warnings)

    async def define(self, **how: Json) -> Answer:
        answer = await self.ask("create", body=definition(**how), of=DEFINITIONS)
        assert answer.code == 201, answer.body
        return answer

    async def until(self, code: int, verb: str, name: str = "", **more: Json) -> None:
        """Ask until the answer has that code."""
        async with asyncio.timeout(5):
            while (await self.ask(verb, name, **dict(more))).code != code:  # noqa: ASYNC110 (others must run)
                await asyncio.sleep(0)

    async def watch(self, query: str = "", *, count: int, form: tuple[str, str] = ("", "v1"), **more: Json) -> list[Json]:
        """The first events of a watch; fewer if it ends before."""
        request = Request(
            verb="watch",
            group=GROUP,
            version=more.pop("version", "v1"),
            resource="kilns",
            namespace=more.pop("namespace", "default"),
            query=Query.parse(f"watch=1&{query}"),
            form=Form(*form),
        )
        reply = await self.registry.handle(request)
        assert isinstance(reply, WatchReply)
        return await take(reply.events, count)


async def until(holds: Callable[[], object]) -> None:
    """Let others run until something holds that they bring about."""
    async with asyncio.timeout(5):
        while not holds():  # noqa: ASYNC110 (nothing tells of it)
            await asyncio.sleep(0)


async def take(events: AsyncIterator[bytes], count: int) -> list[Json]:
    taken: list[Json] = []
    async with asyncio.timeout(5):
        async for piece in events:
            taken += [json.loads(line) for line in piece.splitlines()]
            if len(taken) >= count:
                break
    await events.aclose()
    return taken


@pytest.fixture
def kube() -> KubeVersion:
    return V1_36


@asynccontextmanager
async def running(kube: KubeVersion) -> AsyncIterator[Registry]:
    """A registry with nothing in it."""
    cache = Cache(MemoryDriver())
    await cache.start()
    registry = Registry(cache, kube, controllers=False)
    await registry.start()
    yield registry
    await registry.stop()
    await cache.close()


@asynccontextmanager
async def two_running(kube: KubeVersion, version: Json, **spec: Json) -> AsyncIterator[list[Api]]:
    """Two registries that know kilns in one version."""
    async with running(kube) as one, running(kube) as other:
        apis = [Api(one), Api(other)]
        for api in apis:
            await api.define(versions=[version], **spec)
        yield apis


@pytest.fixture
async def registry(kube: KubeVersion) -> AsyncIterator[Registry]:
    async with running(kube) as registry:
        yield registry


@pytest.fixture
def api(registry: Registry) -> Api:
    return Api(registry)
