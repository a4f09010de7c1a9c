"""An expression that can be evaluated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from crdkit.cel.errors import CelError, EvaluationError
from crdkit.cel.planning.planner import Plan
from crdkit.cel.planning.plans import UNSET, Frame
from crdkit.cel.values import Value

DEFAULT_LIMIT: Final = 1_000_000
"""What one evaluation may cost on a real server."""


class Program:
    """A planned expression; it keeps nothing between evaluations, so any number may run at the same time."""

    __slots__ = ("_plan", "_variables")

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._variables = tuple(plan.variables.items())

    def evaluate(self, bindings: Mapping[str, Value], limit: int = DEFAULT_LIMIT) -> tuple[Value, int]:
        """The value, and what it cost. A variable that is not bound counts as one that has no value.

        Raises `EvaluationError`, or `CostLimitExceeded` above the limit; the ``cost`` of either is what was charged.
        """
        plan = self._plan
        slots = [UNSET] * plan.slots
        for name, slot in self._variables:
            slots[slot] = bindings.get(name, UNSET)
        frame = Frame(slots, limit)
        try:
            return plan.run(frame), frame.cost
        except CelError as error:
            error.cost = frame.cost
            raise
        except RecursionError as error:
            msg = "internal error: stack overflow"
            failure = EvaluationError(msg)
            failure.cost = frame.cost
            raise failure from error
