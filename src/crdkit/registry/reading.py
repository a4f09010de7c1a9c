"""Get: one object, from the cache."""

from __future__ import annotations

from crdkit.meta.status import not_found, unknown
from crdkit.registry import forms, versions
from crdkit.registry.endpoint import Endpoint
from crdkit.registry.request import Reply, Request
from crdkit.registry.store import Store
from crdkit.registry.versions import BadVersion


async def get(store: Store, endpoint: Endpoint, request: Request) -> Reply:
    resource = endpoint.resource
    if request.query and (version := request.query.first("resourceVersion")):
        try:
            revision = versions.parse(version, store.kube)
        except BadVersion as error:
            raise unknown(str(error)) from error
        await versions.reach(store.cache, revision)
    entry = store.cache.get(resource.key(request.namespace, request.name))
    if entry is None:
        raise not_found(resource.about, request.name)
    return Reply(200, await forms.one(endpoint, request, entry))
