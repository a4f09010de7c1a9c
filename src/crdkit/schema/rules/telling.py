"""What is told of an object that breaks rules, where the quick walk found them: they are looked for, and no others are run again."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence

from crdkit.meta.paths import ROOT, FieldPath
from crdkit.meta.types import Json, JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.schema.rules.plans import Plan
from crdkit.schema.rules.quick import Broken, Walk
from crdkit.schema.rules.running import Lineage, Outcome, Run, Stopped, Subject


class Telling(Run):
    """A walk to the values that break rules, in the order in which running all rules comes to them.

    ``cost`` is what all rules cost together, but for messages. Where the budget may not suffice for those it stops, maybe too early.
    """

    def __init__(
        self, kube: KubeVersion, budget: int, patience: int | None, *, cost: int, broken: Sequence[Broken], rules_of: Callable[[Plan], Walk]
    ) -> None:
        super().__init__(kube, budget, patience)
        self.outcome.budget -= cost
        self._broken = broken
        self._rules_of = rules_of
        self._leading: Container[Plan | None] = ()

    def visit(self, plan: Plan, value: Json, at: FieldPath, lineage: Lineage) -> Outcome:
        where = self._broken[0].plan
        if where.way is None or at is not ROOT or any(each.plan is not where for each in self._broken):
            self._leading = _leading(self._broken)
            return super().visit(plan, value, at, lineage)
        for name in where.way:
            value, lineage = value[name], lineage.child(name)
        try:
            self._run_rules(where, value, where.place, lineage)
        except Stopped:
            self.outcome.budget = -1
        return self.outcome

    def _visit(self, plan: Plan, value: Json, at: FieldPath, lineage: Lineage) -> None:
        if plan in self._leading:
            super()._visit(plan, value, at, lineage)

    def _visit_fields(self, plan: Plan, value: JsonObject, at: FieldPath, lineage: Lineage) -> None:
        if plan.values is not None:
            super()._visit_fields(plan, value, at, lineage)
            return
        for name, item in value.items():
            if (below := plan.properties.get(name)) in self._leading and below is not None:
                self._visit(below, item, at / name, lineage.child(name))

    def _run_rules(self, plan: Plan, value: Json, at: FieldPath, lineage: Lineage) -> None:
        broken: Sequence[Broken] = self._broken
        if plan.way is None:
            found: list[Broken] = []
            broken = found
            self._rules_of(plan)(value, lineage.old, found)
        subject = None
        for each in broken:
            if each.plan is plan:
                subject = subject or Subject(plan, value, at, lineage)
                self.tell_violation(each.rule, subject)


def _leading(broken: Sequence[Broken]) -> set[Plan | None]:
    """The plans of broken rules, and all above them."""
    found: set[Plan | None] = set()
    for each in broken:
        plan: Plan | None = each.plan
        while plan is not None and plan not in found:
            found.add(plan)
            plan = plan.above
    return found
