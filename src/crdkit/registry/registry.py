"""The resources that are served, and the verbs on them: the one door for whoever answers requests."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

from crdkit.access.gate import Gate
from crdkit.admission.admission import Admission
from crdkit.builtin.kinds import BuiltinKind, kinds
from crdkit.builtin.runtimeconfig import RuntimeConfig
from crdkit.conversion.strategies import Strategies
from crdkit.meta.status import PlainRefusal, Refusal, bad_request, failure, not_found
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.registry import create, deletion, listing, patch, reading, update, watching
from crdkit.registry.builtinresources import builtin_resources
from crdkit.registry.customresource import CustomResource
from crdkit.registry.definitionchores import DefinitionChores
from crdkit.registry.definitionindex import DefinitionIndex
from crdkit.registry.definitionresource import DefinitionResource
from crdkit.registry.endpoint import Endpoint
from crdkit.registry.forgetting import Forgetting
from crdkit.registry.initialroles import create_initial_roles
from crdkit.registry.lifecycle import NamespaceLifecycle
from crdkit.registry.listoptions import FORM_BEFORE_OPTIONS, list_options
from crdkit.registry.listtexts import ListTexts
from crdkit.registry.namespaces import create_initial_namespaces
from crdkit.registry.options import write_options
from crdkit.registry.paramrights import ParamRights
from crdkit.registry.params import Params
from crdkit.registry.request import Reply, Request, WatchReply
from crdkit.registry.resource import Resource, Stale
from crdkit.registry.reviewresource import ReviewResource
from crdkit.registry.sharedlines import Room
from crdkit.registry.store import Store
from crdkit.storage.cache import Cache

NOT_FOUND: Final = "404 page not found\n"
_STALE_ATTEMPTS: Final = 20
"""How often a request is handled anew because the rules changed meanwhile; each time a definition was written."""


class Registry:
    """Answers verbs on built-in and defined resources from one cache.

    ``controllers`` tells whether controllers run beside it: without them a namespace's deletion is never finished. ``conversion`` tells
    how webhooks are called, ``apis`` which built-in APIs are served.
    """

    def __init__(
        self,
        cache: Cache,
        kube: KubeVersion,
        *,
        controllers: bool = True,
        gate: Gate | None = None,
        conversion: Strategies | None = None,
        apis: RuntimeConfig | None = None,
    ) -> None:
        self.cache = cache
        self.kube = kube
        self.controllers = controllers
        conversion = conversion or Strategies()
        self.definitions = DefinitionIndex(cache, kube, conversion)
        gate = gate or Gate()
        admission = Admission(cache, kube, conversion.caller, gate.authorizer, source=Params(cache, self._find_kind))
        self.store = Store(cache, kube, NamespaceLifecycle(cache), ListTexts(), Room(), admission, gate=gate)
        rights = ParamRights(gate.authorizer, cache, self._find_kind)
        builtin = builtin_resources(kube, gate, apis or RuntimeConfig(), controllers=controllers, rights=rights)
        self._builtin = {(resource.group, resource.version, resource.plural): resource for resource in builtin}
        self._forgetting = Forgetting(cache, self._remembering)
        self._chores = DefinitionChores(self.store, self.definitions, self._builtin_definition())

    def _builtin_definition(self) -> DefinitionResource:
        return next(resource for resource in self._builtin.values() if isinstance(resource, DefinitionResource))

    async def start(self) -> None:
        """Create what exists from the start (namespaces, cluster roles), and take up what a stopped server left undone."""
        self.definitions.start()
        self.store.admission.configurations.start()
        await asyncio.gather(create_initial_namespaces(self.cache, self.kube), create_initial_roles(self.cache, self.kube))
        await self._chores.start()

    async def stop(self) -> None:
        """End background work (deletion of definitions, open watches)."""
        await self._chores.stop()
        self.definitions.stop()
        self.store.admission.configurations.stop()
        self._forgetting.close()
        for resource in self._builtin.values():
            resource.end()

    def find(self, group: str, version: str, resource: str) -> Resource | None:
        """The resource served under these names, built-in or defined; its ``kind``, ``namespaced``, ``verbs`` … say more."""
        return self._builtin.get((group, version, resource)) or self.definitions.resource(group, version, resource)

    def _find_kind(self, group: str, version: str, kind: str) -> Resource | None:
        """What serves the objects of a kind, built-in or defined."""
        for resource in self._builtin.values():
            if (resource.group, resource.version, resource.kind) == (group, version, kind):
                return resource
        for definition in self.definitions.served():
            if definition.group == group and definition.names.kind == kind:
                return self.definitions.resource(group, version, definition.names.plural)
        return None

    def _remembering(self, key: str) -> list[Resource]:
        """The resources that may remember something of an object, by its key."""
        _, _, first, second, *_ = key.split("/")
        builtin = [resource for resource in self._builtin.values() if resource.prefix and key.startswith(resource.prefix)]
        return builtin or [*self.definitions.remembering(f"{second}.{first}")]

    def builtin(self) -> list[Resource]:
        """Every built-in resource, for discovery."""
        return list(self._builtin.values())

    def kinds(self) -> list[BuiltinKind]:
        """The built-in kinds that requests are answered for."""
        return [kind for kind in kinds(self.kube) if (kind.group, kind.version, kind.plural) in self._builtin]

    def namespaced(self) -> list[Resource]:
        """Every resource whose objects stand in namespaces, each in one of its served versions."""
        builtin = [resource for resource in self._builtin.values() if resource.namespaced]
        defined = [
            self.definitions.resource(definition.group, definition.served_versions[0].name, definition.names.plural)
            for definition in self.definitions.served()
            if definition.namespaced and definition.served_versions
        ]
        return builtin + [resource for resource in defined if resource is not None]

    def way(self, resource: CustomResource, subresource: str, verb: str) -> Callable[[Request], Awaitable[Reply]] | None:
        """What requests come to that create custom objects, or change them or a part of them; None for other verbs.

        It stays so until the ``generation`` of the definitions changes; raises `Stale` where what it began under has changed.
        """
        if verb == "create":
            return partial(create.create, self.store, resource)
        endpoint, on_object = resource.endpoint(subresource), _CHANGES.get(verb)
        return partial(on_object, self.store, endpoint) if on_object is not None and endpoint is not None else None

    def known(self, group: str, version: str, plural: str, namespace: str, name: str) -> bytes | None:
        """An object as it is answered to a get, where that is known already."""
        resource = self.find(group, version, plural)
        if resource is None or resource.namespaced is not bool(namespace):
            return None
        entry = self.cache.get(resource.key(namespace, name))
        return resource.known(entry) if entry is not None else None

    async def handle(self, request: Request) -> Reply | WatchReply:
        """Answer a request. Raises `Refusal` or `PlainRefusal` for every other outcome."""
        told = len(request.warnings)
        for _ in range(_STALE_ATTEMPTS):
            del request.warnings[told:]
            try:
                return await self._handle(request)
            except Stale:
                continue
        raise Refusal(failure(503, "ServiceUnavailable", "the definition of the resource changes too often; please try again"))

    def check_read(self, request: Request) -> None:
        """Of a request whose answer cannot be put in any form that it accepts: refuse what is refused before that. Raises `Refusal`."""
        if request.verb in ("list", "watch") and self.store.kube < FORM_BEFORE_OPTIONS:
            list_options(request, self.store.kube)

    async def check_options(self, request: Request) -> None:
        """Of a request whose body is of no type: refuse what is refused before that is looked at. Raises `Refusal`."""
        resource = self.find(request.group, request.version, request.resource)
        if request.verb == "update":
            write_options(request, self.store.kube)
        elif request.verb == "deletecollection" and resource is not None:
            await listing.options_of(self.store, resource, request)

    async def _handle(self, request: Request) -> Reply | WatchReply:
        resource = self.find(request.group, request.version, request.resource)
        if resource is None or not _in_scope(resource, request):
            raise PlainRefusal(404, NOT_FOUND)
        if isinstance(resource, CustomResource) and (warning := resource.served.deprecation_warning):
            request.warnings.append(warning)
        endpoint = resource.endpoint(request.subresource)
        if endpoint is None:
            raise not_found(resource.about, request.name)
        if isinstance(resource, ReviewResource) and request.verb == "create":
            return await resource.review(request)
        if request.subresource:
            return await self._on_subresource(endpoint, request)
        reply = await self._on_resource(resource, request)
        if isinstance(resource, DefinitionResource) and isinstance(reply, Reply):
            await self._chores.settle()
        return reply

    async def _on_subresource(self, endpoint: Endpoint, request: Request) -> Reply:
        verb = _ENDPOINT_VERBS.get(request.verb)
        if verb is None:
            raise not_supported(endpoint.resource, request.verb)
        reply = await verb(self.store, endpoint, request)
        if isinstance(endpoint.resource, DefinitionResource):
            await self._chores.settle()
        return reply

    async def _on_resource(self, resource: Resource, request: Request) -> Reply | WatchReply:
        if (on_object := _ENDPOINT_VERBS.get(request.verb)) is not None:
            if not request.name:
                raise bad_request("name must be provided")
            return await on_object(self.store, resource.main, request)
        verb = _RESOURCE_VERBS.get(request.verb)
        if verb is None or request.verb not in resource.verbs:
            raise not_supported(resource, request.verb)
        return await verb(self.store, resource, request)


def _in_scope(resource: Resource, request: Request) -> bool:
    """Whether the path has a namespace where the resource has; lists and watches may be of all namespaces."""
    if resource.namespaced:
        return bool(request.namespace) or request.verb in ("list", "watch")
    return not request.namespace or not isinstance(resource, CustomResource)


def not_supported(resource: Resource, verb: str) -> Refusal:
    details: JsonObject = {"group": resource.group} if resource.group else {}
    details["kind"] = resource.plural
    return Refusal(failure(405, "MethodNotAllowed", f'{verb} is not supported on resources of kind "{resource.about}"', details))


EndpointVerb = Callable[[Store, Endpoint, Request], Awaitable[Reply]]
ResourceVerb = Callable[[Store, Resource, Request], Awaitable[Reply | WatchReply]]

_CHANGES: Final[dict[str, EndpointVerb]] = {"update": update.update, "patch": patch.patch}
_ENDPOINT_VERBS: Final[dict[str, EndpointVerb]] = {"get": reading.get, **_CHANGES}
_RESOURCE_VERBS: Final[dict[str, ResourceVerb]] = {
    "create": create.create,
    "list": listing.list_,
    "watch": watching.watch,
    "delete": deletion.delete,
    "deletecollection": deletion.delete_collection,
}
