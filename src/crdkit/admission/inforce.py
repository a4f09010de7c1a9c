"""Webhooks and policies made of their objects, in the order in which they are asked; what stays as it is, is made once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from crdkit.admission.configurations import Configurations
from crdkit.admission.policies.mutation import MutatingPolicy
from crdkit.admission.policies.policy import Binding
from crdkit.admission.policies.validation import ValidatingPolicy
from crdkit.admission.webhook import Webhook
from crdkit.builtin.kinds import (
    MUTATING_POLICY,
    MUTATING_POLICY_BINDING,
    MUTATING_WEBHOOKS,
    VALIDATING_POLICY,
    VALIDATING_POLICY_BINDING,
    VALIDATING_WEBHOOKS,
    BuiltinKind,
)
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion

T = TypeVar("T")
P = TypeVar("P", MutatingPolicy, ValidatingPolicy)


class InForce:
    """All that is in force, as of the latest look at the configurations."""

    def __init__(self, configurations: Configurations, kube: KubeVersion) -> None:
        self._configurations = configurations
        self._seen = -1
        self._mutating_webhooks = _Kept(MUTATING_WEBHOOKS, lambda name, obj: _webhooks(name, obj, kube, mutating=True))
        self._validating_webhooks = _Kept(VALIDATING_WEBHOOKS, lambda name, obj: _webhooks(name, obj, kube, mutating=False))
        self._mutating_policies = _Kept(MUTATING_POLICY, lambda name, obj: MutatingPolicy(name, obj["spec"], kube))
        self._validating_policies = _Kept(VALIDATING_POLICY, lambda name, obj: ValidatingPolicy(name, obj["spec"], kube))
        self._mutating_bindings = _Kept(MUTATING_POLICY_BINDING, lambda name, obj: Binding(name, obj["spec"]))
        self._validating_bindings = _Kept(VALIDATING_POLICY_BINDING, lambda name, obj: Binding(name, obj["spec"]))
        self.mutating_webhooks: Sequence[Webhook] = ()
        """In the order of their configurations' names, and as these list them."""
        self.validating_webhooks: Sequence[Webhook] = ()
        self.mutating_policies: Sequence[tuple[MutatingPolicy, Sequence[Binding]]] = ()
        """The policies that are bound, with their bindings, in the order of names."""
        self.validating_policies: Sequence[tuple[ValidatingPolicy, Sequence[Binding]]] = ()

    def refresh(self) -> None:
        """Follow what has changed since the last look."""
        configurations = self._configurations
        if self._seen == configurations.generation:
            return
        self._seen = configurations.generation
        self.mutating_webhooks = [one for each in self._mutating_webhooks.all(configurations) for one in each]
        self.validating_webhooks = [one for each in self._validating_webhooks.all(configurations) for one in each]
        self.mutating_policies = _bound(self._mutating_policies.all(configurations), self._mutating_bindings.all(configurations))
        self.validating_policies = _bound(self._validating_policies.all(configurations), self._validating_bindings.all(configurations))


class _Kept(Generic[T]):
    """What is made of the objects of one kind."""

    def __init__(self, kind: BuiltinKind, make: Callable[[str, JsonObject], T]) -> None:
        self._kind = kind
        self._make = make
        self._made: dict[str, tuple[JsonObject, T]] = {}

    def all(self, configurations: Configurations) -> list[T]:
        """In the order of names."""
        before, self._made = self._made, {}
        for name, obj in sorted(configurations.objects(self._kind).items()):
            known = before.get(name)
            self._made[name] = known if known is not None and known[0] is obj else (obj, self._make(name, obj))
        return [made for _, made in self._made.values()]


def _webhooks(name: str, obj: JsonObject, kube: KubeVersion, *, mutating: bool) -> Sequence[Webhook]:
    webhooks = obj.get("webhooks") or ()
    return [Webhook(f"{name}/{webhook['name']}/{index}", webhook, kube, mutating) for index, webhook in enumerate(webhooks)]


def _bound(policies: Sequence[P], bindings: Sequence[Binding]) -> list[tuple[P, Sequence[Binding]]]:
    by_policy: dict[str, list[Binding]] = {}
    for binding in bindings:
        by_policy.setdefault(binding.spec["policyName"], []).append(binding)
    return [(policy, by_policy[policy.name]) for policy in policies if policy.name in by_policy]
