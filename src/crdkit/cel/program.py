"""An expression that can be evaluated."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from crdkit.cel.errors import CelError, CostLimitExceeded, EvaluationError
from crdkit.cel.generating.generator import Evaluate
from crdkit.cel.generating.source import Leave, TooDear
from crdkit.cel.planning.planner import Plan
from crdkit.cel.planning.plans import UNSET, Frame
from crdkit.cel.values import Value

DEFAULT_LIMIT: Final = 1_000_000
"""What one evaluation may cost on a real server."""


_OFTEN: Final = 50
"""Evaluations from which on it pays to generate code."""
_DEAR: Final = 10_000
"""The cost of one evaluation after which it pays, too."""


class Program:
    """A planned expression; it keeps nothing between evaluations, so any number may run at the same time.

    One that is evaluated often gets generated code for the straight way, made by ``hasten``; where that leaves the way,
    the plan evaluates again.
    """

    __slots__ = ("_fast", "_hasten", "_plan", "_runs", "_variables")

    def __init__(self, plan: Plan, hasten: Callable[[], Evaluate | None] | None = None) -> None:
        self._plan = plan
        self._variables = tuple(plan.variables.items())
        self._hasten = hasten
        self._runs = 0
        self._fast: Evaluate | None = None

    def evaluate(self, bindings: Mapping[str, Value], limit: int = DEFAULT_LIMIT) -> tuple[Value, int]:
        """The value, and what it cost. A variable that is not bound counts as one that has no value.

        Raises `EvaluationError`, or `CostLimitExceeded` above the limit; the ``cost`` of either is what was charged.
        """
        if self._hasten is not None:
            self._count()
        if self._fast is not None:
            try:
                found = self._fast(bindings, limit)
            except TooDear as error:
                if limit < DEFAULT_LIMIT:  # who set that asks no more than whether it was passed
                    raise CostLimitExceeded from error
            except (Leave, CelError, LookupError):
                pass
            else:
                if found[1] <= limit:
                    return found
        return self._evaluate(bindings, limit)

    def _count(self) -> None:
        self._runs += 1
        hasten = self._hasten
        if self._runs >= _OFTEN and hasten is not None:  # another thread may have been here
            self._fast, self._hasten = hasten(), None

    def _evaluate(self, bindings: Mapping[str, Value], limit: int) -> tuple[Value, int]:
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
        finally:
            if frame.cost > _DEAR:
                self._runs = _OFTEN
