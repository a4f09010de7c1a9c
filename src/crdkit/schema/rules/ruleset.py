"""The rules of a schema, run on objects: most pass all of them, and cost little more than their evaluation."""

from __future__ import annotations

from functools import cached_property
from typing import Final

from crdkit.meta.paths import ROOT, FieldPath
from crdkit.meta.types import Json
from crdkit.meta.version import KubeVersion
from crdkit.schema.ratcheting import Correlated
from crdkit.schema.rules.plans import Plan, plan_rules
from crdkit.schema.rules.quick import DOUBTS, LIMIT, Walk, compile_walk
from crdkit.schema.rules.running import Lineage, Outcome, Run
from crdkit.schema.structural import Structural

BUDGET: Final = 10_000_000
"""What all rules may cost for one object."""
_OFTEN: Final = 8
"""Objects from which on it pays to compile for speed."""
_PASSED: Final = Outcome(BUDGET)


class SchemaRules:
    """All rules at a node and below it."""

    def __init__(self, plan: Plan, kube: KubeVersion) -> None:
        self._plan = plan
        self._kube = kube
        self._checked = 0

    @cached_property
    def _walk(self) -> Walk:
        return compile_walk(self._plan)

    @classmethod
    def of(cls, root: Structural, kube: KubeVersion, *, is_root: bool = True) -> SchemaRules | None:
        """The rules of a resource, or of any node; None if there are none."""
        plan = plan_rules(root, kube, is_root=is_root)
        return None if plan is None else cls(plan, kube)

    def check(self, new: Json, old: Json = None, *, patience: int | None = None) -> Outcome:
        """Run the rules on an object, as a change of the old one if there is one.

        With ``patience``, raises `Impatient` as soon as that much of the budget is used.
        """
        before = self._checked
        self._checked += 1
        if before >= _OFTEN and self._pass_quickly(new, old):
            return _PASSED
        lineage = Lineage() if old is None else Lineage(Correlated(self._plan.node, new, old), ratchets=True)
        return Run(self._kube, BUDGET, patience).visit(self._plan, new, ROOT, lineage)

    @property
    def is_cold(self) -> bool:
        """Whether the next object comes with much to compile."""
        return self._checked in (0, _OFTEN)

    def _pass_quickly(self, new: Json, old: Json) -> bool:
        """Whether all rules are easily seen to hold."""
        try:
            return self._walk(new, old) <= LIMIT
        except DOUBTS:
            return False

    def examine(self, value: Json, old: Json, at: FieldPath, *, budget: int = BUDGET) -> Outcome:
        """Run the rules on any value; failures are told whatever has not changed."""
        lineage = Lineage() if old is None else Lineage(Correlated(self._plan.node, value, old))
        return Run(self._kube, budget).visit(self._plan, value, at, lineage)
