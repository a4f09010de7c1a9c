"""Get: one object, from the cache."""

from __future__ import annotations

from crdkit.meta.status import bad_request, not_found, unknown
from crdkit.registry import forms, metadata, versions
from crdkit.registry.endpoint import Endpoint
from crdkit.registry.options import flag
from crdkit.registry.request import Reply, Request
from crdkit.registry.store import Store
from crdkit.registry.versions import BadVersion


async def get(store: Store, endpoint: Endpoint, request: Request) -> Reply:
    resource = endpoint.resource
    if "export" in request.query and flag(request.query, "export"):
        raise bad_request("the export parameter, deprecated since v1.14, is no longer supported")
    metadata.check_path(request.name)
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
