"""What a first definition and a first object need is loaded soon after the start, so that they need not wait for it."""

from __future__ import annotations

import asyncio
from typing import Final

from crdkit.builtin.kinds import DEFINITION
from crdkit.meta.offload import offload
from crdkit.meta.types import JsonObject
from crdkit.registry.owners import SERVER
from crdkit.registry.registry import Registry

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


async def warm_up(registry: Registry) -> None:
    """Load it in a worker thread."""
    await asyncio.sleep(AFTER)
    await offload(_rehearse, registry)


def _rehearse(registry: Registry) -> None:
    """Judge a definition and an object that nobody stores: what is loaded and computed for that stays."""
    from crdkit.cel.environment import environment  # noqa: PLC0415
    from crdkit.definitions import decoding, defaulting, validation, warnings  # noqa: PLC0415
    from crdkit.ownership import typebuilding  # noqa: PLC0415
    from crdkit.schema.compiled import CompiledSchema  # noqa: PLC0415

    del typebuilding
    kube = registry.kube
    environment(kube)
    environment(kube, stored=True)
    definition = decoding.decode(_DEFINITION, kube=kube).value
    defaulting.default(definition)
    validation.validate_create(definition, kube=kube)
    warnings.create_warnings(definition, kube=kube)
    served = registry.find(DEFINITION.group, DEFINITION.version, DEFINITION.plural)
    if served is not None:
        served.main.owners.create(definition, SERVER)
    compiled = CompiledSchema(_SCHEMA, kube=kube)
    obj: JsonObject = {"apiVersion": f"{_GROUP}/v1", "kind": "Sample", "metadata": {"name": "sample"}, "spec": {"parts": [{"name": "a"}]}}
    compiled.complete(obj)
    compiled.validate(obj)
