"""A registry whose webhooks are functions."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest

from crdkit.access.gate import Gate
from crdkit.conversion.strategies import Strategies
from crdkit.meta.version import V1_33, V1_36, KubeVersion
from crdkit.registry.registry import Registry
from crdkit.storage.cache import Cache
from crdkit.storage.memory import MemoryDriver
from tests.admission.doubles import Hooks, Respond, configuration, webhook
from tests.registry.conftest import Answer, Api, kiln

Json = Any
PLURALS = {
    "ValidatingWebhookConfiguration": "validatingwebhookconfigurations",
    "MutatingWebhookConfiguration": "mutatingwebhookconfigurations",
    "ValidatingAdmissionPolicy": "validatingadmissionpolicies",
    "ValidatingAdmissionPolicyBinding": "validatingadmissionpolicybindings",
    "MutatingAdmissionPolicy": "mutatingadmissionpolicies",
    "MutatingAdmissionPolicyBinding": "mutatingadmissionpolicybindings",
}
SCHEMA = {
    "type": "object",
    "properties": {
        "spec": {
            "type": "object",
            "properties": {
                "heat": {"type": "integer"},
                "glaze": {"type": "string"},
                "lid": {"type": "string", "default": "on"},
                "trace": {"type": "array", "items": {"type": "string"}},
                "ware": {
                    "type": "array",
                    "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": ["name"],
                    "items": {
                        "type": "object",
                        "required": ["name"],
                        "properties": {"name": {"type": "string"}, "height": {"type": "integer"}},
                    },
                },
            },
        },
        "status": {"type": "object", "properties": {"phase": {"type": "string"}}},
    },
}


def version(name: str, *, storage: bool = False, **more: Json) -> Json:
    subresources = {"status": {}, "scale": {"specReplicasPath": ".spec.heat", "statusReplicasPath": ".status.n"}}
    return {
        "name": name,
        "served": True,
        "storage": storage,
        "subresources": subresources,
        "schema": {"openAPIV3Schema": SCHEMA},
        **more,
    }


@dataclass
class Admitting(Api):
    """A registry that serves kilns, and the webhooks it asks."""

    hooks: Hooks

    async def put_up(self, *objects: Json) -> None:
        """Create configurations, policies or bindings."""
        for obj in objects:
            answer = await self.configure(obj)
            assert answer.code == 201, answer.body

    async def configure(self, obj: Json) -> Answer:
        group, _, version = obj["apiVersion"].rpartition("/")
        return await self.ask("create", body=obj, of=(group, version, PLURALS[obj["kind"]]))

    async def hook(self, respond: Respond, *, kind: str = "Validating", **fields: Json) -> None:
        """Put up one webhook that responds so."""
        self.hooks.responses["/check"] = respond
        await self.put_up(configuration(webhook(**fields), kind=kind))

    async def create(self, name: str = "a", **more: Json) -> Answer:
        asked = {key: more.pop(key) for key in ("query", "version", "namespace") if key in more}
        return await self.ask("create", body=kiln(name, version=asked.get("version", "v1"), **more), **asked)


async def admitting(kube: KubeVersion, versions: list[Json], gate: Gate | None = None) -> AsyncIterator[Admitting]:
    hooks = Hooks()
    cache = Cache(MemoryDriver())
    await cache.start()
    registry = Registry(cache, kube, controllers=False, gate=gate, conversion=Strategies(hooks))
    await registry.start()
    api = Admitting(registry, hooks)
    await api.define(versions=versions)
    yield api
    await registry.stop()
    await cache.close()


@pytest.fixture
async def api() -> AsyncIterator[Admitting]:
    async for api in admitting(V1_36, [version("v1", storage=True), version("v2")]):
        yield api


@pytest.fixture
async def old_api() -> AsyncIterator[Admitting]:
    """The same as version 1.33 has it."""
    async for api in admitting(V1_33, [version("v1", storage=True), version("v2")]):
        yield api
