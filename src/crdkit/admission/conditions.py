"""Conditions for a webhook or policy to be asked at all (apiserver's webhook/matchconditions)."""

from __future__ import annotations

from collections.abc import Sequence

from crdkit.admission.evaluation import CONDITIONS_BUDGET, Compiled, Evaluation, Failed, OutOfBudget, Sight, Variables
from crdkit.builtin.admission.expressions import BOOLEAN, Scope
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion


class ConditionFailed(Exception):
    """No condition is false, but some have no value, and what depends on them may not fail. ``str()`` tells why."""


class Conditions:
    """Expressions that must all be true. One that is false decides, whatever becomes of the others."""

    def __init__(
        self,
        conditions: Sequence[JsonObject],
        kube: KubeVersion,
        *,
        params: bool,
        ignores_failures: bool,
        variables: Variables | None = None,
    ) -> None:
        scope = Scope(params, variables=None if variables is None else variables.types)
        self._compiled = [Compiled.of(condition["expression"], scope, BOOLEAN, kube) for condition in conditions]
        self._ignores_failures = ignores_failures
        self._variables = variables

    def hold(self, sight: Sight) -> bool:
        """Raises `ConditionFailed`."""
        place = sight.attributes.target.variant.place  # the real server tells conditions the resource that was asked for
        sight = sight._replace(variant=sight.variant._replace(place=place), namespace=None)
        try:
            return self._all_hold(Evaluation(sight, self._variables, CONDITIONS_BUDGET))
        except (Failed, OutOfBudget) as error:
            if self._ignores_failures:
                return False
            raise ConditionFailed(str(error)) from error

    def _all_hold(self, evaluation: Evaluation) -> bool:
        faults: list[str] = []
        held = True
        for compiled in self._compiled:
            try:
                held = evaluation.evaluate(compiled) is not False and held
            except Failed as error:
                faults.append(str(error))
        if not held:
            return False
        if faults:
            raise Failed(aggregated(faults))
        return True


def aggregated(faults: Sequence[str]) -> str:
    """Several faults as one text, each told once."""
    told = list(dict.fromkeys(faults))
    return told[0] if len(told) == 1 else f"[{', '.join(told)}]"
