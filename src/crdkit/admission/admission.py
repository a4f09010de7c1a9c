"""Admission as the registry knows it: loads what it needs only once somebody has a say in requests."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from crdkit.access.authorization import Authorizer
from crdkit.admission.configurations import EXEMPT, GROUP, Configurations
from crdkit.admission.namespaces import Namespaces
from crdkit.meta.version import KubeVersion
from crdkit.storage.cache import Cache
from crdkit.webhooks.caller import Caller

if TYPE_CHECKING:
    from crdkit.admission.attributes import Attributes
    from crdkit.admission.chain import Chain
    from crdkit.admission.policies.params import ParamSource


class Admission:
    """Lets those that have a say in a request change its object, and then judge it.

    Whoever calls looks at ``configurations.idle`` first: mostly nobody has a say, and then nothing need be known of the request.
    """

    def __init__(self, cache: Cache, kube: KubeVersion, caller: Caller, authorizer: Authorizer, *, source: ParamSource) -> None:
        self.configurations = Configurations(cache)
        self._namespaces = Namespaces(cache)
        self._kube = kube
        self._caller = caller
        self._authorizer = authorizer
        self._source = source

    async def mutate(self, attributes: Attributes) -> None:
        """Let webhooks and policies change the object. Raises a `Refusal`."""
        if not _is_exempt(attributes):
            await self._chain.mutate(attributes)

    async def validate(self, attributes: Attributes) -> None:
        """Let policies and webhooks judge the object. Raises a `Refusal`."""
        if not _is_exempt(attributes):
            await self._chain.validate(attributes)

    @cached_property
    def _chain(self) -> Chain:
        from crdkit.admission.chain import Chain  # noqa: PLC0415 (the expression language takes long to load, and most servers need none)

        return Chain(self.configurations, self._namespaces, self._caller, self._authorizer, source=self._source, kube=self._kube)


def _is_exempt(attributes: Attributes) -> bool:
    place = attributes.target.variant.place
    return place.group == GROUP and place.resource in EXEMPT
