"""The cluster roles and bindings that exist from the start, put into the store unless they are there."""

from __future__ import annotations

import asyncio
import contextlib

from crdkit.access import bootstrap
from crdkit.builtin import rbac
from crdkit.builtin.kinds import CLUSTER_ROLE, CLUSTER_ROLE_BINDING
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.registry import metadata
from crdkit.registry.owners import SERVER
from crdkit.registry.plainresource import PlainResource
from crdkit.storage.cache import Cache
from crdkit.storage.types import ABSENT, Conflict


async def create_initial_roles(cache: Cache, kube: KubeVersion) -> None:
    """Create them all at once: the store commits such writes together."""
    roles = PlainResource(CLUSTER_ROLE, rbac.CLUSTER_ROLE, kube)
    bindings = PlainResource(CLUSTER_ROLE_BINDING, rbac.CLUSTER_ROLE_BINDING, kube)
    wanted = [(roles, obj) for obj in bootstrap.cluster_roles()] + [(bindings, obj) for obj in bootstrap.cluster_role_bindings()]
    await asyncio.gather(*(_create(cache, resource, obj) for resource, obj in wanted))


async def _create(cache: Cache, resource: PlainResource, obj: JsonObject) -> None:
    key = resource.key("", obj["metadata"]["name"])
    if cache.get(key) is not None:
        return
    created = resource.decode(obj, []).value
    resource.main.owners.create(created, SERVER)
    metadata.fill_system_fields(created["metadata"])
    with contextlib.suppress(Conflict):
        await cache.put(key, resource.stored_head + (await resource.dump(created)).text(), expected=ABSENT)
