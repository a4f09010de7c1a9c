"""MutatingAdmissionPolicies in force: what they make of a request's object (apiserver's policy/mutating/dispatcher.go)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import field
from functools import partial
from typing import NamedTuple

from crdkit.access.authorization import Authorizer
from crdkit.admission import matching
from crdkit.admission.attributes import Attributes, Kind, Variant
from crdkit.admission.conditions import ConditionFailed
from crdkit.admission.evaluation import Sight, in_time
from crdkit.admission.namespaces import Namespaces
from crdkit.admission.policies import params
from crdkit.admission.policies.forbidding import forbidden_by
from crdkit.admission.policies.mutation import MutatingPolicy, MutationFailed
from crdkit.admission.policies.params import BadConfiguration, ParamResource, ParamSource
from crdkit.admission.policies.policy import Binding
from crdkit.admission.policies.validation import INVALID
from crdkit.admission.reinvocation import Reinvocation, Round
from crdkit.admission.versioned import converted
from crdkit.conversion.converter import ConversionFailed
from crdkit.meta import jsonpatch
from crdkit.meta.golang import quote
from crdkit.meta.records import record
from crdkit.meta.status import Refusal, failure, internal_error
from crdkit.meta.types import JsonObject
from crdkit.ownership.types import Type

InForce = tuple[MutatingPolicy, Sequence[Binding]]


class _Invocation(NamedTuple):
    """A policy to be followed by way of a binding, with one parameter."""

    policy: MutatingPolicy
    binding: Binding
    variant: Variant
    param: JsonObject | None

    @property
    def key(self) -> Hashable:
        metadata = (self.param or {}).get("metadata") or {}
        return self.policy.name, self.binding.name, metadata.get("namespace", ""), metadata.get("name", "")


@record(frozen=False)
class _Faults:
    """What went wrong with policies that may not fail: the texts, and the reason of the first."""

    told: list[tuple[str, str]] = field(default_factory=list)

    def add(self, policy: MutatingPolicy, binding: Binding | None, why: str, reason: str = "") -> None:
        if policy.ignores_failures:
            return
        who = f"policy {quote(policy.name)}" if binding is None else f"policy '{policy.name}' with binding '{binding.name}'"
        self.told.append((f"{who} denied request: {why}", reason))


@record(frozen=False)
class _Objects:
    """The object in each version that policies wanted, as they have left it there."""

    attributes: Attributes
    known: dict[Kind, tuple[JsonObject | None, JsonObject | None]] = field(default_factory=dict)
    rewritten: set[Kind] = field(default_factory=set)
    """The versions in which a mutation had an outcome, be it the object as it was."""
    last: Kind | None = None
    """The version that a policy was followed in last: what it is there is what counts."""

    @property
    def is_rewritten(self) -> bool:
        return self.last in self.rewritten

    async def warm(self, kind: Kind) -> None:
        """Have the objects in a version. Raises `ConversionFailed`."""
        if kind not in self.known:
            target = self.attributes.target
            old = await converted(target, self.attributes.old, kind)
            self.known[kind] = await converted(target, self.attributes.obj, kind), old

    async def finish(self) -> None:
        """Leave the outcome with the request. Raises `ConversionFailed`."""
        if self.last is not None and self.is_rewritten and (obj := self.known[self.last][0]) is not None:
            self.attributes.obj = await self.attributes.target.restore(obj)


@record(frozen=False)
class _Pass:
    """One pass over the policies for one request."""

    objects: _Objects
    round: Round
    again: Reinvocation
    authorizer: Authorizer
    faults: _Faults = field(default_factory=_Faults)

    async def follow(self, invocation: _Invocation, namespace: JsonObject | None) -> None:
        """Raises a `Refusal` where the object cannot be changed at all."""
        policy, binding, variant, param = invocation
        before, old = self.objects.known[variant.kind]
        sight = Sight(self.objects.attributes, variant, before, old, self.authorizer, namespace, param)
        try:
            if policy.conditions is not None and not await in_time(policy.conditions.hold, sight):
                return
        except ConditionFailed as error:
            self.faults.add(policy, binding, str(error), INVALID)
            return
        if self.again.skips(self.round, invocation.key) or before is None:
            return
        after = await self._mutated(invocation, sight, before)
        self.objects.known[variant.kind] = after, old
        self.objects.last = variant.kind
        if not jsonpatch.equal(before, after):
            self.note_change()
        if policy.is_reinvoked:
            self.again.note_asked(invocation.key)

    def note_change(self) -> None:
        self.again.note_change()
        self.round.must_repeat = True

    async def _mutated(self, invocation: _Invocation, sight: Sight, obj: JsonObject) -> JsonObject:
        policy, target = invocation.policy, self.objects.attributes.target
        type_ = _type_of(self.objects.attributes, invocation.variant.kind)
        for mutation in policy.mutations:
            try:
                apply = partial(mutation.apply, policy=policy, type_=type_)
                obj = target.complete(await in_time(apply, sight._replace(obj=obj)))
                self.objects.rewritten.add(invocation.variant.kind)
            except MutationFailed as error:
                self.faults.add(policy, invocation.binding, str(error), INVALID)
        return obj


class MutatingPolicies:
    """Follows the policies that change objects."""

    def __init__(self, namespaces: Namespaces, authorizer: Authorizer, source: ParamSource) -> None:
        self._namespaces = namespaces
        self._authorizer = authorizer
        self._source = source

    async def run(self, policies: Sequence[InForce], attributes: Attributes, round_: Round, again: Reinvocation) -> None:
        """Let them change the request's object. Raises a `Refusal`."""
        if not policies:
            return
        pass_ = _Pass(_Objects(attributes), round_, again, self._authorizer)
        invocations = [found for policy, bindings in policies for found in await self._invocations(policy, bindings, pass_)]
        if invocations:
            again.begin(round_, attributes.obj)
            namespace = self._namespaces.shown(attributes)
            for invocation in invocations:
                await pass_.follow(invocation, namespace)
            if pass_.objects.is_rewritten:  # a real server does not look whether it became another: so a policy also follows itself
                pass_.note_change()
            try:
                await pass_.objects.finish()
            except ConversionFailed as error:
                raise internal_error(f"failed to convert object: {error}") from error
            again.end(attributes.obj)
        if pass_.faults.told:
            raise _refusal(attributes, pass_.faults)

    async def _invocations(self, policy: MutatingPolicy, bindings: Sequence[Binding], pass_: _Pass) -> list[_Invocation]:
        attributes, faults = pass_.objects.attributes, pass_.faults
        try:
            variant = matching.policy_variant(policy.spec["matchConstraints"], attributes, self._namespaces)
            if variant is None:
                return []
            resource = params.resource_of(policy.spec, self._source)
        except (BadConfiguration, Refusal) as error:
            faults.add(policy, None, f"failed to configure policy: {error}")
            return []
        found: list[_Invocation] = []
        for binding in bindings:
            try:
                found += await self._bound(_Invocation(policy, binding, variant, None), resource, pass_.objects)
            except ConversionFailed as error:
                faults.add(policy, None, f"failed to configure policy: {error}")
            except (BadConfiguration, Refusal) as error:
                faults.add(policy, binding, f"failed to configure binding: {error}")
        return found

    async def _bound(self, invocation: _Invocation, resource: ParamResource | None, objects: _Objects) -> list[_Invocation]:
        """The invocation once for each parameter; none if the binding is not about the request."""
        attributes, spec = objects.attributes, invocation.binding.spec
        constraints = spec.get("matchResources")
        if constraints is not None and matching.policy_variant(constraints, attributes, self._namespaces) is None:
            return []
        await objects.warm(invocation.variant.kind)
        chosen = await params.collect(resource, spec, attributes.namespace)
        return [invocation._replace(param=param) for param in chosen]


def _type_of(attributes: Attributes, kind: Kind) -> Type:
    """Raises a `Refusal` (503) where it is not known how such objects are merged."""
    type_ = attributes.target.type_of(kind)
    if type_ is None:
        why = "There can be a delay between when CustomResourceDefinitions are created and when they are available."
        message = f"Resource kind {kind.api_version}, Kind={kind.kind} not found. {why}"
        raise Refusal(failure(503, "ServiceUnavailable", message))
    return type_


def _refusal(attributes: Attributes, faults: _Faults) -> Refusal:
    """All that went wrong is told, the first of it as the message."""
    refusal = forbidden_by(attributes, "admission request denied by policy")
    message, reason = faults.told[0]
    refusal.status["message"] = message
    refusal.status["reason"] = reason or refusal.status["reason"]
    refusal.status["details"]["causes"] = [{"message": told} for told, _ in faults.told]
    return refusal
