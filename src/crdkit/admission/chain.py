"""All that have a say in a request, one after the other, as a real server has them in order."""

from __future__ import annotations

from crdkit.access.authorization import Authorizer
from crdkit.admission.attributes import Attributes
from crdkit.admission.configurations import Configurations
from crdkit.admission.inforce import InForce
from crdkit.admission.mutatingwebhooks import MutatingWebhooks
from crdkit.admission.namespaces import Namespaces
from crdkit.admission.policies.mutating import MutatingPolicies
from crdkit.admission.policies.params import ParamSource
from crdkit.admission.policies.validating import ValidatingPolicies
from crdkit.admission.reinvocation import Reinvocation, Round
from crdkit.admission.validatingwebhooks import ValidatingWebhooks
from crdkit.meta.version import KubeVersion
from crdkit.webhooks.caller import Caller


class Chain:
    """Policies and webhooks that change objects, then policies and webhooks that judge."""

    def __init__(
        self,
        configurations: Configurations,
        namespaces: Namespaces,
        caller: Caller,
        authorizer: Authorizer,
        *,
        source: ParamSource,
        kube: KubeVersion,
    ) -> None:
        self._in_force = InForce(configurations, kube)
        self._mutating_policies = MutatingPolicies(namespaces, authorizer, source)
        self._mutating_webhooks = MutatingWebhooks(caller, namespaces, authorizer, kube)
        self._validating_policies = ValidatingPolicies(namespaces, authorizer, source)
        self._validating_webhooks = ValidatingWebhooks(caller, namespaces, authorizer)

    async def mutate(self, attributes: Attributes) -> None:
        """Let the object be changed, in up to two passes. Raises a `Refusal`."""
        self._in_force.refresh()
        policies, webhooks, first = Reinvocation(), Reinvocation(), Round()
        await self._mutate(attributes, first, policies, webhooks)
        if first.must_repeat:
            await self._mutate(attributes, Round(repeats=True), policies, webhooks)

    async def _mutate(self, attributes: Attributes, round_: Round, policies: Reinvocation, webhooks: Reinvocation) -> None:
        await self._mutating_policies.run(self._in_force.mutating_policies, attributes, round_, policies)
        await self._mutating_webhooks.run(self._in_force.mutating_webhooks, attributes, round_, webhooks)

    async def validate(self, attributes: Attributes) -> None:
        """Let the object be judged. Raises a `Refusal`."""
        self._in_force.refresh()
        await self._validating_policies.run(self._in_force.validating_policies, attributes)
        await self._validating_webhooks.run(self._in_force.validating_webhooks, attributes)
