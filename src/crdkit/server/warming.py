"""What a first definition and a first object need is loaded soon after the start, so that they need not wait for it."""

from __future__ import annotations

import asyncio
from typing import Final

from crdkit.builtin.kinds import DEFINITION
from crdkit.meta import json
from crdkit.meta.offload import offload
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.registry.registry import Registry
from crdkit.registry.request import Request
from crdkit.storage.cache import Cache

AFTER: Final = 0.1
"""Seconds: who comes at once is answered first."""

_GROUP: Final = "crdkit.example.com"
_SCHEMA: Final[JsonObject] = {
    "type": "object",
    "properties": {
        "spec": {
            "type": "object",
            "required": ["size"],
            "properties": {
                "size": {"type": "integer", "minimum": 1, "default": 1},
                "name": {"type": "string", "maxLength": 9, "pattern": "^[a-z]+$"},
                "parts": {
                    "type": "array",
                    "maxItems": 9,
                    "items": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string", "maxLength": 9}}},
                    "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": ["name"],
                },
            },
            "x-kubernetes-validations": [{"rule": "self.size > 0 || self.parts.exists(part, part.name == 'a')", "message": "too small"}],
        },
        "status": {"type": "object", "properties": {"size": {"type": "integer"}}},
    },
}
_DEFINITION: Final[JsonObject] = {
    "apiVersion": DEFINITION.api_version,
    "kind": DEFINITION.kind,
    "metadata": {"name": f"samples.{_GROUP}"},
    "spec": {
        "group": _GROUP,
        "scope": "Cluster",
        "names": {"plural": "samples", "singular": "sample", "kind": "Sample"},
        "versions": [
            {
                "name": "v1",
                "served": True,
                "storage": True,
                "schema": {"openAPIV3Schema": _SCHEMA},
                "subresources": {"status": {}},
                "additionalPrinterColumns": [{"name": "Size", "type": "integer", "jsonPath": ".spec.size"}],
            }
        ],
    },
}


_OBJECT: Final[JsonObject] = {
    "apiVersion": f"{_GROUP}/v1",
    "kind": "Sample",
    "metadata": {"name": "sample", "labels": {"app": "sample"}},
    "spec": {"size": 3, "name": "a", "parts": [{"name": "a"}]},
}


async def warm_up(registry: Registry) -> None:
    """Load it in a worker thread, and try it in another: what is tried has work for the workers."""
    await asyncio.sleep(AFTER)
    await offload(_load, registry.kube)
    await asyncio.to_thread(lambda: asyncio.run(_rehearse(registry.kube)))


def _load(kube: KubeVersion) -> None:
    from crdkit.cel.environment import environment  # noqa: PLC0415
    from crdkit.definitions import validation  # noqa: PLC0415
    from crdkit.schema.rules import checks, ruleset  # noqa: PLC0415

    del checks, ruleset, validation
    environment(kube)
    environment(kube, stored=True)


async def _rehearse(kube: KubeVersion) -> None:
    """Have a registry of its own take a definition and an object: what is computed for that stays."""
    from crdkit.storage.memory import MemoryDriver  # noqa: PLC0415 (not needed beside another store)

    cache = Cache(MemoryDriver())
    await cache.start()
    registry = Registry(cache, kube)
    await registry.start()
    try:
        await registry.handle(_creation((DEFINITION.group, DEFINITION.version, DEFINITION.plural), _DEFINITION))
        await registry.handle(_creation((_GROUP, "v1", "samples"), _OBJECT))
    finally:
        await registry.stop()
        await cache.close()


def _creation(place: tuple[str, str, str], obj: JsonObject) -> Request:
    group, version, plural = place
    return Request("create", group, version, plural, content_type="application/json", body=json.encode(obj))
