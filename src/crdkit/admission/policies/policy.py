"""What validating and mutating policies have in common: conditions and variables, bindings, and what a failure of theirs means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from crdkit.admission.conditions import Conditions
from crdkit.admission.evaluation import Variables
from crdkit.meta.records import record
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion


@dataclass(frozen=True)
class Policy:
    """A policy as its object describes it; its expressions are compiled when they are first needed."""

    name: str
    spec: JsonObject = field(repr=False)
    kube: KubeVersion

    @property
    def has_params(self) -> bool:
        return self.spec.get("paramKind") is not None

    @property
    def ignores_failures(self) -> bool:
        return bool(self.spec["failurePolicy"] == "Ignore")

    @cached_property
    def variables(self) -> Variables:
        return Variables(self.spec.get("variables") or (), self.kube, params=self.has_params)

    @cached_property
    def conditions(self) -> Conditions | None:
        """What must hold for the policy to be followed; None if nothing must."""
        conditions: Sequence[JsonObject] = self.spec.get("matchConditions") or ()
        if not conditions:
            return None
        return Conditions(conditions, self.kube, params=self.has_params, ignores_failures=self.ignores_failures, variables=self.variables)


@record
class Binding:
    """Where a policy is in force."""

    name: str
    spec: JsonObject = field(repr=False)
