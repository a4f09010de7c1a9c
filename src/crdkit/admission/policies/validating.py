"""ValidatingAdmissionPolicies in force: what they make of a request (apiserver's policy/validating/dispatcher.go)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Final, NamedTuple

from crdkit.access.authorization import Authorizer
from crdkit.admission import matching
from crdkit.admission.attributes import Attributes, Variant
from crdkit.admission.evaluation import Sight, in_time
from crdkit.admission.namespaces import Namespaces
from crdkit.admission.policies import params
from crdkit.admission.policies.forbidding import forbidden_by
from crdkit.admission.policies.params import BadConfiguration, ParamResource, ParamSource
from crdkit.admission.policies.policy import Binding
from crdkit.admission.policies.validation import INVALID, Objection, Opinion, ValidatingPolicy
from crdkit.admission.versioned import Versions
from crdkit.conversion.converter import ConversionFailed
from crdkit.meta import json
from crdkit.meta.records import record
from crdkit.meta.status import Refusal
from crdkit.meta.types import JsonObject

_CODES: Final = {"Forbidden": 403, "Unauthorized": 401, "RequestEntityTooLarge": 413, INVALID: 422}
_FAILURES: Final = "validation.policy.admission.k8s.io/validation_failure"
_MOST_FAILURES: Final = 50

InForce = tuple[ValidatingPolicy, Sequence[Binding]]


class _Denial(NamedTuple):
    """Why a request is denied, and by which policy and binding."""

    policy: str
    binding: str
    objection: Objection

    def __str__(self) -> str:
        binding = f" with binding '{self.binding}'" if self.binding else ""
        return f"ValidatingAdmissionPolicy '{self.policy}'{binding} denied request: {self.objection.message}"


@record(frozen=False)
class _Outcome:
    denials: list[_Denial] = field(default_factory=list)
    failures: list[JsonObject] = field(default_factory=list)
    """What audits are told of failed validations."""


class ValidatingPolicies:
    """Follows the policies that judge."""

    def __init__(self, namespaces: Namespaces, authorizer: Authorizer, source: ParamSource) -> None:
        self._namespaces = namespaces
        self._authorizer = authorizer
        self._source = source

    async def run(self, policies: Sequence[InForce], attributes: Attributes) -> None:
        """Raises the `Refusal` of the first policy that denies the request."""
        versions, outcome = Versions(attributes), _Outcome()
        for policy, bindings in policies:
            await self._follow(policy, bindings, versions, outcome)
        if outcome.failures:
            attributes.annotations[_FAILURES] = json.encode(outcome.failures[:_MOST_FAILURES]).decode()
        if outcome.denials:
            raise _refusal(attributes, outcome.denials[0])

    async def _follow(self, policy: ValidatingPolicy, bindings: Sequence[Binding], versions: Versions, outcome: _Outcome) -> None:
        attributes = versions.attributes
        try:
            variant = matching.policy_variant(policy.spec["matchConstraints"], attributes, self._namespaces)
            if variant is None:
                return
            resource = params.resource_of(policy.spec, self._source)
        except (BadConfiguration, Refusal) as error:
            _deny(outcome, policy, "", f"failed to configure policy: {error}")
            return
        namespace = self._namespaces.shown(attributes)
        annotations: dict[str, list[str]] = {}
        for binding in bindings:
            try:
                sights = await self._sights(binding, variant, resource, versions)
            except (BadConfiguration, Refusal) as error:
                _deny(outcome, policy, binding.name, f"failed to configure binding: {error}")
                continue
            for sight in sights:
                opinion = await in_time(policy.judge, sight._replace(namespace=namespace))
                _act(policy, binding, opinion, attributes, outcome)
                for key, value in opinion.annotations.items():
                    annotations.setdefault(key, []).append(value)
        for key, values in annotations.items():
            attributes.annotations[f"{policy.name}/{key}"] = ", ".join(dict.fromkeys(values))

    async def _sights(self, binding: Binding, variant: Variant, resource: ParamResource | None, versions: Versions) -> list[Sight]:
        """What a policy sees by way of a binding, once for each parameter. Raises `BadConfiguration`, or a `Refusal`."""
        attributes = versions.attributes
        constraints = binding.spec.get("matchResources")
        if constraints is not None and matching.policy_variant(constraints, attributes, self._namespaces) is None:
            return []
        chosen = await params.collect(resource, binding.spec, attributes.namespace)
        if not chosen:
            return []
        try:
            objects = await versions.objects(variant.kind)
        except ConversionFailed as error:
            msg = f"failed to convert object version: {error}"
            raise BadConfiguration(msg) from error
        return [Sight(attributes, variant, *objects, self._authorizer, params=param) for param in chosen]


def _deny(outcome: _Outcome, policy: ValidatingPolicy, binding: str, why: str) -> None:
    if not policy.ignores_failures:
        outcome.denials.append(_Denial(policy.name, binding, Objection(why)))


def _act(policy: ValidatingPolicy, binding: Binding, opinion: Opinion, attributes: Attributes, outcome: _Outcome) -> None:
    """Do what a binding wants done about objections."""
    actions = binding.spec.get("validationActions") or ()
    for objection in opinion.objections:
        if "Deny" in actions:
            outcome.denials.append(_Denial(policy.name, binding.name, objection))
        if "Warn" in actions:
            head = f"Validation failed for ValidatingAdmissionPolicy '{policy.name}' with binding '{binding.name}'"
            attributes.warnings.append(f"{head}: {objection.message}")
        if "Audit" in actions:
            outcome.failures.append(
                {
                    "message": objection.message,
                    "policy": policy.name,
                    "binding": binding.name,
                    "expressionIndex": objection.index,
                    "validationActions": list(actions),
                }
            )
    outcome.denials += [_Denial(policy.name, binding.name, Objection(fault)) for fault in opinion.faults]


def _refusal(attributes: Attributes, denial: _Denial) -> Refusal:
    message = str(denial)
    refusal = forbidden_by(attributes, message)
    reason = denial.objection.reason
    refusal.status["reason"] = reason
    refusal.status["code"] = _CODES.get(reason, 422)
    refusal.status["details"]["causes"] = [{"message": message}]
    return refusal
