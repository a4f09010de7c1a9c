"""The rules of a schema, run on objects: what they come to is seen at little expense for most, whether they pass or not."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Final

from crdkit.meta.changes import Changes
from crdkit.meta.paths import ROOT, FieldPath
from crdkit.meta.types import Json
from crdkit.meta.version import KubeVersion
from crdkit.schema.ratcheting import Correlated
from crdkit.schema.rules.changing import ChangingRules, has_fields, parts
from crdkit.schema.rules.plans import Plan, plan_rules
from crdkit.schema.rules.quick import DOUBTS, LIMIT, Broken, QuickRules
from crdkit.schema.rules.running import Lineage, Outcome, Run
from crdkit.schema.rules.telling import Telling
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
        self._is_ready = False
        self._strict = True
        """Whether all objects that were let pass kept all rules, each object at a cost within `LIMIT`."""

    @cached_property
    def _changing(self) -> ChangingRules | None:
        """For changes of objects that kept all rules at a cost within `LIMIT`.

        What is left out cost no more each when it was run last, so that it is known for so many parts that all would be within the budget.
        """
        fits = has_fields(self._plan) and (parts(self._plan) + 1) * LIMIT <= BUDGET
        return ChangingRules(self._plan, self._quick) if fits else None

    @cached_property
    def _quick(self) -> QuickRules:
        return QuickRules(self._plan)

    @classmethod
    def of(cls, root: Structural, kube: KubeVersion, *, is_root: bool = True) -> SchemaRules | None:
        """The rules of a resource, or of any node; None if there are none."""
        plan = plan_rules(root, kube, is_root=is_root)
        return None if plan is None else cls(plan, kube)

    def check(self, new: Json, old: Json = None, *, changes: Changes | None = None, patience: int | None = None) -> Outcome:
        """Run the rules on an object, as a change of the old one if there is one.

        ``changes`` tell what differs from an old one that was let pass before, and is just as it was stored then. With ``patience``,
        raises `Impatient` as soon as that much of the budget is used.
        """
        before = self._checked
        self._checked += 1
        outcome = None
        if before >= _OFTEN:
            if changes is not None and self._strict and self._keep_holding(new, old, changes):
                return _PASSED
            outcome = self._check_quickly(new, old, patience)
        if outcome is None:
            outcome = Run(self._kube, BUDGET, patience).visit(self._plan, new, ROOT, self._lineage(new, old))
        self._note(outcome)
        return outcome

    def _note(self, outcome: Outcome) -> None:
        if outcome is not _PASSED and (outcome.warnings or BUDGET - outcome.budget > LIMIT):
            self._strict = self._strict and bool(outcome.errors)

    def check_new(self, new: Json, *, patience: int) -> Outcome | None:
        """What `check` comes to for a new object, where that is easily seen; else None."""
        if self._checked <= _OFTEN:
            return None
        outcome = self._check_quickly(new, None, patience)
        if outcome is not None:
            self._checked += 1
            self._note(outcome)
        return outcome

    def _keep_holding(self, new: Json, old: Json, changes: Changes) -> bool:
        """Whether all rules are easily seen to hold of an object as a change of one of which they held."""
        broken: list[Broken] = []
        changing = self._changing
        try:
            return changing is not None and changing.walk(new, old, changes, broken) <= LIMIT and not broken
        except DOUBTS:
            return False

    def _lineage(self, new: Json, old: Json) -> Lineage:
        return Lineage() if old is None else Lineage(Correlated(self._plan.node, new, old), ratchets=True)

    @property
    def is_cold(self) -> bool:
        """Whether the next object comes with much to compile."""
        return (self._checked == 0 and not self._is_ready) or self._checked == _OFTEN

    def make_ready(self) -> Iterator[None]:
        """Compile what a first object needs, in steps of which none takes long."""
        for plan in self._plan.nodes():
            if plan.node.validations:
                plan.make_ready()
                yield
        self._is_ready = True

    def _check_quickly(self, new: Json, old: Json, patience: int | None) -> Outcome | None:
        """What running the rules comes to, where that is easily seen; else None."""
        broken: list[Broken] = []
        quick = self._quick
        try:
            cost = quick.walk(new, old, broken)
            if cost > LIMIT:
                return None
            if not broken:
                return _PASSED
            telling = Telling(self._kube, BUDGET, patience, cost=cost, broken=broken, rules_of=quick.of)
            outcome = telling.visit(self._plan, new, ROOT, self._lineage(new, old))
        except DOUBTS:
            return None
        return outcome if outcome.budget >= 0 else None

    def examine(self, value: Json, old: Json, at: FieldPath, *, budget: int = BUDGET) -> Outcome:
        """Run the rules on any value; failures are told whatever has not changed."""
        lineage = Lineage() if old is None else Lineage(Correlated(self._plan.node, value, old))
        return Run(self._kube, budget).visit(self._plan, value, at, lineage)
